import { ELEMENT_SIZE, blockExtent, type AstcKernels, type TexelFormat } from '../contract.ts';
import { decodeBlock } from './astc/block.ts';
import { halfOf } from './half.ts';
import { output } from './output.ts';

const MOST_TEXELS = 12 * 12;

/** The texels of one block, row after row. */
const block = new Int32Array(MOST_TEXELS);

/** One row of blocks at `s` to `texelRows` rows of `width` RGBA8 texels at `o`. */
export function decodeAstcRow(
  format: TexelFormat,
  out: Uint8Array,
  o: number,
  src: Uint8Array,
  s: number,
  width: number,
  texelRows: number,
): void {
  const extent = blockExtent(format);
  const size = ELEMENT_SIZE[format];
  const srgb = format.endsWith('-srgb');
  const count = width * texelRows;
  const aligned = (out.byteOffset + o) % 4 === 0;
  const texels = aligned ? new Int32Array(out.buffer, out.byteOffset + o, count) : new Int32Array(count);
  for (let x = 0; x < width; x += extent.width, s += size) {
    decodeBlock(block, src, s, extent, srgb);
    const columns = Math.min(extent.width, width - x);
    for (let y = 0; y < texelRows; y++) {
      const from = y * extent.width;
      const to = y * width + x;
      for (let i = 0; i < columns; i++) texels[to + i] = block[from + i]!;
    }
  }
  if (!aligned) out.set(new Uint8Array(texels.buffer), o);
}

/** The same as half floats: bytes divided by 255. */
export function decodeAstcRowHalf(
  format: TexelFormat,
  out: Uint16Array,
  o: number,
  src: Uint8Array,
  s: number,
  width: number,
  texelRows: number,
): void {
  const rgba = new Uint8Array(4 * width * texelRows);
  decodeAstcRow(format, rgba, 0, src, s, width, texelRows);
  for (let i = 0; i < rgba.length; i++) out[o + i] = halfOf(rgba[i]! / 255);
}

export const astc: AstcKernels = {
  decode(format, blocks, width, height, out) {
    const rgba = output(4 * width * height, out);
    const extent = blockExtent(format);
    const rowSize = Math.ceil(width / extent.width) * ELEMENT_SIZE[format];
    const size = rowSize * Math.ceil(height / extent.height);
    let src = blocks;
    if (blocks.length < size) {
      src = new Uint8Array(size);
      src.set(blocks);
    }
    for (let y = 0, s = 0; y < height; y += extent.height, s += rowSize) {
      decodeAstcRow(format, rgba, 4 * width * y, src, s, width, Math.min(extent.height, height - y));
    }
    return rgba;
  },
};
