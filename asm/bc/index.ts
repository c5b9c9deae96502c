import {
  BC1, BC2, BC3, BC4_SNORM, BC4_UNORM, BC5_SNORM, BC5_UNORM, BC7, elementSize,
} from '../pixel/formats';
import { bc7Blocks } from './bc7';
import { bc4SnormBlocks, bc4UnormBlocks, bc5SnormBlocks, bc5UnormBlocks } from './rgtc';
import { bc1Blocks, bc2Blocks, bc3Blocks } from './s3tc';

function decodeBlocks(format: u32, dst: usize, pitch: usize, src: usize, count: u32): void {
  switch (format) {
    case BC1: return bc1Blocks(dst, pitch, src, count);
    case BC2: return bc2Blocks(dst, pitch, src, count);
    case BC3: return bc3Blocks(dst, pitch, src, count);
    case BC4_UNORM: return bc4UnormBlocks(dst, pitch, src, count);
    case BC4_SNORM: return bc4SnormBlocks(dst, pitch, src, count);
    case BC5_UNORM: return bc5UnormBlocks(dst, pitch, src, count);
    case BC5_SNORM: return bc5SnormBlocks(dst, pitch, src, count);
    case BC7: return bc7Blocks(dst, pitch, src, count);
  }
}

/** The texels of a block that does not fit whole. */
const BLOCK: usize = memory.data(64, 16);

/** One row of blocks to `texelRows` (1 to 4) rows of RGBA8, `pitch` bytes apart; `width` counts texels. */
export function decodeBcRow(format: u32, dst: usize, pitch: usize, src: usize, width: u32, texelRows: u32): void {
  const size: usize = elementSize(format);
  const whole = texelRows == 4 ? width >>> 2 : 0;
  decodeBlocks(format, dst, pitch, src, whole);
  src += size * whole;
  const end = dst + (<usize>width << 2);
  dst += <usize>whole << 4;
  for (; dst < end; dst += 16, src += size) {
    decodeBlocks(format, BLOCK, 16, src, 1);
    const rowSize = min<usize>(16, end - dst);
    for (let y: usize = 0; y < texelRows; y++) memory.copy(dst + y * pitch, BLOCK + (y << 4), rowSize);
  }
}
