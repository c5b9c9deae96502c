// PNG row filters for RGBA8 (PNG specification, clause 9), sixteen bytes a step.
//
// The first pixel of a row, which has nothing to its left, and the last up to three go through the same vectors with
// the other lanes zero: those add nothing to a sum, and nothing outside the rows is read or written.

const SUB: u8 = 1;
const UP: u8 = 2;
const PAETH: u8 = 4;

/** Longest row, in bytes: the sums of a row fit 32 bits. */
const MAX_ROW_SIZE: u32 = 1 << 24;

/** |x - y| of unsigned bytes. */
function distance(x: v128, y: v128): v128 {
  return v128.or(v128.sub_sat<u8>(x, y), v128.sub_sat<u8>(y, x));
}

/** The Paeth predictor of left `a`, above `b` and above left `c`. */
function paeth(a: v128, b: v128, c: v128): v128 {
  const pa = distance(b, c);
  const pb = distance(a, c);
  // |a + b - 2c| is the difference of the two distances when c lies between a and b, else their sum. Saturated, the
  // sum is still no less than either distance, and only that matters.
  const between = v128.xor(v128.ge<u8>(a, c), v128.ge<u8>(b, c));
  const pc = v128.bitselect(distance(pa, pb), v128.add_sat<u8>(pa, pb), between);
  const least = v128.min<u8>(v128.min<u8>(pa, pb), pc);
  return v128.bitselect(a, v128.bitselect(b, c, v128.eq<u8>(pb, least)), v128.eq<u8>(pa, least));
}

/** Adds |int8| of sixteen bytes to four sums. */
function addMagnitudes(sums: v128, v: v128): v128 {
  return i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v128.abs<i8>(v))));
}

function total(v: v128): u32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

/** The best filter of the row from `row` to `end`. The row at `above` counts where `mask` has ones. */
function choose(row: usize, end: usize, above: usize, mask: v128): u8 {
  let x = v128.load_zero<u32>(row);
  const first = i8x16.sub(x, v128.and(v128.load_zero<u32>(above), mask));
  let none = addMagnitudes(i32x4.splat(0), x);
  let sub = none;
  let up = addMagnitudes(i32x4.splat(0), first);
  let pae = up;
  const wide = row + 4 + ((end - row - 4) & ~15);
  for (row += 4, above += 4; row < wide; row += 16, above += 16) {
    x = v128.load(row);
    const a = v128.load(row - 4);
    const b = v128.and(v128.load(above), mask);
    const c = v128.and(v128.load(above - 4), mask);
    none = addMagnitudes(none, x);
    sub = addMagnitudes(sub, i8x16.sub(x, a));
    up = addMagnitudes(up, i8x16.sub(x, b));
    pae = addMagnitudes(pae, i8x16.sub(x, paeth(a, b, c)));
  }
  for (; row < end; row += 4, above += 4) {
    x = v128.load_zero<u32>(row);
    const a = v128.load_zero<u32>(row - 4);
    const b = v128.and(v128.load_zero<u32>(above), mask);
    const c = v128.and(v128.load_zero<u32>(above - 4), mask);
    none = addMagnitudes(none, x);
    sub = addMagnitudes(sub, i8x16.sub(x, a));
    up = addMagnitudes(up, i8x16.sub(x, b));
    pae = addMagnitudes(pae, i8x16.sub(x, paeth(a, b, c)));
  }
  const least = min(min(total(none), total(sub)), min(total(up), total(pae)));
  return least == total(up) ? UP : least == total(sub) ? SUB : least == total(pae) ? PAETH : 0;
}

function writeSub(dst: usize, row: usize, end: usize): void {
  store<u32>(dst, load<u32>(row));
  const wide = row + 4 + ((end - row - 4) & ~15);
  for (row += 4, dst += 4; row < wide; row += 16, dst += 16) {
    v128.store(dst, i8x16.sub(v128.load(row), v128.load(row - 4)));
  }
  for (; row < end; row += 4, dst += 4) {
    const v = i8x16.sub(v128.load_zero<u32>(row), v128.load_zero<u32>(row - 4));
    store<i32>(dst, i32x4.extract_lane(v, 0));
  }
}

function writeUp(dst: usize, row: usize, end: usize, above: usize): void {
  const wide = row + ((end - row) & ~15);
  for (; row < wide; row += 16, above += 16, dst += 16) {
    v128.store(dst, i8x16.sub(v128.load(row), v128.load(above)));
  }
  for (; row < end; row += 4, above += 4, dst += 4) {
    const v = i8x16.sub(v128.load_zero<u32>(row), v128.load_zero<u32>(above));
    store<i32>(dst, i32x4.extract_lane(v, 0));
  }
}

function writePaeth(dst: usize, row: usize, end: usize, above: usize): void {
  writeUp(dst, row, row + 4, above);
  const wide = row + 4 + ((end - row - 4) & ~15);
  for (row += 4, above += 4, dst += 4; row < wide; row += 16, above += 16, dst += 16) {
    const predicted = paeth(v128.load(row - 4), v128.load(above), v128.load(above - 4));
    v128.store(dst, i8x16.sub(v128.load(row), predicted));
  }
  for (; row < end; row += 4, above += 4, dst += 4) {
    const predicted = paeth(
      v128.load_zero<u32>(row - 4), v128.load_zero<u32>(above), v128.load_zero<u32>(above - 4),
    );
    store<i32>(dst, i32x4.extract_lane(i8x16.sub(v128.load_zero<u32>(row), predicted), 0));
  }
}

/** Filters rows of RGBA8. `previous` is the address of the row above the first, or 0. Gives the bytes written or -1. */
export function png_filter(dst: usize, dstEnd: usize, src: usize, srcEnd: usize, previous: usize, rowSize: u32): i32 {
  const size = <u32>(srcEnd - src);
  if (rowSize & 3 || rowSize > MAX_ROW_SIZE) return -1;
  if (!size) return 0;
  if (!rowSize || size % rowSize) return -1;
  const written = <u64>size + size / rowSize;
  if (written > <u64>(dstEnd - dst) || written > 0x7fffffff) return -1;
  let above = previous;
  for (let row = src; row < srcEnd; row += rowSize) {
    const end = row + rowSize;
    // Without a row above, the mask makes zeros of what is read in its place; Paeth is then Sub, which wins the tie.
    const filter = above ? choose(row, end, above, i32x4.splat(-1)) : choose(row, end, row, i32x4.splat(0));
    store<u8>(dst++, filter);
    if (filter == SUB) writeSub(dst, row, end);
    else if (filter == PAETH) writePaeth(dst, row, end, above);
    else if (filter == UP && above) writeUp(dst, row, end, above);
    else memory.copy(dst, row, rowSize);
    dst += rowSize;
    above = row;
  }
  return <i32>written;
}
