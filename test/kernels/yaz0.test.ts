import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createKernels } from '../../ts/kernels/index.ts';
import { CORPUS, HAS_CORPUS, readCorpus, readTable } from '../support/corpus.ts';
import { random, randomBytes } from '../support/random.ts';
import { sha256 } from '../support/sha256.ts';
import { decode, errorOf, stream } from './yaz0.vectors.ts';

const wasm = createKernels({ backend: 'wasm' });
const ts = createKernels({ backend: 'ts' });
const NOTHING = new Uint8Array(0);

const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** A random valid stream with `size` bytes of content, and the content, built code by code. */
function randomStream(size: number, seed: number): { data: Uint8Array; content: Uint8Array } {
  const next = random(seed);
  const content = new Uint8Array(size);
  const body: number[] = [];
  const literals = 1 + (next() % 15);
  for (let o = 0; o < size;) {
    const group = body.push(0) - 1;
    for (let bit = 128; bit && o < size; bit >>= 1) {
      if (!o || next() % 16 < literals) {
        body[group]! |= bit;
        body.push((content[o++] = next() & 255));
        continue;
      }
      const reach = [4, 20, 300, 4096][next() % 4]!;
      const distance = 1 + (next() % Math.min(o, reach));
      const length = next() % 4 ? 3 + (next() % 15) : 18 + (next() % 256);
      const back = distance - 1;
      if (length < 18) body.push(((length - 2) << 4) | (back >> 8), back & 255);
      else body.push(back >> 8, back & 255, length - 18);
      for (const end = Math.min(size, o + length); o < end; o++) content[o] = content[o - distance]!;
    }
  }
  const header = stream(size);
  const data = new Uint8Array(16 + body.length);
  data.set(header);
  data.set(body, 16);
  return { data, content };
}

/** The content or the error, as text that can be compared. */
function outcome(kernels: typeof wasm, data: Uint8Array, step: number): string {
  let content = '';
  const error = errorOf(() => (content = sha256(decode(kernels, data, step))));
  return content || error;
}

describe.each([wasm, ts])('yaz0 ($backend)', (kernels) => {
  it('decodes random streams at any step', () => {
    for (let seed = 0; seed < 60; seed++) {
      const { data, content } = randomStream(1 + 150 * seed, seed);
      for (const step of [1, 7, 33, 4096, data.length]) {
        expect(equal(decode(kernels, data, step), content), `seed ${seed}, step ${step}`).toBe(true);
      }
    }
  });

  it('gives large content in parts of about 1 MiB', () => {
    const { data, content } = randomStream(9_500_000, 1);
    expect(equal(decode(kernels, data), content)).toBe(true);
    expect(equal(decode(kernels, data, 65_536), content)).toBe(true);
    expect(equal(decode(kernels, data, 1_000_003), content)).toBe(true);

    const decoder = kernels.yaz0.decoderOpen();
    const sizes = [kernels.yaz0.decoderPush(decoder, data, true).length];
    while (kernels.yaz0.decoderPending(decoder)) {
      sizes.push(kernels.yaz0.decoderPush(decoder, NOTHING, false).length);
    }
    kernels.yaz0.decoderFree(decoder);
    expect(sizes.length).toBe(10);
    expect(Math.max(...sizes)).toBeLessThan((1 << 20) + 4096);
  });

  it('finds the end of a truncated stream behind a pending push', () => {
    // 20000 groups of eight runs of 273 bytes are 43.7 MB of 4 GiB promised.
    const body = [0x80, 0x61, ...Array.from({ length: 7 }, () => [0, 0, 255]).flat()];
    const group = [0, ...Array.from({ length: 8 }, () => [0, 0, 255]).flat()];
    const data = new Uint8Array(16 + body.length + 20_000 * group.length);
    data.set(stream(0xffffffff, ...body));
    for (let i = 0; i < 20_000; i++) data.set(group, 16 + body.length + i * group.length);
    const missing = 0xffffffff - 1 - 7 * 273 - 20_000 * 8 * 273;
    for (const step of [5000, data.length]) {
      expect(errorOf(() => decode(kernels, data, step))).toBe(`truncated ${data.length} ${missing} 0`);
    }
  });

  it('gives the same error again, and nothing after the end', () => {
    const failing = kernels.yaz0.decoderOpen();
    const push = (): unknown => kernels.yaz0.decoderPush(failing, stream(9, 0, 0x10, 0), false);
    expect(errorOf(push)).toBe('bad-offset 17 0 1');
    expect(errorOf(push)).toBe('bad-offset 17 0 1');
    expect(kernels.yaz0.decoderPending(failing)).toBe(false);
    kernels.yaz0.decoderFree(failing);

    const done = kernels.yaz0.decoderOpen();
    expect([...kernels.yaz0.decoderPush(done, stream(1, 0x80, 0x61), false)]).toEqual([0x61]);
    expect(kernels.yaz0.decoderPush(done, randomBytes(100, 1), true).length).toBe(0);
    kernels.yaz0.decoderFree(done);
    expect(() => kernels.yaz0.decoderPush(done, NOTHING, true)).toThrow(RangeError);
  });

  it.each([
    // "ab", then a match 0x125 bytes back; "abc" of 9 bytes
    ['bad-offset 19 2 293', 'ab', stream(9, 0xc0, 0x61, 0x62, 0x11, 0x24)],
    ['truncated 20 6 0', 'abc', stream(9, 0xe0, 0x61, 0x62, 0x63)],
  ])('gives what is before an error first: %s', (error, content, data) => {
    for (const step of [data.length, 1]) {
      const decoder = kernels.yaz0.decoderOpen();
      let given = '';
      const push = (chunk: Uint8Array, final: boolean): void => {
        given += Buffer.from(kernels.yaz0.decoderPush(decoder, chunk, final)).toString();
      };
      const pushAll = (): void => {
        for (let at = 0; at < data.length; at += step) push(data.subarray(at, at + step), at + step >= data.length);
        while (kernels.yaz0.decoderPending(decoder)) push(NOTHING, true);
      };
      expect(errorOf(pushAll)).toBe(error);
      expect(given).toBe(content);
      expect(kernels.yaz0.decoderPending(decoder)).toBe(false);
      expect(errorOf(() => push(NOTHING, true))).toBe(error);
      kernels.yaz0.decoderFree(decoder);
    }
  });

  it('keeps interleaved decoders apart', () => {
    const streams = [1, 2, 3].map((seed) => randomStream(20_000, seed));
    const decoders = streams.map(() => kernels.yaz0.decoderOpen());
    const parts: Uint8Array[][] = streams.map(() => []);
    for (let at = 0; at < 30_000; at += 500) {
      streams.forEach(({ data }, i) => {
        parts[i]!.push(kernels.yaz0.decoderPush(decoders[i]!, data.subarray(at, at + 500), at === 29_500));
      });
    }
    streams.forEach(({ content }, i) => expect(equal(Buffer.concat(parts[i]!), content)).toBe(true));
    decoders.forEach((decoder) => kernels.yaz0.decoderFree(decoder));
  });
});

describe('yaz0', () => {
  it('allocates for what is there, not for what the header claims', () => {
    const kernels = createKernels({ backend: 'wasm' });
    const decoder = kernels.yaz0.decoderOpen();
    kernels.yaz0.decoderPush(decoder, stream(0xffffffff), false);
    const literals = Uint8Array.of(0xff, 1, 2, 3, 4, 5, 6, 7, 8);
    for (let i = 0; i < 20_000; i++) expect(kernels.yaz0.decoderPush(decoder, literals, false).length).toBe(8);
    expect(kernels.memorySize).toBeLessThan(1 << 20);
    kernels.yaz0.decoderFree(decoder);
  });

  it('agrees on mutated streams, however they are cut', () => {
    const next = random(99);
    const seen = new Set<string>();
    for (let round = 0; round < 1500; round++) {
      const { data } = randomStream(1 + (next() % 3000), round % 40);
      for (let k = next() % 4; k >= 0; k--) {
        const at = next() % 3 ? next() % data.length : next() % Math.min(data.length, 40);
        data[at] = next() % 2 ? next() & 255 : data[at]! ^ (1 << (next() % 8));
      }
      const cut = next() % 3 ? data : data.subarray(0, next() % (data.length + 1));
      const expected = outcome(ts, cut, cut.length || 1);
      seen.add(expected.split(' ')[0]!);
      for (const step of [cut.length || 1, 1 + (next() % 100), 1]) {
        expect(outcome(wasm, cut, step), `round ${round}, step ${step}`).toBe(expected);
      }
      expect(outcome(ts, cut, 1 + (next() % 50)), `round ${round}`).toBe(expected);
    }
    for (const code of ['truncated', 'bad-magic', 'bad-offset']) expect(seen).toContain(code);
  });

  it('writes nothing outside its own memory', () => {
    const before = wasm.alloc(4096);
    before.bytes.fill(0xa5);
    const decoder = wasm.yaz0.decoderOpen();
    const { data, content } = randomStream(200_000, 5);
    const parts: Uint8Array[] = [];
    const guards = [before];
    for (let at = 0; at < data.length; at += 10_000) {
      parts.push(wasm.yaz0.decoderPush(decoder, data.subarray(at, at + 10_000), at + 10_000 >= data.length));
      const guard = wasm.alloc(64);
      guard.bytes.fill(0xa5);
      guards.push(guard);
    }
    expect(equal(Buffer.concat(parts), content)).toBe(true);
    for (const guard of guards) {
      expect(guard.bytes.every((v) => v === 0xa5)).toBe(true);
      guard.free();
    }
    wasm.yaz0.decoderFree(decoder);
  });
});

describe.skipIf(!HAS_CORPUS)('yaz0 files of the corpus', () => {
  const files = HAS_CORPUS
    ? readTable('archives/MANIFEST.tsv').flatMap(({ path, expected = '' }) => {
        const match = /yaz0-decompressed bytes=(\d+) sha256=([0-9a-f]{64})/.exec(expected);
        return match ? [{ path: `archives/${path}`, size: Number(match[1]), digest: match[2]! }] : [];
      })
    : [];

  it('are there', () => expect(files.length).toBeGreaterThanOrEqual(8));

  it.each(files)('$path', ({ path, size, digest }) => {
    const data = readCorpus(path);
    for (const kernels of [wasm, ts]) {
      for (const step of [1, 7, 4096, data.length]) {
        const content = decode(kernels, data, step);
        expect(content.length).toBe(size);
        expect(sha256(content)).toBe(digest);
      }
    }
  });

  const models = HAS_CORPUS
    ? readdirSync(`${CORPUS}/models`, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.szs'))
    : [];

  it('decode to SARC archives', () => {
    expect(models.length).toBeGreaterThan(20);
    for (const name of models) {
      const data = readCorpus(`models/${name}`);
      const content = decode(wasm, data);
      expect(content.length).toBe(Buffer.from(data).readUInt32BE(4));
      expect(Buffer.from(content.subarray(0, 4)).toString('latin1')).toBe('SARC');
      // The archive says how long it is.
      expect(Buffer.from(content).readUInt32LE(8)).toBe(content.length);
      expect(equal(decode(ts, data), content)).toBe(true);
      expect(equal(decode(wasm, data, 4096), content)).toBe(true);
    }
  });
});
