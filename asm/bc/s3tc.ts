// BC1, BC2 and BC3 (S3TC, DXT1 to DXT5): colours by two RGB565 endpoints and 2-bit indices; BC2 has 4-bit alphas, BC3
// alphas by two endpoints of their own.

import { unormTexels } from './alpha';
import { unpack4 } from './indices';
import { rowSelect } from './select';

// What the second half of the palette is made of, in twelfths of an endpoint: eight lanes of weights of the lane's own
// endpoint, eight of the other's. Four colours: 2/3 + 1/3 and 1/3 + 2/3; three colours: 1/2 + 1/2 and nothing.
const FOUR = memory.data<i16>([8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 4, 4, 4, 4], 16);
const THREE = memory.data<i16>([6, 6, 6, 6, 0, 0, 0, 0, 6, 6, 6, 6, 0, 0, 0, 0], 16);

/** The four RGBA8 values of a block with the endpoints `ends` (the second in the high half). */
function colourPalette(ends: u32, three: bool): v128 {
  const mix = three ? THREE : FOUR;
  // Lanes of 6 bits: red and blue doubled, green, and 63 for an opaque alpha.
  const pair = i32x4.splat(ends);
  let own = v128.shuffle<u16>(pair, pair, 0, 0, 0, 0, 1, 1, 1, 1);
  own = i16x8.shr_u(i16x8.mul(own, i16x8(1, 32, 2048, 0, 1, 32, 2048, 0)), 10);
  own = v128.and(own, i16x8(0x3e, 0x3f, 0x3e, 0, 0x3e, 0x3f, 0x3e, 0));
  own = v128.or(own, i16x8(0, 0, 0, 63, 0, 0, 0, 63));
  const other = v128.shuffle<u64>(own, own, 1, 0);
  // Twelve times the value, times 255/31 or 255/63, rounded once. The factors are 2^15 / 12 * 255/62 and 2^15 / 12 *
  // 255/63, rounded up so that exact halves round up too; they give the right byte for all pairs of endpoints.
  const scale = i16x8(11231, 11053, 11231, 11053, 11231, 11053, 11231, 11053);
  const mixed = i16x8.add(i16x8.mul(own, v128.load(mix)), i16x8.mul(other, v128.load(mix, 16)));
  return i8x16.narrow_i16x8_u(
    i16x8.q15mulr_sat_s(i16x8.mul(own, i16x8.splat(12)), scale),
    i16x8.q15mulr_sat_s(mixed, scale),
  );
}

/** Stores a block's four rows, values of `palette` picked by 2-bit indices. */
function storeSelected(dst: usize, pitch: usize, palette: v128, indices: u32): void {
  v128.store(dst, i8x16.swizzle(palette, rowSelect(indices, 0)));
  v128.store(dst + pitch, i8x16.swizzle(palette, rowSelect(indices, 1)));
  v128.store(dst + 2 * pitch, i8x16.swizzle(palette, rowSelect(indices, 2)));
  v128.store(dst + 3 * pitch, i8x16.swizzle(palette, rowSelect(indices, 3)));
}

/** Decodes `count` BC1 blocks to four rows of texels. */
export function bc1Blocks(dst: usize, pitch: usize, src: usize, count: u32): void {
  for (; count; count--, dst += 16, src += 8) {
    const ends = load<u32>(src);
    storeSelected(dst, pitch, colourPalette(ends, (ends & 0xffff) <= ends >>> 16), load<u32>(src, 4));
  }
}

/** Stores a block whose colours are `palette` picked by `indices`, and whose alphas are the bytes of `alphas`. */
function storeWithAlpha(dst: usize, pitch: usize, palette: v128, indices: u32, alphas: v128): void {
  palette = v128.and(palette, i32x4.splat(0x00ffffff));
  v128.store(dst, v128.or(
    i8x16.swizzle(palette, rowSelect(indices, 0)),
    i8x16.swizzle(alphas, i8x16(-1, -1, -1, 0, -1, -1, -1, 1, -1, -1, -1, 2, -1, -1, -1, 3)),
  ));
  v128.store(dst + pitch, v128.or(
    i8x16.swizzle(palette, rowSelect(indices, 1)),
    i8x16.swizzle(alphas, i8x16(-1, -1, -1, 4, -1, -1, -1, 5, -1, -1, -1, 6, -1, -1, -1, 7)),
  ));
  v128.store(dst + 2 * pitch, v128.or(
    i8x16.swizzle(palette, rowSelect(indices, 2)),
    i8x16.swizzle(alphas, i8x16(-1, -1, -1, 8, -1, -1, -1, 9, -1, -1, -1, 10, -1, -1, -1, 11)),
  ));
  v128.store(dst + 3 * pitch, v128.or(
    i8x16.swizzle(palette, rowSelect(indices, 3)),
    i8x16.swizzle(alphas, i8x16(-1, -1, -1, 12, -1, -1, -1, 13, -1, -1, -1, 14, -1, -1, -1, 15)),
  ));
}

/** Decodes `count` BC2 blocks to four rows of texels. */
export function bc2Blocks(dst: usize, pitch: usize, src: usize, count: u32): void {
  for (; count; count--, dst += 16, src += 16) {
    const nibbles = unpack4(load<u64>(src));
    const alphas = v128.or(nibbles, i16x8.shl(nibbles, 4)); // times 17
    storeWithAlpha(dst, pitch, colourPalette(load<u32>(src, 8), false), load<u32>(src, 12), alphas);
  }
}

/** Decodes `count` BC3 blocks to four rows of texels. */
export function bc3Blocks(dst: usize, pitch: usize, src: usize, count: u32): void {
  for (; count; count--, dst += 16, src += 16) {
    storeWithAlpha(dst, pitch, colourPalette(load<u32>(src, 8), false), load<u32>(src, 12), unormTexels(src));
  }
}
