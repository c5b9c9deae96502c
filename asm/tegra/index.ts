import { decodeBlockRow } from '../bc/index';
import { alloc, free } from '../memory/heap';
import { decodeTexels } from '../pixel/index';
import { blockExtent, elementSize } from '../pixel/formats';
import { fetchLinear, fetchRow, rowOffset } from './address';

/** Fetches row `y` of slice `z` to `dst`; `rows` are in elements. */
function row(
  dst: usize, src: usize, srcEnd: usize, base: u32, rowSize: u32, rows: u32,
  bhl: u32, bdl: u32, pitch: u32, z: u32, y: u32,
): void {
  if (pitch) fetchLinear(dst, src, srcEnd, (<i64>z * rows + y) * pitch - base, rowSize);
  else fetchRow(dst, src, srcEnd, <i64>rowOffset(rowSize, rows, bhl, bdl, y, z) - base, rowSize, 9 + bhl + bdl);
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
  for (let y = rowStart; y < rowEnd; y++) {
    row(dst, src, srcEnd, base, rowSize, height, bhl, bdl, pitch, slice, y);
    dst += rowSize;
  }
  return <i32>total;
}

/** As `tegra_deswizzle`, decoded to RGBA8; `width` and `height` count texels. */
export function tegra_decode_rows(
  format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, base: u32, width: u32, height: u32,
  bhl: u32, bdl: u32, pitch: u32, slice: u32, rowStart: u32, rowEnd: u32,
): i32 {
  const size = elementSize(format);
  const extent = blockExtent(format);
  if (bhl > 5 || bdl > 5 || !size || width > 0x1ffffff) return -1;
  const columns = (width + extent - 1) / extent;
  const rows = <u32>((<u64>height + extent - 1) / extent);
  const rowSize = columns * size;
  const outSize: usize = width << 2;
  rowEnd = min(rowEnd, rows);
  if (rowStart >= rowEnd) return 0;
  const total = <u64>(min<u64>(<u64>rowEnd * extent, height) - <u64>rowStart * extent) * outSize;
  if (total > <u64>(dstEnd - dst)) return -1;
  // One row of elements at a time, through a line that stays in the first-level cache.
  const line = alloc(rowSize);
  if (!line) return -1;
  for (let y = rowStart; y < rowEnd; y++) {
    row(line, src, srcEnd, base, rowSize, rows, bhl, bdl, pitch, slice, y);
    if (extent == 1) {
      decodeTexels(format, dst, line, width);
      dst += outSize;
    } else {
      const texelRows = min<u32>(4, height - (y << 2));
      decodeBlockRow(format, dst, outSize, line, width, texelRows);
      dst += outSize * texelRows;
    }
  }
  free(line);
  return <i32>total;
}
