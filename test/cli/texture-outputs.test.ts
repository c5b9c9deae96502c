import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ImageMagick, initializeImageMagick, MagickFormat } from '@imagemagick/magick-wasm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import type { FormatName } from '../../scripts/sample/formats.ts';
import { landscape } from '../../scripts/sample/scenes.ts';
import { pixels } from '../../scripts/sample/picture.ts';
import { makeTexture, sampleSet, SET_NAMES, type SampleTexture } from '../../scripts/sample/surfaces.ts';
import { reconstructZ } from '../../ts/textures/normal-map.ts';
import { decodeElements } from '../sample/tiny-decoder.ts';
import { filesBelow, romflow, temporaryFolder, type Finished } from '../support/cli.ts';
import { concat } from '../support/concat.ts';
import { readExr } from '../support/exr.ts';
import { readPng } from '../support/png.ts';
import { sha256 } from '../support/sha256.ts';
import { jsonLines, put, QUIRKS } from './support.ts';

let folder = '';
let out = '';
beforeEach(() => {
  folder = temporaryFolder();
  out = join(folder, 'out');
});

const textures = (file: string, ...options: string[]): Finished => romflow(['textures', file, '-o', out, ...options]);
const read = (path: string): Buffer => readFileSync(join(out, path));

/** A BNTX of these textures. */
const bntxOf = (...all: SampleTexture[]): Uint8Array => writeBntx({ name: 'x', version: [4, 1, 0], textures: all });

/** The numbers of DXGI_FORMAT, from its documentation. */
const DXGI: Partial<Record<FormatName, number>> = {
  R16_UNORM: 56,
  R16G16_UNORM: 35,
  R16_FLOAT: 54,
  R32_FLOAT: 41,
  B5G6R5_UNORM: 85,
  R10G10B10A2_UNORM: 24,
  R8_UNORM: 61,
  R8G8_UNORM: 49,
  R8G8B8A8_UNORM: 28,
  R8G8B8A8_SRGB: 29,
  B8G8R8A8_UNORM: 87,
  B8G8R8A8_SRGB: 91,
  BC1_UNORM: 71,
  BC1_SRGB: 72,
  BC2_UNORM: 74,
  BC2_SRGB: 75,
  BC3_UNORM: 77,
  BC3_SRGB: 78,
  BC4_UNORM: 80,
  BC4_SNORM: 81,
  BC5_UNORM: 83,
  BC5_SNORM: 84,
  BC7_UNORM: 98,
  BC7_SRGB: 99,
};

describe('--to dds', () => {
  it.each(SET_NAMES.filter((set) => set !== 'astc'))(
    'holds the very elements that the textures were made of: %s',
    (set) => {
      const { textures: all } = sampleSet(set);
      const { stderr } = textures(put(folder, 'x.bntx', writeBntx(sampleSet(set))), '--to', 'dds');
      for (const line of stderr.split('\n').filter(Boolean)) expect(line).toContain('expected a format that DDS has');
      let compared = 0;
      for (const texture of all) {
        const { name, format, dimension, width, height, depth, layers, mips, levels } = texture;
        if (
          DXGI[format] === undefined ||
          layers > 6 ||
          mips > Math.floor(Math.log2(Math.max(width, height, depth))) + 1
        )
          continue;
        const dds = read(`x.bntx/${name}.dds`);
        const field = (offset: number): number => dds.readUInt32LE(offset);
        const cube = dimension.startsWith('cube');
        expect([field(0x0c), field(0x10), field(0x18), field(0x1c)]).toEqual([height, width, depth, mips]);
        expect([dds.toString('latin1', 0, 4), field(4), dds.toString('latin1', 0x54, 0x58)]).toEqual([
          'DDS ',
          124,
          'DX10',
        ]);
        expect([field(0x80), field(0x88), field(0x8c)]).toEqual([
          DXGI[format],
          cube ? 4 : 0,
          cube ? layers / 6 : layers,
        ]);
        expect(field(0x84)).toBe(dimension.startsWith('1d') ? 2 : dimension === '3d' ? 4 : 3);
        expect(sha256(dds.subarray(0x94))).toBe(sha256(concat(...levels.flat())));
        compared++;
      }
      expect(compared).toBeGreaterThan(0);
    },
  );

  describe('in ImageMagick', () => {
    beforeAll(async () => {
      const wasm = fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'));
      await initializeImageMagick(readFileSync(wasm));
    });

    // It rounds the colours of BC1 to BC3 in its own way, and adds a blue to BC5.
    it.each([
      ['BC1_UNORM', 8, 4],
      ['BC2_UNORM', 8, 4],
      ['BC3_UNORM', 8, 4],
      ['BC5_UNORM', 2, 2],
      ['BC7_UNORM', 0, 4],
    ] as const)('%s has the same pixels', (format, tolerance, channels) => {
      const texture = makeTexture({ name: 'T', format, dimension: '2d', pictures: [landscape(60, 36)] });
      textures(put(folder, 'x.bntx', bntxOf(texture)), '--to', 'dds');
      const expected = decodeElements(format, 60, 36, texture.levels[0]![0]!);
      const found = ImageMagick.read(new Uint8Array(read('x.bntx/T.dds')), MagickFormat.Dds, (image) => {
        expect([image.width, image.height]).toEqual([60, 36]);
        return image.getPixels((pixels) => pixels.toByteArray(0, 0, 60, 36, 'RGBA')!);
      });
      const differences = expected.map((value, i) => (i % 4 < channels ? Math.abs(value - found[i]!) : 0));
      expect(Math.max(...differences)).toBeLessThanOrEqual(tolerance);
    });
  });

  it('holds the mips asked for, and lines say what is in it', () => {
    const texture = makeTexture({ name: 'T', format: 'BC1_SRGB', dimension: '2d', pictures: [landscape(64, 32)] });
    const file = put(folder, 'x.bntx', bntxOf(texture));
    const lines = jsonLines(textures(file, '--to', 'dds', '--mips', '1-3', '--json').stdout);
    const dds = read('x.bntx/T.dds');
    expect(lines[0]).toEqual({
      file: 'x.bntx',
      texture: 'T',
      what: 'dds',
      format: 'BC1_SRGB',
      width: 32,
      height: 16,
      depth: 1,
      layers: 1,
      mips: 3,
      sha256: sha256(dds),
      output: 'x.bntx/T.dds',
    });
    expect(lines[1]!['summary']).toMatchObject({ textures: 1, surfaces: 3, others: 1, failed: 0 });
    expect(sha256(dds.subarray(0x94))).toBe(sha256(concat(...texture.levels[0]!.slice(1, 4))));
    expect(textures(file, '--to', 'dds', '--mips', '1-3', '--resume').stdout).toContain('1 file as before');
  });

  it('options of pictures do not go with it', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    for (const option of [
      '--hdr',
      '--raw-channels',
      '--reconstruct-z',
      '--dedupe',
      '--alpha=opaque',
      '--png-level=9',
    ]) {
      expect(textures(file, '--to', 'dds', option).status).toBe(2);
    }
  });
});

describe('--to astc', () => {
  it('holds the very blocks, each surface in a file', () => {
    const pictures = [landscape(24, 20), landscape(24, 20)];
    const texture = makeTexture({ name: 'T', format: 'ASTC5x4_SRGB', dimension: '2d-array', mips: 2, pictures });
    const file = put(folder, 'x.bntx', bntxOf(texture));
    const lines = jsonLines(textures(file, '--to', 'astc', '--mips', 'all', '--json').stdout);
    expect(lines[1]).toMatchObject({
      what: 'astc',
      format: 'ASTC5x4_SRGB',
      width: 12,
      height: 10,
      layers: 1,
      mips: 1,
    });
    for (const layer of [0, 1]) {
      const data = read(`x.bntx/T.layer${layer}.mip1.astc`);
      // magic, 5 x 4 x 1, 12 x 10 x 1
      expect(data.subarray(0, 16).toString('hex')).toBe('13aba15c0504010c00000a0000010000');
      expect(new Uint8Array(data.subarray(16))).toEqual(texture.levels[layer]![1]);
    }
    expect(textures(put(folder, 'q.bntx', QUIRKS), '--to', 'astc').stderr).toMatch(
      /BNTX at 0x\w+: expected an ASTC format, found \w+ \(texture "/,
    );
    expect(textures(file, '--to', 'dds').stderr).toMatch(/expected a format that DDS has, found ASTC5x4_SRGB/);
  });
});

/** A texture of these elements. */
function textureOf(format: FormatName, width: number, height: number, elements: Uint8Array, channels = 'RGBA') {
  const pictures = [pixels(width, height, () => [0, 0, 0, 0])];
  const texture = makeTexture({ name: format, format, dimension: '2d', mips: 1, channels, pictures });
  return { ...texture, levels: [[elements]] };
}

const bytesOf = (array: Uint16Array | Uint32Array | Float32Array): Uint8Array => new Uint8Array(array.buffer);

/** A BC6H block of mode 11, one colour of ten bits a channel: both endpoints are the same. */
function bc6hBlock(rgb: number[]): Uint8Array {
  let block = 0b00011n;
  [...rgb, ...rgb].forEach((v, i) => (block |= BigInt.asUintN(10, BigInt(v)) << BigInt(5 + 10 * i)));
  return Uint8Array.from({ length: 16 }, (_, i) => Number((block >> BigInt(8 * i)) & 255n));
}

const texels = (count: number, halves: number[]): number[] => Array.from({ length: count }, () => halves).flat();

describe('--hdr', () => {
  const ONE = 0x3c00;

  it.each([
    // Unsigned: 495 is (495 * 64 + 32) * 31 / 64 = 15360.5, and 1023 is 65535 * 31 / 64 = 31743.
    {
      format: 'BC6_UFLOAT',
      size: [4, 4],
      elements: bc6hBlock([495, 1023, 0]),
      halves: texels(16, [ONE, 0x7bff, 0, ONE]),
    },
    // Signed: 247 is (247 * 64 + 32) * 31 / 32 = 15345, and 511 is 32767 * 31 / 32 = 31743; the sign is the highest bit.
    {
      format: 'BC6_FLOAT',
      size: [4, 4],
      elements: bc6hBlock([-247, -511, 247]),
      halves: texels(16, [0xbbf1, 0xfbff, 0x3bf1, ONE]),
    },
    {
      format: 'R16G16B16A16_FLOAT',
      size: [2, 1],
      // 1, -2, both infinities; a NaN, -0, the least and the greatest
      elements: bytesOf(Uint16Array.of(ONE, 0xc000, 0x7c00, 0xfc00, 0x7e01, 0x8000, 1, 0x7bff)),
      halves: [ONE, 0xc000, 0x7c00, 0xfc00, 0x7e01, 0x8000, 1, 0x7bff],
    },
    {
      format: 'R32G32B32A32_FLOAT',
      size: [2, 1],
      elements: bytesOf(Float32Array.of(1, -2.5, 65519, 65520, NaN, -Infinity, 2 ** -24, 0.1)),
      halves: [ONE, 0xc100, 0x7bff, 0x7c00, 0x7e00, 0xfc00, 1, 0x2e66],
    },
    {
      format: 'R11G11B10_FLOAT',
      size: [2, 1],
      // 1, infinity, (1 + 31/32) * 2^15; a NaN, 2^-14 * 1/64, 0
      elements: bytesOf(
        Uint32Array.of(((15 << 6) | (31 << 17) | (30 << 27) | (31 << 22)) >>> 0, ((31 << 6) | 1 | (1 << 11)) >>> 0),
      ),
      halves: [ONE, 0x7c00, 0x7be0, ONE, 0x7c10, 0x0010, 0, ONE],
    },
    {
      format: 'R9G9B9E5_FLOAT',
      size: [2, 1],
      // 256 * 2^-8, 64 * 2^-8, 0; 1 * 2^7, 511 * 2^7, 2 * 2^7
      elements: bytesOf(
        Uint32Array.of((256 | (64 << 9) | (16 << 27)) >>> 0, (1 | (511 << 9) | (2 << 18) | (31 << 27)) >>> 0),
      ),
      halves: [ONE, 0x3400, 0, ONE, 0x5800, 0x7bfc, 0x5c00, ONE],
    },
    // Two channels, of which the texture asks for others.
    {
      format: 'R16G16_FLOAT',
      size: [1, 1],
      channels: 'G0R1',
      elements: bytesOf(Uint16Array.of(0xc000, 0x4000)),
      halves: [0x4000, 0, 0xc000, ONE],
    },
  ] as const)('$format holds the very values', ({ format, size: [width, height], elements, halves, ...rest }) => {
    const channels = 'channels' in rest ? rest.channels : 'RGBA';
    const file = put(folder, 'x.bntx', bntxOf(textureOf(format, width, height, elements, channels)));
    expect(textures(file, '--hdr').stdout).toContain('1 PNG and 1 EXR of 1 texture');
    expect(filesBelow(out)).toEqual([`x.bntx/${format}.exr`, `x.bntx/${format}.png`]);
    expect(readExr(read(`x.bntx/${format}.exr`))).toEqual({ width, height, halves });
  });

  it('has the channels that the picture has', () => {
    const texture = textureOf('R16G16_FLOAT', 1, 1, bytesOf(Uint16Array.of(0xc000, 0x4000)), 'G0R0');
    const file = put(folder, 'x.bntx', bntxOf(texture));
    textures(file, '--hdr', '--raw-channels');
    expect(readExr(read('x.bntx/R16G16_FLOAT.exr')).halves).toEqual([0xc000, 0x4000, 0, ONE]);
    textures(file, '--hdr', '--alpha', 'opaque');
    expect(readExr(read('x.bntx/R16G16_FLOAT.exr')).halves).toEqual([0x4000, 0, 0xc000, ONE]);
  });

  it('is only of floats, and named as the pictures are', () => {
    const pictures = [landscape(9, 5), landscape(9, 5)];
    for (const format of ['R8_UNORM', 'R16_UNORM', 'R32_FLOAT'] as const) {
      const texture = makeTexture({ name: 'T', format, dimension: '2d-array', mips: 2, pictures });
      put(folder, `in/${format}.bntx`, bntxOf(texture));
    }
    const lines = jsonLines(textures(join(folder, 'in'), '--hdr', '--mips', 'all', '--flat', '--json').stdout);
    const exrs = lines.filter(({ what }) => what === 'exr');
    const suffixes = ['layer0', 'layer0.mip1', 'layer1', 'layer1.mip1'];
    expect(exrs.map(({ output }) => output)).toEqual(suffixes.map((suffix) => `T.${suffix}~2.exr`));
    expect(filesBelow(out).filter((path) => path.endsWith('.exr'))).toHaveLength(4);
    expect(exrs[3]).toEqual({
      file: 'R32_FLOAT.bntx',
      texture: 'T',
      what: 'exr',
      format: 'R32_FLOAT',
      width: 4,
      height: 2,
      depth: 1,
      layers: 1,
      mips: 1,
      layer: 1,
      slice: 0,
      mip: 1,
      sha256: sha256(read('T.layer1.mip1~2.exr')),
      output: 'T.layer1.mip1~2.exr',
    });
    expect(lines.at(-1)!['summary']).toMatchObject({ surfaces: 12, others: 4, exrs: 4 });
  });

  it('goes with --dedupe, --flat, --dry-run and --resume', () => {
    // 2 and 3 are the same in a PNG, and not in an EXR.
    const of = (half: number): Uint8Array => bntxOf(textureOf('R16_FLOAT', 1, 1, bytesOf(Uint16Array.of(half))));
    for (const [name, half] of Object.entries({ a: 0x4000, b: 0x4200, c: 0x4000 }))
      put(folder, `in/${name}.bntx`, of(half));
    const options = ['--hdr', '--dedupe', '--flat', '--json'];
    const dry = jsonLines(textures(join(folder, 'in'), ...options, '--dry-run').stdout);
    const lines = jsonLines(textures(join(folder, 'in'), ...options).stdout);
    expect(dry.slice(0, -1)).toEqual(lines.slice(0, -1));
    expect(filesBelow(out)).toEqual(['R16_FLOAT.exr', 'R16_FLOAT.png', 'R16_FLOAT~2.exr']);
    expect(lines.slice(0, -1).map(({ png, output, duplicate }) => [png ?? output, duplicate ?? false])).toEqual([
      ['R16_FLOAT.png', false],
      ['R16_FLOAT.exr', false],
      ['R16_FLOAT.png', true],
      ['R16_FLOAT~2.exr', false],
      ['R16_FLOAT.png', true],
      ['R16_FLOAT.exr', true],
    ]);
    expect(readExr(read('R16_FLOAT~2.exr')).halves).toEqual([0x4200, 0, 0, ONE]);
    expect(textures(join(folder, 'in'), ...options.slice(0, 3), '--resume').stdout).toContain('3 files as before');
    rmSync(join(out, 'R16_FLOAT~2.exr'));
    expect(textures(join(folder, 'in'), ...options.slice(0, 3), '--resume').stdout).toContain('2 files as before');
    expect(readExr(read('R16_FLOAT~2.exr')).halves).toEqual([0x4200, 0, 0, ONE]);
  });

  it('replaces nothing that was there, unless told so', () => {
    const file = put(folder, 'x.bntx', bntxOf(textureOf('R16_FLOAT', 1, 1, bytesOf(Uint16Array.of(0x4000)))));
    put(out, 'x.bntx/R16_FLOAT.exr', 'mine');
    expect(textures(file, '--hdr').stderr).toContain('R16_FLOAT.exr: exists already');
    expect(textures(file, '--hdr', '--overwrite').status).toBe(0);
    expect(readExr(read('x.bntx/R16_FLOAT.exr')).width).toBe(1);
  });
});

describe('--sidecar', () => {
  it('writes what the file says of each texture', () => {
    const texture = makeTexture({
      name: 'T',
      format: 'R8_UNORM',
      dimension: '2d',
      mips: 2,
      channels: 'RRR1',
      pictures: [landscape(8, 4)],
      userData: [
        { name: 'numbers', type: 'int', values: [1, -2] },
        { name: 'raw', type: 'byte', values: [0, 255] },
      ],
    });
    expect(textures(put(folder, 'x.bntx', bntxOf(texture)), '--sidecar').stdout).toContain('1 PNG and 1 sidecar');
    expect(filesBelow(out)).toEqual(['x.bntx/T.json', 'x.bntx/T.png']);
    expect(JSON.parse(read('x.bntx/T.json').toString())).toMatchObject({
      file: 'x.bntx',
      name: 'T',
      format: { name: 'R8_UNORM', value: 0x201, srgb: false },
      width: 8,
      height: 4,
      mipCount: 2,
      channels: 'RRR1',
      userData: [
        { name: 'numbers', type: 's32', values: [1, -2] },
        { name: 'raw', type: 'byte', values: '00ff' },
      ],
    });
  });
});

describe('--reconstruct-z', () => {
  it('makes blue the z of a unit normal', () => {
    // Worked by hand: (0, 0) is z = 1; x = 1 leaves z = 0, which is 127.5 and so 128; beyond the unit circle z is 0, too.
    const rgba = Uint8Array.of(255, 128, 9, 7, 0, 128, 9, 7, 255, 255, 9, 7, 204, 128, 9, 7);
    reconstructZ(rgba);
    // x = 0.6, y = 1/255: z = sqrt(1 - 0.36 - 0.0000154) = 0.79999, which is 229.5 - 0.0012 and so 229.
    expect([...rgba]).toEqual([255, 128, 128, 7, 0, 128, 128, 7, 255, 255, 128, 7, 204, 128, 229, 7]);
  });

  it('changes normal maps with two channels and nothing else', () => {
    const picture = landscape(16, 16);
    const all = (
      [
        ['Normal', 'BC5_UNORM', 'RG01'],
        ['Mask', 'BC5_UNORM', 'RRRG'],
        ['Color', 'BC1_UNORM', 'RGBA'],
      ] as const
    ).map(([name, format, channels]) =>
      makeTexture({ name, format, channels, dimension: '2d', mips: 1, pictures: [picture] }),
    );
    const file = put(folder, 'x.bntx', bntxOf(...all));
    textures(file);
    const before = all.map(({ name }) => readPng(read(`x.bntx/${name}.png`)).samples);
    textures(file, '--reconstruct-z');
    const after = all.map(({ name }) => readPng(read(`x.bntx/${name}.png`)).samples);
    expect([after[1], after[2]]).toEqual([before[1], before[2]]);
    const expected = Uint8Array.from(before[0]!);
    reconstructZ(expected);
    expect(after[0]).toEqual(expected);
    expect(after[0]).not.toEqual(before[0]);
  });
});
