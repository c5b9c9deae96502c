import type { HashKernels } from '../contract.ts';

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

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

const u64 = (v: bigint): bigint => BigInt.asUintN(64, v);
const rotl = (v: bigint, n: bigint): bigint => u64((v << n) | (v >> (64n - n)));
const round = (acc: bigint, lane: bigint): bigint => u64(rotl(u64(acc + lane * P2), 31n) * P1);
const merge = (acc: bigint, lane: bigint): bigint => u64((acc ^ round(0n, lane)) * P1 + P4);

/** XXH64 over data that comes in pieces; the frame checksum of zstd. */
export class Xxh64 {
  readonly #seed: bigint;
  readonly #acc: BigUint64Array;
  readonly #held = new Uint8Array(32);
  #length = 0;

  constructor(seed: bigint) {
    this.#seed = seed;
    this.#acc = BigUint64Array.of(seed + P1 + P2, seed + P2, seed, seed - P1);
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
    const acc = this.#acc;
    let [a, b, c, d] = acc as unknown as [bigint, bigint, bigint, bigint];
    for (let i = from; i < to; i += 32) {
      a = round(a, view.getBigUint64(i, true));
      b = round(b, view.getBigUint64(i + 8, true));
      c = round(c, view.getBigUint64(i + 16, true));
      d = round(d, view.getBigUint64(i + 24, true));
    }
    acc.set([a, b, c, d]);
  }

  /** The hash of what came so far. */
  digest(): bigint {
    let h: bigint;
    if (this.#length >= 32) {
      const [a, b, c, d] = this.#acc as unknown as [bigint, bigint, bigint, bigint];
      h = u64(rotl(a, 1n) + rotl(b, 7n) + rotl(c, 12n) + rotl(d, 18n));
      for (const lane of [a, b, c, d]) h = merge(h, lane);
    } else {
      h = u64(this.#seed + P5);
    }
    h = u64(h + BigInt(this.#length));
    const view = new DataView(this.#held.buffer);
    let p = 0;
    let left = this.#length % 32;
    for (; left >= 8; left -= 8, p += 8) h = u64(rotl(h ^ round(0n, view.getBigUint64(p, true)), 27n) * P1 + P4);
    if (left >= 4) {
      h = u64(rotl(h ^ u64(BigInt(view.getUint32(p, true)) * P1), 23n) * P2 + P3);
      p += 4;
      left -= 4;
    }
    for (; left > 0; left--, p++) h = u64(rotl(h ^ u64(BigInt(this.#held[p]!) * P5), 11n) * P1);
    h = u64((h ^ (h >> 33n)) * P2);
    h = u64((h ^ (h >> 29n)) * P3);
    return h ^ (h >> 32n);
  }
}

export const hash: HashKernels = {
  crc32,
  xxh64(data, seed) {
    const state = new Xxh64(seed);
    state.update(data);
    return state.digest();
  },
};
