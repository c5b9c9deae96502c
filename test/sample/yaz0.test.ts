import { describe, expect, test } from 'vitest';
import { encodeYaz0 } from '../../scripts/sample/yaz0.ts';
import { HAS_CORPUS, readCorpus } from '../support/corpus.ts';
import { random, randomBytes } from '../support/random.ts';
import { sha256 } from '../support/sha256.ts';
import { decodeYaz0 } from './yaz0-decoder.ts';

/** Decodes a file that has to end with its last code. */
function decodeWhole(file: Uint8Array): Uint8Array {
  const { data, end } = decodeYaz0(file);
  expect(end).toBe(file.length);
  return data;
}

const INPUTS: [string, Uint8Array][] = [
  ['nothing', new Uint8Array(0)],
  ['one byte', Uint8Array.of(9)],
  ['eight literals', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
  ['nine literals', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9)],
  ['a long run', new Uint8Array(100_000)],
  ['random', randomBytes(20_000, 1)],
  ['repeated at the farthest distance', Uint8Array.from([...randomBytes(0x1000, 2), ...randomBytes(0x1000, 2)])],
  ['repeated just out of reach', Uint8Array.from([...randomBytes(0x1001, 3), ...randomBytes(0x1001, 3)])],
  ['few symbols', Uint8Array.from(randomBytes(60_000, 4), (byte) => byte & 3)],
];

test.each(INPUTS)('%s', (_, data) => {
  expect(sha256(decodeWhole(encodeYaz0(data)))).toBe(sha256(data));
});

test('lengths of matches, each where two or three bytes say it', () => {
  for (let length = 1; length < 0x130; length++) {
    const data = new Uint8Array(1 + length).fill(7);
    const file = encodeYaz0(data);
    expect(sha256(decodeWhole(file))).toBe(sha256(data));
    // One literal and a match of up to 0x111: flags, literal, two bytes or three.
    if (length >= 3 && length <= 0x111) expect(file.length).toBe(0x10 + 1 + 1 + (length <= 0x11 ? 2 : 3));
  }
});

test('distances', () => {
  const pattern = randomBytes(0x1000, 2);
  expect(encodeYaz0(Uint8Array.from([...pattern, ...pattern])).length).toBeLessThan(0x10 + 0x1000 * 1.125 + 64);
  const far = randomBytes(0x1001, 3);
  expect(encodeYaz0(Uint8Array.from([...far, ...far])).length).toBeGreaterThan(0x10 + 0x2002);
});

test('header', () => {
  const file = encodeYaz0(new Uint8Array(0x12345), { alignment: 0x2000 });
  expect([...file.subarray(0, 16)]).toEqual([0x59, 0x61, 0x7a, 0x30, 0, 1, 0x23, 0x45, 0, 0, 0x20, 0, 0, 0, 0, 0]);
  expect([...encodeYaz0(new Uint8Array(0))]).toEqual([0x59, 0x61, 0x7a, 0x30, ...new Uint8Array(12)]);
});

test('any input', () => {
  for (let seed = 0; seed < 300; seed++) {
    const next = random(seed);
    const mask = [1, 3, 15, 255][seed & 3]!;
    const data = randomBytes(next() % 600, seed).map((byte) => byte & mask);
    expect(sha256(decodeWhole(encodeYaz0(data)))).toBe(sha256(data));
  }
});

describe.skipIf(!HAS_CORPUS)('files of games', () => {
  test.each([
    'zeldamods+oead/test/yaz0/files/0-0.shknm2',
    'NiceneNerd+rstb-rust/test/A-1_Dynamic.smubin',
    'NiceneNerd+rstb-rust/test/AirOcta_Tag.sbactorpack',
  ])('%s: at most 2 % larger than Nintendo made it', (path) => {
    const original = readCorpus(`archives/${path}`);
    const data = decodeYaz0(original).data;
    const file = encodeYaz0(data);
    expect(sha256(decodeWhole(file))).toBe(sha256(data));
    expect(file.length).toBeLessThan(1.02 * original.length);
  });
});
