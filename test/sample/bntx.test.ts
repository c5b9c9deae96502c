import { describe, expect, it } from 'vitest';
import { concatenated, prefixed, writeBntx } from '../../scripts/sample/bntx.ts';
import type { BntxFile, BntxTexture, Dimension } from '../../scripts/sample/bntx.ts';
import type { FormatName } from '../../scripts/sample/formats.ts';
import { SET_NAMES, sampleSet } from '../../scripts/sample/surfaces.ts';
import { HAS_CORPUS, readCorpus, readTable } from '../support/corpus.ts';
import { sha256 } from '../support/sha256.ts';
import { random, randomBytes } from '../support/random.ts';
import { formatName, readBntx, readElements } from './tiny-reader.ts';

const DIMENSIONS: Record<number, Dimension> = {
  0: '1d',
  1: '2d',
  2: '3d',
  3: 'cube',
  4: '1d-array',
  5: '2d-array',
  8: 'cube-array',
};
const log2 = (v: number): number => 31 - Math.clz32(v);

/** A real file taken apart, so that the writer can put it together again. */
function takenApart(bytes: Uint8Array): BntxFile {
  const { file, textures, pool, name } = readBntx(bytes);
  return {
    name,
    version: [file.u16(0x0a), file.u8(0x09), file.u8(0x08)],
    stringOrder: pool.strings,
    textures: textures.map((texture): BntxTexture => {
      const deep = texture.storage === 3;
      return {
        name: texture.name,
        format: formatName(texture.format) as FormatName,
        dimension: DIMENSIONS[texture.dimension]!,
        width: texture.width,
        height: texture.height,
        depth: texture.depth,
        layers: texture.layers,
        mips: texture.mips,
        levels: Array.from({ length: texture.layers }, (_, layer) =>
          Array.from({ length: texture.mips }, (__, mip) => readElements(bytes, texture, layer, mip)),
        ),
        channels: texture.channels,
        tileMode: texture.tileMode === 1 ? 'linear' : 'optimal',
        blockHeightLog2: texture.layout & 7,
        blockDepthLog2: deep ? texture.layout >> 4 : 0,
        layoutBits: deep ? 0 : texture.layout & 0xf8,
        flags: texture.flags,
        swizzle: texture.swizzle,
      };
    }),
  };
}

/** Bytes with the relocation table cut off and its size taken out of the header. */
function withoutTable(bytes: Uint8Array): Uint8Array {
  const { file } = readBntx(bytes);
  const cut = bytes.slice(0, file.u32(0x18));
  cut.fill(0, 0x1c, 0x20);
  return cut;
}

describe.skipIf(!HAS_CORPUS)('against real files', () => {
  const real = 'textures/bntx_real';

  it('the reader of these tests finds the elements that are known to be there', () => {
    for (const row of readTable(`${real}/expected.tsv`)) {
      const bytes = readCorpus(`${real}/${row['file']}`);
      const texture = readBntx(bytes).textures.find(({ name }) => name === row['texture'])!;
      const elements = readElements(bytes, texture, Number(row['layer']), Number(row['mip']));
      expect(sha256(elements)).toBe(row['linear_sha256']);
    }
  });

  it.each(['1a7c6f3168a9', '56e75bbcfd29'])('writes %s again, byte for byte', (name) => {
    const bytes = readCorpus(`${real}/${name}.bntx`);
    expect(Buffer.compare(writeBntx(takenApart(bytes)), bytes)).toBe(0);
  });

  it('writes the sheet of a font again but for two opaque layout bits', () => {
    const bytes = readCorpus(`${real}/e32ef90c68c3.bntx`).slice();
    const at = readBntx(bytes).textures[0]!.at;
    expect(bytes.subarray(at + 0x38, at + 0x3c)).toEqual(Uint8Array.of(7, 0, 0, 0));
    bytes[at + 0x3a] = 1;
    expect(Buffer.compare(writeBntx(takenApart(bytes)), bytes)).toBe(0);
  });

  it.each(['524f452c0fae', 'c75beecc26e3'])('writes %s again, but for a table that lists nulls', (name) => {
    const bytes = readCorpus(`${real}/${name}.bntx`);
    expect(Buffer.compare(withoutTable(writeBntx(takenApart(bytes))), withoutTable(bytes))).toBe(0);
  });

  it.each(['arrays', 'vol', 'quirks'])('writes the synthetic %s again, all but how its table is packed', (name) => {
    const bytes = readCorpus(`textures/bntx_synth/${name}.bntx`);
    const mine = writeBntx(takenApart(bytes));
    expect(Buffer.compare(withoutTable(mine), withoutTable(bytes))).toBe(0);
    const places = (file: Uint8Array): number[][] =>
      readBntx(file)
        .file.relocations()
        .map((section) => section.places.sort((a, b) => a - b));
    expect(places(mine)).toEqual(places(bytes));
  });
});

/** Checks everything that must hold in any BNTX. */
function checkStructure(bytes: Uint8Array, source: BntxFile): void {
  const { file, textures, strings, pool, dic, brtd, name } = readBntx(bytes);
  expect(file.magic(0)).toBe('BNTX');
  expect([file.u16(0x0a), file.u8(0x09), file.u8(0x08)]).toEqual(source.version);
  expect([file.u16(0x0c), file.u8(0x0e), file.u8(0x0f)]).toEqual([0xfeff, 12, 64]);
  expect(file.u32(0x1c)).toBe(bytes.length);
  expect(name).toBe(source.name);
  expect(file.magic(strings)).toBe('_STR');
  expect(pool.strings[0]).toBe('');
  expect(new Set(pool.strings).size).toBe(pool.strings.length);
  expect(file.u32(strings + 4)).toBe(textures[0]!.at - strings);
  expect(pool.end).toBeLessThanOrEqual(dic);

  // _DIC: every name is found in its place, and nothing else is.
  expect(file.magic(dic)).toBe('_DIC');
  source.textures.forEach((texture, i) => expect(file.dicFind(dic, texture.name)).toBe(i));
  expect(file.dicFind(dic, 'no such texture')).toBe(-1);
  expect(file.dicFind(dic, '')).toBe(-1);

  // BRTI: one after the other, up to BRTD.
  textures.forEach((texture, i) => {
    expect(file.magic(texture.at)).toBe('BRTI');
    expect(texture.at + texture.size).toBe(textures[i + 1]?.at ?? brtd);
    expect(file.u32(texture.at + 4)).toBe(texture.size);
    expect(file.pointers(texture.at + 0x80, 2)).toEqual([texture.at + 0xa0, texture.at + 0x1a0]);
    expect(file.u64(texture.at + 0x68)).toBe(0x20);
    expect(file.u64(texture.at + 0x70)).toBe(texture.at + 0x2a0);
  });
  expect(file.magic(brtd)).toBe('BRTD');
  expect((brtd + 0x10) % 4096).toBe(0);
  expect(brtd + file.u32(brtd + 8)).toBe(file.u32(0x18));

  // Texture data lies without gaps or overlaps from the end of BRTD to the table.
  let end = brtd + 0x10;
  for (const { mipPointers, dataSize, alignment } of textures) {
    expect(mipPointers[0]! % alignment).toBe(0);
    expect(mipPointers[0]! - end).toBeGreaterThanOrEqual(0);
    expect(mipPointers[0]! - end).toBeLessThan(512);
    end = mipPointers[0]! + dataSize;
  }
  const table = file.u32(0x18);
  expect(table - end).toBeGreaterThanOrEqual(0);
  expect(table - end).toBeLessThan(4096);

  // _RLT: exactly the pointers that are not null, each in the section it points into, and the file ends with it.
  const pointers = [0x28, 0x30, 0x38, 0x40, ...textures.map((_, i) => file.u64(0x28) + 8 * i)];
  const dics = [dic, ...textures.map(({ userDic }) => userDic)].filter((at) => at !== 0);
  for (const at of dics) for (let i = 0; i <= file.u32(at + 4); i++) pointers.push(at + 8 + 16 * i + 8);
  textures.forEach((texture, i) => {
    for (const o of [0x60, 0x68, 0x70, 0x78, 0x80, 0x88, 0x98]) pointers.push(texture.at + o);
    for (let mip = 0; mip < texture.mips; mip++) pointers.push(texture.at + 0x2a0 + 8 * mip);
    (source.textures[i]!.userData ?? []).forEach((entry, k) => {
      pointers.push(texture.userData + 0x40 * k, texture.userData + 0x40 * k + 8);
      const values = file.u64(texture.userData + 0x40 * k + 8);
      if (entry.type === 'string') entry.values.forEach((_, n) => pointers.push(values + 8 * n));
    });
  });
  const set = pointers.filter((at) => file.u64(at) !== 0);
  const sections = file.relocations();
  expect(sections.length).toBe(2);
  for (const { position, size, places } of sections) {
    for (const at of places) {
      expect(file.u64(at)).toBeGreaterThanOrEqual(position);
      expect(file.u64(at)).toBeLessThan(position + size);
    }
  }
  const ascending = (list: number[]): number[] => list.sort((a, b) => a - b);
  expect(ascending(sections.flatMap(({ places }) => places))).toEqual(ascending(set));
  expect(table + 0x10 + 24 * 2 + 8 * (file.u32(table + 0x24) + file.u32(table + 0x3c))).toBe(bytes.length);
}

const raw = (name: string, extra: Partial<BntxTexture> = {}): BntxTexture => ({
  name,
  format: 'R8_UNORM',
  dimension: '2d',
  width: 8,
  height: 8,
  depth: 1,
  layers: 1,
  mips: 1,
  levels: [[randomBytes(64, 1)]],
  ...extra,
});

describe('structure', () => {
  it.each(SET_NAMES)('of the sample set %s', (name) => {
    const set = sampleSet(name);
    const bytes = writeBntx(set);
    checkStructure(bytes, set);
    const { textures } = readBntx(bytes);
    set.textures.forEach((texture, i) => {
      const read = textures[i]!;
      expect(formatName(read.format)).toBe(texture.format);
      expect(DIMENSIONS[read.dimension]).toBe(texture.dimension);
      expect(read.channels).toBe(texture.channels ?? 'RGBA');
      expect([read.width, read.height, read.depth, read.layers, read.mips]).toEqual([
        texture.width,
        texture.height,
        texture.depth,
        texture.layers,
        texture.mips,
      ]);
      texture.levels.forEach((mips, layer) =>
        mips.forEach((elements, mip) => {
          expect(Buffer.compare(readElements(bytes, read, layer, mip), elements)).toBe(0);
        }),
      );
    });
  });

  it('holds with 300 textures of odd names', () => {
    const next = random(7);
    const names = new Set<string>(['^', '日本', 'a', 'aa', 'ab', 'ba', 'x'.repeat(200)]);
    while (names.size < 300) names.add(Array.from({ length: 1 + (next() % 9) }, () => 'abcAB_0^'[next() % 8]).join(''));
    const source: BntxFile = { name: 'many', version: [4, 0, 0], textures: [...names].map((name) => raw(name)) };
    checkStructure(writeBntx(source), source);
  });

  it('holds when the file is called like its texture', () => {
    const source: BntxFile = { name: '0', version: [4, 0, 0], textures: [raw('0')] };
    const bytes = writeBntx(source);
    checkStructure(bytes, source);
    expect(readBntx(bytes).pool.strings).toEqual(['', '0']);
  });

  it('refuses two textures of one name', () => {
    expect(() => writeBntx({ name: 'x', version: [4, 0, 0], textures: [raw('a'), raw('a')] })).toThrow(/called a/);
  });
});

describe('fields', () => {
  it('flags and layout byte follow the version and the quirks', () => {
    const byName = Object.fromEntries(readBntx(writeBntx(sampleSet('quirks'))).textures.map((t) => [t.name, t]));
    expect(byName['linear']).toMatchObject({ tileMode: 1, layout: 0, alignment: 1, dataSize: 256 * 37, flags: 9 });
    // 48 rows are 12 blocks: two GOBs.
    expect(byName['high_layout_bits']).toMatchObject({ layout: 0x41, flags: 9 });
    expect(byName['sparse_flags']).toMatchObject({ layout: 0x31, flags: 7 });
    expect(byName['one_mip_too_many']).toMatchObject({ mips: 7, dataSize: 0x3200 });
    expect(byName['tall_block']).toMatchObject({ layout: 5 });
    expect(byName['block_taller_than_image']).toMatchObject({ layout: 4, swizzle: 3 });
    expect(readBntx(writeBntx(sampleSet('tree'))).textures[0]!.flags).toBe(1);
  });

  it('3D textures have their block depth in the high bits, 1D ones their own storage dimension', () => {
    const byName = Object.fromEntries(readBntx(writeBntx(sampleSet('sky'))).textures.map((t) => [t.name, t]));
    expect(byName['Grading_Lut']).toMatchObject({ storage: 3, layout: 0x40, dataSize: 0x4000 });
    expect(byName['Cloud_Vol']).toMatchObject({ storage: 3, layout: 0x40, depth: 12, mips: 6 });
    expect(byName['Cloud_VolLow']).toMatchObject({ storage: 3, layout: 0x20 });
    expect(byName['Toon_Ramps']).toMatchObject({ storage: 1, layers: 4, dimension: 4 });
    expect(byName['Sky_DayNight']).toMatchObject({ storage: 2, layers: 12, dimension: 8 });
  });

  it('user data of every type', () => {
    const bytes = writeBntx(sampleSet('windmill'));
    const { file, textures } = readBntx(bytes);
    const { userData, userDic } = textures.find(({ name }) => name === 'Door_Alb')!;
    const entry = (i: number) => ({
      name: file.string(file.u64(userData + 0x40 * i)),
      at: file.u64(userData + 0x40 * i + 8),
      count: file.u32(userData + 0x40 * i + 0x10),
      type: file.u32(userData + 0x40 * i + 0x14),
    });
    expect(['priority', 'uv_scale', 'artist', 'checksum'].map((name) => file.dicFind(userDic, name))).toEqual([
      0, 1, 2, 3,
    ]);
    const [ints, floats, texts, raws] = [entry(0), entry(1), entry(2), entry(3)];
    expect(ints).toMatchObject({ name: 'priority', count: 3, type: 0 });
    expect([0, 1, 2].map((i) => file.u32(ints.at + 4 * i) | 0)).toEqual([3, -1, 2_000_000_000]);
    expect(floats).toMatchObject({ name: 'uv_scale', count: 2, type: 1 });
    expect([0, 1].map((i) => file.view.getFloat32(floats.at + 4 * i, true))).toEqual([1, 0.5]);
    expect(texts).toMatchObject({ name: 'artist', count: 2, type: 2 });
    expect([0, 1].map((i) => file.string(file.u64(texts.at + 8 * i)))).toEqual(['Mira', 'João']);
    expect(raws).toMatchObject({ name: 'checksum', count: 5, type: 3 });
    expect(bytes.slice(raws.at, raws.at + 5)).toEqual(Uint8Array.of(0xde, 0xad, 0xbe, 0xef, 0x05));
    expect(textures[0]).toMatchObject({ userData: 0, userDic: 0 });
  });

  it('several files in one, and one behind a prefix', () => {
    const one = writeBntx({ name: 'one', version: [4, 0, 0], textures: [raw('a')] });
    const two = writeBntx({ name: 'two', version: [4, 1, 0], textures: [raw('b'), raw('c')] });
    const both = concatenated([one, two]);
    const second = Math.ceil(one.length / 4096) * 4096;
    expect(both.length % 4096).toBe(0);
    expect(readBntx(both.subarray(second)).textures.map(({ name }) => name)).toEqual(['b', 'c']);
    const behind = prefixed(one);
    expect(behind.length).toBe(one.length + 80);
    expect(behind.slice(80)).toEqual(one);
  });

  it('block heights chosen are those of every real texture kind', () => {
    const high = (height: number, extent: 1 | 4): number => {
      const bytes = writeBntx({
        name: 'h',
        version: [4, 0, 0],
        textures: [
          raw('h', {
            format: extent === 4 ? 'BC1_UNORM' : 'R8_UNORM',
            width: 4,
            height,
            levels: [[new Uint8Array(extent === 4 ? 8 * Math.ceil(height / 4) : 4 * height)]],
          }),
        ],
      });
      return 1 << readBntx(bytes).textures[0]!.layout;
    };
    // As found in real files: 64, 96, 128 and 256 rows of BC1 and BC4.
    expect([8, 32, 64, 96, 128, 256, 1024].map((h) => log2(high(h, 4)))).toEqual([0, 0, 1, 2, 2, 3, 4]);
    expect(log2(high(20, 1))).toBe(1);
  });
});
