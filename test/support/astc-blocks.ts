import { random, randomBytes } from './random.ts';

/** The 2D footprints, in the order of the formats. */
export const FOOTPRINTS = [
  [4, 4],
  [5, 4],
  [5, 5],
  [6, 5],
  [6, 6],
  [8, 5],
  [8, 6],
  [8, 8],
  [10, 5],
  [10, 6],
  [10, 8],
  [10, 10],
  [12, 10],
  [12, 12],
] as const;

export type Footprint = readonly [width: number, height: number];

export const BLOCK_SIZE = 16;

/** Bits of a block's mode, and all but the error flag, of a void extent. */
const VOID_EXTENT = 0xdfc;
const ONE_PARTITION = ~0x1800;
const TWO_PLANES = 0x400;

/** Bits from the start of a block on, each as a value and its size, and weights from its end on. */
export function astcBlock(
  fields: readonly (readonly [value: number, size: number])[],
  weights: readonly number[] = [],
  weightSize = 0,
): Uint8Array {
  const block = new Uint8Array(BLOCK_SIZE);
  const set = (at: number): void => {
    block[at >> 3]! |= 1 << (at & 7);
  };
  let low = 0;
  for (const [value, size] of fields) {
    for (let i = 0; i < size; i++, low++) if ((value / 2 ** i) & 1) set(low);
  }
  let high = 8 * BLOCK_SIZE;
  // The lowest bit of the first weight is the highest of the block.
  for (const weight of weights) {
    for (let i = 0; i < weightSize; i++)
      if ((weight >> i) & 1) set(--high);
      else high--;
  }
  if (low > high) throw new Error(`${low} bits overlap the weights at ${high}`);
  return block;
}

/** A mode of 4 x 3 or 4 x 4 weights of 4 to 24 values, in two planes where they are few; legal in all footprints. */
function plainMode(next: () => number): number {
  const range = 2 + (next() % 2) + ((next() % 2) << 4);
  const height = (1 + (next() % 2)) << 5;
  const flags = [0, 0x200, TWO_PLANES][next() % 3]!;
  return range | height | flags;
}

/**
 * Seeded random blocks, legal and illegal: one of 16 is a void extent, one has no extent, ten have modes that are legal
 * as such, half of these with one partition, and the others are random as a whole.
 */
export function randomAstcBlocks(count: number, seed: number): Uint8Array {
  const next = random(seed);
  const blocks = randomBytes(BLOCK_SIZE * count, seed + 1000);
  const view = new DataView(blocks.buffer);
  for (let at = 0; at < blocks.length; at += BLOCK_SIZE) {
    const kind = next() % 16;
    const low = view.getUint32(at, true);
    if (kind === 0) {
      view.setUint32(at, (low & ~0xfff) | VOID_EXTENT, true);
    } else if (kind === 1) {
      view.setUint32(at, 0xfffff000 | VOID_EXTENT, true);
      view.setUint32(at + 4, 0xffffffff, true);
    } else if (kind < 12) {
      const kept = kind % 2 ? low & ONE_PARTITION : low;
      view.setUint32(at, (kept & ~0x7ff) | plainMode(next), true);
    }
  }
  return blocks;
}

/** Endpoint modes without HDR: luminance, RGB and RGBA, each in all ways. */
const LDR_ENDPOINTS = [0, 1, 4, 5, 6, 8, 9, 10, 12, 13];

/** Seeded random blocks that are legal in all footprints: one partition, 4 x 3 or 4 x 4 weights in one plane. */
export function legalAstcBlocks(count: number, seed: number): Uint8Array {
  const next = random(seed);
  const blocks = randomBytes(BLOCK_SIZE * count, seed + 1000);
  const view = new DataView(blocks.buffer);
  for (let at = 0; at < blocks.length; at += BLOCK_SIZE) {
    const endpoints = LDR_ENDPOINTS[next() % LDR_ENDPOINTS.length]!;
    const mode = plainMode(next) & ~TWO_PLANES;
    view.setUint32(at, (view.getUint32(at, true) & ~0x1ffff) | (endpoints << 13) | mode, true);
  }
  return blocks;
}

/** The file that holds the blocks of a picture. */
export function astcFile(
  [blockWidth, blockHeight]: Footprint,
  width: number,
  height: number,
  blocks: Uint8Array,
): Uint8Array {
  const file = new Uint8Array(16 + blocks.length);
  const view = new DataView(file.buffer);
  view.setUint32(0, 0x5ca1ab13, true); // magic
  file.set([blockWidth, blockHeight, 1], 4);
  view.setUint32(7, width, true); // 24 bits
  view.setUint32(10, height, true); // 24 bits
  file.set([1, 0, 0], 13); // depth
  file.set(blocks, 16);
  return file;
}
