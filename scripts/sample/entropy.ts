/** Entropy coding of zstd (RFC 8878 section 4): finite state entropy, and Huffman codes of at most 11 bits. */
import { ByteWriter } from './bytes.ts';

const highBit = (value: number): number => 31 - Math.clz32(value);

/** Bits that the decoder reads from the end: what is written last is read first. */
export class BitWriter {
  readonly #out = new ByteWriter();
  #held = 0;
  #count = 0;

  add(value: number, bits: number): void {
    for (let done = 0; done < bits;) {
      const take = Math.min(8 - this.#count, bits - done);
      this.#held |= ((value >>> done) & ((1 << take) - 1)) << this.#count;
      this.#count += take;
      done += take;
      if (this.#count === 8) {
        this.#out.u8(this.#held);
        this.#held = 0;
        this.#count = 0;
      }
    }
  }

  /** Fills the last byte with zero bits. */
  finish(): Uint8Array {
    if (this.#count) this.add(0, 8 - this.#count);
    return this.#out.take();
  }

  /** Ends a stream that is read from its end with the set bit that marks it. */
  close(): Uint8Array {
    this.add(1, 1);
    return this.finish();
  }
}

/** How often each symbol occurs in a table of `2 ** log` cells; -1 stands for less than one cell, which gets one. */
export interface Distribution {
  log: number;
  probabilities: readonly number[];
}

/** Scales counts to a distribution of `2 ** log` cells. There must be at least two symbols that occur. */
export function normalize(counts: readonly number[], log: number): Distribution {
  const size = 1 << log;
  const total = counts.reduce((a, b) => a + b, 0);
  const probabilities = counts.map((count) => {
    if (count === 0) return 0;
    return count * size < total ? -1 : Math.max(1, Math.floor((count * size) / total));
  });
  let rest = size - probabilities.reduce((sum, p) => sum + Math.abs(p), 0);
  // What rounding left over goes to the commonest symbol; what it took too much comes off whoever can spare it.
  if (rest > 0) {
    const commonest = probabilities.indexOf(Math.max(...probabilities));
    probabilities[commonest] = Math.abs(probabilities[commonest]!) + rest;
  }
  for (; rest < 0; rest++) probabilities[probabilities.indexOf(Math.max(...probabilities))]!--;
  while (probabilities.at(-1) === 0) probabilities.pop();
  return { log, probabilities };
}

/** The description of a distribution that goes in front of what it codes (RFC 8878 section 4.1.1). */
export function describe({ log, probabilities }: Distribution): Uint8Array {
  const bits = new BitWriter();
  bits.add(log - 5, 4);
  let rest = 1 << log;
  for (let symbol = 0; rest > 0;) {
    const probability = probabilities[symbol++]!;
    // Of the rest + 2 values that can follow, the lowest are one bit shorter.
    const width = highBit(rest + 1) + 1;
    const short = 2 ** width - 1 - (rest + 1);
    const value = probability + 1;
    if (value < short) bits.add(value, width - 1);
    else bits.add(value >= 2 ** (width - 1) ? value + short : value, width);
    rest -= Math.abs(probability);
    if (probability === 0) {
      let zeros = 0;
      while (probabilities[symbol] === 0) {
        zeros++;
        symbol++;
      }
      for (; zeros >= 3; zeros -= 3) bits.add(3, 2);
      bits.add(zeros, 2);
    }
  }
  return bits.finish();
}

/** A table of states: each stands for a symbol, and leads on to a range of states told apart by some bits. */
export class FseTable {
  readonly log: number;
  readonly probabilities: readonly number[];
  readonly #bits: Uint8Array;
  readonly #base: Uint16Array;
  /** states of each symbol in the order of the table */
  readonly #states: number[][];
  readonly #from: Uint16Array[] = [];

  constructor({ log, probabilities }: Distribution) {
    this.log = log;
    this.probabilities = probabilities;
    const size = 1 << log;
    const symbols = new Int16Array(size).fill(-1);
    let last = size - 1;
    for (const [symbol, p] of probabilities.entries()) if (p === -1) symbols[last--] = symbol;
    const step = (size >> 1) + (size >> 3) + 3;
    let at = 0;
    for (const [symbol, p] of probabilities.entries()) {
      for (let i = 0; i < p; i++) {
        symbols[at] = symbol;
        do at = (at + step) & (size - 1);
        while (at > last);
      }
    }
    this.#bits = new Uint8Array(size);
    this.#base = new Uint16Array(size);
    this.#states = probabilities.map(() => []);
    const next = probabilities.map(Math.abs);
    for (let state = 0; state < size; state++) {
      const symbol = symbols[state]!;
      const count = next[symbol]!++;
      const bits = log - highBit(count);
      this.#bits[state] = bits;
      this.#base[state] = (count << bits) - size;
      this.#states[symbol]!.push(state);
    }
  }

  /** A table that gives one symbol without any bits. */
  static rle(symbol: number): FseTable {
    const probabilities = Array.from({ length: symbol + 1 }, (_, i) => (i === symbol ? 1 : 0));
    return new FseTable({ log: 0, probabilities });
  }

  /** Bits that the symbols counted take; infinite when the table lacks one of them. */
  cost(counts: readonly number[]): number {
    let bits = 0;
    for (const [symbol, count] of counts.entries()) {
      if (count) bits += count * (this.log - Math.log2(Math.abs(this.probabilities[symbol] ?? 0)));
    }
    return bits;
  }

  /** The state to end with on `symbol`: its first, which leads on by the most bits. */
  last(symbol: number): number {
    return this.#states[symbol]![0]!;
  }

  /** For each state, which state of `symbol` leads to it. */
  #sources(symbol: number): Uint16Array {
    const known = this.#from[symbol];
    if (known) return known;
    const from = new Uint16Array(1 << this.log);
    for (const s of this.#states[symbol]!) from.fill(s, this.#base[s], this.#base[s]! + (1 << this.#bits[s]!));
    this.#from[symbol] = from;
    return from;
  }

  /** Writes how to get from a state of `symbol` to `state`, and gives that state of `symbol`. */
  encode(bits: BitWriter, symbol: number, state: number): number {
    const from = this.#sources(symbol)[state]!;
    bits.add(state - this.#base[from]!, this.#bits[from]!);
    return from;
  }
}

export const MAX_HUFFMAN_BITS = 11;
const MAX_WEIGHT_LOG = 6;
/** Direct weights fill nibbles, and their number, at most 128, shares the header byte with the size of coded ones. */
const MAX_DIRECT_WEIGHTS = 128;

/** Lengths of an optimal code in which none is longer than `limit`, by the package-merge algorithm. */
function codeLengths(counts: readonly number[], limit: number): number[] {
  interface Package {
    count: number;
    symbols: number[];
  }
  const leaves: Package[] = counts
    .map((count, symbol) => ({ count, symbols: [symbol] }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  let row: Package[] = [];
  for (let level = 0; level < limit; level++) {
    const pairs: Package[] = [];
    for (let i = 0; i + 1 < row.length; i += 2) {
      const [a, b] = [row[i]!, row[i + 1]!];
      pairs.push({ count: a.count + b.count, symbols: [...a.symbols, ...b.symbols] });
    }
    row = [...leaves, ...pairs].sort((a, b) => a.count - b.count);
  }
  const lengths = counts.map(() => 0);
  for (const { symbols } of row.slice(0, 2 * leaves.length - 2)) for (const symbol of symbols) lengths[symbol]!++;
  return lengths;
}

/** A Huffman code for literals. */
export class HuffmanCode {
  readonly lengths: readonly number[];
  readonly #codes: number[];
  readonly #weights: number[];

  /** Makes the code of at least two symbols that occur. */
  constructor(counts: readonly number[]) {
    this.lengths = codeLengths(counts, MAX_HUFFMAN_BITS);
    const longest = Math.max(...this.lengths);
    this.#weights = this.lengths.map((length) => (length ? longest + 1 - length : 0));
    this.#codes = this.lengths.map(() => 0);
    let code = 0;
    for (let weight = 1; weight <= longest; weight++) {
      for (const [symbol, w] of this.#weights.entries()) if (w === weight) this.#codes[symbol] = code++;
      code >>= 1;
    }
  }

  /** The description of the code, or nothing when there is none. */
  describe(): Uint8Array | undefined {
    // The weight of the last symbol follows from the others.
    const weights = this.#weights.slice(
      0,
      this.#weights.findLastIndex((weight) => weight > 0),
    );
    const coded = codedWeights(weights);
    if (weights.length > MAX_DIRECT_WEIGHTS) return coded;
    const direct = new ByteWriter();
    direct.u8(127 + weights.length);
    for (let i = 0; i < weights.length; i += 2) direct.u8((weights[i]! << 4) | (weights[i + 1] ?? 0));
    return coded && coded.length < direct.length ? coded : direct.take();
  }

  /** Whether all symbols of `data` have a code. */
  covers(data: Uint8Array): boolean {
    return data.every((symbol) => (this.lengths[symbol] ?? 0) > 0);
  }

  /** One stream of codes. */
  encode(data: Uint8Array): Uint8Array {
    const bits = new BitWriter();
    for (let i = data.length - 1; i >= 0; i--) bits.add(this.#codes[data[i]!]!, this.lengths[data[i]!]!);
    return bits.close();
  }
}

/** Weights coded by two FSE states in turn, with the size in front; nothing when they cannot be. */
function codedWeights(weights: readonly number[]): Uint8Array | undefined {
  const counts = Array.from({ length: MAX_HUFFMAN_BITS + 1 }, () => 0);
  for (const weight of weights) counts[weight]!++;
  if (counts.filter(Boolean).length < 2) return undefined;
  const distribution = normalize(counts, MAX_WEIGHT_LOG);
  const table = new FseTable(distribution);
  const bits = new BitWriter();
  const states: [number, number] = [0, 0];
  for (let i = weights.length - 1; i >= 0; i--) {
    const turn = (i & 1) as 0 | 1;
    states[turn] = i >= weights.length - 2 ? table.last(weights[i]!) : table.encode(bits, weights[i]!, states[turn]);
  }
  bits.add(states[1], table.log);
  bits.add(states[0], table.log);
  const body = [describe(distribution), bits.close()];
  const size = body[0]!.length + body[1]!.length;
  if (size > 127) return undefined;
  const out = new ByteWriter();
  out.u8(size);
  for (const part of body) out.bytes(part);
  return out.take();
}
