import { HASH_SIZE, type HashAlgorithm, type HashKernels } from '../contract.ts';
import { fnv1a, murmur3, sarcName } from './name-hashes.ts';
import { output } from './output.ts';

const CRC_TABLES = makeTables();

/** Eight tables of 256 entries: entry `256 * k + b` is byte `b` followed by `k` zero bytes. */
function makeTables(): Uint32Array {
  const tables = new Uint32Array(8 * 256);
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    tables[i] = c;
  }
  for (let i = 256; i < tables.length; i++) {
    const c = tables[i - 256]!;
    tables[i] = (c >>> 8) ^ tables[c & 255]!;
  }
  return tables;
}

function crc32(data: Uint8Array, seed: number): number {
  const t = CRC_TABLES;
  let c = ~seed;
  let i = 0;
  for (const end = data.length - 7; i < end; i += 8) {
    c ^= data[i]! | (data[i + 1]! << 8) | (data[i + 2]! << 16) | (data[i + 3]! << 24);
    c =
      t[1792 + (c & 255)]! ^
      t[1536 + ((c >>> 8) & 255)]! ^
      t[1280 + ((c >>> 16) & 255)]! ^
      t[1024 + (c >>> 24)]! ^
      t[768 + data[i + 4]!]! ^
      t[512 + data[i + 5]!]! ^
      t[256 + data[i + 6]!]! ^
      t[data[i + 7]!]!;
  }
  for (; i < data.length; i++) c = (c >>> 8) ^ t[(c ^ data[i]!) & 255]!;
  return ~c >>> 0;
}

/** The primes of XXH64, as high and low words. */
const P1H = 0x9e3779b1,
  P1L = 0x85ebca87;
const P2H = 0xc2b2ae3d,
  P2L = 0x27d4eb4f;
const P3H = 0x165667b1,
  P3L = 0x9e3779f9;
const P4H = 0x85ebca77,
  P4L = 0xc2b2ae63;
const P5H = 0x27d4eb2f,
  P5L = 0x165667c5;

/** The high word of the 64-bit product of two words. */
function mulHigh(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const cross = a0 * b1 + (middle & 0xffff);
  return (a1 * b1 + Math.floor(middle / 65536) + Math.floor(cross / 65536)) | 0;
}

/**
 * A 64-bit number as two words, since BigInt would be several times slower. The operations change it in place and give
 * it back.
 */
class Word64 {
  high: number;
  low: number;

  constructor(high: number, low: number) {
    this.high = high | 0;
    this.low = low | 0;
  }

  static of(value: bigint): Word64 {
    return new Word64(Number(value >> 32n), Number(value & 0xffffffffn));
  }

  set(high: number, low: number): this {
    this.high = high | 0;
    this.low = low | 0;
    return this;
  }

  add(high: number, low: number): this {
    const sum = (this.low >>> 0) + (low >>> 0);
    return this.set(this.high + high + (sum > 0xffffffff ? 1 : 0), sum);
  }

  multiply(high: number, low: number): this {
    const top = mulHigh(this.low, low) + Math.imul(this.high, low) + Math.imul(this.low, high);
    return this.set(top, Math.imul(this.low, low));
  }

  xor(high: number, low: number): this {
    return this.set(this.high ^ high, this.low ^ low);
  }

  /** Rotates left by 1 to 31 bits. */
  rotate(n: number): this {
    return this.set((this.high << n) | (this.low >>> (32 - n)), (this.low << n) | (this.high >>> (32 - n)));
  }

  /** x ^= x >>> n, for n of 1 to 63. */
  xorShift(n: number): this {
    return n < 32
      ? this.xor(this.high >>> n, (this.low >>> n) | (this.high << (32 - n)))
      : this.xor(0, this.high >>> (n - 32));
  }

  /** The round of an accumulator that takes in a lane. */
  round(high: number, low: number): this {
    lane.set(high, low).multiply(P2H, P2L);
    return this.add(lane.high, lane.low).rotate(31).multiply(P1H, P1L);
  }

  toBigInt(): bigint {
    return (BigInt(this.high >>> 0) << 32n) | BigInt(this.low >>> 0);
  }
}

const lane = new Word64(0, 0);

/** XXH64 over data that comes in pieces; the frame checksum of zstd. */
export class Xxh64 {
  readonly #seed: Word64;
  readonly #accumulators: [Word64, Word64, Word64, Word64];
  readonly #held = new Uint8Array(32);
  #length = 0;

  constructor(seed: bigint) {
    this.#seed = Word64.of(seed);
    const { high, low } = this.#seed;
    this.#accumulators = [
      new Word64(high, low).add(P1H, P1L).add(P2H, P2L),
      new Word64(high, low).add(P2H, P2L),
      new Word64(high, low),
      new Word64(high, low).add(~P1H, ~P1L).add(0, 1),
    ];
  }

  update(data: Uint8Array): void {
    let held = this.#length % 32;
    this.#length += data.length;
    let i = 0;
    if (held) {
      const take = Math.min(32 - held, data.length);
      this.#held.set(data.subarray(0, take), held);
      i = take;
      held += take;
      if (held < 32) return;
      this.#stripes(this.#held, 0, 32);
    }
    const end = i + ((data.length - i) & ~31);
    this.#stripes(data, i, end);
    this.#held.set(data.subarray(end));
  }

  #stripes(data: Uint8Array, from: number, to: number): void {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const [a, b, c, d] = this.#accumulators;
    for (let i = from; i < to; i += 32) {
      a.round(view.getInt32(i + 4, true), view.getInt32(i, true));
      b.round(view.getInt32(i + 12, true), view.getInt32(i + 8, true));
      c.round(view.getInt32(i + 20, true), view.getInt32(i + 16, true));
      d.round(view.getInt32(i + 28, true), view.getInt32(i + 24, true));
    }
  }

  /** The hash of what came so far. */
  digest(): bigint {
    const h = new Word64(this.#seed.high, this.#seed.low).add(P5H, P5L);
    if (this.#length >= 32) {
      h.set(0, 0);
      for (const [i, { high, low }] of this.#accumulators.entries()) {
        lane.set(high, low).rotate([1, 7, 12, 18][i]!);
        h.add(lane.high, lane.low);
      }
      for (const { high, low } of this.#accumulators) {
        const merged = new Word64(0, 0).round(high, low);
        h.xor(merged.high, merged.low).multiply(P1H, P1L).add(P4H, P4L);
      }
    }
    h.add(Math.floor(this.#length / 2 ** 32), this.#length);
    const view = new DataView(this.#held.buffer);
    const left = this.#length % 32;
    let p = 0;
    for (; p + 8 <= left; p += 8) {
      const taken = new Word64(0, 0).round(view.getInt32(p + 4, true), view.getInt32(p, true));
      h.xor(taken.high, taken.low).rotate(27).multiply(P1H, P1L).add(P4H, P4L);
    }
    if (p + 4 <= left) {
      const taken = new Word64(0, view.getInt32(p, true)).multiply(P1H, P1L);
      h.xor(taken.high, taken.low).rotate(23).multiply(P2H, P2L).add(P3H, P3L);
      p += 4;
    }
    for (; p < left; p++) {
      const taken = new Word64(0, this.#held[p]!).multiply(P5H, P5L);
      h.xor(taken.high, taken.low).rotate(11).multiply(P1H, P1L);
    }
    return h.xorShift(33).multiply(P2H, P2L).xorShift(29).multiply(P3H, P3L).xorShift(32).toBigInt();
  }
}

function xxh64(data: Uint8Array, seed: bigint): bigint {
  const state = new Xxh64(seed);
  state.update(data);
  return state.digest();
}

/** One of the 32-bit hashes, with its seed. */
function hash32(algorithm: Exclude<HashAlgorithm, 'xxh64'>, seed: number): (data: Uint8Array) => number {
  switch (algorithm) {
    case 'crc32':
      return (data) => crc32(data, seed);
    case 'murmur3':
      return (data) => murmur3(data, seed);
    case 'sarc':
      return (data) => sarcName(data, seed);
    case 'fnv1a':
      return fnv1a;
  }
}

function batch(
  algorithm: HashAlgorithm,
  data: Uint8Array,
  ends: Uint32Array,
  seed: bigint,
  out?: Uint8Array,
): Uint8Array {
  const size = HASH_SIZE[algorithm];
  const hashes = output(size * ends.length, out);
  const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.length);
  const item = (i: number): Uint8Array => data.subarray(i && ends[i - 1], ends[i]);
  if (algorithm === 'xxh64') {
    for (let i = 0; i < ends.length; i++) view.setBigUint64(size * i, xxh64(item(i), seed), true);
  } else {
    const hashOf = hash32(algorithm, Number(seed));
    for (let i = 0; i < ends.length; i++) view.setUint32(size * i, hashOf(item(i)), true);
  }
  return hashes;
}

export const hash: HashKernels = { crc32, xxh64, murmur3, sarcName, fnv1a, batch };
