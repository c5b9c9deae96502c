// ASTC blocks: 16 bytes for a footprint of 4 x 4 to 12 x 12 texels.

import { ENDS, ERROR_COLOUR, decodeEndpoints } from './endpoints';
import { blockMode, gridHeight, gridWidth, isDual, weightBits } from './modes';
import { partitionRows } from './partitions';
import { colourTable, fittingRange } from './ranges';
import { unpack } from './sequence';
import { decodeWeights, plane, weightPitch } from './weights';

const VOID_EXTENT: u32 = 0x1fc;
const NO_EXTENT: u64 = 0xfffffffffffff000;

/** The colour values of a block. */
const VALUES: usize = memory.data(18 + 16, 16);
/** The partitions of the texels: twelve rows of 16. */
const PARTITIONS: usize = memory.data(12 * 16, 16);

/** The last texels of a row when its length is not a multiple of 4. */
function storeLast(dst: usize, texels: v128, count: u32): void {
  if (count & 2) store<u64>(dst, i64x2.extract_lane(texels, 0));
  else store<u32>(dst, i32x4.extract_lane(texels, 0));
}

function fill(dst: usize, pitch: usize, width: u32, height: u32, colour: u32): void {
  const texels = i32x4.splat(colour);
  for (let y: u32 = 0; y < height; y++, dst += pitch) {
    let to = dst;
    for (const end = dst + ((<usize>width & ~3) << 2); to < end; to += 16) v128.store(to, texels);
    if (width & 3) storeLast(to, texels, width & 3);
  }
}

// Interpolation is exact in 16 bits. With s = e0 (64 - w) + e1 w, what an endpoint of 257 e gives is
// (s + ((s + 32) >> 8)) >> 6, and what one of 256 e + 128 gives is (s + 32) >> 6.

function firstPair(): v128 {
  return i8x16(0, -1, 0, -1, 0, -1, 0, -1, 1, -1, 1, -1, 1, -1, 1, -1);
}

function secondPair(): v128 {
  return i8x16(2, -1, 2, -1, 2, -1, 2, -1, 3, -1, 3, -1, 3, -1, 3, -1);
}

/** What all texels of linear formats have added in 256ths. */
function roundingMask(srgb: bool): v128 {
  return i16x8.splat(srgb ? 0 : -1);
}

/** `start` is 64 e0, and 32 more in sRGB. */
function between(start: v128, difference: v128, weights: v128, mask: v128): v128 {
  const s = i16x8.add(start, i16x8.mul(difference, weights));
  const replicated = v128.and(i16x8.shr_u(i16x8.add(s, i16x8.splat(32)), 8), mask);
  return i16x8.shr_u(i16x8.add(s, replicated), 6);
}

/** A block of one partition and one plane of weights. */
function storeOne(dst: usize, pitch: usize, width: u32, height: u32, srgb: bool): void {
  const e0 = i16x8.extend_low_i8x16_u(i32x4.splat(load<u32>(ENDS)));
  const difference = i16x8.sub(i16x8.extend_low_i8x16_u(i32x4.splat(load<u32>(ENDS, 16))), e0);
  const start = i16x8.add(i16x8.shl(e0, 6), i16x8.splat(srgb ? 32 : 0));
  const mask = roundingMask(srgb);
  const weightRow = weightPitch();
  const size = <usize>width << 2;
  let w = plane(0);
  for (let y: u32 = 0; y < height; y++, dst += pitch, w += weightRow) {
    for (let x: usize = 0; x < size; x += 16) {
      const weights = v128.load32_zero(w + (x >>> 2));
      const low = between(start, difference, i8x16.swizzle(weights, firstPair()), mask);
      const high = between(start, difference, i8x16.swizzle(weights, secondPair()), mask);
      const texels = i8x16.narrow_i16x8_u(low, high);
      if (x + 16 <= size) v128.store(dst + x, texels);
      else storeLast(dst + x, texels, width & 3);
    }
  }
}

/** The lanes of a pair of texels that have the weights of the second plane. */
function secondPlane(channel: u32): v128 {
  return i64x2.splat(<u64>0xffff << (channel << 4));
}

function storeDual(dst: usize, pitch: usize, width: u32, height: u32, srgb: bool, channel: u32): void {
  const e0 = i16x8.extend_low_i8x16_u(i32x4.splat(load<u32>(ENDS)));
  const difference = i16x8.sub(i16x8.extend_low_i8x16_u(i32x4.splat(load<u32>(ENDS, 16))), e0);
  const start = i16x8.add(i16x8.shl(e0, 6), i16x8.splat(srgb ? 32 : 0));
  const mask = roundingMask(srgb);
  const lanes = secondPlane(channel);
  const weightRow = weightPitch();
  const size = <usize>width << 2;
  let w0 = plane(0);
  let w1 = plane(1);
  for (let y: u32 = 0; y < height; y++, dst += pitch, w0 += weightRow, w1 += weightRow) {
    for (let x: usize = 0; x < size; x += 16) {
      const some = v128.load32_zero(w0 + (x >>> 2));
      const others = v128.load32_zero(w1 + (x >>> 2));
      const w01 = v128.bitselect(i8x16.swizzle(others, firstPair()), i8x16.swizzle(some, firstPair()), lanes);
      const w23 = v128.bitselect(i8x16.swizzle(others, secondPair()), i8x16.swizzle(some, secondPair()), lanes);
      const texels = i8x16.narrow_i16x8_u(
        between(start, difference, w01, mask),
        between(start, difference, w23, mask),
      );
      if (x + 16 <= size) v128.store(dst + x, texels);
      else storeLast(dst + x, texels, width & 3);
    }
  }
}

/** A block of several partitions, which PARTITIONS tells; `channel` is 4 when there is one plane of weights. */
function storeParted(dst: usize, pitch: usize, width: u32, height: u32, srgb: bool, channel: u32): void {
  const firsts = v128.load(ENDS);
  const seconds = v128.load(ENDS, 16);
  const bias = i16x8.splat(srgb ? 32 : 0);
  const mask = roundingMask(srgb);
  const lanes = channel < 4 ? secondPlane(channel) : i8x16.splat(0);
  const quads = i8x16(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  const channels = i32x4.splat(0x03020100);
  const weightRow = weightPitch();
  const size = <usize>width << 2;
  let w0 = plane(0);
  let w1 = channel < 4 ? plane(1) : w0;
  let p = PARTITIONS;
  for (let y: u32 = 0; y < height; y++, dst += pitch, p += 16, w0 += weightRow, w1 += weightRow) {
    for (let x: usize = 0; x < size; x += 16) {
      const select = i8x16.add(i8x16.swizzle(v128.load32_zero(p + (x >>> 2)), quads), channels);
      const a = i8x16.swizzle(firsts, select);
      const b = i8x16.swizzle(seconds, select);
      const a01 = i16x8.extend_low_i8x16_u(a);
      const a23 = i16x8.extend_high_i8x16_u(a);
      const d01 = i16x8.sub(i16x8.extend_low_i8x16_u(b), a01);
      const d23 = i16x8.sub(i16x8.extend_high_i8x16_u(b), a23);
      const some = v128.load32_zero(w0 + (x >>> 2));
      const others = v128.load32_zero(w1 + (x >>> 2));
      const w01 = v128.bitselect(i8x16.swizzle(others, firstPair()), i8x16.swizzle(some, firstPair()), lanes);
      const w23 = v128.bitselect(i8x16.swizzle(others, secondPair()), i8x16.swizzle(some, secondPair()), lanes);
      const texels = i8x16.narrow_i16x8_u(
        between(i16x8.add(i16x8.shl(a01, 6), bias), d01, w01, mask),
        between(i16x8.add(i16x8.shl(a23, 6), bias), d23, w23, mask),
      );
      if (x + 16 <= size) v128.store(dst + x, texels);
      else storeLast(dst + x, texels, width & 3);
    }
  }
}

/** The one colour of a void-extent block. */
function voidExtent(low: u64, high: u64): u32 {
  if (low & 0x200 || ((low >>> 10) & 3) != 3) return ERROR_COLOUR;
  if ((low & NO_EXTENT) != NO_EXTENT) {
    const extent = low >>> 12;
    const s = extent & 0x1fff;
    const t = (extent >>> 26) & 0x1fff;
    if (s >= ((extent >>> 13) & 0x1fff) || t >= ((extent >>> 39) & 0x1fff)) return ERROR_COLOUR;
  }
  return <u32>(
    ((high >>> 8) & 0xff) | ((high >>> 16) & 0xff00) | ((high >>> 24) & 0xff0000) | ((high >>> 32) & 0xff000000)
  );
}

/** `count` (less than 64) of the 128 bits of a block, from bit `at` on. */
function bitsAt(low: u64, high: u64, at: u32, count: u32): u32 {
  const bits = at >= 64 ? high >>> (at - 64) : (low >>> at) | ((high << 1) << (63 - at));
  return <u32>bits & ((1 << count) - 1);
}

/** Decodes the colours of a block to ENDS; false for an error. `modes` has four bits for each partition. */
function decodeColours(low: u64, high: u64, start: u64, end: i32, partitions: u32, modes: u32): bool {
  // Pairs of values: one more than the upper two bits of each mode.
  let pairs: u32 = partitions;
  for (let i: u32 = 0; i < partitions; i++) pairs += (modes >>> ((i << 2) + 2)) & 3;
  const bits = end - <i32>start;
  if (pairs > 9 || bits <= 0) return false;
  const range = fittingRange(pairs, bits);
  if (!range) return false;
  const count: usize = pairs << 1;
  unpack(VALUES, (low >>> start) | (high << (64 - start)), high >>> start, range, <u32>count);
  const table = colourTable(range);
  for (let i: usize = 0; i < count; i++) store<u8>(VALUES + i, load<u8>(table + <usize>load<u8>(VALUES + i)));
  let v = VALUES;
  for (let i: u32 = 0; i < partitions; i++) {
    const mode = (modes >>> (i << 2)) & 15;
    decodeEndpoints(i, mode, v);
    v += ((mode >>> 2) + 1) << 1;
  }
  return true;
}

/** Decodes a block of `width` x `height` texels. */
export function decodeBlock(dst: usize, pitch: usize, src: usize, width: u32, height: u32, srgb: bool): void {
  const low = load<u64>(src);
  const high = load<u64>(src, 8);
  if ((<u32>low & 0x1ff) == VOID_EXTENT) return fill(dst, pitch, width, height, voidExtent(low, high));
  const mode = blockMode(<u32>low & 0x7ff);
  const columns = gridWidth(mode);
  if (!columns || columns > width || gridHeight(mode) > height) return fill(dst, pitch, width, height, ERROR_COLOUR);
  const dual = isDual(mode);
  const partitions = (<u32>(low >>> 11) & 3) + 1;
  let end = 128 - weightBits(mode);
  let start: u64 = 17;
  let modes = <u32>(low >>> 13) & 15;
  if (partitions > 1) {
    if (dual && partitions == 4) return fill(dst, pitch, width, height, ERROR_COLOUR);
    start = 29;
    modes = <u32>(low >>> 23) & 63;
    const least = modes & 3;
    if (!least) {
      modes = (modes >>> 2) * 0x1111;
    } else {
      // Each partition has a bit that is added to the class, then two bits of the mode in that class.
      const more = 3 * partitions - 4;
      end -= more;
      modes = (modes >>> 2) | (bitsAt(low, high, end, more) << 4);
      let bits = modes >>> partitions;
      let all: u32 = 0;
      for (let i: u32 = 0; i < partitions; i++, bits >>>= 2) {
        all |= ((((modes >>> i) & 1) + least - 1) << 2 | (bits & 3)) << (i << 2);
      }
      modes = all;
    }
  }
  let channel: u32 = 4;
  if (dual) {
    end -= 2;
    channel = bitsAt(low, high, end, 2);
  }
  if (!decodeColours(low, high, start, end, partitions, modes)) return fill(dst, pitch, width, height, ERROR_COLOUR);
  decodeWeights(src, mode, width, height);
  if (partitions > 1) {
    const index = <u32>(low >>> 13) & 1023;
    partitionRows(PARTITIONS, index, partitions, width * height < 31, height);
    storeParted(dst, pitch, width, height, srgb, channel);
  } else if (dual) {
    storeDual(dst, pitch, width, height, srgb, channel);
  } else {
    storeOne(dst, pitch, width, height, srgb);
  }
}
