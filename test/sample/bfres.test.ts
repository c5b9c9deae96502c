import { describe, expect, it } from 'vitest';
import { writeBfres } from '../../scripts/sample/bfres.ts';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { sampleSet } from '../../scripts/sample/surfaces.ts';
import { CORPUS, HAS_CORPUS, readCorpus } from '../support/corpus.ts';
import { randomBytes } from '../support/random.ts';
import { NnFile } from './tiny-reader.ts';
import { readdirSync } from 'node:fs';

const FOLDER = 'models/Amethyst-szs+smo-lunakit/extracted';

describe.skipIf(!HAS_CORPUS)('against real files', () => {
  const withTextures = HAS_CORPUS
    ? readdirSync(`${CORPUS}/${FOLDER}`).filter((name) => /^CubeMapDevBossCity|^DevGenericTexture/.test(name))
    : [];

  it.each(withTextures)('writes %s again, byte for byte', (path) => {
    const bytes = readCorpus(`${FOLDER}/${path}`);
    const file = new NnFile(bytes);
    const array = file.u64(0x98);
    const at = file.u64(array);
    const mine = writeBfres({
      name: file.string(file.u64(0x20)),
      version: [8, 0, 0],
      files: [{ name: file.dicNode(file.u64(0xa0), 1).name, data: bytes.subarray(at, at + file.u32(array + 8)) }],
    });
    expect(Buffer.compare(mine, bytes)).toBe(0);
  });
});

describe('structure', () => {
  const textures = writeBntx(sampleSet('tree'));
  const files = [
    { name: 'textures.bntx', data: textures },
    { name: 'notes.txt', data: new TextEncoder().encode('a note\n') },
    { name: 'shader.bin', data: randomBytes(5000, 3) },
  ];

  it.each<[5 | 8 | 9 | 10, number, number, number]>([
    [5, 0, 3, 1],
    [8, 0, 0, 3],
    [9, 0, 0, 3],
    [10, 0, 0, 1],
    [10, 0, 0, 3],
  ])('version %i.%i.%i with %i files', (major, minor, micro, count) => {
    const embedded = files.slice(0, count);
    const bytes = writeBfres({ name: 'Tree', version: [major, minor, micro], files: embedded });
    const file = new NnFile(bytes);
    expect(file.magic(0) + file.magic(4)).toBe('FRES    ');
    expect([...bytes.subarray(8, 12)]).toEqual([micro, minor, major, 0]);
    expect(file.u32(0x1c)).toBe(bytes.length);
    expect(file.string(file.u64(0x20))).toBe('Tree');
    expect(file.string(file.u32(0x10) - 2)).toBe('Tree');

    const late = major >= 9;
    const [array, dic] = file.pointers(late ? 0xb8 : 0x98, 2) as [number, number];
    const counts = Array.from({ length: late ? 9 : 7 }, (_, i) => file.u16((late ? 0xdc : 0xbc) + 2 * i));
    expect(counts).toEqual([...new Array<number>(counts.length - 1).fill(0), count]);
    expect(file.u32(dic)).toBe(0);
    embedded.forEach(({ name, data }, i) => {
      expect(file.dicFind(dic, name)).toBe(i);
      const at = file.u64(array + 0x10 * i);
      expect(at % 4096).toBe(0);
      expect(file.u32(array + 0x10 * i + 8)).toBe(data.length);
      expect(Buffer.compare(bytes.subarray(at, at + data.length), data)).toBe(0);
    });
    expect(file.dicFind(dic, 'Tree')).toBe(-1);

    const str = file.u16(0x16);
    expect(file.magic(str)).toBe('_STR');
    const pool = file.stringPool(str, file.u32(str + 0x10));
    expect(pool.strings).toEqual(['', ...embedded.map(({ name }) => name), 'Tree']);
    expect(file.u64(late ? 0xd0 : 0xb0)).toBe(str + 0x14);
    expect(file.u32(late ? 0xd8 : 0xb8)).toBe(pool.end - str);

    const sections = file.relocations();
    expect(sections.map(({ places }) => places.length > 0)).toEqual([true, false, false, false, true]);
    expect(sections[4]!.position).toBe(file.u64(array));
    expect(sections[4]!.position + sections[4]!.size).toBe(file.u32(0x18));
    // Every pointer that is not null is listed in the section it points into.
    const listed = sections.flatMap(({ places }) => places);
    const pointers = [0x20, late ? 0xb8 : 0x98, late ? 0xc0 : 0xa0, late ? 0xd0 : 0xb0];
    embedded.forEach((_, i) => pointers.push(array + 0x10 * i, dic + 0x10 + 16 * (i + 1)));
    for (const place of [...pointers, dic + 0x10]) expect(listed).toContain(place);
    for (const { position, size, places } of sections) {
      for (const place of places.filter((at) => file.u64(at) !== 0)) {
        expect(file.u64(place)).toBeGreaterThanOrEqual(position);
        expect(file.u64(place)).toBeLessThan(position + size);
      }
    }
  });
});
