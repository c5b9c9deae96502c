import { decodeBlockRow } from '../blocks/index';
import { alloc, free } from '../memory/heap';
import { decodeTexels, decodeTexelsHalf } from '../pixel/index';
import { elementHeight, elementSize, elementWidth } from '../pixel/formats';
import { fetchLinear, fetchRows, GOB_ROWS, gobRowOffset } from './address';

/**
 * Fetches rows `from` to `to` (all in one row of GOBs) of slice `z` to `dst`; `rows` is the height in elements, offsets
 * in the mip level count from `base`.
 */
function fetch(
  dst: usize, src: usize, srcEnd: usize, base: u32, rowSize: u32, rows: u32,
  bhl: u32, bdl: u32, pitch: u32, z: u32, from: u32, to: u32,
): void {
  if (pitch) {
    for (let y = from; y < to; y++, dst += rowSize) {
      fetchLinear(dst, src, srcEnd, (<i64>z * rows + y) * pitch - base, rowSize);
    }
  } else {
    const at = <i64>gobRowOffset(rowSize, rows, bhl, bdl, from, z) - base;
    const first = from & (GOB_ROWS - 1);
    fetchRows(dst, src, srcEnd, at, rowSize, 9 + bhl + bdl, first, first + to - from);
  }
}

/** The end of the row of GOBs that row `y` lies in, or `end` when that comes first. */
function gobRowEnd(y: u32, end: u32): u32 {
  return y + min(GOB_ROWS - (y & (GOB_ROWS - 1)), end - y);
}

/**
 * The rows `rowStart` to `rowEnd` of a surface, in elements of `size` bytes. Gives the bytes written, or -1 when they
 * do not fit between `dst` and `dstEnd` or an argument is out of its range.
 */
export function tegra_deswizzle(
  dst: usize, dstEnd: usize, src: usize, srcEnd: usize, base: u32, size: u32, width: u32, height: u32,
  bhl: u32, bdl: u32, pitch: u32, slice: u32, rowStart: u32, rowEnd: u32,
): i32 {
  if (bhl > 5 || bdl > 5 || size > 16 || <u64>width * size > 0x7fffffff) return -1;
  const rowSize = width * size;
  rowEnd = min(rowEnd, height);
  if (rowStart >= rowEnd) return 0;
  const total = <u64>rowSize * (rowEnd - rowStart);
  if (total > <u64>(dstEnd - dst)) return -1;
  for (let y = rowStart; y < rowEnd; ) {
    const end = gobRowEnd(y, rowEnd);
    fetch(dst, src, srcEnd, base, rowSize, height, bhl, bdl, pitch, slice, y, end);
    dst += <usize>rowSize * (end - y);
    y = end;
  }
  return <i32>total;
}

/** Longest row whose GOBs are fetched whole. */
const LONG_ROW: u32 = 1 << 24;

/** As `tegra_deswizzle`, decoded to RGBA8, or RGBA16F for `half`; `width` and `height` count texels. */
function decodeRows(
  format: u32, half: bool, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, base: u32, width: u32, height: u32,
  bhl: u32, bdl: u32, pitch: u32, slice: u32, rowStart: u32, rowEnd: u32,
): i32 {
  const size = elementSize(format);
  const blockWidth = elementWidth(format);
  const blockHeight = elementHeight(format);
  if (bhl > 5 || bdl > 5 || !size || width > 0x1ffffff) return -1;
  const columns = (width + blockWidth - 1) / blockWidth;
  const rows = <u32>((<u64>height + blockHeight - 1) / blockHeight);
  const rowSize = columns * size;
  const outSize: usize = width << (half ? 3 : 2);
  rowEnd = min(rowEnd, rows);
  if (rowStart >= rowEnd) return 0;
  const total = <u64>(min<u64>(<u64>rowEnd * blockHeight, height) - <u64>rowStart * blockHeight) * outSize;
  if (total > <u64>(dstEnd - dst)) return -1;
  // One row of GOBs at a time, through lines that stay in the cache.
  const most = rowSize > LONG_ROW ? 1 : GOB_ROWS;
  const lines = alloc(rowSize * most);
  if (!lines) return -1;
  for (let y = rowStart; y < rowEnd; ) {
    const end = y + min(gobRowEnd(y, rowEnd) - y, most);
    fetch(lines, src, srcEnd, base, rowSize, rows, bhl, bdl, pitch, slice, y, end);
    for (let line = lines; y < end; y++, line += rowSize) {
      if (blockHeight == 1) {
        if (half) decodeTexelsHalf(format, dst, line, width);
        else decodeTexels(format, dst, line, width);
        dst += outSize;
      } else {
        const texelRows = min(blockHeight, height - y * blockHeight);
        decodeBlockRow(format, half, dst, outSize, line, width, texelRows);
        dst += outSize * texelRows;
      }
    }
  }
  free(lines);
  return <i32>total;
}

/** See `decodeRows`. */
export function tegra_decode_rows(
  format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, base: u32, width: u32, height: u32,
  bhl: u32, bdl: u32, pitch: u32, slice: u32, rowStart: u32, rowEnd: u32,
): i32 {
  return decodeRows(
    format, false, dst, dstEnd, src, srcEnd, base, width, height, bhl, bdl, pitch, slice, rowStart, rowEnd,
  );
}

/** See `decodeRows`. */
export function tegra_decode_rows_half(
  format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, base: u32, width: u32, height: u32,
  bhl: u32, bdl: u32, pitch: u32, slice: u32, rowStart: u32, rowEnd: u32,
): i32 {
  return decodeRows(
    format, true, dst, dstEnd, src, srcEnd, base, width, height, bhl, bdl, pitch, slice, rowStart, rowEnd,
  );
}
