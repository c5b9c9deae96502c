import { type BlockDecoder } from './block.ts';
import { open, readWeights, take } from './bptc.ts';
import { A2, A3A, A3B, P2, P3 } from './bptc-tables.ts';

interface Mode {
  subsets: number;
  partitionBits: number;
  rotationBits: number;
  selectionBits: number;
  colourBits: number;
  alphaBits: number;
  /** P-bits a subset has: 0, 1 for both endpoints, or 2 */
  pBits: number;
  indexBits: number;
  index2Bits: number;
}

function row(
  subsets: number,
  partitionBits: number,
  rotationBits: number,
  selectionBits: number,
  colourBits: number,
  alphaBits: number,
  pBits: number,
  indexBits: number,
  index2Bits: number,
): Mode {
  return {
    subsets,
    partitionBits,
    rotationBits,
    selectionBits,
    colourBits,
    alphaBits,
    pBits,
    indexBits,
    index2Bits,
  };
}

/** Table M of the specification. */
const MODES = [
  row(3, 4, 0, 0, 4, 0, 2, 3, 0),
  row(2, 6, 0, 0, 6, 0, 1, 3, 0),
  row(3, 6, 0, 0, 5, 0, 0, 2, 0),
  row(2, 6, 0, 0, 7, 0, 2, 2, 0),
  row(1, 0, 2, 1, 5, 6, 0, 2, 3),
  row(1, 0, 2, 0, 7, 8, 0, 2, 2),
  row(1, 0, 0, 0, 7, 7, 2, 4, 0),
  row(2, 6, 0, 0, 5, 5, 2, 2, 0),
];

const ONE_SUBSET = new Uint8Array(16);

/** R, G, B, A of up to six endpoints as they are stored, and their bytes, two channels in a number. */
const ends = new Uint8Array(24);
const redBlue = new Int32Array(6);
const greenAlpha = new Int32Array(6);

/** `value` with its `bits` at the top of a byte and repeated below. */
function replicated(value: number, bits: number): number {
  return (value << (8 - bits)) | (value >> (2 * bits - 8));
}

function readEnds({ subsets, colourBits, alphaBits, pBits }: Mode): void {
  const size = 8 * subsets;
  for (let channel = 0; channel < 3; channel++) for (let i = channel; i < size; i += 4) ends[i] = take(colourBits);
  for (let i = 3; i < size; i += 4) ends[i] = take(alphaBits);
  let extra = 0;
  if (pBits) {
    extra = 1;
    for (let i = 0; i < size;) {
      const p = take(1);
      for (const end = i + 8 / pBits; i < end; i++) ends[i] = (ends[i]! << 1) | p;
    }
  }
  for (let e = 0, i = 0; i < size; e++, i += 4) {
    const red = replicated(ends[i]!, colourBits + extra);
    const green = replicated(ends[i + 1]!, colourBits + extra);
    const blue = replicated(ends[i + 2]!, colourBits + extra);
    const alpha = alphaBits ? replicated(ends[i + 3]!, alphaBits + extra) : 255;
    redBlue[e] = red | (blue << 16);
    greenAlpha[e] = green | (alpha << 16);
  }
}

const weights = new Uint8Array(16);
const weights2 = new Uint8Array(16);

/** (a * (64 - weight) + b * weight + 32) >> 6 of the channels of endpoints `e` and `e + 1`; 16 bits hold each sum. */
function mixed(e: number, weight: number): number {
  const rb = Math.imul(redBlue[e]!, 64 - weight) + Math.imul(redBlue[e + 1]!, weight) + 0x00200020;
  const ga = Math.imul(greenAlpha[e]!, 64 - weight) + Math.imul(greenAlpha[e + 1]!, weight) + 0x00200020;
  return ((rb >> 6) & 0x00ff00ff) | ((ga << 2) & 0xff00ff00);
}

/** `rgba` with alpha and the channel at bit `at` swapped. */
function swapped(rgba: number, at: number): number {
  const difference = ((rgba >>> 24) ^ (rgba >>> at)) & 255;
  return rgba ^ (difference << 24) ^ (difference << at);
}

export const bc7: BlockDecoder = (src, s, out, o, stride) => {
  const first = src[s]!;
  if (!first) {
    for (let y = 0; y < 4; y++, o += stride) out.fill(0, o, o + 4);
    return;
  }
  const number = 31 - Math.clz32(first & -first);
  const mode = MODES[number]!;
  open(src, s, number + 1);
  const partition = take(mode.partitionBits);
  const rotation = take(mode.rotationBits);
  const selection = take(mode.selectionBits);
  readEnds(mode);

  let subsets: Uint8Array = ONE_SUBSET;
  let subsetOf = 0;
  let anchorA = 0;
  let anchorB = 0;
  if (mode.subsets > 1) {
    subsets = mode.subsets === 2 ? P2 : P3;
    subsetOf = 16 * partition;
    anchorA = (mode.subsets === 2 ? A2 : A3A)[partition]!;
    anchorB = mode.subsets === 2 ? 0 : A3B[partition]!;
  }
  let colours = weights;
  let alphas = weights;
  readWeights(weights, mode.indexBits, anchorA, anchorB);
  if (mode.index2Bits) {
    readWeights(weights2, mode.index2Bits, 0, 0);
    if (selection) colours = weights2;
    else alphas = weights2;
  }

  for (let y = 0, i = 0; y < 4; y++, o += stride) {
    for (let x = 0; x < 4; x++, i++) {
      const e = 2 * subsets[subsetOf + i]!;
      let rgba = mixed(e, colours[i]!);
      if (colours !== alphas) rgba = (rgba & 0x00ffffff) | (mixed(e, alphas[i]!) & 0xff000000);
      out[o + x] = rotation ? swapped(rgba, 8 * (rotation - 1)) : rgba;
    }
  }
};
