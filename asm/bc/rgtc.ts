// BC4 and BC5 (RGTC, 3Dc): one or two 8-bit channels by two endpoints and 3-bit indices.

import { snormTexels, unormTexels } from './alpha';

/** Stores (R, G, 0, 255) of sixteen texels; `low` and `high` are eight pairs of R and G each. */
function storeRg(dst: usize, pitch: usize, low: v128, high: v128): void {
  const rest = i16x8.splat(<i16>0xff00);
  v128.store(dst, v128.shuffle<u16>(low, rest, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(dst + pitch, v128.shuffle<u16>(low, rest, 4, 12, 5, 13, 6, 14, 7, 15));
  v128.store(dst + 2 * pitch, v128.shuffle<u16>(high, rest, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(dst + 3 * pitch, v128.shuffle<u16>(high, rest, 4, 12, 5, 13, 6, 14, 7, 15));
}

/** Decodes `count` BC4 UNORM blocks to four rows of texels. */
export function bc4UnormBlocks(dst: usize, pitch: usize, src: usize, count: u32): void {
  for (; count; count--, dst += 16, src += 8) {
    const r = unormTexels(src);
    storeRg(dst, pitch, i16x8.extend_low_i8x16_u(r), i16x8.extend_high_i8x16_u(r));
  }
}

/** Decodes `count` BC4 SNORM blocks to four rows of texels. */
export function bc4SnormBlocks(dst: usize, pitch: usize, src: usize, count: u32): void {
  for (; count; count--, dst += 16, src += 8) {
    const r = snormTexels(src);
    storeRg(dst, pitch, i16x8.extend_low_i8x16_u(r), i16x8.extend_high_i8x16_u(r));
  }
}

function storePairs(dst: usize, pitch: usize, r: v128, g: v128): void {
  storeRg(
    dst, pitch,
    v128.shuffle<u8>(r, g, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
    v128.shuffle<u8>(r, g, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
  );
}

/** Decodes `count` BC5 UNORM blocks to four rows of texels. */
export function bc5UnormBlocks(dst: usize, pitch: usize, src: usize, count: u32): void {
  for (; count; count--, dst += 16, src += 16) storePairs(dst, pitch, unormTexels(src), unormTexels(src + 8));
}

/** Decodes `count` BC5 SNORM blocks to four rows of texels. */
export function bc5SnormBlocks(dst: usize, pitch: usize, src: usize, count: u32): void {
  for (; count; count--, dst += 16, src += 16) storePairs(dst, pitch, snormTexels(src), snormTexels(src + 8));
}
