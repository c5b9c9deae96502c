// BC6H: fourteen modes of RGB half floats (ARB_texture_compression_bptc). Endpoints are 6 to 16 bits long; all but the
// first are mostly stored as differences from it.

import { Half } from '../pixel/half';
import { anchor2, subsets2 } from './bptc-tables';
import { insertZero, unpack3, unpack4, withAnchor } from './indices';

// The lengths of the modes' fields: the number of a mode, bits of an endpoint, bits of a difference in R, G and B, or 0
// where endpoints are stored as they are.
const MODES = memory.data<u8>([
  0, 10, 5, 5, 5,
  1, 7, 6, 6, 6,
  2, 11, 5, 4, 4,
  6, 11, 4, 5, 4,
  10, 11, 4, 4, 5,
  14, 9, 5, 5, 5,
  18, 8, 6, 5, 5,
  22, 8, 5, 6, 5,
  26, 8, 5, 5, 6,
  30, 6, 0, 0, 0,
  3, 10, 0, 0, 0,
  7, 11, 9, 9, 9,
  11, 12, 8, 8, 8,
  15, 16, 4, 4, 4,
]);

// What the unpacking of a mode needs, in lanes of 16 bits: R, G, B and nothing of an endpoint, then of the next.
const SIGNS: usize = 0; // the sign bits of the differences, in the first two endpoints and in the other two
const BASE: usize = 32; // all ones where the first endpoint is added
const BITS: usize = 64; // the bits of an endpoint
const LENGTH: usize = 80; // u32: their number
const UNPACKING: usize = 96;
const UNPACKINGS: usize = memory.data(32 * 96, 16);

function init(): void {
  for (let row = MODES; row < MODES + 5 * 14; row += 5) {
    const o = UNPACKINGS + UNPACKING * <usize>load<u8>(row);
    const length = <u32>load<u8>(row, 1);
    store<u32>(o, length, LENGTH);
    for (let lane: usize = 0; lane < 16; lane++) {
      const at = o + 2 * lane;
      if (lane < 8) store<u16>(at, <u16>((<u32>1 << length) - 1), BITS);
      const channel = lane & 3;
      if (lane < 4 || channel == 3) continue;
      const difference = <u32>load<u8>(row + channel, 2);
      if (!difference) continue;
      store<u16>(at, <u16>(<u32>1 << (difference - 1)), SIGNS);
      store<u16>(at, 0xffff, BASE);
    }
  }
}
init();

// The value that becomes 1.0, for the alpha of endpoints.
const ONE: u16 = 0x3c00;
const UNSIGNED_ONE: i16 = 31711; // 31711 * 31 >> 6
const SIGNED_ONE: i16 = 15856; // 15856 * 31 >> 5

/** Endpoints of `length` bits to 16 bits. */
function unquantizeUnsigned(x: v128, bits: v128, length: i32): v128 {
  const half = i16x8.splat(length < 16 ? <i16>(<i32>1 << (15 - length)) : 0);
  const wide = i16x8.add(i16x8.shl(x, 16 - length), half);
  return v128.or(v128.andnot(wide, i16x8.eq(x, i16x8.splat(0))), i16x8.eq(x, bits));
}

/** Endpoints of `length` bits, the first of them the sign, to 15 bits and a sign (two's complement both). */
function unquantizeSigned(x: v128, bits: v128, length: i32): v128 {
  const top = i16x8.splat(<i16>(<i32>1 << (length - 1)));
  x = i16x8.sub(v128.xor(x, top), top);
  const size = i16x8.abs(x);
  const half = i16x8.splat(length < 16 ? <i16>(<i32>1 << (15 - length)) : 0);
  const wide = i16x8.add(i16x8.shl(size, 16 - length), half);
  const most = i16x8.splat(0x7fff);
  const clamped = v128.bitselect(most, wide, i16x8.ge_s(size, v128.and(i16x8.shr_u(bits, 1), most)));
  const sign = i16x8.shr_s(x, 15);
  return i16x8.sub(v128.xor(v128.andnot(clamped, i16x8.eq(x, i16x8.splat(0))), sign), sign);
}

/** The two endpoints of a vector as pairs of lanes, a channel each. */
function paired(ends: v128): v128 {
  return v128.shuffle<u16>(ends, ends, 0, 4, 1, 5, 2, 6, 3, 7);
}

/** The endpoints of both subsets, `paired`. */
const PAIRS: usize = memory.data(32, 16);

/** The pairs of the subset that texel `t` is in; `subsets` has two bits for each. */
function pairOf(subsets: u32, t: u32): v128 {
  return v128.load(PAIRS + <usize>(((subsets >>> (2 * t)) & 1) << 4));
}

/** a * (64 - w) + b * w of the pairs of texel `t`; the lanes of `w` are 64 - w and w. */
function blend(subsets: u32, t: u32, w: v128): v128 {
  return i32x4.dot_i16x8_s(pairOf(subsets, t), w);
}

/** Four texels from `t` on: (the blend + 32) >> 6, times 31 / 64; `w` has their weights. */
function storeUnsigned(dst: usize, subsets: u32, t: u32, w: v128): void {
  const v0 = unsignedValue(blend(subsets, t, v128.shuffle<u32>(w, w, 0, 0, 0, 0)));
  const v1 = unsignedValue(blend(subsets, t + 1, v128.shuffle<u32>(w, w, 1, 1, 1, 1)));
  const v2 = unsignedValue(blend(subsets, t + 2, v128.shuffle<u32>(w, w, 2, 2, 2, 2)));
  const v3 = unsignedValue(blend(subsets, t + 3, v128.shuffle<u32>(w, w, 3, 3, 3, 3)));
  v128.store(dst, i16x8.narrow_i32x4_u(v0, v1));
  v128.store(dst, i16x8.narrow_i32x4_u(v2, v3), 16);
}

function unsignedValue(sum: v128): v128 {
  // The pairs are less by 0x8000, so as to be signed.
  const v = i32x4.shr_u(i32x4.add(sum, i32x4.splat((0x8000 << 6) + 32)), 6);
  return i32x4.shr_u(i32x4.sub(i32x4.shl(v, 5), v), 6);
}

/** As `storeUnsigned`, times 31 / 32 and with the sign in the top bit. */
function storeSigned(dst: usize, subsets: u32, t: u32, w: v128): void {
  const v0 = signedValue(blend(subsets, t, v128.shuffle<u32>(w, w, 0, 0, 0, 0)));
  const v1 = signedValue(blend(subsets, t + 1, v128.shuffle<u32>(w, w, 1, 1, 1, 1)));
  const v2 = signedValue(blend(subsets, t + 2, v128.shuffle<u32>(w, w, 2, 2, 2, 2)));
  const v3 = signedValue(blend(subsets, t + 3, v128.shuffle<u32>(w, w, 3, 3, 3, 3)));
  v128.store(dst, signedHalves(i16x8.narrow_i32x4_s(v0, v1)));
  v128.store(dst, signedHalves(i16x8.narrow_i32x4_s(v2, v3)), 16);
}

function signedValue(sum: v128): v128 {
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32)), 6);
}

function signedHalves(v: v128): v128 {
  const size = i16x8.abs(v);
  // size * 31 >> 5, without more than 16 bits
  const scaled = i16x8.sub(size, i16x8.shr_u(i16x8.add(size, i16x8.splat(31)), 5));
  // -1 is scaled to 0, which has no sign.
  const sign = v128.and(i16x8.add_sat_s(v, i16x8.splat(1)), i16x8.splat(<i16>0x8000));
  return v128.or(scaled, sign);
}

function storeBlack(dst: usize, pitch: usize): void {
  const black = i64x2.splat(<u64>ONE << 48);
  for (let y = 0; y < 4; y++, dst += pitch) {
    v128.store(dst, black);
    v128.store(dst, black, 16);
  }
}

/** Decodes a block to four rows of RGBA16F, `pitch` bytes apart. */
function decode(dst: usize, pitch: usize, src: usize, signed: bool): void {
  const low = load<u64>(src);
  const mid = load<u64>(src, 4);
  const high = load<u64>(src, 8);
  const mode = <u32>low & 2 ? <u32>low & 31 : <u32>low & 1;
  // The endpoints as they are stored, two for each subset: R, G and B in 16 bits each. Each term is a run of bits, or
  // several that move as far: `low >>> 35 & 0x1f` is bits 35 to 39 of the block.
  let e0: u64 = 0;
  let e1: u64 = 0;
  let e2: u64 = 0;
  let e3: u64 = 0;
  switch (mode) {
    case 0:
      e0 = low >>> 5 & 0x3ff | low << 1 & 0x3ff0000 | low << 7 & 0x3ff00000000;
      e1 = low >>> 35 & 0x1f | low >>> 29 & 0x1f0000 | low >>> 23 & 0x1f00000000;
      e2 = low << 18 & 0x100000 | low << 33 & 0x1000000000 | low >>> 25 & 0xf0000 | mid << 3 & 0xf00000000 |
        high >>> 1 & 0x1f;
      e3 = low << 32 & 0x1000000000 | low >>> 20 & 0x100000 | low >>> 18 & 0x100000000 | low >>> 35 & 0xf0000 |
        low >>> 27 & 0x200000000 | high << 28 & 0x400000000 | high >>> 7 & 0x1f | high << 23 & 0x800000000;
      break;
    case 1:
      e0 = low >>> 5 & 0x7f | low << 1 & 0x7f0000 | low << 7 & 0x7f00000000;
      e1 = low >>> 35 & 0x3f | low >>> 29 & 0x3f0000 | low >>> 23 & 0x3f00000000;
      e2 = low << 19 & 0x200000 | low << 22 & 0x1000000000 | low << 15 & 0x2000000000 | low >>> 4 & 0x100000 |
        low >>> 25 & 0xf0000 | mid << 3 & 0xf00000000 | high >>> 1 & 0x3f;
      e3 = low << 17 & 0x300000 | low << 20 & 0x300000000 | low << 11 & 0x400000000 | low << 3 & 0x800000000 |
        low << 4 & 0x2000000000 | low << 2 & 0x1000000000 | low >>> 35 & 0xf0000 | high >>> 7 & 0x3f;
      break;
    case 2:
      e0 = low >>> 5 & 0x3ff | low << 1 & 0x3ff0000 | low << 7 & 0x3ff00000000 | low >>> 30 & 0x400 |
        low >>> 23 & 0x4000000 | low >>> 17 & 0x40000000000;
      e1 = low >>> 35 & 0x1f | low >>> 29 & 0xf0000 | low >>> 23 & 0xf00000000;
      e2 = low >>> 25 & 0xf0000 | mid << 3 & 0xf00000000 | high >>> 1 & 0x1f;
      e3 = low >>> 18 & 0x100000000 | low >>> 35 & 0xf0000 | low >>> 27 & 0x200000000 | high << 28 & 0x400000000 |
        high >>> 7 & 0x1f | high << 23 & 0x800000000;
      break;
    case 6:
      e0 = low >>> 5 & 0x3ff | low << 1 & 0x3ff0000 | low << 7 & 0x3ff00000000 | low >>> 29 & 0x400 |
        low >>> 24 & 0x4000000 | low >>> 17 & 0x40000000000;
      e1 = low >>> 35 & 0xf | low >>> 29 & 0x1f0000 | low >>> 23 & 0xf00000000;
      e2 = low >>> 25 & 0xf0000 | mid << 3 & 0xf00000000 | high >>> 1 & 0xf | high << 9 & 0x100000;
      e3 = low >>> 20 & 0x100000 | low >>> 35 & 0xf0000 | low >>> 27 & 0x200000000 | high << 27 & 0x100000000 |
        high << 28 & 0x400000000 | high >>> 7 & 0xf | high << 23 & 0x800000000;
      break;
    case 10:
      e0 = low >>> 5 & 0x3ff | low << 1 & 0x3ff0000 | low << 7 & 0x3ff00000000 | low >>> 29 & 0x400 |
        low >>> 23 & 0x4000000 | low >>> 18 & 0x40000000000;
      e1 = low >>> 35 & 0xf | low >>> 29 & 0xf0000 | low >>> 23 & 0x1f00000000;
      e2 = low >>> 4 & 0x1000000000 | low >>> 25 & 0xf0000 | mid << 3 & 0xf00000000 | high >>> 1 & 0xf;
      e3 = low >>> 18 & 0x100000000 | low >>> 35 & 0xf0000 | high << 28 & 0x600000000 | high >>> 7 & 0xf |
        high << 25 & 0x1000000000 | high << 23 & 0x800000000;
      break;
    case 14:
      e0 = low >>> 5 & 0x1ff | low << 1 & 0x1ff0000 | low << 7 & 0x1ff00000000;
      e1 = low >>> 35 & 0x1f | low >>> 29 & 0x1f0000 | low >>> 23 & 0x1f00000000;
      e2 = low << 22 & 0x1000000000 | low >>> 4 & 0x100000 | low >>> 25 & 0xf0000 | mid << 3 & 0xf00000000 |
        high >>> 1 & 0x1f;
      e3 = low << 2 & 0x1000000000 | low >>> 20 & 0x100000 | low >>> 18 & 0x100000000 | low >>> 35 & 0xf0000 |
        low >>> 27 & 0x200000000 | high << 28 & 0x400000000 | high >>> 7 & 0x1f | high << 23 & 0x800000000;
      break;
    case 18:
      e0 = low >>> 5 & 0xff | low << 1 & 0xff0000 | low << 7 & 0xff00000000;
      e1 = low >>> 35 & 0x3f | low >>> 29 & 0x1f0000 | low >>> 23 & 0x1f00000000;
      e2 = low << 22 & 0x1000000000 | low >>> 4 & 0x100000 | low >>> 25 & 0xf0000 | mid << 3 & 0xf00000000 |
        high >>> 1 & 0x3f;
      e3 = low << 7 & 0x100000 | low << 11 & 0x400000000 | low << 2 & 0x1800000000 | low >>> 18 & 0x100000000 |
        low >>> 35 & 0xf0000 | low >>> 27 & 0x200000000 | high >>> 7 & 0x3f;
      break;
    case 22:
      e0 = low >>> 5 & 0xff | low << 1 & 0xff0000 | low << 7 & 0xff00000000;
      e1 = low >>> 35 & 0x1f | low >>> 29 & 0x3f0000 | low >>> 23 & 0x1f00000000;
      e2 = low << 22 & 0x1000000000 | low >>> 2 & 0x200000 | low >>> 4 & 0x100000 | low >>> 25 & 0xf0000 |
        mid << 3 & 0xf00000000 | high >>> 1 & 0x1f;
      e3 = low << 19 & 0x100000000 | low >>> 12 & 0x200000 | low << 2 & 0x1000000000 | low >>> 20 & 0x100000 |
        low >>> 35 & 0xf0000 | low >>> 27 & 0x200000000 | high << 28 & 0x400000000 | high >>> 7 & 0x1f |
        high << 23 & 0x800000000;
      break;
    case 26:
      e0 = low >>> 5 & 0xff | low << 1 & 0xff0000 | low << 7 & 0xff00000000;
      e1 = low >>> 35 & 0x1f | low >>> 29 & 0x1f0000 | low >>> 23 & 0x3f00000000;
      e2 = low << 22 & 0x1000000000 | low << 14 & 0x2000000000 | low >>> 4 & 0x100000 | low >>> 25 & 0xf0000 |
        mid << 3 & 0xf00000000 | high >>> 1 & 0x1f;
      e3 = low << 20 & 0x200000000 | low << 4 & 0x2000000000 | low << 2 & 0x1000000000 | low >>> 20 & 0x100000 |
        low >>> 18 & 0x100000000 | low >>> 35 & 0xf0000 | high << 28 & 0x400000000 | high >>> 7 & 0x1f |
        high << 23 & 0x800000000;
      break;
    case 30:
      e0 = low >>> 5 & 0x3f | low << 1 & 0x3f0000 | low << 7 & 0x3f00000000;
      e1 = low >>> 35 & 0x3f | low >>> 29 & 0x3f0000 | low >>> 23 & 0x3f00000000;
      e2 = low << 22 & 0x1000000000 | low & 0x200000 | low << 15 & 0x2000000000 | low >>> 4 & 0x100000 |
        low >>> 25 & 0xf0000 | mid << 3 & 0xf00000000 | high >>> 1 & 0x3f;
      e3 = low << 9 & 0x100000 | low << 20 & 0x300000000 | low << 11 & 0x400000000 | low >>> 10 & 0x200000 |
        low << 3 & 0x800000000 | low << 4 & 0x2000000000 | low << 2 & 0x1000000000 | low >>> 35 & 0xf0000 |
        high >>> 7 & 0x3f;
      break;
    case 3:
      e0 = low >>> 5 & 0x3ff | low << 1 & 0x3ff0000 | low << 7 & 0x3ff00000000;
      e1 = low >>> 35 & 0x3ff | low >>> 29 & 0x3ff0000 | mid << 9 & 0x3ff00000000;
      break;
    case 7:
      e0 = low >>> 5 & 0x3ff | low << 1 & 0x3ff0000 | low << 7 & 0x3ff00000000 | low >>> 34 & 0x400 |
        low >>> 28 & 0x4000000 | high << 42 & 0x40000000000;
      e1 = low >>> 35 & 0x1ff | low >>> 29 & 0x1ff0000 | low >>> 23 & 0x1ff00000000;
      break;
    case 11:
      e0 = low >>> 5 & 0x3ff | low << 1 & 0x3ff0000 | low << 7 & 0x3ff00000000 | low >>> 32 & 0x800 |
        low >>> 34 & 0x400 | low >>> 26 & 0x8000000 | low >>> 28 & 0x4000000 | low >>> 20 & 0x80000000000 |
        high << 42 & 0x40000000000;
      e1 = low >>> 35 & 0xff | low >>> 29 & 0xff0000 | low >>> 23 & 0xff00000000;
      break;
    case 15:
      e0 = low >>> 5 & 0x3ff | low << 1 & 0x3ff0000 | low << 7 & 0x3ff00000000 | low >>> 24 & 0x10008000 |
        low >>> 26 & 0x8004000 | low >>> 28 & 0x4002000 | low >>> 30 & 0x1000 | low >>> 32 & 0x800 |
        low >>> 34 & 0x400 | low >>> 18 & 0x100080000000 | low >>> 20 & 0x80040000000 | low >>> 22 & 0x20000000 |
        low >>> 12 & 0x800000000000 | low >>> 14 & 0x400000000000 | low >>> 16 & 0x200000000000 |
        high << 42 & 0x40000000000;
      e1 = low >>> 35 & 0xf | low >>> 29 & 0xf0000 | low >>> 23 & 0xf00000000;
      break;
    default:
      return storeBlack(dst, pitch);
  }

  const unpacking = UNPACKINGS + UNPACKING * <usize>mode;
  const length = load<u32>(unpacking, LENGTH);
  const bits = v128.load(unpacking, BITS);
  const base = i64x2.splat(e0);
  const signs01 = v128.load(unpacking, SIGNS);
  const signs23 = v128.load(unpacking, SIGNS + 16);
  let ends01 = i16x8.sub(v128.xor(i64x2.replace_lane(i64x2.splat(e0), 1, e1), signs01), signs01);
  let ends23 = i16x8.sub(v128.xor(i64x2.replace_lane(i64x2.splat(e2), 1, e3), signs23), signs23);
  ends01 = v128.and(i16x8.add(ends01, v128.and(base, v128.load(unpacking, BASE))), bits);
  ends23 = v128.and(i16x8.add(ends23, v128.and(base, v128.load(unpacking, BASE + 16))), bits);
  if (signed) {
    const alpha = i16x8(0, 0, 0, SIGNED_ONE, 0, 0, 0, SIGNED_ONE);
    ends01 = v128.or(unquantizeSigned(ends01, bits, length), alpha);
    ends23 = v128.or(unquantizeSigned(ends23, bits, length), alpha);
  } else {
    const alpha = i16x8(0, 0, 0, UNSIGNED_ONE, 0, 0, 0, UNSIGNED_ONE);
    const less = i16x8.splat(<i16>0x8000);
    ends01 = v128.xor(v128.or(unquantizeUnsigned(ends01, bits, length), alpha), less);
    ends23 = v128.xor(v128.or(unquantizeUnsigned(ends23, bits, length), alpha), less);
  }
  v128.store(PAIRS, paired(ends01));
  v128.store(PAIRS, paired(ends23), 16);

  let subsets: u32 = 0;
  let weights: v128;
  if ((mode & 3) == 3) {
    weights = i8x16.swizzle(
      i8x16(0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64),
      unpack4(insertZero(high >>> 1, 3)),
    );
  } else {
    const partition = <u32>(high >>> 13) & 31;
    subsets = subsets2(partition);
    weights = i8x16.swizzle(
      i8x16(0, 9, 18, 27, 37, 46, 55, 64, 0, 0, 0, 0, 0, 0, 0, 0),
      unpack3(withAnchor(high >>> 18, 3, anchor2(partition))),
    );
  }
  const rest = i8x16.sub(i8x16.splat(64), weights);
  const top = v128.shuffle<u8>(rest, weights, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const bottom = v128.shuffle<u8>(rest, weights, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  if (signed) {
    storeSigned(dst, subsets, 0, i16x8.extend_low_i8x16_u(top));
    storeSigned(dst + pitch, subsets, 4, i16x8.extend_high_i8x16_u(top));
    storeSigned(dst + 2 * pitch, subsets, 8, i16x8.extend_low_i8x16_u(bottom));
    storeSigned(dst + 3 * pitch, subsets, 12, i16x8.extend_high_i8x16_u(bottom));
  } else {
    storeUnsigned(dst, subsets, 0, i16x8.extend_low_i8x16_u(top));
    storeUnsigned(dst + pitch, subsets, 4, i16x8.extend_high_i8x16_u(top));
    storeUnsigned(dst + 2 * pitch, subsets, 8, i16x8.extend_low_i8x16_u(bottom));
    storeUnsigned(dst + 3 * pitch, subsets, 12, i16x8.extend_high_i8x16_u(bottom));
  }
}

/** Decodes `count` blocks to four rows of RGBA16F, `pitch` bytes apart. */
export function bc6hHalves(dst: usize, pitch: usize, src: usize, count: u32, signed: bool): void {
  for (; count; count--, dst += 32, src += 16) decode(dst, pitch, src, signed);
}

/** The texels of a block as RGBA16F. */
const HALVES: usize = memory.data(128, 16);

/** Decodes `count` blocks to four rows of RGBA8, `pitch` bytes apart. */
export function bc6hBlocks(dst: usize, pitch: usize, src: usize, count: u32, signed: bool): void {
  for (; count; count--, dst += 16, src += 16) {
    decode(HALVES, 32, src, signed);
    v128.store(dst, Half.toBytes(v128.load(HALVES), v128.load(HALVES, 16)));
    v128.store(dst + pitch, Half.toBytes(v128.load(HALVES, 32), v128.load(HALVES, 48)));
    v128.store(dst + 2 * pitch, Half.toBytes(v128.load(HALVES, 64), v128.load(HALVES, 80)));
    v128.store(dst + 3 * pitch, Half.toBytes(v128.load(HALVES, 96), v128.load(HALVES, 112)));
  }
}
