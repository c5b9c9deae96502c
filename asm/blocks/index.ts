// Block formats of all families, in rows of blocks.

import { decodeAstcRow } from '../astc/index';
import { decodeBcRow } from '../bc/index';
import { alloc, free } from '../memory/heap';
import { channelsToHalves } from '../pixel/channels';
import { elementHeight, elementSize, elementWidth, isAstc, UNORM8 } from '../pixel/formats';

/**
 * One row of blocks to `texelRows` rows of RGBA8, or RGBA16F for `half`, `pitch` bytes apart; `width` counts texels.
 */
export function decodeBlockRow(
  format: u32, half: bool, dst: usize, pitch: usize, src: usize, width: u32, texelRows: u32,
): void {
  if (!isAstc(format)) decodeBcRow(format, half, dst, pitch, src, width, texelRows);
  else if (half) astcHalves(format, dst, pitch, src, width, texelRows);
  else decodeAstcRow(format, dst, pitch, src, width, texelRows);
}

/** The bytes of each row are put in its second half, out of which they become half floats from the front on. */
function astcHalves(format: u32, dst: usize, pitch: usize, src: usize, width: u32, texelRows: u32): void {
  const bytes: usize = width << 2;
  decodeAstcRow(format, dst + bytes, pitch, src, width, texelRows);
  for (; texelRows; texelRows--, dst += pitch) channelsToHalves(UNORM8, dst, dst + bytes, bytes);
}

/**
 * `width` x `height` texels of a block format to RGBA8, or RGBA16F for `half`; blocks missing between `src` and `srcEnd`
 * count as zero bytes. Gives the bytes written, or -1 when they do not fit between `dst` and `dstEnd`.
 */
function decode(
  format: u32, half: bool, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, width: u32, height: u32,
): i32 {
  // The texels fit in 64 bits; their bytes may not.
  const shift: u32 = half ? 3 : 2;
  const texels = <u64>width * height;
  if (texels > <u64>0x7fffffff >>> shift || texels << shift > <u64>(dstEnd - dst)) return -1;
  if (!texels) return 0;
  const pitch: usize = width << shift;
  const blockWidth: u64 = elementWidth(format);
  const blockHeight = elementHeight(format);
  const rowSize = <usize>((width + blockWidth - 1) / blockWidth) * elementSize(format);
  let line: usize = 0;
  for (let y: u32 = 0; y < height; ) {
    const left = srcEnd - src;
    let row = src;
    if (left < rowSize) {
      if (!line) {
        line = alloc(rowSize);
        if (!line) return -1;
      }
      memory.copy(line, src, left);
      memory.fill(line + left, 0, rowSize - left);
      row = line;
      src = srcEnd;
    } else {
      src += rowSize;
    }
    const texelRows = min(blockHeight, height - y);
    decodeBlockRow(format, half, dst, pitch, row, width, texelRows);
    dst += pitch * texelRows;
    y += texelRows;
  }
  free(line);
  return <i32>(texels << shift);
}

/** As `decode`; also -1 when `format` is no bc format. */
export function bc_decode(
  format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, width: u32, height: u32,
): i32 {
  if (isAstc(format) || elementWidth(format) == 1) return -1;
  return decode(format, false, dst, dstEnd, src, srcEnd, width, height);
}

/** As `bc_decode`, to RGBA16F. */
export function bc_decode_half(
  format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, width: u32, height: u32,
): i32 {
  if (isAstc(format) || elementWidth(format) == 1) return -1;
  return decode(format, true, dst, dstEnd, src, srcEnd, width, height);
}

/** As `decode`; also -1 when `format` is no astc format. */
export function astc_decode(
  format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, width: u32, height: u32,
): i32 {
  return isAstc(format) ? decode(format, false, dst, dstEnd, src, srcEnd, width, height) : -1;
}
