import { describe, expect, it } from 'vitest';
import {
  blockExtent,
  createKernels,
  ELEMENT_SIZE,
  HASH_ALGORITHMS,
  HASH_SEED_MAX,
  HASH_SIZE,
  TEXEL_FORMATS,
  type HashAlgorithm,
  type Kernels,
} from '../../ts/kernels/index.ts';
import { random, randomBytes } from '../support/random.ts';

const CANARY = 0x5a;
const MARGIN = 64;

/** Runs `write` with an output in the middle of a buffer, and checks that nothing around it was touched. */
function guarded(kernels: Kernels, size: number, write: (out: Uint8Array) => Uint8Array): Uint8Array {
  const buffer = kernels.alloc(size + 2 * MARGIN);
  try {
    buffer.bytes.fill(CANARY);
    const result = write(buffer.bytes.subarray(MARGIN, MARGIN + size)).slice();
    const all = buffer.bytes;
    expect(all.subarray(0, MARGIN).every((byte) => byte === CANARY)).toBe(true);
    expect(all.subarray(MARGIN + size).every((byte) => byte === CANARY)).toBe(true);
    return result;
  } finally {
    buffer.free();
  }
}

/** toEqual of bytes, which many of would take their time. */
function expectSame(actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected)) expect(actual).toEqual(expected);
}

function single({ hash }: Kernels, algorithm: HashAlgorithm, item: Uint8Array, seed: bigint): bigint {
  switch (algorithm) {
    case 'crc32':
      return BigInt(hash.crc32(item, Number(seed)));
    case 'murmur3':
      return BigInt(hash.murmur3(item, Number(seed)));
    case 'sarc':
      return BigInt(hash.sarcName(item, Number(seed)));
    case 'xxh64':
      return hash.xxh64(item, seed);
    case 'fnv1a':
      return BigInt(hash.fnv1a(item));
  }
}

/** Seeded arguments, sensible and not: both backends agree on them and stay inside their buffers. */
describe('kernels stay inside their buffers and agree', () => {
  const wasm = createKernels({ backend: 'wasm' });
  const ts = createKernels({ backend: 'ts' });

  it('tegra', () => {
    const next = random(11);
    const below = (n: number): number => next() % n;
    for (let i = 0; i < 600; i++) {
      const size = [1, 2, 4, 8, 12, 16][below(6)]!;
      const [width, height] = [1 + below(90), 1 + below(90)];
      const tiling = { blockHeightLog2: below(6), blockDepthLog2: below(6), pitch: below(3) ? 0 : 1 + below(400) };
      const [slice, base] = [below(5), below(3) ? 0 : below(9000)];
      const rowStart = below(height + 2);
      const rowEnd = rowStart + below(height + 2);
      const data = randomBytes(below(20000), i);
      const rows = Math.max(0, Math.min(rowEnd, height) - rowStart);
      const run = (k: Kernels) => (out: Uint8Array) =>
        k.tegra.deswizzle(data, base, size, width, height, tiling, slice, rowStart, rowEnd, out);
      const outputSize = size * width * rows;
      expectSame(guarded(wasm, outputSize, run(wasm)), guarded(ts, outputSize, run(ts)));
    }
  });

  it.each(TEXEL_FORMATS)('decodeRows of %s', (format) => {
    const next = random(TEXEL_FORMATS.indexOf(format) + 1);
    const below = (n: number): number => next() % n;
    for (let i = 0; i < 120; i++) {
      const [width, height] = [1 + below(70), 1 + below(70)];
      const tiling = { blockHeightLog2: below(6), blockDepthLog2: below(3), pitch: below(3) ? 0 : 1 + below(400) };
      const extent = blockExtent(format).height;
      const rowStart = below(Math.ceil(height / extent));
      const rowEnd = rowStart + below(height);
      const data = randomBytes(below(9000), i);
      const texels = width * Math.max(0, Math.min(rowEnd * extent, height) - rowStart * extent);
      const run = (k: Kernels) => (out: Uint8Array) =>
        k.tegra.decodeRows(format, data, 0, width, height, tiling, 0, rowStart, rowEnd, out);
      const runHalf = (k: Kernels) => (out: Uint8Array) =>
        k.tegra.decodeRowsHalf(format, data, 0, width, height, tiling, 0, rowStart, rowEnd, out);
      expectSame(guarded(wasm, 4 * texels, run(wasm)), guarded(ts, 4 * texels, run(ts)));
      expectSame(guarded(wasm, 8 * texels, runHalf(wasm)), guarded(ts, 8 * texels, runHalf(ts)));
    }
  });

  it.each(TEXEL_FORMATS.filter((format) => blockExtent(format).width === 1))('pixel of %s', (format) => {
    const size = ELEMENT_SIZE[format];
    for (let count = 0; count < 40; count++) {
      // The odd bytes at the end are no texel.
      const texels = randomBytes(size * count + (count % size), count + 1);
      const run = (k: Kernels) => (out: Uint8Array) => k.pixel.decode(format, texels, out);
      const runHalf = (k: Kernels) => (out: Uint8Array) => k.pixel.decodeHalf(format, texels, out);
      expectSame(guarded(wasm, 4 * count, run(wasm)), guarded(ts, 4 * count, run(ts)));
      expectSame(guarded(wasm, 8 * count, runHalf(wasm)), guarded(ts, 8 * count, runHalf(ts)));
    }
  });

  it('selectChannelsHalf, in place too', () => {
    for (let count = 0; count < 12; count++) {
      const texels = randomBytes(8 * count, count + 1);
      const sources = random(count)();
      const run = (k: Kernels) => (out: Uint8Array) => k.pixel.selectChannelsHalf(texels, sources, out);
      const inPlace = (k: Kernels) => (out: Uint8Array) => {
        out.set(texels);
        return k.pixel.selectChannelsHalf(out, sources, out);
      };
      const expected = guarded(ts, 8 * count, run(ts));
      for (const k of [wasm, ts]) {
        expectSame(guarded(k, 8 * count, run(k)), expected);
        expectSame(guarded(k, 8 * count, inPlace(k)), expected);
      }
    }
  });

  it.each(HASH_ALGORITHMS)('hash.batch of %s, which gives what single calls give', (algorithm) => {
    const next = random(HASH_ALGORITHMS.indexOf(algorithm) + 1);
    const below = (n: number): number => next() % n;
    const size = HASH_SIZE[algorithm];
    for (let i = 0; i < 100; i++) {
      const data = randomBytes(below(3000), i);
      const ends = Uint32Array.from({ length: below(60) }, () => below(data.length + 1)).toSorted();
      const seed = HASH_SEED_MAX[algorithm] ? BigInt(next()) : 0n;
      const [hashes, again] = [wasm, ts].map((k) =>
        guarded(k, size * ends.length, (out) => k.hash.batch(algorithm, data, ends, seed, out)),
      );
      expect(hashes).toEqual(again);
      expect(wasm.hash.batch(algorithm, data, ends, seed)).toEqual(hashes);
      const view = new DataView(hashes!.buffer);
      for (const [n, end] of ends.entries()) {
        const item = data.subarray(ends[n - 1] ?? 0, end);
        const hash = size === 8 ? view.getBigUint64(8 * n, true) : BigInt(view.getUint32(4 * n, true));
        for (const k of [wasm, ts]) expect(single(k, algorithm, item, seed)).toBe(hash);
      }
    }
  });

  it('hash.batch takes data, ends and output where they are', () => {
    const data = wasm.alloc(9);
    data.bytes.set(new TextEncoder().encode('foobarfoo'));
    const ends = wasm.alloc(12);
    const out = wasm.alloc(12);
    const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    words(ends.bytes).set([3, 3, 9]);
    const hashes = wasm.hash.batch('fnv1a', data.bytes, words(ends.bytes), 0n, out.bytes);
    expect(hashes.byteOffset).toBe(out.bytes.byteOffset);
    const expected = ts.hash.batch('fnv1a', data.bytes, words(ends.bytes), 0n);
    expect([...words(hashes)]).toEqual([0xa9f37ed7, 0x811c9dc5, new DataView(expected.buffer).getUint32(8, true)]);
    for (const buffer of [data, ends, out]) buffer.free();
  });

  it('block heights and depths above 5 are refused', () => {
    for (const k of [wasm, ts]) {
      const run = (blockHeightLog2: number, blockDepthLog2: number) => () =>
        k.tegra.deswizzle(new Uint8Array(512), 0, 4, 4, 4, { blockHeightLog2, blockDepthLog2, pitch: 0 }, 0, 0, 4);
      expect(run(6, 0)).toThrow(RangeError);
      expect(run(0, 6)).toThrow(RangeError);
    }
  });

  it('an out that is too small is refused', () => {
    for (const k of [wasm, ts])
      expect(() => k.pixel.decode('r8', new Uint8Array(4), new Uint8Array(15))).toThrow(RangeError);
  });
});
