import { readTable, WEIGHTS } from './fse.ts';
import { backwardSize, bitsAt, highBit, type Source } from './source.ts';

/** Depth of the trees of blocks. */
export const MAX_BITS = 11;
/** Depth of the trees of dictionaries: the format says 11 here too, but zstd has trained some with 12. */
export const MAX_DICTIONARY_BITS = 12;

export interface HuffmanTable {
  /** Depth of the tree. */
  readonly depth: number;
  /** By the next `depth` bits: length of the code | symbol << 8. */
  readonly entries: Uint16Array;
}

/** Reads a tree description. Gives its table and where the description ends; nothing if it is not valid. */
export function readTree(source: Source, at: number, end: number, maxBits: number): [HuffmanTable, number] | undefined {
  if (at >= end) return undefined;
  const header = source.bytes[at++]!;
  const direct = header >= 128;
  const next = at + (direct ? (header - 126) >> 1 : header);
  if (next > end) return undefined;
  const weights = direct ? directWeights(source, at, header - 127) : compressedWeights(source, at, next);
  const table = weights && makeTable(weights, maxBits);
  return table && [table, next];
}

function directWeights({ bytes }: Source, at: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (i & 1 ? bytes[at + (i >> 1)]! & 15 : bytes[at + (i >> 1)]! >> 4));
}

/** Two FSE states take turns until one cannot go on. */
function compressedWeights(source: Source, at: number, end: number): number[] | undefined {
  const description = readTable(source, at, end, WEIGHTS);
  if (!description) return undefined;
  const [{ log, values, steps }, start] = description;
  const { view } = source;
  let left = backwardSize(source, start, end) - 2 * log;
  if (left < 0) return undefined;
  let state = bitsAt(view, start, left + log, log);
  let other = bitsAt(view, start, left, log);
  const weights: number[] = [];
  while (weights.length < 254) {
    weights.push(values[state]!);
    const step = steps[state]!;
    left -= step & 0xff;
    if (left < 0) {
      weights.push(values[other]!);
      return weights;
    }
    const next = (step >>> 16) + bitsAt(view, start, left, step & 0xff);
    state = other;
    other = next;
  }
  return undefined;
}

/** The table of all weights but the last, which follows from them. */
function makeTable(weights: number[], maxBits: number): HuffmanTable | undefined {
  const ranks = new Uint16Array(maxBits + 1); // how many symbols have each weight
  let sum = 0;
  for (const weight of weights) {
    if (weight > maxBits) return undefined;
    ranks[weight]!++;
    sum += (1 << weight) >> 1;
  }
  if (!sum) return undefined;
  const depth = highBit(sum) + 1;
  const rest = (1 << depth) - sum;
  if (depth > maxBits || rest & (rest - 1)) return undefined;
  const last = highBit(rest) + 1;
  ranks[last]!++;
  // The depth is that of a real code, so two symbols have it.
  if (ranks[1]! < 2) return undefined;
  const starts = new Uint16Array(depth + 2);
  for (let weight = 1; weight <= depth; weight++) {
    starts[weight + 1] = starts[weight]! + (ranks[weight]! << (weight - 1));
  }
  const entries = new Uint16Array(1 << depth);
  for (let symbol = 0; symbol <= weights.length; symbol++) {
    const weight = weights[symbol] ?? last;
    if (!weight) continue;
    const start = starts[weight]!;
    const end = start + (1 << (weight - 1));
    entries.fill((symbol << 8) | (depth + 1 - weight), start, end);
    starts[weight] = end;
  }
  return { depth, entries };
}

/** Decodes the stream `start..end` to all of `out`. False when they do not end together. */
export function decodeStream(
  table: HuffmanTable,
  source: Source,
  start: number,
  end: number,
  out: Uint8Array,
): boolean {
  const { view } = source;
  const { depth, entries } = table;
  const mask = (1 << depth) - 1;
  let left = backwardSize(source, start, end);
  if (left < 0) return false;
  let i = 0;
  // Two codes, 24 bits at most, fit into a word whatever bit they start at.
  for (const stop = out.length - 1; i < stop && left >= 2 * depth; i += 2) {
    const bits = bitsAt(view, start, left - 2 * depth, 2 * depth);
    const first = entries[bits >>> depth]!;
    const second = entries[(bits >>> (depth - (first & 0xff))) & mask]!;
    left -= (first & 0xff) + (second & 0xff);
    out[i] = first >> 8;
    out[i + 1] = second >> 8;
  }
  for (; i < out.length; i++) {
    const entry = entries[bitsAt(view, start, left - depth, depth)]!;
    left -= entry & 0xff;
    if (left < 0) return false;
    out[i] = entry >> 8;
  }
  return left === 0;
}
