// A zlib stream. The decisions that fix its bytes are described at the head of asm/png/deflate.ts.

const WINDOW = 32768;
const CHUNK = 1 << 18;
const BLOCK_TOKENS = 1 << 15;
const SAMPLE = 1 << 13;
const HASH_BITS = 13;
const LONG_MATCH = 10;
const MATCH_BITS = 9;
const SKIP_LOG = 5;
const UNSEEN_COST = 12;

const MIN_LOOKUP = 4;
const MAX_MATCH = 258;
const END_OF_BLOCK = 256;

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
/** By match length: the index of the last base that is not above it. */
const LENGTH_INDEX = Uint8Array.from({ length: MAX_MATCH + 1 }, (_, length) =>
  Math.max(
    0,
    LENGTH_BASE.findLastIndex((base) => base <= length),
  ),
);
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const FIXED_LENGTHS = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
const FIXED_DISTANCE_LENGTHS = new Uint8Array(30).fill(5);

function distanceSymbol(distance: number): number {
  const before = distance - 1;
  if (before < 2) return before;
  const log = 31 - Math.clz32(before);
  return 2 * log + ((before >>> (log - 1)) & 1);
}

function distanceExtra(symbol: number): number {
  return symbol < 4 ? 0 : (symbol >>> 1) - 1;
}

/** Extra bits of a symbol of the code length code. */
function itemExtra(symbol: number): number {
  return symbol < 16 ? 0 : symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
}

/** The lengths of a Huffman code for the frequencies, none above `limit`. */
function codeLengths(frequencies: Uint32Array, limit: number): Uint8Array {
  const used: number[] = [];
  for (let symbol = 0; symbol < frequencies.length; symbol++) if (frequencies[symbol]) used.push(symbol);
  for (let symbol = 0; used.length < 2; symbol++) if (!frequencies[symbol]) used.push(symbol);
  const n = used.length;
  const leaves = Float64Array.from(used, (symbol) => frequencies[symbol]! * 512 + symbol).sort();

  const weights = new Uint32Array(2 * n - 1);
  const parents = new Uint16Array(2 * n - 1);
  for (let i = 0; i < n; i++) weights[i] = leaves[i]! / 512;
  let leaf = 0;
  let inner = n;
  for (let node = n; node < weights.length; node++) {
    for (let k = 0; k < 2; k++) {
      const leafFirst = inner === node || (leaf < n && weights[leaf]! <= weights[inner]!);
      const child = leafFirst ? leaf++ : inner++;
      weights[node]! += weights[child]!;
      parents[child] = node;
    }
  }

  const depths = new Uint16Array(2 * n - 1);
  const counts = new Uint16Array(limit + 1);
  let excess = -(2 ** limit);
  for (let node = depths.length - 2; node >= 0; node--) {
    depths[node] = depths[parents[node]!]! + 1;
    if (node >= n) continue;
    const length = Math.min(depths[node]!, limit);
    counts[length]!++;
    excess += 2 ** (limit - length);
  }
  for (; excess > 0; excess--) {
    let length = limit - 1;
    while (!counts[length]) length--;
    counts[length]!--;
    counts[length + 1]! += 2;
    counts[limit]!--;
  }

  const lengths = new Uint8Array(frequencies.length);
  for (let length = limit, i = 0; length > 0; length--) {
    for (let k = 0; k < counts[length]!; k++) lengths[leaves[i++]! % 512] = length;
  }
  return lengths;
}

/** The canonical codes of some lengths, first bit lowest. */
function canonicalCodes(lengths: Uint8Array): Uint16Array {
  const next = new Uint16Array(17);
  for (const length of lengths) if (length) next[length + 1]!++;
  for (let length = 2; length <= 16; length++) next[length] = (next[length]! + next[length - 1]!) << 1;
  return Uint16Array.from(lengths, (length) => {
    let code = length ? next[length]!++ : 0;
    let reversed = 0;
    for (let i = 0; i < length; i++, code >>>= 1) reversed = (reversed << 1) | (code & 1);
    return reversed;
  });
}

/** Bits that the symbols counted in `frequencies` take with these code lengths. */
function codedBits(frequencies: Uint32Array, lengths: Uint8Array): number {
  let sum = 0;
  for (let symbol = 0; symbol < frequencies.length; symbol++) sum += frequencies[symbol]! * lengths[symbol]!;
  return sum;
}

/** Code lengths without the zeros at their end. */
function trimmed(lengths: Uint8Array): Uint8Array {
  return lengths.subarray(0, lengths.findLastIndex((length) => length) + 1);
}

/** Code lengths as they are written: symbols of the code length code, each with its extra bits << 8. */
function lengthItems(lengths: number[]): number[] {
  const items: number[] = [];
  for (let i = 0; i < lengths.length;) {
    const length = lengths[i]!;
    let run = 1;
    while (lengths[i + run] === length) run++;
    i += run;
    if (length) {
      items.push(length);
      run--;
      for (let take = 0; run >= 3; run -= take) {
        take = Math.min(run, 6);
        items.push(16 | ((take - 3) << 8));
      }
    } else {
      for (let take = 0; run >= 11; run -= take) {
        take = Math.min(run, 138);
        items.push(18 | ((take - 11) << 8));
      }
      if (run >= 3) {
        items.push(17 | ((run - 3) << 8));
        run = 0;
      }
    }
    for (; run > 0; run--) items.push(length);
  }
  return items;
}

/** Adler-32, continuing from `adler`. */
function adler32(adler: number, data: Uint8Array): number {
  let a = adler & 0xffff;
  let b = adler >>> 16;
  for (let i = 0; i < data.length;) {
    // 3800 bytes are the most that keep b below 2^31, where V8 leaves small integers.
    for (const stop = Math.min(data.length, i + 3800); i < stop; i++) {
      a += data[i]!;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}

export class Deflater {
  /** The window, then the chunk. */
  readonly #buffer = new Uint8Array(WINDOW + CHUNK);
  #filled = 0;
  /** Index in the buffer of the first byte of input. */
  #history = WINDOW;
  /** The last two positions of each bucket, modulo 2^16, the newer one lower. */
  readonly #buckets = new Uint32Array(1 << HASH_BITS);

  /** Of a block: runs of literals, and the matches after each. */
  readonly #runs = new Uint32Array(BLOCK_TOKENS);
  readonly #lengths = new Uint16Array(BLOCK_TOKENS);
  readonly #distances = new Uint16Array(BLOCK_TOKENS);
  readonly #frequencies = new Uint32Array(286);
  readonly #distanceFrequencies = new Uint32Array(30);

  #out = new Uint8Array(0);
  #size = 0;
  #bits = 0;
  #bitCount = 0;
  #adler = 1;
  #stage: 'new' | 'running' | 'ended' = 'new';

  push(data: Uint8Array, final: boolean): Uint8Array {
    this.#size = 0;
    if (this.#stage === 'ended') return new Uint8Array(0);
    if (this.#stage === 'new') {
      this.#reserve(2);
      this.#out[this.#size++] = 0x78;
      this.#out[this.#size++] = 0x01;
      this.#stage = 'running';
    }
    this.#adler = adler32(this.#adler, data);
    for (let i = 0; i < data.length;) {
      if (this.#filled === CHUNK) this.#compressChunk(false);
      const part = data.subarray(i, i + CHUNK - this.#filled);
      this.#buffer.set(part, WINDOW + this.#filled);
      this.#filled += part.length;
      i += part.length;
    }
    if (final) {
      this.#compressChunk(true);
      this.#reserve(6);
      this.#put(0, -this.#bitCount & 7);
      for (let shift = 24; shift >= 0; shift -= 8) this.#put((this.#adler >>> shift) & 255, 8);
      this.#flush();
      this.#stage = 'ended';
    }
    return this.#out.slice(0, this.#size);
  }

  #compressChunk(last: boolean): void {
    const buffer = this.#buffer;
    const history = this.#history;
    const end = WINDOW + this.#filled;
    let i = WINDOW;
    do {
      const start = i;
      const costs = this.#literalCosts(start, Math.min(start + SAMPLE, end));
      let sequences = 0;
      let run = i;
      let stop = i + BLOCK_TOKENS;
      let misses = 0;
      while (i < stop && i + MIN_LOOKUP <= end) {
        const b0 = buffer[i]!;
        const b1 = buffer[i + 1]!;
        const b2 = buffer[i + 2]!;
        const b3 = buffer[i + 3]!;
        const positions = this.#enter(i);
        const reach = Math.min(WINDOW, i - history);
        const limit = Math.min(MAX_MATCH, end - i);
        let length = 0;
        let distance = 0;
        for (let shift = 0; shift <= 16; shift += 16) {
          const d = (i - (positions >>> shift)) & 0xffff;
          if (d === 0 || d > reach) continue;
          let q = i - d;
          if (buffer[q] !== b0 || buffer[q + 1] !== b1 || buffer[q + 2] !== b2 || buffer[q + 3] !== b3) continue;
          let p = i + 4;
          q += 4;
          while (p < i + limit && buffer[p] === buffer[q]) {
            p++;
            q++;
          }
          if (p - i > length) {
            length = p - i;
            distance = d;
          }
        }
        const saved = costs[b0]! + costs[b1]! + costs[b2]! + costs[b3]!;
        if (length < LONG_MATCH && (!length || saved * length <= 4 * (MATCH_BITS + 31 - Math.clz32(distance)))) {
          i += Math.max(length, 1) + (misses++ >>> SKIP_LOG);
          continue;
        }
        this.#runs[sequences] = i - run;
        this.#lengths[sequences] = length;
        this.#distances[sequences++] = distance;
        i += length;
        stop += length - 1;
        if (i - 1 + MIN_LOOKUP <= end) this.#enter(i - 1);
        run = i;
        misses = 0;
      }
      if (i + MIN_LOOKUP > end) i = end;
      this.#writeBlock(start, i, sequences, last && i === end);
    } while (i < end);
    buffer.copyWithin(0, end - WINDOW, end);
    this.#filled = 0;
    this.#history = 0;
  }

  /** Enters a position into its bucket; gives the positions that were there. */
  #enter(i: number): number {
    const buffer = this.#buffer;
    const v = buffer[i]! | (buffer[i + 1]! << 8) | (buffer[i + 2]! << 16) | (buffer[i + 3]! << 24);
    const bucket = Math.imul(v, 0x9e3779b1) >>> (32 - HASH_BITS);
    const positions = this.#buckets[bucket]!;
    this.#buckets[bucket] = (positions << 16) | (i & 0xffff);
    return positions;
  }

  /** What literals are taken to cost in the block that starts with this sample. */
  #literalCosts(start: number, end: number): Uint8Array {
    const frequencies = new Uint32Array(256);
    for (let i = start; i < end; i++) frequencies[this.#buffer[i]!]!++;
    return codeLengths(frequencies, 15).map((length) => length || UNSEEN_COST);
  }

  /** Counts the tokens of a block; gives the number of their extra bits. */
  #countTokens(start: number, end: number, sequences: number): number {
    const buffer = this.#buffer;
    const frequencies = this.#frequencies.fill(0);
    const distanceFrequencies = this.#distanceFrequencies.fill(0);
    let extra = 0;
    let p = start;
    for (let k = 0; k < sequences; k++) {
      for (const stop = p + this.#runs[k]!; p < stop; p++) frequencies[buffer[p]!]!++;
      const length = this.#lengths[k]!;
      const index = LENGTH_INDEX[length]!;
      const symbol = distanceSymbol(this.#distances[k]!);
      frequencies[257 + index]!++;
      distanceFrequencies[symbol]!++;
      extra += LENGTH_EXTRA[index]! + distanceExtra(symbol);
      p += length;
    }
    for (; p < end; p++) frequencies[buffer[p]!]!++;
    frequencies[END_OF_BLOCK] = 1;
    return extra;
  }

  #writeBlock(start: number, end: number, sequences: number, last: boolean): void {
    const extra = this.#countTokens(start, end, sequences);

    const literalLengths = trimmed(codeLengths(this.#frequencies, 15));
    const distanceLengths = trimmed(codeLengths(this.#distanceFrequencies, 15));
    const items = lengthItems([...literalLengths, ...distanceLengths]);
    const itemFrequencies = new Uint32Array(19);
    for (const item of items) itemFrequencies[item & 31]!++;
    const itemLengths = codeLengths(itemFrequencies, 7);
    const orderedLengths = trimmed(Uint8Array.from(CODE_LENGTH_ORDER, (symbol) => itemLengths[symbol]!));
    let dynamicBits = 3 + 5 + 5 + 4 + 3 * orderedLengths.length + codedBits(itemFrequencies, itemLengths);
    for (const item of items) dynamicBits += itemExtra(item & 31);
    dynamicBits += codedBits(this.#frequencies.subarray(0, literalLengths.length), literalLengths) + extra;
    dynamicBits += codedBits(this.#distanceFrequencies.subarray(0, distanceLengths.length), distanceLengths);

    const fixedBits = 3 + codedBits(this.#frequencies, FIXED_LENGTHS) + 5 * sequences + extra;

    const size = end - start;
    const padding = (5 - this.#bitCount) & 7;
    const storedBits = size > 65535 ? Infinity : 3 + padding + 32 + 8 * size;

    const least = Math.min(storedBits, fixedBits, dynamicBits);
    this.#reserve((least + 30) >>> 3);
    if (least === storedBits) {
      this.#put(last ? 1 : 0, 3 + padding);
      this.#put(size, 16);
      this.#put(~size & 0xffff, 16);
      this.#flush();
      this.#out.set(this.#buffer.subarray(start, end), this.#size);
      this.#size += size;
    } else if (least === fixedBits) {
      this.#put(last ? 3 : 2, 3);
      this.#putTokens(start, end, sequences, FIXED_LENGTHS, FIXED_DISTANCE_LENGTHS);
    } else {
      this.#put(last ? 5 : 4, 3);
      this.#put(literalLengths.length - 257, 5);
      this.#put(distanceLengths.length - 1, 5);
      this.#put(orderedLengths.length - 4, 4);
      for (const length of orderedLengths) this.#put(length, 3);
      const itemCodes = canonicalCodes(itemLengths);
      for (const item of items) {
        const symbol = item & 31;
        this.#put(itemCodes[symbol]!, itemLengths[symbol]!);
        this.#put(item >>> 8, itemExtra(symbol));
      }
      this.#putTokens(start, end, sequences, literalLengths, distanceLengths);
    }
    this.#flush();
  }

  #putTokens(
    start: number,
    end: number,
    sequences: number,
    literalLengths: Uint8Array,
    distanceLengths: Uint8Array,
  ): void {
    const literalCodes = canonicalCodes(literalLengths);
    const distanceCodes = canonicalCodes(distanceLengths);
    let p = start;
    for (let k = 0; k < sequences; k++) {
      const stop = p + this.#runs[k]!;
      this.#putLiterals(p, stop, literalCodes, literalLengths);
      const length = this.#lengths[k]!;
      const distance = this.#distances[k]!;
      p = stop + length;
      const index = LENGTH_INDEX[length]!;
      this.#put(literalCodes[257 + index]!, literalLengths[257 + index]!);
      this.#put(length - LENGTH_BASE[index]!, LENGTH_EXTRA[index]!);
      const symbol = distanceSymbol(distance);
      this.#put(distanceCodes[symbol]!, distanceLengths[symbol]!);
      const width = distanceExtra(symbol);
      this.#put((distance - 1) & ((1 << width) - 1), width);
    }
    this.#putLiterals(p, end, literalCodes, literalLengths);
    this.#put(literalCodes[END_OF_BLOCK]!, literalLengths[END_OF_BLOCK]!);
  }

  #putLiterals(p: number, end: number, codes: Uint16Array, lengths: Uint8Array): void {
    const buffer = this.#buffer;
    const out = this.#out;
    let size = this.#size;
    let bits = this.#bits;
    let count = this.#bitCount;
    for (; p < end; p++) {
      const byte = buffer[p]!;
      bits |= codes[byte]! << count;
      count += lengths[byte]!;
      if (count >= 16) {
        out[size] = bits;
        out[size + 1] = bits >>> 8;
        size += 2;
        bits >>>= 16;
        count -= 16;
      }
    }
    this.#size = size;
    this.#bits = bits;
    this.#bitCount = count;
  }

  /** Up to 16 bits; less than 16 stay behind. */
  #put(value: number, count: number): void {
    this.#bits |= value << this.#bitCount;
    this.#bitCount += count;
    if (this.#bitCount >= 16) {
      this.#out[this.#size++] = this.#bits;
      this.#out[this.#size++] = this.#bits >>> 8;
      this.#bits >>>= 16;
      this.#bitCount -= 16;
    }
  }

  /** Writes the whole bytes that stayed behind. */
  #flush(): void {
    for (; this.#bitCount >= 8; this.#bitCount -= 8, this.#bits >>>= 8) this.#out[this.#size++] = this.#bits;
  }

  /** Makes room for `more` bytes of output. */
  #reserve(more: number): void {
    const need = this.#size + more;
    if (need <= this.#out.length) return;
    const grown = new Uint8Array(Math.max(need, 2 * this.#out.length));
    grown.set(this.#out.subarray(0, this.#size));
    this.#out = grown;
  }
}
