import { elementHeight, elementWidth, isAstcSrgb } from '../pixel/formats';
import { decodeBlock } from './block';
import { makeModes } from './modes';
import { makeMultiples } from './partitions';
import { makeRanges } from './ranges';
import { makeSequences } from './sequence';
import { makePlaces } from './weights';

let ready = false;

/** The tables are made when they are needed, as most instances never are given ASTC. */
function prepare(): void {
  if (ready) return;
  makeRanges();
  makeSequences();
  makeModes();
  makePlaces();
  makeMultiples();
  ready = true;
}

const BLOCK_PITCH: usize = 12 * 4;
/** The texels of a block that does not fit whole. */
const BLOCK: usize = memory.data(12 * 12 * 4, 16);

/** One row of blocks to `texelRows` rows of RGBA8, `pitch` bytes apart; `width` counts texels. */
export function decodeAstcRow(format: u32, dst: usize, pitch: usize, src: usize, width: u32, texelRows: u32): void {
  prepare();
  const columns = elementWidth(format);
  const rows = elementHeight(format);
  const srgb = isAstcSrgb(format);
  const whole = texelRows == rows ? <usize>(width / columns) : 0;
  const end = dst + (<usize>width << 2);
  const step: usize = columns << 2;
  for (const wholeEnd = dst + whole * step; dst < wholeEnd; dst += step, src += 16) {
    decodeBlock(dst, pitch, src, columns, rows, srgb);
  }
  for (; dst < end; dst += step, src += 16) {
    decodeBlock(BLOCK, BLOCK_PITCH, src, columns, rows, srgb);
    const rowSize = min<usize>(step, end - dst);
    for (let y: usize = 0; y < texelRows; y++) memory.copy(dst + y * pitch, BLOCK + y * BLOCK_PITCH, rowSize);
  }
}
