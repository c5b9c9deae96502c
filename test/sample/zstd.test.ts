import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeZstd, writeZstdDictionary, type ZstdOptions } from '../../scripts/sample/zstd.ts';
import { random, randomBytes } from '../support/random.ts';
import { sha256 } from '../support/sha256.ts';

const HAS_ZSTD = (() => {
  try {
    execFileSync('zstd', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('zstd is not installed: the frames are not checked against it');
    return false;
  }
})();

const folder = mkdtempSync(join(tmpdir(), 'romflow-zstd-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the zstd tool makes of a frame. */
function decode(frame: Uint8Array, dictionary?: Uint8Array): Uint8Array {
  const file = join(folder, 'frame.zst');
  writeFileSync(file, frame);
  const args = ['-d', '-c', '-q', '--long=31'];
  if (dictionary) {
    writeFileSync(join(folder, 'dictionary'), dictionary);
    args.push('-D', join(folder, 'dictionary'));
  }
  return new Uint8Array(execFileSync('zstd', [...args, file], { maxBuffer: 1 << 28 }));
}

/** Text out of a small vocabulary, seeded: matches, repeats and skewed literals. */
function words(size: number, seed: number): Uint8Array {
  const next = random(seed);
  const vocabulary = Array.from({ length: 200 }, () =>
    Array.from(
      { length: 2 + (next() % 9) },
      () => 'etaoinshrdlucmfwypvbgkjqxz'[Math.min(next() % 26, next() % 26)],
    ).join(''),
  );
  let text = '';
  while (text.length < size) text += `${vocabulary[Math.min(next() % 200, next() % 200)]}${next() % 12 ? ' ' : '.\n'}`;
  return new TextEncoder().encode(text.slice(0, size));
}

/** Lines of parameters: names that come again and values that do not. */
function parameters(lines: number, seed: number): Uint8Array {
  const next = random(seed);
  const names = ['Position', 'Rotation', 'UniqueName', 'LinksToObject', 'IsEnabled', 'Radius', 'Scale'];
  let text = '';
  for (let i = 0; i < lines; i++) {
    const value = next() % 3 ? (next() % 100_000) / 64 : `Obj${(next() % 46656).toString(36)}_${next() % 10}`;
    text += `${'  '.repeat(1 + (next() % 3))}${names[next() % names.length]}: ${value}\n`;
  }
  return new TextEncoder().encode(text);
}

/** Records of the kind that level files have: floats, counters and flags. */
function records(count: number, seed: number): Uint8Array {
  const next = random(seed);
  const view = new DataView(new ArrayBuffer(count * 24));
  for (let i = 0; i < count; i++) {
    view.setUint32(i * 24, i, true);
    for (let k = 1; k < 4; k++) view.setFloat32(i * 24 + 4 * k, (next() % 4000) / 16, true);
    view.setUint16(i * 24 + 16, next() % 3, true);
  }
  return new Uint8Array(view.buffer);
}

/** Bytes with skewed frequencies and no repeats worth a match: the work of the literals alone. */
function skewed(size: number, symbols: number, seed: number): Uint8Array {
  const next = random(seed);
  return Uint8Array.from({ length: size }, () => Math.min(next() % symbols, next() % symbols, next() % symbols));
}

interface Block {
  type: number;
  size: number;
  /** of compressed blocks: type of the literals and the modes of the three tables */
  literals?: number;
  modes?: number[];
}

/** The blocks of a frame, read straight from the headers. */
function blocksOf(frame: Uint8Array): Block[] {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const descriptor = frame[4]!;
  const single = (descriptor & 0x20) !== 0;
  let at = 5 + (single ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]! + [single ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const blocks: Block[] = [];
  for (let last = false; !last;) {
    const header = view.getUint16(at, true) | (frame[at + 2]! << 16);
    last = (header & 1) === 1;
    const block: Block = { type: (header >> 1) & 3, size: header >> 3 };
    at += 3;
    if (block.type === 2) {
      block.literals = frame[at]! & 3;
      const format = (frame[at]! >> 2) & 3;
      let literalsEnd = at;
      if (block.literals < 2) {
        const [size, bytes] = [
          [frame[at]! >> 3, 1],
          [view.getUint16(at, true) >> 4, 2],
          [frame[at]! >> 3, 1],
          [(view.getUint16(at, true) | (frame[at + 2]! << 16)) >> 4, 3],
        ][format] as [number, number];
        literalsEnd += bytes + (block.literals === 1 ? 1 : size);
      } else {
        const width = [10, 10, 14, 18][format]!;
        const bytes = (4 + 2 * width) / 8;
        let value = 0n;
        for (let i = bytes - 1; i >= 0; i--) value = (value << 8n) | BigInt(frame[at + i]!);
        literalsEnd += bytes + Number(value >> BigInt(4 + width));
      }
      const count = frame[literalsEnd]!;
      const modesAt = literalsEnd + (count < 128 ? 1 : count < 255 ? 2 : 3);
      block.modes = count ? [6, 4, 2].map((shift) => (frame[modesAt]! >> shift) & 3) : [];
    }
    blocks.push(block);
    at += block.type === 1 ? 1 : block.size;
  }
  expect(at + (descriptor & 4 ? 4 : 0)).toBe(frame.length);
  return blocks;
}

const SAMPLES: [string, Uint8Array][] = [
  ['nothing', new Uint8Array(0)],
  ['one byte', Uint8Array.of(65)],
  ['a few bytes', new TextEncoder().encode('abcabcabcabc')],
  ['255 bytes', words(255, 1)],
  ['256 bytes', words(256, 2)],
  ['65791 bytes', words(65791, 3)],
  ['65792 bytes', words(65792, 4)],
  ['exactly a block', words(128 * 1024, 5)],
  ['a block and a byte', words(128 * 1024 + 1, 6)],
  ['text of several blocks', words(500_000, 7)],
  ['records', records(20_000, 8)],
  ['random bytes', randomBytes(300_000, 9)],
  ['zeros', new Uint8Array(400_000)],
  ['two symbols', skewed(5000, 2, 10)],
  ['skewed literals', skewed(40_000, 40, 11)],
  ['all literals', skewed(100_000, 256, 12)],
  ['long matches', Uint8Array.from([...randomBytes(70_000, 13), ...randomBytes(70_000, 13)])],
  ['runs', Uint8Array.from({ length: 100_000 }, (_, i) => (i >> 9) & 0xff)],
  ['pairs', Uint8Array.from({ length: 3000 }, (_, i) => (i & 1 ? 7 : i >> 4))],
];

const OPTIONS: [string, ZstdOptions][] = [
  ['plain', {}],
  ['checksum', { checksum: true }],
  ['no content size', { contentSize: false }],
  ['window of 1 KiB', { windowLog: 10, checksum: true }],
  ['window and no content size', { windowLog: 14, contentSize: false }],
  ['small blocks', { blockSize: 3000, checksum: true }],
];

describe.skipIf(!HAS_ZSTD)('decoded by zstd', () => {
  test.each(OPTIONS)('%s', (_, options) => {
    for (const [name, data] of SAMPLES) {
      const frame = writeZstd(data, options);
      expect(sha256(decode(frame)), name).toBe(sha256(data));
      if (options.blockSize === undefined && options.windowLog === undefined) {
        expect(frame.length).toBeLessThan(data.length + 3 * Math.ceil(data.length / 131072) + 20);
      }
    }
  });

  test('many small inputs', () => {
    // One file of frames one after the other keeps this to one run of the tool.
    const parts: Uint8Array[] = [];
    const frames: Uint8Array[] = [];
    for (let seed = 0; seed < 600; seed++) {
      const next = random(seed);
      const size = next() % 400;
      const data = seed % 3 ? skewed(size, 1 + (next() % 200), seed) : words(size, seed);
      parts.push(data);
      frames.push(writeZstd(data, { checksum: true, ...(seed & 1 ? { blockSize: 1 + (next() % 200) } : {}) }));
    }
    expect(sha256(decode(Buffer.concat(frames)))).toBe(sha256(...parts));
  });

  test('compresses about as well as level 1', () => {
    for (const data of [words(500_000, 7), records(20_000, 8)]) {
      writeFileSync(join(folder, 'plain'), data);
      const reference = execFileSync('zstd', ['-1', '-c', '-q', join(folder, 'plain')], { maxBuffer: 1 << 28 });
      expect(writeZstd(data).length).toBeLessThan(1.15 * reference.length);
    }
  });

  describe('with a dictionary', () => {
    const samples = Array.from({ length: 40 }, (_, i) => parameters(30, 100 + i));
    const unseen = parameters(30, 200);
    const dictionary = writeZstdDictionary(samples, 0x12345);

    test('the tool knows it', () => {
      expect([...dictionary.bytes.subarray(0, 8)]).toEqual([0x37, 0xa4, 0x30, 0xec, 0x45, 0x23, 1, 0]);
      const data = unseen;
      writeFileSync(join(folder, 'dictionary'), dictionary.bytes);
      writeFileSync(join(folder, 'plain'), data);
      const frame = execFileSync('zstd', ['-c', '-q', '-D', join(folder, 'dictionary'), join(folder, 'plain')]);
      // The tool takes all its tables to compress, which it refuses for a bad one, and names its id in the frame.
      expect(frame.readUInt32LE(frame[4]! & 0x20 ? 5 : 6)).toBe(0x12345);
      expect(decode(frame, dictionary.bytes)).toEqual(data);
    });

    test.each(OPTIONS)('%s', (_, options) => {
      for (const [name, data] of SAMPLES) {
        const frame = writeZstd(data, { ...options, dictionary });
        expect(sha256(decode(frame, dictionary.bytes)), name).toBe(sha256(data));
      }
    });

    test('the first block takes literals and tables from it', () => {
      const data = unseen.slice(0, 400);
      const frame = writeZstd(data, { dictionary });
      expect(blocksOf(frame)[0]).toMatchObject({ type: 2, literals: 3, modes: [3, 3, 3] });
      expect(decode(frame, dictionary.bytes)).toEqual(data);
      expect(frame.length).toBeLessThan(writeZstd(data).length);
    });

    test('without its id, and for ids of one, two and four bytes', () => {
      const data = unseen;
      const frame = writeZstd(data, { dictionary, omitDictionaryId: true });
      expect(frame[4]! & 3).toBe(0);
      expect(decode(frame, dictionary.bytes)).toEqual(data);
      for (const [id, field] of [
        [3, 1],
        [1001, 2],
        [70_000, 3],
      ] as const) {
        const other = writeZstdDictionary(samples, id);
        const small = writeZstd(data, { dictionary: other });
        expect(small[4]! & 3).toBe(field);
        expect(decode(small, other.bytes)).toEqual(data);
      }
    });

    test('another dictionary is refused', () => {
      const frame = writeZstd(unseen, { dictionary });
      const other = writeZstdDictionary([words(900, 5)], 9);
      const silent = { stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'] };
      writeFileSync(join(folder, 'frame.zst'), frame);
      writeFileSync(join(folder, 'dictionary'), other.bytes);
      const args = ['-t', '-q', '-D', join(folder, 'dictionary'), join(folder, 'frame.zst')];
      expect(() => execFileSync('zstd', args, silent)).toThrow();
      writeFileSync(join(folder, 'dictionary'), dictionary.bytes);
      execFileSync('zstd', args, silent);
    });

    test('raw content', () => {
      const content = words(2000, 31);
      const data = words(1500, 31);
      const frame = writeZstd(data, { dictionary: content });
      expect(frame.length).toBeLessThan(30);
      expect(decode(frame, content)).toEqual(data);
    });

    test('out of any samples', () => {
      const kinds: Uint8Array[][] = [
        [randomBytes(5000, 1)],
        [new Uint8Array(3000)],
        [Uint8Array.from({ length: 256 }, (_, i) => i)],
        [words(20_000, 2), words(200_000, 3)],
        [records(500, 4)],
        [new TextEncoder().encode('12345678')],
      ];
      for (const kind of kinds) {
        const made = writeZstdDictionary(kind, 77);
        for (const data of [kind[0]!, words(3000, 8), skewed(500, 256, 9)]) {
          const frame = writeZstd(data, { dictionary: made, checksum: true });
          expect(sha256(decode(frame, made.bytes))).toBe(sha256(data));
        }
      }
    });
  });
});

test('every kind of block, literals and table occurs', () => {
  const types = new Set<number>();
  const literals = new Set<number>();
  const modes = new Set<number>();
  for (const [, data] of SAMPLES) {
    for (const options of [{}, { blockSize: 3000 }]) {
      for (const block of blocksOf(writeZstd(data, options))) {
        types.add(block.type);
        if (block.literals !== undefined) literals.add(block.literals);
        for (const mode of block.modes ?? []) modes.add(mode);
      }
    }
  }
  expect([...types].toSorted()).toEqual([0, 1, 2]);
  expect([...literals].toSorted()).toEqual([0, 1, 2, 3]);
  expect([...modes].toSorted()).toEqual([0, 1, 2, 3]);
});

test('bad arguments', () => {
  expect(() => writeZstdDictionary([new Uint8Array(7)], 1)).toThrow(RangeError);
  expect(() => writeZstdDictionary([new Uint8Array(100)], 0)).toThrow(RangeError);
});

test('the same bytes each time', () => {
  const data = words(50_000, 1);
  expect(writeZstd(data)).toEqual(writeZstd(data));
  expect(writeZstdDictionary([data], 5).bytes).toEqual(writeZstdDictionary([data], 5).bytes);
});
