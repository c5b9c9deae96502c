import { describe, expect, it } from 'vitest';
import { extractTextures } from '../../pipeline/jobs/extract-textures.ts';
import { nodePlatform } from '../../pipeline/node/platform.ts';
import { Session } from '../../pipeline/walk/session.ts';
import { writeBffnt, sampleFont } from '../../scripts/sample/bffnt.ts';
import { writeBfres } from '../../scripts/sample/bfres.ts';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { makeTexture } from '../../scripts/sample/surfaces.ts';
import { encodeYaz0 } from '../../scripts/sample/yaz0.ts';
import { writeZstd, writeZstdDictionary } from '../../scripts/sample/zstd.ts';
import { FormatError, type RomflowError } from '../../ts/io/errors.ts';
import { bytesInput } from '../support/inputs.ts';
import { MemoryFolder } from '../support/memory-folder.ts';
import { randomBytes } from '../support/random.ts';

const picture = { width: 20, height: 12, rgba: randomBytes(4 * 20 * 12, 1) };
const texture = makeTexture({ name: 'T', format: 'R8G8B8A8_UNORM', dimension: '2d', mips: 1, pictures: [picture] });

/** One texture of 20 x 12 RGBA8: block height 1 (12 rows are two GOBs), 2 GOBs wide, so 2048 bytes of texels. */
const bntx = (): Uint8Array => writeBntx({ name: 'file', version: [4, 0, 0], textures: [texture] });
const bfres = (): Uint8Array =>
  writeBfres({ name: 'model', version: [8, 0, 0], files: [{ name: 'textures.bntx', data: bntx() }] });
const sarc = (): Uint8Array =>
  writeSarc(
    [
      { name: 'a.bntx', data: bntx() },
      { name: 'b.bin', data: new Uint8Array(40) },
    ],
    { alignment: 0x1000 },
  );

type Poke = (view: DataView, bytes: Uint8Array) => void;

function poked(bytes: Uint8Array, poke: Poke): Uint8Array {
  const copy = bytes.slice();
  poke(new DataView(copy.buffer), copy);
  return copy;
}

/** Offset of the first occurrence of ASCII text. */
function find(bytes: Uint8Array, text: string): number {
  return Buffer.from(bytes).indexOf(text, 0, 'latin1');
}

const BRTI = find(bntx(), 'BRTI');
const MIPS = Number(new DataView(bntx().buffer).getBigUint64(BRTI + 0x70, true));
const TEXELS = Number(new DataView(bntx().buffer).getBigUint64(MIPS, true));

interface Case {
  name: string;
  path: string;
  bytes(): Uint8Array;
  error: { code: string; format: string; offset: number; expected: string; found: string; path: string };
}

const CASES: Case[] = [
  {
    name: 'BNTX with another byte order mark',
    path: 'x.bntx',
    bytes: () => poked(bntx(), (v) => v.setUint16(0x0c, 0x1234, true)),
    error: {
      code: 'bad-format',
      format: 'BNTX',
      offset: 0x0c,
      expected: 'byte order mark 0xfeff',
      found: '0x1234',
      path: 'x.bntx',
    },
  },
  {
    name: 'BNTX of a later version',
    path: 'x.bntx',
    bytes: () => poked(bntx(), (v) => v.setUint16(0x0a, 5, true)),
    error: { code: 'unsupported', format: 'BNTX', offset: 0x08, expected: 'version 4', found: '5.0.0', path: 'x.bntx' },
  },
  {
    name: 'BNTX with more textures than it can hold, in a zstd SARC',
    path: 'p.pack.zs',
    bytes: () =>
      writeZstd(
        writeSarc([{ name: 'd/a.bntx', data: poked(bntx(), (v) => v.setUint32(0x24, 0x10000000, true)) }], {
          alignment: 4,
        }),
      ),
    error: {
      code: 'bad-format',
      format: 'BNTX',
      offset: 0x24,
      expected: `at most ${(bntx().length - 0x198) / 8} textures`,
      found: '268435456',
      path: 'p.pack.zs/d/a.bntx',
    },
  },
  {
    name: 'BNTX without the magic of its texture',
    path: 'x.bntx',
    bytes: () => poked(bntx(), (v) => v.setUint8(BRTI, 0x41)),
    error: { code: 'bad-format', format: 'BNTX', offset: BRTI, expected: '"BRTI"', found: '"ARTI"', path: 'x.bntx' },
  },
  {
    name: 'BNTX with a width of 0',
    path: 'x.bntx',
    bytes: () => poked(bntx(), (v) => v.setUint32(BRTI + 0x24, 0, true)),
    error: {
      code: 'bad-format',
      format: 'BNTX',
      offset: BRTI + 0x24,
      expected: 'a width of 1 to 16384',
      found: '0',
      path: 'x.bntx',
    },
  },
  {
    name: 'BNTX with a block height that no GPU has',
    path: 'x.bntx',
    bytes: () => poked(bntx(), (v) => v.setUint8(BRTI + 0x34, 7)),
    error: {
      code: 'bad-format',
      format: 'BNTX',
      offset: BRTI + 0x34,
      expected: 'a block height log2 of 0 to 5',
      found: '7',
      path: 'x.bntx',
    },
  },
  {
    name: 'BNTX in a format without a name',
    path: 'x.bntx',
    bytes: () => poked(bntx(), (v) => v.setUint32(BRTI + 0x1c, 0x7f01, true)),
    error: {
      code: 'unsupported',
      format: 'BNTX',
      offset: BRTI + 0x1c,
      expected: 'a known image format',
      found: 'unknown(0x7f01)',
      path: 'x.bntx',
    },
  },
  {
    name: 'BNTX cut off in its texels',
    path: 'x.bntx',
    bytes: () => bntx().subarray(0, TEXELS + 100),
    error: {
      code: 'truncated',
      format: 'BNTX',
      offset: TEXELS,
      expected: '2048 bytes of texture "T"',
      found: '100',
      path: 'x.bntx',
    },
  },
  {
    name: 'SARC without its table',
    path: 'x.sarc',
    bytes: () => poked(sarc(), (v) => v.setUint8(0x17, 0x58)),
    error: { code: 'bad-format', format: 'SARC', offset: 0x14, expected: '"SFAT"', found: '"SFAX"', path: 'x.sarc' },
  },
  {
    name: 'SARC entry that ends before it begins',
    path: 'x.sarc',
    bytes: () => poked(sarc(), (v) => (v.setUint32(0x28, 0x100, true), v.setUint32(0x2c, 0x80, true))),
    error: {
      code: 'bad-format',
      format: 'SARC',
      offset: 0x2c,
      expected: 'an end of at least 0x100',
      found: '0x80',
      path: 'x.sarc',
    },
  },
  {
    name: 'SARC entry past the end of the file, the other one fine',
    path: 'x.sarc',
    bytes: () => poked(sarc(), (v) => v.setUint32(0x3c, 0x7fffffff, true)),
    error: {
      code: 'truncated',
      format: 'SARC',
      offset: 0x30,
      expected: `data that ends at most at 0x${sarc().length.toString(16)}`,
      found: expect.stringMatching(/^0x[0-9a-f]+ bytes at 0x[0-9a-f]+$/),
      path: 'x.sarc',
    },
  },
  {
    name: 'SARC in Yaz0, cut off',
    path: 'x.szs',
    bytes: () => encodeYaz0(sarc().subarray(0, sarc().length - 8)),
    error: {
      code: 'truncated',
      format: 'SARC',
      offset: sarc().length - 8,
      expected: '8 more bytes',
      found: 'the end of the file',
      path: 'x.szs',
    },
  },
  {
    name: 'BFRES whose dictionary has another count',
    path: 'x.bfres',
    bytes: () => poked(bfres(), (v) => v.setUint32(Number(v.getBigUint64(0xa0, true)) + 4, 2, true)),
    error: {
      code: 'bad-format',
      format: 'BFRES',
      offset: Number(new DataView(bfres().buffer).getBigUint64(0xa0, true)) + 4,
      expected: '1 name',
      found: '2',
      path: 'x.bfres',
    },
  },
  {
    name: 'BFRES whose embedded file lies outside',
    path: 'x.bfres',
    bytes: () => poked(bfres(), (v) => v.setUint32(Number(v.getBigUint64(0x98, true)) + 8, 0x100000, true)),
    error: {
      code: 'truncated',
      format: 'BFRES',
      offset: Number(new DataView(bfres().buffer).getBigUint64(0x98, true)),
      expected: `data that ends at most at 0x${bfres().length.toString(16)}`,
      found: '0x100000 bytes at 0x1000',
      path: 'x.bfres',
    },
  },
  {
    name: 'BFRES of a later version',
    path: 'x.bfres',
    bytes: () => poked(bfres(), (v) => v.setUint16(0x0a, 11, true)),
    error: {
      code: 'unsupported',
      format: 'BFRES',
      offset: 0x08,
      expected: 'version 5 to 10',
      found: '11.0.0',
      path: 'x.bfres',
    },
  },
  {
    name: 'BFFNT with a section of no size',
    path: 'x.bffnt',
    bytes: () => poked(writeBffnt(sampleFont()), (v) => v.setUint32(0x18, 0, true)),
    error: {
      code: 'bad-format',
      format: 'BFFNT',
      offset: 0x18,
      expected: `a section size of 8 to ${writeBffnt(sampleFont()).length - 0x14}`,
      found: '0',
      path: 'x.bffnt',
    },
  },
  {
    name: 'zstd with a checksum that is off by a bit',
    path: 'x.bntx.zs',
    bytes: () => {
      const packed = writeZstd(bntx(), { checksum: true });
      return poked(packed, (v) => v.setUint8(packed.length - 1, packed.at(-1)! ^ 1));
    },
    error: {
      code: 'bad-format',
      format: 'zstd',
      offset: writeZstd(bntx(), { checksum: true }).length - 4,
      expected: expect.stringMatching(/^checksum 0x[0-9a-f]{8}$/),
      found: expect.stringMatching(/^0x[0-9a-f]{8}$/),
      path: 'x.bntx.zs',
    },
  },
  {
    name: 'zstd that needs a dictionary, in a SARC',
    path: 'x.sarc',
    bytes: () => {
      const dictionary = writeZstdDictionary([bntx(), bfres()], 77);
      return writeSarc([{ name: 'b.bntx.zs', data: writeZstd(bntx(), { dictionary }) }], { alignment: 4 });
    },
    error: {
      code: 'missing-dictionary',
      format: 'zstd',
      offset: 5,
      expected: 'dictionary 77',
      found: 'none: give one with --dictionary, or the folder of the game with --romfs',
      path: 'x.sarc/b.bntx.zs',
    },
  },
  {
    name: 'zstd cut off',
    path: 'x.zs',
    bytes: () => writeZstd(randomBytes(5000, 3)).subarray(0, 1000),
    error: {
      code: 'truncated',
      format: 'zstd',
      offset: 1000,
      expected: expect.stringMatching(/^\d+ more bytes$/),
      found: 'the end of the data',
      path: 'x.zs',
    },
  },
  {
    // "Yaz0", size 16, then a group of: literal, pair with distance 0x124 (293)
    name: 'Yaz0 that copies from before its start',
    path: 'x.szs',
    bytes: () => Uint8Array.of(0x59, 0x61, 0x7a, 0x30, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x41, 0x31, 0x24),
    error: {
      code: 'bad-format',
      format: 'Yaz0',
      offset: 18,
      expected: 'a match 1 to 1 bytes back',
      found: '293',
      path: 'x.szs',
    },
  },
  {
    name: 'Yaz0 cut off',
    path: 'x.szs',
    bytes: () => Uint8Array.of(0x59, 0x61, 0x7a, 0x30, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 1, 2, 3),
    error: {
      code: 'truncated',
      format: 'Yaz0',
      offset: 20,
      expected: '13 more bytes',
      found: 'the end of the data',
      path: 'x.szs',
    },
  },
];

async function failures(path: string, bytes: Uint8Array, backend: 'wasm' | 'ts'): Promise<RomflowError[]> {
  const errors: RomflowError[] = [];
  const output = new MemoryFolder();
  const options = { session: new Session({ backend }), output, platform: nodePlatform };
  for await (const event of extractTextures([bytesInput(path, bytes)], options)) {
    if (event.kind === 'failure') errors.push(event.error);
  }
  return errors;
}

describe.each(['wasm', 'ts'] as const)('damaged files, %s', (backend) => {
  it.each(CASES)('$name', async ({ path, bytes, error }) => {
    const errors = await failures(path, bytes(), backend);
    expect(errors).toHaveLength(1);
    const [found] = errors;
    expect(found).toBeInstanceOf(FormatError);
    const { code, format, offset, expected, found: was, path: at, message } = found as FormatError;
    expect({ code, format, offset, expected, found: was, path: at }).toEqual(error);
    expect(message).toBe(`${at}: ${format} at 0x${offset.toString(16)}: expected ${expected}, found ${was}`);
    expect(message).not.toMatch(/\n/);
  });
});
