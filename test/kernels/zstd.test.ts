import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKernels, StreamError, type Kernels } from '../../ts/kernels/index.ts';
import { CORPUS, HAS_CORPUS, readCorpus, readTable } from '../support/corpus.ts';
import { random, randomBytes } from '../support/random.ts';
import { sha256 } from '../support/sha256.ts';
import { DICTIONARY, DOCUMENT_BLOCK, hex, SQUARES_FRAME } from './zstd.vectors.ts';

const BACKENDS = ['wasm', 'ts'] as const;
const KERNELS = { wasm: createKernels({ backend: 'wasm' }), ts: createKernels({ backend: 'ts' }) };
const NOTHING = new Uint8Array(0);
const LIMIT = 256 << 20;

const HAS_ZSTD = spawnSync('zstd', ['--version']).status === 0;

/** What the zstd tool makes of `data`. */
function zstd(args: string[], data: Uint8Array, dictionary?: Uint8Array): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'zstd-'));
  try {
    if (dictionary) {
      writeFileSync(join(folder, 'dictionary'), dictionary);
      args = [...args, '-D', join(folder, 'dictionary')];
    }
    const { status, stdout, stderr } = spawnSync('zstd', ['-q', '-c', ...args], { input: data, maxBuffer: 1 << 30 });
    if (status !== 0) throw new Error(stderr.toString());
    return new Uint8Array(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Options {
  limit?: number;
  /** Handles of dictionaries. */
  dictionaries?: number[];
  defaultDictionary?: number;
}

interface Result {
  output: Uint8Array;
  error: StreamError | undefined;
}

/** Pushes `input` in pieces of the sizes that `cut` gives. */
function decode(kernels: Kernels, input: Uint8Array, cut: () => number, options: Options = {}): Result {
  const { zstd } = kernels;
  const { limit = LIMIT, dictionaries = [], defaultDictionary = 0 } = options;
  const decoder = zstd.decoderOpen(limit, defaultDictionary);
  for (const dictionary of dictionaries) zstd.decoderAddDictionary(decoder, dictionary);
  const parts: Uint8Array[] = [];
  let error: StreamError | undefined;
  let at = 0;
  try {
    do {
      const end = Math.min(at + cut(), input.length);
      const final = end === input.length;
      parts.push(zstd.decoderPush(decoder, input.subarray(at, end), final));
      while (zstd.decoderPending(decoder)) parts.push(zstd.decoderPush(decoder, NOTHING, final));
      at = end;
    } while (at < input.length);
  } catch (thrown) {
    if (!(thrown instanceof StreamError)) throw thrown;
    error = thrown;
  }
  zstd.decoderFree(decoder);
  return { output: Buffer.concat(parts), error };
}

const whole = (): number => Infinity;
const pieces = (size: number) => (): number => size;

const shown = ({ output, error }: Result): string => `${output.length} bytes ${sha256(output)} ${error?.message ?? ''}`;

describe.skipIf(!HAS_CORPUS)('zstd corpus', () => {
  const rows = HAS_CORPUS
    ? readTable('archives/MANIFEST.tsv').filter(({ path }) => /golden-decompression|synthetic\/zstd\//.test(path!))
    : [];
  const folder = 'archives/synthetic/zstd/';

  /** Expected size and hash, or undefined for an error. */
  function expectation(path: string, expected: string): string | undefined {
    // Its "expected" was written by a zstd too old for the two-byte count of no sequences.
    if (path.endsWith('zeroSeq_2B.zst')) return `13 bytes ${sha256(Buffer.from('Hello World!\n'))} `;
    const match = /bytes=(\d+) sha256=(\w+)/.exec(expected);
    return match ? `${match[1]} bytes ${match[2]} ` : undefined;
  }

  for (const backend of BACKENDS) {
    it.each(rows)(`${backend}: $path`, ({ path, expected }) => {
      const kernels = KERNELS[backend];
      const input = readCorpus(`archives/${path}`);
      const dictionary = /dict=(\S+)/.exec(expected!)?.[1];
      const sizes = [Infinity, 4096, 7, 1];
      if (dictionary && !existsSync(`${CORPUS}/${folder}${dictionary}`)) {
        // The dictionary was left out: the frame must at least ask for it.
        const id = /dict(\d+)/.exec(path!)?.[1];
        for (const size of sizes) {
          const { output, error } = decode(kernels, input, pieces(size));
          if (id && !path!.includes('nodictid')) {
            expect(error?.payload).toMatchObject({ code: 'missing-dictionary', found: Number(id) });
            expect(output.length).toBe(0);
          } else {
            expect(error?.payload.code).toMatch(/^bad-/);
          }
        }
        return;
      }
      const handle = dictionary ? kernels.zstd.dictionaryOpen(readCorpus(folder + dictionary)) : 0;
      const options = { dictionaries: handle ? [handle] : [], defaultDictionary: handle };
      const first = decode(kernels, input, whole, options);
      const wanted = expectation(path!, expected!);
      if (wanted) expect(shown(first)).toBe(wanted);
      else expect(first.error).toBeDefined();
      for (const size of sizes) expect(shown(decode(kernels, input, pieces(size), options))).toBe(shown(first));
      if (handle) kernels.zstd.dictionaryFree(handle);
    });

    it(`${backend}: dictionaries with missing symbols and zero weights`, () => {
      for (const path of ['golden-dictionaries/http-dict-missing-symbols', 'dict-files/zero-weight-dict']) {
        const data = readCorpus(`archives/facebook+zstd/tests/${path}`);
        const handle = KERNELS[backend].zstd.dictionaryOpen(data);
        expect(KERNELS[backend].zstd.dictionaryId(handle)).toBe(Buffer.from(data).readUInt32LE(4));
        if (HAS_ZSTD) {
          const text = readCorpus('archives/facebook+zstd/tests/golden-compression/http');
          const input = zstd(['-19'], text, data);
          const { output, error } = decode(KERNELS[backend], input, whole, { dictionaries: [handle] });
          expect(error).toBeUndefined();
          expect(sha256(output)).toBe(sha256(text));
        }
        KERNELS[backend].zstd.dictionaryFree(handle);
      }
    });

    it(`${backend}: an actor pack with the dictionaries of the game`, () => {
      const kernels = KERNELS[backend];
      const archive = decode(kernels, readCorpus('archives/LordBubblesDev+restbl/dic/zsdic'), whole).output;
      expect(sha256(archive)).toMatch(/^7af6b06e68a1e9314dfc51ab5196b0/);
      const view = new DataView(archive.buffer, archive.byteOffset);
      const start = view.getUint32(0xc, true);
      const members = [0, 1, 2].map((i) =>
        archive.subarray(start + view.getUint32(0x28 + 16 * i, true), start + view.getUint32(0x2c + 16 * i, true)),
      );
      const dictionaries = members.map((member) => kernels.zstd.dictionaryOpen(member));
      expect(dictionaries.map(kernels.zstd.dictionaryId).sort()).toEqual([1, 2, 3]);
      const row = readTable('archives/MANIFEST.tsv').find(({ path }) => path!.endsWith('PlayerCamera.fov70.pack.zs'))!;
      const [, wanted] = /sha256=(\w+)/.exec(row['expected']!)!;
      const input = readCorpus(`archives/${row['path']}`);
      for (const size of [Infinity, 1, 7, 4096]) {
        const { output, error } = decode(kernels, input, pieces(size), { dictionaries });
        expect(error).toBeUndefined();
        expect(sha256(output)).toBe(wanted);
      }
      for (const dictionary of dictionaries) kernels.zstd.dictionaryFree(dictionary);
    });
  }
});

/** Bytes of the least significant bits first. */
function littleEndian(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, i) => Math.floor(value / 2 ** (8 * i)) & 255);
}

const blockHeader = (type: number, size: number, last: boolean): number[] =>
  littleEndian((size << 3) | (type << 1) | (last ? 1 : 0), 3);

/**
 * A frame with a 2 MiB window: 2 MiB in raw blocks, then `repeats` blocks of one match each, 128 KiB that lie exactly
 * one window back. RLE tables give the codes of its sequence: literal length 0, offset 21, match length 52.
 */
function* farMatches(content: Uint8Array, repeats: number): Generator<Uint8Array> {
  const window = 2 << 20;
  const block = 128 << 10;
  yield Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, (21 - 10) << 3);
  for (let at = 0; at < window; at += block) {
    yield Uint8Array.of(...blockHeader(0, block, false));
    yield content.subarray(at, at + block);
  }
  // Above its code's base, 2 ** 21, the offset value (3 more than the offset) has 3; the length, over 65539, 65533.
  const bits = 2 ** 37 + 3 * 2 ** 16 + 65533;
  const body = [0x00, 0x01, 0x54, 0, 21, 52, ...littleEndian(bits, 5)];
  for (let i = 1; i <= repeats; i++) yield Uint8Array.of(...blockHeader(2, body.length, i === repeats), ...body);
}

describe('zstd memory', () => {
  it.each(BACKENDS)('%s: 200 MB through a 2 MiB window', (backend) => {
    const kernels = createKernels({ backend });
    const content = randomBytes(2 << 20, 1);
    const decoder = kernels.zstd.decoderOpen(2 << 20, 0);
    let total = 0;
    const check = (output: Uint8Array): void => {
      for (let i = 0; i < output.length;) {
        const from = total % content.length;
        const size = Math.min(output.length - i, content.length - from);
        expect(Buffer.compare(output.subarray(i, i + size), content.subarray(from, from + size))).toBe(0);
        i += size;
        total += size;
      }
    };
    for (const part of farMatches(content, 1600)) {
      check(kernels.zstd.decoderPush(decoder, part, false));
      while (kernels.zstd.decoderPending(decoder)) check(kernels.zstd.decoderPush(decoder, NOTHING, false));
    }
    check(kernels.zstd.decoderPush(decoder, NOTHING, true));
    expect(total).toBe((2 << 20) + 1600 * (128 << 10));
    expect(kernels.memorySize).toBeLessThan(8 << 20);
  });

  it('all of a long frame at once keeps the memory bounded by input and window', () => {
    const kernels = createKernels({ backend: 'wasm' });
    const content = randomBytes(2 << 20, 2);
    const input = Buffer.concat([...farMatches(content, 400)]);
    const { output, error } = decode(kernels, input, whole);
    expect(error).toBeUndefined();
    expect(output.length).toBe(content.length + 400 * (128 << 10));
    expect(kernels.memorySize).toBeLessThan((8 << 20) + 2 * input.length);
  });

  it('a header that lies takes no memory', () => {
    // A window, then a content, of 256 MiB, with five bytes in it.
    for (const header of ['28b52ffd0090', '28b52ffda000000010', '28b52ffd809000000010']) {
      const kernels = createKernels({ backend: 'wasm' });
      const before = kernels.memorySize;
      const input = Buffer.concat([hex(header), hex('280000' + '68656c6c6f')]);
      const decoder = kernels.zstd.decoderOpen(LIMIT, 0);
      expect(Buffer.from(kernels.zstd.decoderPush(decoder, input, false)).toString()).toBe('hello');
      expect(kernels.memorySize - before).toBeLessThan(1 << 20);
    }
  });

  it('decoders and dictionaries give their memory back', () => {
    const kernels = createKernels({ backend: 'wasm' });
    const run = (): void => {
      const dictionary = kernels.zstd.dictionaryOpen(DICTIONARY);
      const frame = hex('28b52ffd02683412' + DOCUMENT_BLOCK);
      for (let i = 0; i < 100; i++) {
        expect(decode(kernels, frame, pieces(5), { dictionaries: [dictionary, dictionary] }).error).toBeUndefined();
        expect(decode(kernels, SQUARES_FRAME, pieces(100)).error).toBeUndefined();
      }
      kernels.zstd.dictionaryFree(dictionary);
    };
    run();
    const before = kernels.memorySize;
    run();
    expect(kernels.memorySize).toBe(before);
  });
});

describe('zstd streams cut short', () => {
  const skippable = hex('5a2a4d1803000000010203');
  const input = Buffer.concat([skippable, SQUARES_FRAME]);
  it.each(BACKENDS)('%s: at every byte', (backend) => {
    for (let size = 0; size < input.length; size++) {
      const { output, error } = decode(KERNELS[backend], input.subarray(0, size), whole);
      // All but the checksum is there: the block is given before the error.
      expect(output.length).toBe(size < input.length - 4 ? 0 : 1654);
      if (size === skippable.length) {
        expect(error).toBeUndefined();
        continue;
      }
      expect(error?.payload).toMatchObject({ code: 'truncated', offset: BigInt(size), found: 0 });
      expect(error!.payload.expected).toBeGreaterThan(0);
      expect(size + error!.payload.expected).toBeLessThanOrEqual(input.length);
    }
  });
});

describe('zstd errors', () => {
  it.each(BACKENDS)('%s: an error stays, after the output before it', (backend) => {
    const { zstd } = KERNELS[backend];
    const decoder = zstd.decoderOpen(LIMIT, 0);
    const input = hex('28b52ffd2005290000' + '68656c6c6f' + '00000000');
    expect(Buffer.from(zstd.decoderPush(decoder, input, true)).toString()).toBe('hello');
    expect(zstd.decoderPending(decoder)).toBe(true);
    for (let i = 0; i < 2; i++) {
      expect(() => zstd.decoderPush(decoder, NOTHING, true)).toThrow('bad-magic at 0xe');
      expect(zstd.decoderPending(decoder)).toBe(false);
    }
    zstd.decoderFree(decoder);
  });
});

/** Lines of JSON that differ a little, the kind of data that dictionaries are for. */
function documents(count: number, seed: number): string {
  const next = random(seed);
  const line = (i: number): string =>
    `{"id": ${i}, "name": "node ${next() % 1000}", "size": ${next() % 100}, "tag": "${(next() % 50).toString(36)}"}\n`;
  return Array.from({ length: count }, (_, i) => line(i)).join('');
}

describe.skipIf(!HAS_ZSTD)('frames of the zstd tool', () => {
  const dictionaryText = Buffer.from(documents(400, 1));
  /** Frames of all sizes with windows above and below them, one after the other; the id of the dictionary is 0. */
  const contents = [10, 3000, 1, 700, 40_000, 50, 5000, 20, 9000, 4].map((count, i) =>
    Buffer.from(documents(count, i + 2)),
  );
  const frames = (dictionary?: Uint8Array): Buffer =>
    Buffer.concat(
      contents.map((content, i) => zstd([`-${((i * 5) % 19) + 1}`, `--zstd=wlog=${10 + i}`], content, dictionary)),
    );

  it.each([
    ['no dictionary', undefined],
    ['a raw dictionary', dictionaryText],
    ['a dictionary', DICTIONARY],
  ])('in a row, with %s', (_, dictionary) => {
    const input = frames(dictionary);
    const expected = `${Buffer.concat(contents).length} bytes ${sha256(...contents)} `;
    for (const backend of BACKENDS) {
      const kernels = KERNELS[backend];
      const handle = dictionary ? kernels.zstd.dictionaryOpen(dictionary) : 0;
      const options = { defaultDictionary: handle, dictionaries: handle ? [handle] : [] };
      const next = random(3);
      for (const cut of [whole, pieces(3), pieces(1000), pieces(100_000), () => next() % 200_000]) {
        expect(shown(decode(kernels, input, cut, options))).toBe(expected);
      }
      if (handle) kernels.zstd.dictionaryFree(handle);
    }
  });

  it.each([1, 7, 12, 19])('level %i of mixed data', (level) => {
    const content = Buffer.concat([
      randomBytes(200_000, 4),
      Buffer.from(documents(8000, 5)),
      Buffer.alloc(300_000, 7),
      Buffer.from(Float32Array.from({ length: 40_000 }, (_, i) => Math.sin(i)).buffer),
      Buffer.from(Int16Array.from({ length: 60_000 }, (_, i) => (i * i) >> 12).buffer),
    ]);
    const input = zstd([`-${level}`, '--zstd=wlog=18'], content);
    for (const backend of BACKENDS) {
      const result = decode(KERNELS[backend], input, pieces(65_536));
      expect(shown(result)).toBe(`${content.length} bytes ${sha256(content)} `);
    }
  });
});

describe('zstd streams with errors', () => {
  const seeds: Uint8Array[] = [
    SQUARES_FRAME,
    hex('28b52ffd02683412' + DOCUMENT_BLOCK),
    hex('28b52ffd2012' + '4400001061620100110e0b' + '1000005859' + '3d0000087a0100021002'),
    hex('502a4d1800000000' + '28b52ffd0468290000' + '68656c6c6f' + 'a36d9f88' + '28b52ffd20052b000061'),
  ];
  if (HAS_ZSTD) {
    seeds.push(zstd(['-19', '--no-check'], Buffer.from(documents(60, 8)), DICTIONARY));
    seeds.push(zstd(['-3', '--zstd=wlog=10'], Buffer.from(documents(100, 9))));
    const samples = Int16Array.from({ length: 3000 }, (_, i) => (i * i) >> 9);
    seeds.push(zstd(['-9', '--no-check'], Buffer.from(samples.buffer)));
  }
  if (HAS_CORPUS) {
    for (const { path, bytes } of readTable('archives/MANIFEST.tsv')) {
      if (path!.includes('decodecorpus') && Number(bytes) < 7000) seeds.push(readCorpus(`archives/${path}`));
    }
  }

  it('are refused alike, however they are cut', () => {
    const next = random(2026);
    const canaries = [KERNELS.wasm.alloc(256), KERNELS.wasm.alloc(256)];
    for (const canary of canaries) canary.bytes.fill(0x5a);
    const open = (kernels: Kernels): number => kernels.zstd.dictionaryOpen(DICTIONARY);
    const handles = { wasm: open(KERNELS.wasm), ts: open(KERNELS.ts) };
    const codes = new Map<string, number>();
    for (let i = 0; i < 4000; i++) {
      const input = Uint8Array.from(seeds[i % seeds.length]!);
      for (let edits = 1 + (next() % 3); edits > 0; edits--) {
        // Half of the edits hit the head, where the tables are described.
        const at = next() % (next() & 1 ? Math.min(input.length, 64) : input.length);
        if (next() & 1) input[at]! ^= 1 << (next() % 8);
        else input[at] = next();
      }
      const cut = input.subarray(0, next() % 8 ? input.length : next() % (input.length + 1));
      const results = BACKENDS.flatMap((backend) =>
        [whole, pieces(1 + (next() % 50)), () => 1 + (next() % 400)].map((chunks) =>
          shown(decode(KERNELS[backend], cut, chunks, { limit: 1 << 22, dictionaries: [handles[backend]] })),
        ),
      );
      expect(new Set(results).size, `${i}: ${results.join('\n')}`).toBe(1);
      const code = results[0]!.split(' ')[3]!;
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    // The mutations reach every kind of check.
    for (const code of [
      '',
      'truncated',
      'bad-magic',
      'reserved',
      'window-too-large',
      'missing-dictionary',
      'bad-block-size',
      'bad-literals',
      'bad-huffman',
      'bad-fse',
      'bad-sequences',
      'bad-offset',
      'bad-checksum',
      'bad-content-size',
    ]) {
      expect(codes.get(code) ?? 0, code).toBeGreaterThan(0);
    }
    for (const canary of canaries) expect(canary.bytes.every((byte) => byte === 0x5a)).toBe(true);
  });

  it('dictionaries with errors are refused alike', () => {
    const next = random(7);
    for (let i = 0; i < 3000; i++) {
      const data = DICTIONARY.slice(0, next() % 4 ? DICTIONARY.length : next() % DICTIONARY.length);
      for (let edits = next() % 3; edits > 0; edits--) data[next() % 130] = next();
      const [wasm, ts] = BACKENDS.map((backend) => {
        try {
          const handle = KERNELS[backend].zstd.dictionaryOpen(data);
          const frame = hex('28b52ffd0068' + DOCUMENT_BLOCK);
          const result = shown(decode(KERNELS[backend], frame, whole, { defaultDictionary: handle }));
          const id = KERNELS[backend].zstd.dictionaryId(handle);
          KERNELS[backend].zstd.dictionaryFree(handle);
          return `${id} ${result}`;
        } catch (error) {
          return String(error);
        }
      });
      expect(wasm).toBe(ts);
    }
  });
});
