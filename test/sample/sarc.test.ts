import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { writeSarc, type SarcFile } from '../../scripts/sample/sarc.ts';
import { sarcHash } from '../../ts/index.ts';
import { CORPUS, HAS_CORPUS, readCorpus } from '../support/corpus.ts';
import { randomBytes } from '../support/random.ts';
import { sha256 } from '../support/sha256.ts';
import { decodeYaz0 } from './yaz0-decoder.ts';

interface Entry {
  hash: number;
  nameWord: number;
  name: string;
  begin: number;
  end: number;
}

/** Every field of an archive, checked against the layout that all archives have. */
function readFields(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const little = bytes[6] === 0xff;
  const u16 = (at: number): number => view.getUint16(at, little);
  const u32 = (at: number): number => view.getUint32(at, little);
  const text = (at: number, length: number): string => new TextDecoder().decode(bytes.subarray(at, at + length));
  expect([text(0, 4), u16(4), u16(6), u32(8), u16(0x10), u16(0x12)]).toEqual([
    'SARC',
    0x14,
    0xfeff,
    bytes.length,
    0x100,
    0,
  ]);
  expect([text(0x14, 4), u16(0x18), u32(0x1c)]).toEqual(['SFAT', 0xc, 0x65]);
  const dataStart = u32(0xc);
  const count = u16(0x1a);
  const sfnt = 0x20 + 0x10 * count;
  expect([text(sfnt, 4), u16(sfnt + 4), u16(sfnt + 6)]).toEqual(['SFNT', 8, 0]);
  const entries = Array.from({ length: count }, (_, i): Entry => {
    const at = 0x20 + 0x10 * i;
    const nameWord = u32(at + 4);
    const nameAt = sfnt + 8 + 4 * (nameWord & 0xffffff);
    const name = nameWord ? text(nameAt, bytes.indexOf(0, nameAt) - nameAt) : '';
    return { hash: u32(at), nameWord, name, begin: dataStart + u32(at + 8), end: dataStart + u32(at + 0xc) };
  });
  return { dataStart, entries, namesStart: sfnt + 8 };
}

const file = (name: string, size: number): SarcFile => ({ name, data: randomBytes(size, size) });

test('hashes', () => {
  // The entries of archives that the games wrote, and by hand: h * 0x65 + c, in which a byte from 0x80 on is negative.
  expect(sarcHash('Test1.txt')).toBe(0x029a7e7b);
  expect(sarcHash('ab')).toBe(97 * 0x65 + 98);
  expect(sarcHash('é')).toBe(((0xc3 - 256) * 0x65 + (0xa9 - 256)) >>> 0);
});

describe('layout', () => {
  const files = ['Model/B.bfres', 'A.byml', 'Layout/anim/long_name_of_a_file.bflan', 'z'].map((name, i) =>
    file(name, 5 + i * 7),
  );

  test.each([false, true])('big endian %s', (bigEndian) => {
    const { entries, dataStart, namesStart } = readFields(writeSarc(files, { bigEndian }));
    expect(entries.map(({ hash }) => hash)).toEqual(files.map(({ name }) => sarcHash(name)).toSorted((a, b) => a - b));
    expect(entries.map(({ name }) => name).toSorted()).toEqual(files.map(({ name }) => name).toSorted());
    expect(entries.map(({ nameWord }) => nameWord >>> 24)).toEqual([1, 1, 1, 1]);
    expect(entries[0]!.nameWord).toBe(0x1000000);
    expect(entries[0]!.begin).toBe(dataStart);
    const namesSize = files.reduce((size, { name }) => size + Math.ceil((name.length + 1) / 4) * 4, 0);
    expect(dataStart).toBe(namesStart + namesSize);
    for (const [i, { begin }] of entries.entries()) {
      if (i) expect(begin).toBe(Math.ceil(entries[i - 1]!.end / 4) * 4);
    }
  });

  test('contents', () => {
    const bytes = writeSarc(files, { alignment: 0x80 });
    for (const { name, begin, end } of readFields(bytes).entries) {
      expect(bytes.slice(begin, end)).toEqual(files.find((f) => f.name === name)!.data);
      expect(begin % 0x80).toBe(0);
    }
  });

  test('each file to its own alignment, the data to the largest', () => {
    const bytes = writeSarc(files, { alignment: ({ name }) => (name.endsWith('.bfres') ? 0x1000 : 4) });
    const { dataStart, entries } = readFields(bytes);
    expect(dataStart).toBe(0x1000);
    expect(entries.find(({ name }) => name.endsWith('.bfres'))!.begin % 0x1000).toBe(0);
    expect(Math.max(...entries.map(({ end }) => end))).toBe(bytes.length);
  });

  test('data in the order given', () => {
    const { entries, dataStart } = readFields(writeSarc(files, { dataOrder: 'given' }));
    expect(entries.toSorted((a, b) => a.begin - b.begin).map(({ name }) => name)).toEqual(
      files.map(({ name }) => name),
    );
    expect(entries.find(({ name }) => name === files[0]!.name)!.begin).toBe(dataStart);
  });

  test('without names', () => {
    const bytes = writeSarc(files, { hashOnly: true });
    const { dataStart, entries, namesStart } = readFields(bytes);
    expect(entries.map(({ nameWord }) => nameWord)).toEqual([0, 0, 0, 0]);
    expect(dataStart).toBe(namesStart);
    for (const [i, { hash, begin, end }] of entries.entries()) {
      expect(i === 0 || hash > entries[i - 1]!.hash).toBe(true);
      expect(bytes.slice(begin, end)).toEqual(files.find(({ name }) => sarcHash(name) === hash)!.data);
    }
  });

  test('names with one hash are counted', () => {
    // 'b', then a byte less by 0x65: "bX" and "a" + (X + 0x65) have the same hash.
    const names = ['b\x01', `a${String.fromCharCode(1 + 0x65)}`, 'x', 'q/b\x02', `q/a${String.fromCharCode(2 + 0x65)}`];
    expect(sarcHash(names[0]!)).toBe(sarcHash(names[1]!));
    const { entries } = readFields(writeSarc(names.map((name, i) => file(name, i))));
    const indexOf = (name: string): number => entries.find((entry) => entry.name === name)!.nameWord >>> 24;
    expect(names.map(indexOf)).toEqual([1, 2, 1, 1, 2]);
  });

  test('no files', () => {
    const { entries, dataStart } = readFields(writeSarc([]));
    expect(entries).toEqual([]);
    expect(dataStart).toBe(0x28);
  });

  test('too many files', () => {
    const many = Array.from({ length: 0x4000 }, (_, i) => ({ name: `${i}`, data: new Uint8Array(0) }));
    expect(() => writeSarc(many)).toThrow(RangeError);
    expect(readFields(writeSarc(many.slice(1))).entries.length).toBe(0x3fff);
  });
});

/** The archive written anew out of its entries, aligned by their extensions. */
function rewrite(original: Uint8Array, alignments: Record<string, number>): Uint8Array {
  const files = readFields(original).entries.map(({ name, begin, end }) => ({
    name,
    data: original.slice(begin, end),
  }));
  return writeSarc(files, {
    bigEndian: original[6] === 0xfe,
    alignment: ({ name }) => alignments[name.slice(name.lastIndexOf('.') + 1)] ?? 4,
  });
}

describe.skipIf(!HAS_CORPUS)('archives that games and other tools wrote', () => {
  test.each([
    'EPD-Libraries+SarcLibrary/src/Tests/SarcLibrary.Tests/Data/Test1-LE.sarc',
    'EPD-Libraries+SarcLibrary/src/Tests/SarcLibrary.Tests/Data/Test1-BE.sarc',
    'EPD-Libraries+SarcLibrary/src/Tests/SarcLibrary.Tests/Data/AirCurrent.sarc',
    'zeldamods+oead/test/sarc/files/ActorObserverByActorTagTag.sarc',
  ])('%s comes out the same', (path) => {
    const original = readCorpus(`archives/${path}`);
    expect(sha256(rewrite(original, { byml: 0x80, bfres: 0x1000 }))).toBe(sha256(original));
  });

  // Homebrew levels for Super Mario Odyssey, in the layout of the game; the Yaz0 header says the largest alignment.
  const folders = [
    'models/Amethyst-szs+smo-lunakit/LunaKit/ObjectData',
    'archives/Amethyst-szs+smo-lunakit/LunaKit/StageData',
  ];
  test.each(folders)('%s: every szs comes out the same', (folder) => {
    const names = readdirSync(`${CORPUS}/${folder}`).filter((name) => name.endsWith('.szs'));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const original = decodeYaz0(readCorpus(`${folder}/${name}`)).data;
      expect(sha256(rewrite(original, { byml: 0x80, bfres: 0x2000, baglcube: 8 })), name).toBe(sha256(original));
    }
  });
});
