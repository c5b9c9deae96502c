import { ELEMENT_SIZE, type TexelFormat } from '../../ts/kernels/contract.ts';
import { randomBytes } from './random.ts';

/** The modes of BC6H by the number that they start with. */
export const BC6H_MODES = [0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15];

/** Seeded random blocks; those of BC6H and BC7 have all modes in turn, and of BC6H the reserved ones. */
export function randomBlocks(format: TexelFormat, count: number, seed: number): Uint8Array {
  const size = ELEMENT_SIZE[format];
  const blocks = randomBytes(count * size, seed);
  if (format === 'bc7') {
    for (let i = 0; i < count; i++) {
      const mode = i % 8;
      blocks[16 * i] = (blocks[16 * i]! & (0xfe << mode)) | (1 << mode);
    }
  }
  if (format.startsWith('bc6h')) {
    for (let i = 0; i < count; i++) blocks[16 * i] = (blocks[16 * i]! & 0xe0) | (i & 31);
  }
  return blocks;
}

/** Writes fields of bits, lowest first, into a block. */
export class BitWriter {
  #bits = 0n;
  #position = 0;

  put(value: number, count: number): this {
    this.#bits |= BigInt(value & ((1 << count) - 1)) << BigInt(this.#position);
    this.#position += count;
    return this;
  }

  bytes(size: number): Uint8Array {
    if (this.#position !== 8 * size) throw new Error(`${this.#position} bits for ${size} bytes`);
    return Uint8Array.from({ length: size }, (_, i) => Number((this.#bits >> BigInt(8 * i)) & 255n));
  }
}

/** A block of two RGB565 endpoints and sixteen 2-bit indices (BC1, and the second half of BC2 and BC3). */
export function colourBlock(c0: number, c1: number, indices: number[]): Uint8Array {
  const writer = new BitWriter().put(c0, 16).put(c1, 16);
  for (const index of indices) writer.put(index, 2);
  return writer.bytes(8);
}

/** A block of two 8-bit endpoints and sixteen 3-bit indices (BC4, and the halves of BC3 and BC5). */
export function alphaBlock(e0: number, e1: number, indices: number[]): Uint8Array {
  const writer = new BitWriter().put(e0, 8).put(e1, 8);
  for (const index of indices) writer.put(index, 3);
  return writer.bytes(8);
}

/** What a BC7 block says, field by field. */
export interface Bc7Fields {
  mode: number;
  partition?: number;
  /** The subset of each texel, as the specification's table prints it. */
  subsets?: string;
  /** The texels whose indices lack their top bit. */
  anchors: number[];
  rotation?: number;
  selection?: number;
  /** Two per subset: R, G, B, A as stored (A left out in modes 0 to 3). */
  ends: number[][];
  /** Per endpoint, or per subset in mode 1. */
  pBits?: number[];
  indices: number[];
  indices2?: number[];
}

/** Sizes by mode: bits of partition, rotation, index selection, colour, alpha, indices, second indices. */
const SIZES = [
  [4, 0, 0, 4, 0, 3, 0],
  [6, 0, 0, 6, 0, 3, 0],
  [6, 0, 0, 5, 0, 2, 0],
  [6, 0, 0, 7, 0, 2, 0],
  [0, 2, 1, 5, 6, 2, 3],
  [0, 2, 0, 7, 8, 2, 2],
  [0, 0, 0, 7, 7, 4, 0],
  [6, 0, 0, 5, 5, 2, 0],
] as const;

export function bc7Block(fields: Bc7Fields): Uint8Array {
  const [partition, rotation, selection, colour, alpha, index, index2] = SIZES[fields.mode]!;
  const writer = new BitWriter()
    .put(1 << fields.mode, fields.mode + 1)
    .put(fields.partition ?? 0, partition)
    .put(fields.rotation ?? 0, rotation)
    .put(fields.selection ?? 0, selection);
  for (const channel of [0, 1, 2]) for (const end of fields.ends) writer.put(end[channel]!, colour);
  if (alpha) for (const end of fields.ends) writer.put(end[3]!, alpha);
  for (const p of fields.pBits ?? []) writer.put(p, 1);
  fields.indices.forEach((value, i) => writer.put(value, fields.anchors.includes(i) ? index - 1 : index));
  fields.indices2?.forEach((value, i) => writer.put(value, i ? index2 : index2 - 1));
  return writer.bytes(16);
}

const WEIGHTS: Record<number, number[]> = {
  2: [0, 21, 43, 64],
  3: [0, 9, 18, 27, 37, 46, 55, 64],
  4: [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64],
};

/** The RGBA8 texels of a BC7 block, the slow way: fields to bytes as strings of bits, then texel by texel. */
export function bc7Texels(fields: Bc7Fields): Uint8Array {
  const [, , , colour, alpha, index, index2] = SIZES[fields.mode]!;
  const ends = fields.ends.map((end, e) =>
    [0, 1, 2, 3].map((channel) => {
      if (channel === 3 && !alpha) return 255;
      const p = fields.mode === 1 ? fields.pBits?.[e >> 1] : fields.pBits?.[e];
      const bits = end[channel]!.toString(2).padStart(channel === 3 ? alpha : colour, '0') + (p ?? '');
      return parseInt((bits + bits).slice(0, 8), 2);
    }),
  );
  return Uint8Array.from(
    fields.indices.flatMap((value, i) => {
      const subset = Number(fields.subsets?.[i] ?? 0);
      const primary = WEIGHTS[index]![value]!;
      const secondary = fields.indices2 ? WEIGHTS[index2]![fields.indices2[i]!]! : primary;
      const [colourWeight, alphaWeight] = fields.selection ? [secondary, primary] : [primary, secondary];
      const rgba = [0, 1, 2, 3].map((channel) => {
        const w = channel === 3 ? alphaWeight : colourWeight;
        return Math.floor((ends[2 * subset]![channel]! * (64 - w) + ends[2 * subset + 1]![channel]! * w + 32) / 64);
      });
      const swap = (fields.rotation ?? 0) - 1;
      if (swap >= 0) [rgba[swap], rgba[3]] = [rgba[3]!, rgba[swap]!];
      return rgba;
    }),
  );
}
