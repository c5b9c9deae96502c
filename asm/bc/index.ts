import { blockExtent, elementSize } from '../pixel/formats';

/** One row of blocks to `texelRows` (1 to 4) rows of RGBA8, `pitch` bytes apart; `width` counts texels. */
export function decodeBlockRow(format: u32, dst: usize, pitch: usize, src: usize, width: u32, texelRows: u32): void {}

export function bc_decode(format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, width: u32, height: u32): i32 {
  return -1;
}
