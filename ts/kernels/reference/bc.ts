import { ELEMENT_SIZE, type BcKernels, type TexelFormat } from '../contract.ts';
import { bc6hSf16, bc6hSf16Half, bc6hUf16, bc6hUf16Half } from './bc/bc6h.ts';
import { bc7 } from './bc/bc7.ts';
import type { BlockDecoder, HalfBlockDecoder } from './bc/block.ts';
import { bc4Snorm, bc4Unorm, bc5Snorm, bc5Unorm } from './bc/rgtc.ts';
import { bc1, bc2, bc3 } from './bc/s3tc.ts';
import { tableOf } from './channels.ts';
import { HALF_ONE } from './half.ts';
import { output } from './output.ts';
import { writeHalves } from './pixel.ts';

const DECODERS: Partial<Record<TexelFormat, BlockDecoder>> = {
  bc1,
  bc2,
  bc3,
  'bc4-unorm': bc4Unorm,
  'bc4-snorm': bc4Snorm,
  'bc5-unorm': bc5Unorm,
  'bc5-snorm': bc5Snorm,
  bc7,
  'bc6h-uf16': bc6hUf16,
  'bc6h-sf16': bc6hSf16,
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

const halfBlock = new Uint16Array(64);

/** Decodes a block of a format of 8 bits to half floats. */
function bytesToHalves(format: TexelFormat): HalfBlockDecoder {
  const decode = DECODERS[format]!;
  const snorm = format.endsWith('-snorm');
  // Undoes the mapping of SNORM to bytes, v + 127 + (v >= 0).
  const table = Uint16Array.from({ length: 256 }, (_, byte) =>
    snorm
      ? tableOf({ type: 'snorm', bits: 8 }, 'halves')[(byte > 127 ? byte - 128 : byte - 127) & 255]!
      : tableOf({ type: 'unorm', bits: 8 }, 'halves')[byte]!,
  );
  const blue = snorm ? new Uint16Array(256) : table;
  const green = format === 'bc4-snorm' ? blue : table;
  const alpha = snorm ? new Uint16Array(256).fill(HALF_ONE) : table;
  return (src, s, out, o, stride) => {
    decode(src, s, block, 0, 4);
    for (let i = 0; i < 16; i++) {
      const texel = block[i]!;
      const at = o + (i >> 2) * stride + 4 * (i & 3);
      out[at] = table[texel & 255]!;
      out[at + 1] = green[(texel >> 8) & 255]!;
      out[at + 2] = blue[(texel >> 16) & 255]!;
      out[at + 3] = alpha[texel >>> 24]!;
    }
  };
}

const HALF_DECODERS: Partial<Record<TexelFormat, HalfBlockDecoder>> = {
  'bc6h-uf16': bc6hUf16Half,
  'bc6h-sf16': bc6hSf16Half,
};

/** As {@link decodeBlockRow}, to RGBA16F. */
export function decodeBlockRowHalf(
  format: TexelFormat,
  out: Uint16Array,
  o: number,
  src: Uint8Array,
  s: number,
  width: number,
  texelRows: number,
): void {
  const decode = (HALF_DECODERS[format] ??= bytesToHalves(format));
  const size = ELEMENT_SIZE[format];
  const whole = texelRows === 4 ? width & ~3 : 0;
  let x = 0;
  for (; x < whole; x += 4, s += size) decode(src, s, out, o + 4 * x, 4 * width);
  for (; x < width; x += 4, s += size) {
    decode(src, s, halfBlock, 0, 16);
    const columns = Math.min(4, width - x);
    for (let y = 0; y < texelRows; y++) {
      out.set(halfBlock.subarray(16 * y, 16 * y + 4 * columns), o + 4 * (y * width + x));
    }
  }
}

/** Whole rows of blocks, with zeros for the bytes that are missing. */
function padded(format: TexelFormat, blocks: Uint8Array, width: number, height: number): Uint8Array {
  const size = Math.ceil(width / 4) * ELEMENT_SIZE[format] * Math.ceil(height / 4);
  if (blocks.length >= size) return blocks;
  const src = new Uint8Array(size);
  src.set(blocks);
  return src;
}

export const bc: BcKernels = {
  decode(format, blocks, width, height, out) {
    const rgba = output(4 * width * height, out);
    const rowSize = Math.ceil(width / 4) * ELEMENT_SIZE[format];
    const src = padded(format, blocks, width, height);
    for (let y = 0, s = 0; y < height; y += 4, s += rowSize) {
      decodeBlockRow(format, rgba, 4 * width * y, src, s, width, Math.min(4, height - y));
    }
    return rgba;
  },
  decodeHalf(format, blocks, width, height, out) {
    const rgba = output(8 * width * height, out);
    const rowSize = Math.ceil(width / 4) * ELEMENT_SIZE[format];
    const src = padded(format, blocks, width, height);
    writeHalves(rgba, 0, rgba.length, (halves) => {
      for (let y = 0, s = 0; y < height; y += 4, s += rowSize) {
        decodeBlockRowHalf(format, halves, 4 * width * y, src, s, width, Math.min(4, height - y));
      }
    });
    return rgba;
  },
};
