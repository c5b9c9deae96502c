import { ELEMENT_SIZE, type BcKernels, type TexelFormat } from '../contract.ts';
import { bc7 } from './bc/bc7.ts';
import type { BlockDecoder } from './bc/block.ts';
import { bc4Snorm, bc4Unorm, bc5Snorm, bc5Unorm } from './bc/rgtc.ts';
import { bc1, bc2, bc3 } from './bc/s3tc.ts';
import { output } from './output.ts';

const DECODERS: Partial<Record<TexelFormat, BlockDecoder>> = {
  bc1,
  bc2,
  bc3,
  'bc4-unorm': bc4Unorm,
  'bc4-snorm': bc4Snorm,
  'bc5-unorm': bc5Unorm,
  'bc5-snorm': bc5Snorm,
  bc7,
};

/** The texels of a block that does not fit whole. */
const block = new Int32Array(16);

/** One row of blocks at `s` to `texelRows` (1 to 4) rows of `width` RGBA8 texels at `o`. */
export function decodeBlockRow(
  format: TexelFormat,
  out: Uint8Array,
  o: number,
  src: Uint8Array,
  s: number,
  width: number,
  texelRows: number,
): void {
  const decode = DECODERS[format]!;
  const size = ELEMENT_SIZE[format];
  const count = width * texelRows;
  const aligned = (out.byteOffset + o) % 4 === 0;
  const texels = aligned ? new Int32Array(out.buffer, out.byteOffset + o, count) : new Int32Array(count);
  const whole = texelRows === 4 ? width & ~3 : 0;
  let x = 0;
  for (; x < whole; x += 4, s += size) decode(src, s, texels, x, width);
  for (; x < width; x += 4, s += size) {
    decode(src, s, block, 0, 4);
    const columns = Math.min(4, width - x);
    for (let y = 0; y < texelRows; y++) {
      for (let i = 0; i < columns; i++) texels[y * width + x + i] = block[4 * y + i]!;
    }
  }
  if (!aligned) out.set(new Uint8Array(texels.buffer), o);
}

export const bc: BcKernels = {
  decode(format, blocks, width, height, out) {
    const rgba = output(4 * width * height, out);
    const rowSize = Math.ceil(width / 4) * ELEMENT_SIZE[format];
    const size = rowSize * Math.ceil(height / 4);
    let src = blocks;
    if (blocks.length < size) {
      src = new Uint8Array(size);
      src.set(blocks);
    }
    for (let y = 0, s = 0; y < height; y += 4, s += rowSize) {
      decodeBlockRow(format, rgba, 4 * width * y, src, s, width, Math.min(4, height - y));
    }
    return rgba;
  },
};
