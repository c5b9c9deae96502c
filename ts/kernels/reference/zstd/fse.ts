import { bitsAt, highBit, type Source } from './source.ts';

/** A decode table of Finite State Entropy: what each state means and how the next one is found. */
export interface FseTable {
  readonly log: number;
  /** What the state stands for, without its extra bits. */
  readonly values: Int32Array;
  /** Bits that the next state adds, extra bits of the value << 8, base of the next state << 16. */
  readonly steps: Int32Array;
}

/** What an alphabet of codes means. */
export interface Codes {
  readonly maxLog: number;
  readonly values: readonly number[];
  readonly extraBits: readonly number[];
}

/** Codes of lengths: each starts where the one before, with all of its extra bits set, ends. */
function lengthCodes(maxLog: number, first: number, extraBits: number[]): Codes {
  let next = first;
  const values = extraBits.map((bits) => {
    const value = next;
    next += 1 << bits;
    return value;
  });
  return { maxLog, values, extraBits };
}

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const ones = (count: number): number[] => Array.from({ length: count }, () => 1);
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

export const LITERAL_LENGTHS = lengthCodes(9, 0, [
  ...zeros(16),
  1,
  1,
  1,
  1,
  2,
  2,
  3,
  3,
  4,
  6,
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  15,
  16,
]);
export const MATCH_LENGTHS = lengthCodes(9, 3, [
  ...zeros(32),
  1,
  1,
  1,
  1,
  2,
  2,
  3,
  3,
  4,
  4,
  5,
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  15,
  16,
]);
/** Offset values, of which 1 to 3 (codes 0 and 1) are repeat offsets and the rest are 3 too high: taken off here. */
export const OFFSETS: Codes = {
  maxLog: 8,
  values: range(32).map((code) => (code > 1 ? 2 ** code - 3 : 2 ** code)),
  extraBits: range(32),
};
/** Huffman weights stand for themselves. */
export const WEIGHTS: Codes = { maxLog: 6, values: range(256), extraBits: zeros(256) };

export const PREDEFINED_LITERAL_LENGTHS = makeTable(LITERAL_LENGTHS, 6, [
  4,
  3,
  ...range(11).map(() => 2),
  1,
  1,
  1,
  ...range(9).map(() => 2),
  3,
  2,
  1,
  1,
  1,
  1,
  1,
  -1,
  -1,
  -1,
  -1,
]);
export const PREDEFINED_MATCH_LENGTHS = makeTable(MATCH_LENGTHS, 6, [
  1,
  4,
  3,
  2,
  2,
  2,
  2,
  2,
  2,
  ...ones(37),
  -1,
  -1,
  -1,
  -1,
  -1,
  -1,
  -1,
]);
export const PREDEFINED_OFFSETS = makeTable(OFFSETS, 5, [1, 1, 1, 1, 1, 1, 2, 2, 2, ...ones(15), -1, -1, -1, -1, -1]);

/** Probabilities of the codes (-1: less than one) to a decode table of 2 ** `log` states. */
function makeTable({ values, extraBits }: Codes, log: number, counts: ArrayLike<number>): FseTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const next = new Uint16Array(counts.length);
  let high = size - 1;
  for (let s = 0; s < counts.length; s++) {
    if (counts[s]! < 0) symbols[high--] = s;
    next[s] = Math.abs(counts[s]!);
  }
  const step = (size >> 1) + (size >> 3) + 3;
  let position = 0;
  for (let s = 0; s < counts.length; s++) {
    for (let i = counts[s]!; i > 0; i--) {
      symbols[position] = s;
      do position = (position + step) & (size - 1);
      while (position > high);
    }
  }
  const table = { log, values: new Int32Array(size), steps: new Int32Array(size) };
  for (let state = 0; state < size; state++) {
    const s = symbols[state]!;
    const x = next[s]!++;
    const bits = log - highBit(x);
    table.values[state] = values[s]!;
    table.steps[state] = bits | (extraBits[s]! << 8) | (((x << bits) - size) << 16);
  }
  return table;
}

/** A table that gives one code for ever and takes no bits. */
export function singleTable({ values, extraBits }: Codes, code: number): FseTable {
  return { log: 0, values: Int32Array.of(values[code]!), steps: Int32Array.of(extraBits[code]! << 8) };
}

/** Reads a table description. Gives the table and where the description ends; nothing if it is not valid. */
export function readTable(source: Source, at: number, end: number, codes: Codes): [FseTable, number] | undefined {
  if (at >= end) return undefined;
  const { view } = source;
  const log = bitsAt(view, at, 0, 4) + 5;
  if (log > codes.maxLog) return undefined;
  const counts: number[] = [];
  let bit = 4;
  for (let remaining = 1 << log; remaining > 0;) {
    if (counts.length >= codes.values.length || at + (bit >> 3) > end) return undefined;
    // A value up to remaining + 1 takes `width` bits, or one less when it is below `short`.
    const width = highBit(remaining + 1) + 1;
    const short = 2 ** width - 2 - remaining;
    let value = bitsAt(view, at, bit, width - 1);
    bit += width - 1;
    if (value >= short && bitsAt(view, at, bit++, 1)) value += 2 ** (width - 1) - short;
    const count = value - 1;
    counts.push(count);
    remaining -= Math.abs(count);
    if (count === 0) {
      let repeat: number;
      do {
        if (at + (bit >> 3) > end) return undefined;
        repeat = bitsAt(view, at, bit, 2);
        bit += 2;
        for (let i = 0; i < repeat; i++) counts.push(0);
      } while (repeat === 3);
      if (counts.length > codes.values.length) return undefined;
    }
  }
  const next = at + Math.ceil(bit / 8);
  return next <= end ? [makeTable(codes, log, counts), next] : undefined;
}
