// The ranges of quantised values and what the values stand for (Khronos Data Format Specification, chapter on ASTC).
//
// Ranges are numbered: 0 has 2 values, 1 has 3, then 4, 5, 6, 8, 10, 12 and so on up to 20, which has 256. A value is
// some bits and perhaps a trit or a quint above them.

const RANGES: u32 = 21;
/** The ranges that weights can have. */
const WEIGHT_RANGES: u32 = 12;
/** The smallest range that colours can have: 6 values. */
const LEAST_COLOUR_RANGE: u32 = 4;
/** The most colour values of a block, in pairs. */
const MOST_PAIRS: u32 = 9;

const BITS = memory.data<u8>([1, 0, 2, 0, 1, 3, 1, 2, 4, 2, 3, 5, 3, 4, 6, 4, 5, 7, 5, 6, 8]);
/** Values of the digit above the bits; 1 where there is none. */
const BASE = memory.data<u8>([1, 3, 1, 5, 3, 1, 5, 3, 1, 5, 3, 1, 5, 3, 1, 5, 3, 1, 5, 3, 1]);

export function rangeBits(range: u32): u32 {
  return <u32>load<u8>(BITS + <usize>range);
}

export function rangeBase(range: u32): u32 {
  return <u32>load<u8>(BASE + <usize>range);
}

/** Bits of `count` values. */
export function sequenceBits(range: u32, count: u32): u32 {
  const base = rangeBase(range);
  const digits: u32 = base == 3 ? (8 * count + 4) / 5 : base == 5 ? (7 * count + 2) / 3 : 0;
  return digits + count * rangeBits(range);
}

/** Weights from 0 to 64 by range, 32 bytes each. */
const WEIGHTS: usize = memory.data(12 * 32, 16);
/** Colours from 0 to 255 by range, 256 bytes each. */
const COLOURS: usize = memory.data(21 * 256, 16);
/** By pairs of values, then bits that there are for them: the largest range that fits, or 0. */
const FITTING: usize = memory.data(10 * 128);

export function weightTable(range: u32): usize {
  return WEIGHTS + (<usize>range << 5);
}

export function colourTable(range: u32): usize {
  return COLOURS + (<usize>range << 8);
}

/** The range of `pairs` (1 to 9) pairs of colour values in `bits` (0 to 127) bits; 0 when they are too few. */
export function fittingRange(pairs: u32, bits: u32): u32 {
  return <u32>load<u8>(FITTING + (<usize>pairs << 7) + <usize>bits);
}

/** `value`, `size` bits long, over and over from the top of `width` bits down. */
function replicated(value: u32, size: i32, width: i32): u32 {
  let result: u32 = 0;
  for (let at = width - size; at > -size; at -= size) result |= at >= 0 ? value << at : value >>> -at;
  return result;
}

// By number of bits: the specification's C, then its B below the repeated top bits, which is those bits times the second
// number, shifted right by the third.
const WEIGHT_TRITS = memory.data<u8>([50, 0, 0, 23, 5, 0, 11, 1, 0]);
const WEIGHT_QUINTS = memory.data<u8>([28, 0, 0, 13, 2, 0]);
const COLOUR_TRITS = memory.data<u8>([204, 0, 0, 93, 22, 0, 44, 5, 0, 22, 1, 0, 11, 1, 2, 5, 1, 4]);
const COLOUR_QUINTS = memory.data<u8>([113, 0, 0, 54, 12, 0, 26, 5, 1, 13, 1, 1, 6, 1, 3]);

/** A value of `bits` bits and a digit, scaled to `width` bits less two. */
function scaled(value: u32, bits: u32, table: usize, width: u32): u32 {
  const row = table + 3 * <usize>(bits - 1);
  const top = (value & ((1 << bits) - 1)) >>> 1;
  const b = (top << (width - bits + 1)) | ((top * load<u8>(row, 1)) >>> load<u8>(row, 2));
  const a: u32 = value & 1 ? (1 << width) - 1 : 0;
  const t = ((value >>> bits) * load<u8>(row) + b) ^ a;
  return (a & (1 << (width - 2))) | (t >>> 2);
}

function weightOf(value: u32, range: u32): u32 {
  const bits = rangeBits(range);
  const base = rangeBase(range);
  if (!bits) return (value << 6) / (base - 1);
  const weight =
    base == 1 ? replicated(value, bits, 6) : scaled(value, bits, base == 3 ? WEIGHT_TRITS : WEIGHT_QUINTS, 7);
  return weight > 32 ? weight + 1 : weight;
}

function colourOf(value: u32, range: u32): u32 {
  const bits = rangeBits(range);
  const base = rangeBase(range);
  return base == 1 ? replicated(value, bits, 8) : scaled(value, bits, base == 3 ? COLOUR_TRITS : COLOUR_QUINTS, 9);
}

export function makeRanges(): void {
  for (let range: u32 = 0; range < RANGES; range++) {
    const values = rangeBase(range) << rangeBits(range);
    if (range < WEIGHT_RANGES) {
      for (let v: u32 = 0; v < values; v++) store<u8>(weightTable(range) + v, <u8>weightOf(v, range));
    }
    if (range < LEAST_COLOUR_RANGE) continue;
    for (let v: u32 = 0; v < values; v++) store<u8>(colourTable(range) + v, <u8>colourOf(v, range));
    for (let pairs: u32 = 1; pairs <= MOST_PAIRS; pairs++) {
      // Later ranges take longer, and so overwrite the end alone.
      for (let bits = sequenceBits(range, 2 * pairs); bits < 128; bits++) {
        store<u8>(FITTING + (pairs << 7) + bits, <u8>range);
      }
    }
  }
}
