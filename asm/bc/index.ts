import { channelsToHalves } from '../pixel/channels';
import {
  BC1, BC2, BC3, BC4_SNORM, BC4_UNORM, BC5_SNORM, BC5_UNORM, BC6H_SF16, BC6H_UF16, BC7, UNORM8, elementSize,
} from '../pixel/formats';
import { Half, ONE } from '../pixel/half';
import { bc6hBlocks, bc6hHalves } from './bc6h';
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
    case BC6H_UF16: return bc6hBlocks(dst, pitch, src, count, false);
    case BC6H_SF16: return bc6hBlocks(dst, pitch, src, count, true);
  }
}

/** The texels of a block as RGBA8, on their way to half floats. */
const BYTES: usize = memory.data(64, 16);

function decodeBlocksHalf(format: u32, dst: usize, pitch: usize, src: usize, count: u32): void {
  if (format == BC6H_UF16) return bc6hHalves(dst, pitch, src, count, false);
  if (format == BC6H_SF16) return bc6hHalves(dst, pitch, src, count, true);
  const size: usize = elementSize(format);
  for (; count; count--, dst += 32, src += size) {
    decodeBlocks(format, BYTES, 16, src, 1);
    for (let y: usize = 0; y < 4; y++) {
      const to = dst + y * pitch;
      const from = BYTES + (y << 4);
      if (format == BC4_SNORM) snormHalves(to, from, 0xffff);
      else if (format == BC5_SNORM) snormHalves(to, from, 0xffffffff);
      else channelsToHalves(UNORM8, to, from, 16);
    }
  }
}

/** Four texels to half floats -1 to 1 in the channels of the mask, which has 16 bits for each; the others are 0, alpha 1. */
function snormHalves(dst: usize, src: usize, channels: u64): void {
  const texels = v128.load(src);
  const mask = i64x2.splat(channels);
  const alpha = i64x2.splat(ONE << 48);
  v128.store(dst, v128.or(v128.and(snorms(i16x8.extend_low_i8x16_u(texels)), mask), alpha));
  v128.store(dst, v128.or(v128.and(snorms(i16x8.extend_high_i8x16_u(texels)), mask), alpha), 16);
}

/** Undoes the mapping of SNORM to bytes, v + 127 + (v >= 0), to v / 127. */
function snorms(bytes: v128): v128 {
  const bias = i16x8.splat(127);
  const v = i16x8.add(i16x8.sub(bytes, bias), i16x8.gt_s(bytes, bias));
  const by = f32x4.splat(127);
  return Half.pack(
    f32x4.div(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(v)), by),
    f32x4.div(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(v)), by),
  );
}

/** The texels of a block that does not fit whole. */
const BLOCK: usize = memory.data(128, 16);

/**
 * One row of blocks to `texelRows` (1 to 4) rows of RGBA8, or RGBA16F for `half`, `pitch` bytes apart; `width` counts
 * texels.
 */
export function decodeBcRow(
  format: u32, half: bool, dst: usize, pitch: usize, src: usize, width: u32, texelRows: u32,
): void {
  const size: usize = elementSize(format);
  const shift: usize = half ? 3 : 2;
  const blockRow: usize = 4 << shift;
  const whole = texelRows == 4 ? width >>> 2 : 0;
  if (half) decodeBlocksHalf(format, dst, pitch, src, whole);
  else decodeBlocks(format, dst, pitch, src, whole);
  src += size * whole;
  const end = dst + (<usize>width << shift);
  dst += <usize>whole * blockRow;
  for (; dst < end; dst += blockRow, src += size) {
    if (half) decodeBlocksHalf(format, BLOCK, blockRow, src, 1);
    else decodeBlocks(format, BLOCK, blockRow, src, 1);
    const rowSize = min<usize>(blockRow, end - dst);
    for (let y: usize = 0; y < texelRows; y++) memory.copy(dst + y * pitch, BLOCK + y * blockRow, rowSize);
  }
}
