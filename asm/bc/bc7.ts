// BC7: eight modes, told by the number of zero bits the block starts with (ARB_texture_compression_bptc).

import { anchor2, anchors3, subsets2, subsets3 } from './bptc-tables';
import { insertZero, unpack2, unpack3, unpack4, withAnchor } from './indices';
import { rowSelect } from './select';

// Table M of the specification; a row per mode: subsets, bits before the endpoints (mode, partition, rotation, index
// selection), bits of a colour and of an alpha endpoint, 1 for a P-bit per endpoint and 2 for one per subset.
const MODES = memory.data<u8>([
  3, 1 + 4, 4, 0, 1,
  2, 2 + 6, 6, 0, 2,
  3, 3 + 6, 5, 0, 0,
  2, 4 + 6, 7, 0, 1,
  1, 5 + 3, 5, 6, 0,
  1, 6 + 2, 7, 8, 0,
  1, 7, 7, 7, 1,
  2, 8 + 6, 5, 5, 1,
]);

// How the endpoints of a subset are unpacked: eight lanes of 16 bits, R, G, B, A of the first endpoint, then of the
// second. A lane gets the two bytes its field lies in; a multiplication moves the field to the top of the lane.
const GATHER: usize = 0; // the bytes of the fields
const SHIFT: usize = 16; // the multipliers
const MASK: usize = 32; // the bits of the fields, after that
const P_GATHER: usize = 48; // the same for the P-bits, which come to lie below the fields
const P_SHIFT: usize = 64;
const P_MASK: usize = 80;
const OPAQUE: usize = 96; // alpha where the mode has none
const REPEAT: usize = 112; // 2 where a field is one bit shorter than the mode's longest, else 1
const SUBSET: usize = 128;
const LAYOUT: usize = memory.data(8 * 3 * 128, 16);

function setLane(o: usize, bit: u32, top: u32): void {
  store<u8>(o, <u8>(bit >>> 3), GATHER);
  store<u8>(o, <u8>(bit >>> 3) + 1, GATHER + 1);
  store<u16>(o, <u16>(<u32>1 << (top - (bit & 7))), SHIFT);
}

function init(): void {
  for (let mode: usize = 0; mode < 8; mode++) {
    const row = MODES + 5 * mode;
    const subsets = <u32>load<u8>(row);
    const start = <u32>load<u8>(row, 1);
    const colourBits = <u32>load<u8>(row, 2);
    const alphaBits = <u32>load<u8>(row, 3);
    const pBits = <u32>load<u8>(row, 4);
    const alphas = start + 6 * subsets * colourBits;
    const ps = alphas + 2 * subsets * alphaBits;
    for (let s: u32 = 0; s < subsets; s++) {
      const subset = layout(<u32>mode, s);
      for (let i: u32 = 0; i < 8; i++) {
        const channel = i & 3;
        const end = 2 * s + (i >>> 2);
        const o = subset + 2 * i;
        store<u16>(o, 1, REPEAT);
        if (channel == 3 && !alphaBits) {
          store<u16>(o, 0xff00, OPAQUE);
          continue; // the masks stay 0
        }
        const bits = channel == 3 ? alphaBits : colourBits;
        const bit = channel == 3 ? alphas + end * alphaBits : start + (2 * subsets * channel + end) * colourBits;
        setLane(o, bit, 16 - bits);
        store<u16>(o, <u16>(<u32>0xffff << (16 - bits)), MASK);
        if (bits < alphaBits) store<u16>(o, 2, REPEAT);
        if (pBits) {
          setLane(o + P_GATHER, ps + (pBits == 1 ? end : s), 15 - bits);
          store<u16>(o, <u16>(<u32>1 << (15 - bits)), P_MASK);
        }
      }
    }
  }
}
init();

function layout(mode: u32, subset: u32): usize {
  return LAYOUT + <usize>(3 * mode + subset) * SUBSET;
}

/** The endpoints of a subset as eight lanes of 16 bits; `bits` is the length of the mode's longest, with the P-bit. */
function endpoints(block: v128, subset: usize, bits: i32): v128 {
  const field = i16x8.mul(i8x16.swizzle(block, v128.load(subset, GATHER)), v128.load(subset, SHIFT));
  const p = i16x8.mul(i8x16.swizzle(block, v128.load(subset, P_GATHER)), v128.load(subset, P_SHIFT));
  const v = v128.or(
    v128.or(v128.and(field, v128.load(subset, MASK)), v128.and(p, v128.load(subset, P_MASK))),
    v128.load(subset, OPAQUE),
  );
  // The top bits repeat below the value.
  const repeated = i16x8.mul(i16x8.shr_u(v, bits), v128.load(subset, REPEAT));
  return i16x8.shr_u(v128.or(v, repeated), 8);
}

// Weights are bytes of -2 w: as the high byte of a lane, -w * 2^9, which (a - b) is multiplied with to give
// ((b - a) * w + 32) >> 6, exactly, by q15mulr. (+w * 2^9 would not fit for w = 64.)

function weights2(indices: v128): v128 {
  return i8x16.swizzle(i8x16(0, -42, -86, -128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), indices);
}

function weights3(indices: v128): v128 {
  return i8x16.swizzle(i8x16(0, -18, -36, -54, -74, -92, -110, -128, 0, 0, 0, 0, 0, 0, 0, 0), indices);
}

function weights4(indices: v128): v128 {
  return i8x16.swizzle(
    i8x16(0, -8, -18, -26, -34, -42, -52, -60, -68, -76, -86, -94, -102, -110, -120, -128),
    indices,
  );
}

/** As `withAnchor` for three subsets; `anchors` has the lower one in its low four bits. */
function withAnchors(bits: u64, size: u32, anchors: u32): u64 {
  return insertZero(withAnchor(bits, size, anchors & 15), size * (anchors >>> 4) + size - 1);
}

// A pair of texels fills a vector: the swizzle puts each texel's weight into the high bytes of its four lanes.

function firstPair(): v128 {
  return i8x16(-1, 0, -1, 0, -1, 0, -1, 0, -1, 1, -1, 1, -1, 1, -1, 1);
}

function nextPair(pair: v128): v128 {
  return i16x8.add(pair, i16x8.splat(0x200));
}

/** Stores a block of one subset. */
function storeOne(dst: usize, pitch: usize, ends: v128, weights: v128): void {
  const a = v128.shuffle<u64>(ends, ends, 0, 0);
  const d = i16x8.sub(a, v128.shuffle<u64>(ends, ends, 1, 1));
  let pair = firstPair();
  for (let y = 0; y < 4; y++, dst += pitch) {
    const low = i16x8.add(a, i16x8.q15mulr_sat_s(d, i8x16.swizzle(weights, pair)));
    pair = nextPair(pair);
    const high = i16x8.add(a, i16x8.q15mulr_sat_s(d, i8x16.swizzle(weights, pair)));
    pair = nextPair(pair);
    v128.store(dst, i8x16.narrow_i16x8_u(low, high));
  }
}

/** Stores a block of one subset; the weights of the lanes of `alpha` are `alphas`. */
function storeSplit(dst: usize, pitch: usize, ends: v128, colours: v128, alphas: v128, alpha: v128): void {
  const a = v128.shuffle<u64>(ends, ends, 0, 0);
  const d = i16x8.sub(a, v128.shuffle<u64>(ends, ends, 1, 1));
  let pair = firstPair();
  for (let y = 0; y < 4; y++, dst += pitch) {
    let w = v128.bitselect(i8x16.swizzle(alphas, pair), i8x16.swizzle(colours, pair), alpha);
    const low = i16x8.add(a, i16x8.q15mulr_sat_s(d, w));
    pair = nextPair(pair);
    w = v128.bitselect(i8x16.swizzle(alphas, pair), i8x16.swizzle(colours, pair), alpha);
    const high = i16x8.add(a, i16x8.q15mulr_sat_s(d, w));
    pair = nextPair(pair);
    v128.store(dst, i8x16.narrow_i16x8_u(low, high));
  }
}

/** Stores a block of two or three subsets: `ends01` has the endpoints of the first two as bytes, `ends2` the rest. */
function storeParted(dst: usize, pitch: usize, ends01: v128, ends2: v128, subsets: u32, weights: v128): void {
  const firsts = v128.shuffle<u32>(ends01, ends2, 0, 2, 4, 4);
  const seconds = v128.shuffle<u32>(ends01, ends2, 1, 3, 5, 5);
  let pair = firstPair();
  for (let y = 0; y < 4; y++, dst += pitch) {
    const select = rowSelect(subsets, y);
    const a = i8x16.swizzle(firsts, select);
    const b = i8x16.swizzle(seconds, select);
    const a0 = i16x8.extend_low_i8x16_u(a);
    const a1 = i16x8.extend_high_i8x16_u(a);
    const d0 = i16x8.sub(a0, i16x8.extend_low_i8x16_u(b));
    const d1 = i16x8.sub(a1, i16x8.extend_high_i8x16_u(b));
    const low = i16x8.add(a0, i16x8.q15mulr_sat_s(d0, i8x16.swizzle(weights, pair)));
    pair = nextPair(pair);
    const high = i16x8.add(a1, i16x8.q15mulr_sat_s(d1, i8x16.swizzle(weights, pair)));
    pair = nextPair(pair);
    v128.store(dst, i8x16.narrow_i16x8_u(low, high));
  }
}

function storeTwo(dst: usize, pitch: usize, block: v128, mode: u32, bits: i32, partition: u32, weights: v128): void {
  const ends = i8x16.narrow_i16x8_u(
    endpoints(block, layout(mode, 0), bits),
    endpoints(block, layout(mode, 1), bits),
  );
  storeParted(dst, pitch, ends, ends, subsets2(partition), weights);
}

function storeThree(dst: usize, pitch: usize, block: v128, mode: u32, partition: u32, weights: v128): void {
  const ends01 = i8x16.narrow_i16x8_u(endpoints(block, layout(mode, 0), 5), endpoints(block, layout(mode, 1), 5));
  const ends2 = endpoints(block, layout(mode, 2), 5);
  storeParted(dst, pitch, ends01, i8x16.narrow_i16x8_u(ends2, ends2), subsets3(partition), weights);
}

// By rotation: which bytes of the endpoints' lanes each lane takes, and which lanes are then alpha's.
const ROTATE = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  6, 7, 2, 3, 4, 5, 0, 1, 14, 15, 10, 11, 12, 13, 8, 9,
  0, 1, 6, 7, 4, 5, 2, 3, 8, 9, 14, 15, 12, 13, 10, 11,
  0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11, 14, 15, 12, 13,
], 16);
const ALPHA_LANES = memory.data<u16>([
  0, 0, 0, 0xffff, 0, 0, 0, 0xffff,
  0xffff, 0, 0, 0, 0xffff, 0, 0, 0,
  0, 0xffff, 0, 0, 0, 0xffff, 0, 0,
  0, 0, 0xffff, 0, 0, 0, 0xffff, 0,
], 16);

function storeRotated(dst: usize, pitch: usize, ends: v128, rotation: u32, colours: v128, alphas: v128): void {
  const o = <usize>rotation << 4;
  storeSplit(dst, pitch, i8x16.swizzle(ends, v128.load(ROTATE + o)), colours, alphas, v128.load(ALPHA_LANES + o));
}

function decode(dst: usize, pitch: usize, src: usize): void {
  const low = load<u64>(src);
  const high = load<u64>(src, 8);
  const block = v128.load(src);
  const mode = <u32>ctz(<u32>low | 0x100);
  switch (mode) {
    case 0: {
      const partition = <u32>(low >>> 1) & 15;
      const indices = withAnchors(high >>> 19, 3, anchors3(partition));
      return storeThree(dst, pitch, block, mode, partition, weights3(unpack3(indices)));
    }
    case 1: {
      const partition = <u32>(low >>> 2) & 63;
      const indices = withAnchor(high >>> 18, 3, anchor2(partition));
      return storeTwo(dst, pitch, block, mode, 7, partition, weights3(unpack3(indices)));
    }
    case 2: {
      const partition = <u32>(low >>> 3) & 63;
      const indices = withAnchors(high >>> 35, 2, anchors3(partition));
      return storeThree(dst, pitch, block, mode, partition, weights2(unpack2(<u32>indices)));
    }
    case 3: {
      const partition = <u32>(low >>> 4) & 63;
      const indices = withAnchor(high >>> 34, 2, anchor2(partition));
      return storeTwo(dst, pitch, block, mode, 8, partition, weights2(unpack2(<u32>indices)));
    }
    case 4: {
      const ends = endpoints(block, layout(mode, 0), 6);
      const two = weights2(unpack2(<u32>insertZero(low >>> 50 | (high & 0x1ffff) << 14, 1)));
      const three = weights3(unpack3(insertZero(high >>> 17, 2)));
      const rotation = <u32>(low >>> 5) & 3;
      if (low & 0x80) return storeRotated(dst, pitch, ends, rotation, three, two);
      return storeRotated(dst, pitch, ends, rotation, two, three);
    }
    case 5: {
      const ends = endpoints(block, layout(mode, 0), 8);
      const colours = weights2(unpack2(<u32>insertZero((high >>> 2) & 0x7fffffff, 1)));
      const alphas = weights2(unpack2(<u32>insertZero(high >>> 33, 1)));
      return storeRotated(dst, pitch, ends, <u32>(low >>> 6) & 3, colours, alphas);
    }
    case 6: {
      const weights = weights4(unpack4(insertZero(high >>> 1, 3)));
      return storeOne(dst, pitch, endpoints(block, layout(mode, 0), 8), weights);
    }
    case 7: {
      const partition = <u32>(low >>> 8) & 63;
      const indices = withAnchor(high >>> 34, 2, anchor2(partition));
      return storeTwo(dst, pitch, block, mode, 6, partition, weights2(unpack2(<u32>indices)));
    }
    default: {
      // No mode: transparent black.
      const zero = i32x4.splat(0);
      v128.store(dst, zero);
      v128.store(dst + pitch, zero);
      v128.store(dst + 2 * pitch, zero);
      v128.store(dst + 3 * pitch, zero);
    }
  }
}

/** Decodes `count` BC7 blocks to four rows of texels. */
export function bc7Blocks(dst: usize, pitch: usize, src: usize, count: u32): void {
  for (; count; count--, dst += 16, src += 16) decode(dst, pitch, src);
}
