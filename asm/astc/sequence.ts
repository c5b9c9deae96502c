// Integer sequence encoding: values of a range packed tightly, five trits to 8 bits and three quints to 7.

import { rangeBase, rangeBits, sequenceBits } from './ranges';

/** By the 8 bits of five trits: the trits as bytes, 8 bytes each. */
const TRITS: usize = memory.data(256 * 8, 16);
/** By the 7 bits of three quints: the quints as bytes, 4 bytes each. */
const QUINTS: usize = memory.data(128 * 4, 16);

function tritsOf(t: u32): u64 {
  let t0: u32, t1: u32, t2: u32, t3: u32, t4: u32, c: u32;
  if (((t >>> 2) & 7) == 7) {
    c = ((t >>> 5) << 2) | (t & 3);
    t4 = t3 = 2;
  } else {
    c = t & 31;
    if (((t >>> 5) & 3) == 3) {
      t4 = 2;
      t3 = t >>> 7;
    } else {
      t4 = t >>> 7;
      t3 = (t >>> 5) & 3;
    }
  }
  if ((c & 3) == 3) {
    t2 = 2;
    t1 = c >>> 4;
    t0 = ((c >>> 2) & 2) | ((c >>> 2) & ~(c >>> 3) & 1);
  } else if (((c >>> 2) & 3) == 3) {
    t2 = t1 = 2;
    t0 = c & 3;
  } else {
    t2 = c >>> 4;
    t1 = (c >>> 2) & 3;
    t0 = (c & 2) | (c & ~(c >>> 1) & 1);
  }
  return <u64>(t0 | (t1 << 8) | (t2 << 16) | (t3 << 24)) | (<u64>t4 << 32);
}

function quintsOf(q: u32): u32 {
  let q0: u32, q1: u32, q2: u32, c: u32;
  if (((q >>> 1) & 3) == 3 && q >>> 5 == 0) {
    const not = ~q & 1;
    return 0x0404 | (((q & 1) << 2) | (((q >>> 4) & not) << 1) | ((q >>> 3) & not)) << 16;
  }
  if (((q >>> 1) & 3) == 3) {
    q2 = 4;
    c = (q & 0x18) | ((~(q >>> 5) & 3) << 1) | (q & 1);
  } else {
    q2 = q >>> 5;
    c = q & 31;
  }
  if ((c & 7) == 5) {
    q1 = 4;
    q0 = c >>> 3;
  } else {
    q1 = c >>> 3;
    q0 = c & 7;
  }
  return q0 | (q1 << 8) | (q2 << 16);
}

/** By number of bits, 32 bytes each: where the bytes of eight values lie, and what moves a value to its lane's top. */
const GATHER: usize = memory.data(9 * 32, 16);

export function makeSequences(): void {
  for (let t: u32 = 0; t < 256; t++) store<u64>(TRITS + (t << 3), tritsOf(t));
  for (let q: u32 = 0; q < 128; q++) store<u32>(QUINTS + (q << 2), quintsOf(q));
  for (let bits: u32 = 1; bits <= 8; bits++) {
    for (let i: u32 = 0; i < 8; i++) {
      const row = GATHER + (bits << 5) + (i << 1);
      const at = i * bits;
      store<u8>(row, <u8>(at >>> 3));
      store<u8>(row, <u8>((at >>> 3) + 1), 1);
      store<u16>(row, <u16>(<u32>1 << (16 - bits - (at & 7))), 16);
    }
  }
}

/**
 * Unpacks `count` values of a range from the 128 bits of `low` and `high` to bytes. What follows the sequence may be
 * anything, and so are up to 15 bytes after the result.
 */
export function unpack(dst: usize, low: u64, high: u64, range: u32, count: u32): void {
  const base = rangeBase(range);
  if (base == 3) unpackTrits(dst, low, high, range, count);
  else if (base == 5) unpackQuints(dst, low, high, range, count);
  else unpackBits(dst, i64x2.replace_lane(i64x2.splat(low), 1, high), rangeBits(range), count);
}

/** Eight values lie in as many bytes as a value has bits. */
function unpackBits(dst: usize, source: v128, bits: u32, count: u32): void {
  const row = GATHER + (<usize>bits << 5);
  const step = i8x16.splat(<i8>bits);
  const shift = v128.load(row, 16);
  const down = 16 - <i32>bits;
  let gather = v128.load(row);
  for (const end = dst + count; dst < end; dst += 16) {
    const first = i16x8.mul(i8x16.swizzle(source, gather), shift);
    gather = i8x16.add(gather, step);
    const second = i16x8.mul(i8x16.swizzle(source, gather), shift);
    gather = i8x16.add(gather, step);
    v128.store(dst, i8x16.narrow_i16x8_u(i16x8.shr_u(first, down), i16x8.shr_u(second, down)));
  }
}

function unpackTrits(dst: usize, low: u64, high: u64, range: u32, count: u32): void {
  const n: u64 = rangeBits(range);
  const mask = (<u64>1 << n) - 1;
  const group = 5 * n + 8;
  let left = <u64>sequenceBits(range, count);
  for (const end = dst + count; dst < end; dst += 5) {
    // The bits that a last group lacks count as zeros.
    let v = left < group ? low & ((<u64>1 << left) - 1) : low;
    left -= group;
    low = (low >>> group) | (high << (64 - group));
    high >>>= group;
    let values = v & mask;
    v >>>= n;
    let t = v & 3;
    v >>>= 2;
    values |= (v & mask) << 8;
    v >>>= n;
    t |= (v & 3) << 2;
    v >>>= 2;
    values |= (v & mask) << 16;
    v >>>= n;
    t |= (v & 1) << 4;
    v >>>= 1;
    values |= (v & mask) << 24;
    v >>>= n;
    t |= (v & 3) << 5;
    v >>>= 2;
    values |= (v & mask) << 32;
    v >>>= n;
    t |= (v & 1) << 7;
    store<u64>(dst, values | (load<u64>(TRITS + (<usize>t << 3)) << n));
  }
}

function unpackQuints(dst: usize, low: u64, high: u64, range: u32, count: u32): void {
  const n: u32 = rangeBits(range);
  const mask: u32 = (1 << n) - 1;
  const group: u64 = 3 * n + 7;
  let left = <i32>sequenceBits(range, count);
  for (const end = dst + count; dst < end; dst += 3) {
    let v = <u32>low;
    if (left < <i32>group) v &= (1 << left) - 1;
    left -= <i32>group;
    low = (low >>> group) | (high << (64 - group));
    high >>>= group;
    let values = v & mask;
    v >>>= n;
    let q = v & 7;
    v >>>= 3;
    values |= (v & mask) << 8;
    v >>>= n;
    q |= (v & 3) << 3;
    v >>>= 2;
    values |= (v & mask) << 16;
    v >>>= n;
    q |= (v & 3) << 5;
    store<u32>(dst, values | (load<u32>(QUINTS + (<usize>q << 2)) << n));
  }
}
