import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TEXEL_FORMATS, createKernels, familyOf, type Kernels, type TexelFormat } from '../../ts/kernels/index.ts';
import { imageFormat } from '../../ts/nn/gfx.ts';
import { leaves, logo } from '../../scripts/sample/scenes.ts';
import { BLOCK_SIZE, FOOTPRINTS, randomAstcBlocks, type Footprint } from '../support/astc-blocks.ts';
import { LINEAR_ASTCENC, SRGB_ASTCENC, decodeAstc, encodeAstc } from '../support/astcenc.ts';
import { swizzle } from '../support/block-linear.ts';
import { CORPUS, HAS_CORPUS, readCorpus, readTable } from '../support/corpus.ts';
import { crop, expectBytes } from '../support/expect-bytes.ts';
import { random, randomBytes } from '../support/random.ts';
import { sha256 } from '../support/sha256.ts';

const wasm = createKernels({ backend: 'wasm' });
const ts = createKernels({ backend: 'ts' });
const BACKENDS: [string, Kernels][] = [
  ['wasm', wasm],
  ['ts', ts],
];

interface Case {
  format: TexelFormat;
  size: string;
  footprint: Footprint;
  srgb: boolean;
}

const CASES: Case[] = [false, true].flatMap((srgb) =>
  FOOTPRINTS.map((footprint): Case => {
    const size = footprint.join('x');
    return { format: `astc-${size}${srgb ? '-srgb' : ''}` as TexelFormat, size, footprint, srgb };
  }),
);

const SIZES: [number, number][] = [
  [1, 1],
  [2, 7],
  [5, 3],
  [12, 12],
  [13, 16],
  [33, 2],
  [60, 60],
  [157, 119],
];

const blockCount = ([columns, rows]: Footprint, width: number, height: number): number =>
  Math.ceil(width / columns) * Math.ceil(height / rows);

it('has all formats', () => {
  const formats = TEXEL_FORMATS.filter((format) => familyOf(format) === 'astc');
  expect(formats).toEqual(CASES.map(({ format }) => format));
});

it('is what textures in these formats are decoded as', () => {
  for (const [i, { format, srgb, size }] of CASES.entries()) {
    const { texelFormat, name } = imageFormat(((0x2d + (i % FOOTPRINTS.length)) << 8) | (srgb ? 6 : 1));
    expect([texelFormat, name]).toEqual([format, `ASTC${size}_${srgb ? 'SRGB' : 'UNORM'}`]);
  }
});

describe.each(BACKENDS)('astc of %s', (_, kernels) => {
  it.each(CASES)('$format: the texels of partial blocks are those of whole ones', ({ format, footprint }) => {
    const [columns, rows] = footprint;
    for (const [width, height] of SIZES) {
      const blocks = randomAstcBlocks(blockCount(footprint, width, height), 100 + width);
      const [wholeWidth, wholeHeight] = [Math.ceil(width / columns) * columns, Math.ceil(height / rows) * rows];
      const whole = kernels.astc.decode(format, blocks, wholeWidth, wholeHeight);
      expectBytes(kernels.astc.decode(format, blocks, width, height), crop(whole, wholeWidth, width, height));
    }
  });

  it.each(CASES)('$format: writes nothing but the texels', ({ format, footprint }) => {
    for (const [width, height] of SIZES) {
      const blocks = randomAstcBlocks(blockCount(footprint, width, height), 200 + width);
      const expected = ts.astc.decode(format, blocks, width, height);
      const size = expected.length;
      const buffer = kernels.alloc(size + 200);
      for (const offset of [64, 65, 67]) {
        buffer.bytes.fill(0xa5);
        const out = buffer.bytes.subarray(offset, offset + size);
        expectBytes(kernels.astc.decode(format, blocks, width, height, out), expected);
        const { bytes } = buffer;
        expect(bytes.subarray(0, offset).every((byte) => byte === 0xa5)).toBe(true);
        expect(bytes.subarray(offset + size).every((byte) => byte === 0xa5)).toBe(true);
      }
      buffer.free();
    }
  });

  it('missing bytes are zeros, and what follows the last block does not matter', () => {
    const [format, width, height] = ['astc-8x5', 21, 18] as const;
    const blocks = randomAstcBlocks(12, 300);
    const next = random(301);
    for (let length = 0; length < blocks.length; length += 1 + (next() % 20)) {
      const padded = new Uint8Array(blocks.length);
      padded.set(blocks.subarray(0, length));
      expectBytes(
        kernels.astc.decode(format, blocks.subarray(0, length), width, height),
        kernels.astc.decode(format, padded, width, height),
      );
    }
    const longer = new Uint8Array(blocks.length + 37).fill(255);
    longer.set(blocks);
    expectBytes(kernels.astc.decode(format, longer, width, height), kernels.astc.decode(format, blocks, width, height));
  });

  it.each(CASES)('$format: decodes rows of a block-linear surface', ({ format, footprint }) => {
    const [columns, rows] = footprint;
    const [width, height] = [9 * columns + 1, 20 * rows - 2];
    const blocks = randomAstcBlocks(10 * 20, 400);
    const tiling = { blockHeightLog2: 1, blockDepthLog2: 0, pitch: 0 };
    const surface = swizzle(blocks, 10 * BLOCK_SIZE, 20, 1, tiling);
    const expected = kernels.astc.decode(format, blocks, width, height);
    for (const [start, end] of [
      [0, 20],
      [0, 1],
      [19, 20],
      [3, 17],
      [5, 100],
      [20, 30],
    ] as const) {
      const decoded = kernels.tegra.decodeRows(format, surface, 0, width, height, tiling, 0, start, end);
      expectBytes(decoded, expected.subarray(4 * width * rows * start, 4 * width * rows * end));
    }
  });
});

describe('astc of both backends', () => {
  it.each(CASES)('$format: random blocks', ({ format, footprint: [columns, rows] }) => {
    for (let seed = 1; seed <= 3; seed++) {
      for (const blocks of [randomAstcBlocks(1024, seed), randomBytes(16 * 1024, seed)]) {
        const [width, height] = [32 * columns, 32 * rows];
        expectBytes(wasm.astc.decode(format, blocks, width, height), ts.astc.decode(format, blocks, width, height));
      }
    }
  });

  it.each(CASES.filter(({ srgb }) => !srgb))(
    '$format: every block mode with 1 to 4 partitions',
    ({ format, footprint: [columns, rows] }) => {
      const blocks = randomBytes(16 * 2048 * 4, columns * rows);
      const view = new DataView(blocks.buffer);
      for (let i = 0; i < 2048 * 4; i++) view.setUint16(16 * i, i | (view.getUint16(16 * i, true) & 0xe000), true);
      const [width, height] = [64 * columns, 128 * rows];
      expectBytes(wasm.astc.decode(format, blocks, width, height), ts.astc.decode(format, blocks, width, height));
    },
  );
});

describe.skipIf(!HAS_CORPUS)('astc of the corpus', () => {
  const ROWS = HAS_CORPUS
    ? readTable('textures/ASTC_GOLDENS.tsv').filter(({ file }) => existsSync(`${CORPUS}/textures/${file}`))
    : [];

  it('is there', () => expect(ROWS.length).toBeGreaterThan(50));

  describe.each(BACKENDS)('%s', (_, kernels) => {
    it.each(ROWS)('$file', ({ file, footprint, w, h, ...row }) => {
      const blocks = readCorpus(`textures/${file}`).subarray(16);
      const decode = (suffix: string): Uint8Array =>
        kernels.astc.decode(`astc-${footprint}${suffix}` as TexelFormat, blocks, Number(w), Number(h));
      expect(sha256(decode(''))).toBe(row['rgba8_ldr_unorm8_sha256']);
      expect(sha256(decode('-srgb'))).toBe(row['rgba8_srgb_sha256']);
    });
  });
});

// Both programs are exact in one mode alone: see test/support/astcenc.ts.
describe.each([
  { name: 'astcenc of npm, linear', command: LINEAR_ASTCENC, isSrgb: false },
  { name: 'astcenc of Debian, sRGB', command: SRGB_ASTCENC, isSrgb: true },
])('$name', ({ command, isSrgb }) => {
  const cases = CASES.filter(({ srgb }) => srgb === isSrgb);

  it.runIf(process.env['CI'])('is installed', () => expect(command).toBeDefined());

  it.skipIf(!command).each(cases)('$format: random blocks', ({ format, footprint }) => {
    const [width, height] = [48 * footprint[0], 32 * footprint[1]];
    const blocks = randomAstcBlocks(48 * 32, 500 + footprint[0] * footprint[1]);
    const expected = decodeAstc(command!, isSrgb, footprint, width, height, blocks);
    for (const [, kernels] of BACKENDS) expectBytes(kernels.astc.decode(format, blocks, width, height), expected);
  });

  it.skipIf(!command).each(cases)('$format: encoded pictures', ({ format, size, footprint }) => {
    for (const picture of [leaves(128, 128), logo(256, 64, ['ASTC', size])]) {
      const { width, height } = picture;
      const blocks = encodeAstc(command!, picture, size, '-fast', isSrgb);
      const expected = decodeAstc(command!, isSrgb, footprint, width, height, blocks);
      for (const [, kernels] of BACKENDS) expectBytes(kernels.astc.decode(format, blocks, width, height), expected);
    }
  });
});
