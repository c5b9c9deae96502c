/** ASTC blocks (Khronos Data Format Specification, chapter on ASTC): the LDR profile to 8 bits a channel. */
import type { Extent } from '../../contract.ts';
import { bitsAt, newBits, readBlock, reverse } from './bits.ts';
import { endpoints, type Endpoints } from './endpoints.ts';
import { partitions } from './partitions.ts';
import { colourRange } from './ranges.ts';
import { readSequence } from './sequence.ts';
import { gridOf, interpolateWeights } from './weights.ts';

const MOST_TEXELS = 12 * 12;
const MOST_COLOURS = 18;
const VOID_EXTENT = 0x1fc;
const ALL_ONES = 0x1fff;

const rgba = (r: number, g: number, b: number, a: number): number => r | (g << 8) | (b << 16) | (a << 24);
const ERROR_COLOUR = rgba(255, 0, 255, 255);
const ERROR_ENDS: Endpoints = [
  [255, 0, 255, 255],
  [255, 0, 255, 255],
];

// What a block needs while it is decoded.
const words = newBits();
const reversed = newBits();
const colours = new Uint8Array(MOST_COLOURS);
// Texels at the edges read, and do not use, what is beyond the grid.
const weights = new Uint8Array(64 + 32);
const firstPlane = new Uint8Array(MOST_TEXELS);
const secondPlane = new Uint8Array(MOST_TEXELS);
const partitionOf = new Uint8Array(MOST_TEXELS);
/** The endpoints as they are interpolated, four channels for each partition. */
const firstEnds = new Int32Array(16);
const secondEnds = new Int32Array(16);

/** The colour of a void-extent block. */
function voidExtent(): number {
  const hdr = bitsAt(words, 9, 1);
  const reserved = bitsAt(words, 10, 2);
  if (hdr || reserved !== 3) return ERROR_COLOUR;
  const [lowS, highS, lowT, highT] = [12, 25, 38, 51].map((at) => bitsAt(words, at, 13)) as [
    number,
    number,
    number,
    number,
  ];
  const unused = lowS === ALL_ONES && highS === ALL_ONES && lowT === ALL_ONES && highT === ALL_ONES;
  if (!unused && (lowS >= highS || lowT >= highT)) return ERROR_COLOUR;
  return rgba(bitsAt(words, 72, 8), bitsAt(words, 88, 8), bitsAt(words, 104, 8), bitsAt(words, 120, 8));
}

/** The endpoint modes of `count` partitions whose weights begin at bit `weightsAt`, and where what they leave ends. */
function endpointModes(count: number, weightsAt: number): { modes: number[]; end: number } {
  if (count === 1) return { modes: [bitsAt(words, 13, 4)], end: weightsAt };
  const kind = bitsAt(words, 23, 2);
  if (kind === 0) return { modes: Array.from({ length: count }, () => bitsAt(words, 25, 4)), end: weightsAt };
  // A bit for each partition, then two for each: four of them after the kind, the others before the weights.
  const end = weightsAt - (3 * count - 4);
  const all = bitsAt(words, 25, 4) | (bitsAt(words, end, 3 * count - 4) << 4);
  const modes = Array.from({ length: count }, (_, i) => {
    const group = kind - 1 + ((all >> i) & 1);
    return 4 * group + ((all >> (count + 2 * i)) & 3);
  });
  return { modes, end };
}

/** Replaces the first `count` values by what a table has for them. */
function replace(values: Uint8Array, table: Uint8Array, count: number): void {
  for (let i = 0; i < count; i++) values[i] = table[values[i]!]!;
}

/** What endpoints of 8 bits are interpolated as. */
function expanded(value: number, srgb: boolean): number {
  return srgb ? (value << 8) | 0x80 : 257 * value;
}

/** The upper 8 bits of what is between the `i`th numbers of the endpoints. */
function interpolated(i: number, weight: number): number {
  return (firstEnds[i]! * (64 - weight) + secondEnds[i]! * weight + 32) >> 14;
}

/** Decodes the block at `s` to rows of texels without gaps. */
export function decodeBlock(texels: Int32Array, src: Uint8Array, s: number, footprint: Extent, srgb: boolean): void {
  const count = footprint.width * footprint.height;
  readBlock(words, src, s);
  if (bitsAt(words, 0, 9) === VOID_EXTENT) {
    texels.fill(voidExtent(), 0, count);
    return;
  }
  if (!decodeTexels(texels, footprint, srgb)) texels.fill(ERROR_COLOUR, 0, count);
}

/** A block that is no void extent; false when it is illegal. */
function decodeTexels(texels: Int32Array, footprint: Extent, srgb: boolean): boolean {
  const grid = gridOf(bitsAt(words, 0, 11));
  if (!grid || grid.columns > footprint.width || grid.rows > footprint.height) return false;
  const partitionCount = bitsAt(words, 11, 2) + 1;
  if (partitionCount === 4 && grid.dual) return false;

  const { modes, end } = endpointModes(partitionCount, 128 - grid.bits);
  const coloursAt = partitionCount === 1 ? 17 : 29;
  const coloursEnd = grid.dual ? end - 2 : end;
  const colourCount = modes.reduce((sum, mode) => sum + 2 * ((mode >> 2) + 1), 0);
  if (colourCount > MOST_COLOURS) return false;
  const range = colourRange(colourCount, coloursEnd - coloursAt);
  if (!range) return false;
  readSequence(colours, words, coloursAt, range, colourCount);
  replace(colours, range.colours, colourCount);
  for (let p = 0, at = 0; p < partitionCount; p++) {
    const mode = modes[p]!;
    const [first, second] = endpoints(mode, colours, at) ?? ERROR_ENDS;
    for (let c = 0; c < 4; c++) {
      firstEnds[4 * p + c] = expanded(first[c]!, srgb);
      secondEnds[4 * p + c] = expanded(second[c]!, srgb);
    }
    at += 2 * ((mode >> 2) + 1);
  }

  reverse(reversed, words);
  readSequence(weights, reversed, 0, grid.range, grid.count);
  replace(weights, grid.range.weights, grid.count);
  const step = grid.dual ? 2 : 1;
  interpolateWeights(firstPlane, footprint, grid, weights, 0, step);
  if (grid.dual) interpolateWeights(secondPlane, footprint, grid, weights, 1, step);
  const count = footprint.width * footprint.height;
  if (partitionCount === 1 && !grid.dual) {
    mixOne(texels, count);
    return true;
  }
  const planes = [firstPlane, firstPlane, firstPlane, firstPlane];
  if (grid.dual) planes[bitsAt(words, coloursEnd, 2)] = secondPlane;
  const [reds, greens, blues, alphas] = planes as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  if (partitionCount > 1) partitions(partitionOf, footprint, bitsAt(words, 13, 10), partitionCount);
  else partitionOf.fill(0);
  for (let t = 0; t < count; t++) {
    const p = 4 * partitionOf[t]!;
    texels[t] = rgba(
      interpolated(p, reds[t]!),
      interpolated(p + 1, greens[t]!),
      interpolated(p + 2, blues[t]!),
      interpolated(p + 3, alphas[t]!),
    );
  }
  return true;
}

/** The texels of a block with one partition and one plane, which most are. */
function mixOne(texels: Int32Array, count: number): void {
  const [r0, g0, b0, a0] = [firstEnds[0]!, firstEnds[1]!, firstEnds[2]!, firstEnds[3]!];
  const [r1, g1, b1, a1] = [secondEnds[0]!, secondEnds[1]!, secondEnds[2]!, secondEnds[3]!];
  for (let t = 0; t < count; t++) {
    const w = firstPlane[t]!;
    const v = 64 - w;
    texels[t] = rgba(
      (r0 * v + r1 * w + 32) >> 14,
      (g0 * v + g1 * w + 32) >> 14,
      (b0 * v + b1 * w + 32) >> 14,
      (a0 * v + a1 * w + 32) >> 14,
    );
  }
}
