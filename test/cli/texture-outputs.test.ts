import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ImageMagick, initializeImageMagick, MagickFormat } from '@imagemagick/magick-wasm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import type { FormatName } from '../../scripts/sample/formats.ts';
import { landscape } from '../../scripts/sample/scenes.ts';
import { makeTexture, sampleSet, SET_NAMES, type SampleTexture } from '../../scripts/sample/surfaces.ts';
import { reconstructZ } from '../../ts/textures/normal-map.ts';
import { decodeElements } from '../sample/tiny-decoder.ts';
import { filesBelow, romflow, temporaryFolder, type Finished } from '../support/cli.ts';
import { concat } from '../support/concat.ts';
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
  it.each(SET_NAMES)('holds the very elements that the textures were made of: %s', (set) => {
    const { textures: all } = sampleSet(set);
    const { stderr } = textures(put(folder, 'x.bntx', writeBntx(sampleSet(set))), '--to', 'dds');
    for (const line of stderr.split('\n').filter(Boolean)) expect(line).toContain('expected a format that DDS has');
    let compared = 0;
    for (const texture of all) {
      const { name, format, dimension, width, height, depth, layers, mips, levels } = texture;
      if (DXGI[format] === undefined || layers > 6 || mips > Math.floor(Math.log2(Math.max(width, height, depth))) + 1)
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
      expect([field(0x80), field(0x88), field(0x8c)]).toEqual([DXGI[format], cube ? 4 : 0, cube ? layers / 6 : layers]);
      expect(field(0x84)).toBe(dimension.startsWith('1d') ? 2 : dimension === '3d' ? 4 : 3);
      expect(sha256(dds.subarray(0x94))).toBe(sha256(concat(...levels.flat())));
      compared++;
    }
    expect(compared).toBeGreaterThan(0);
  });

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
    for (const option of ['--raw-channels', '--reconstruct-z', '--dedupe', '--alpha=opaque', '--png-level=9']) {
      expect(textures(file, '--to', 'dds', option).status).toBe(2);
    }
  });
});

describe('--to astc', () => {
  it('holds the very blocks, each surface in a file', () => {
    const pictures = [landscape(24, 20), landscape(24, 20)];
    const texture = makeTexture({ name: 'T', format: 'BC7_UNORM', dimension: '2d-array', mips: 2, pictures });
    // Blocks of 4 x 4 texels in 16 bytes, which may as well be ASTC.
    const bytes = bntxOf(texture);
    const brti = Buffer.from(bytes.buffer).indexOf('BRTI');
    new DataView(bytes.buffer).setUint32(brti + 0x1c, 0x2d01, true);
    const file = put(folder, 'x.bntx', bytes);
    const lines = jsonLines(textures(file, '--to', 'astc', '--mips', 'all', '--json').stdout);
    expect(lines[1]).toMatchObject({
      what: 'astc',
      format: 'ASTC4x4_UNORM',
      width: 12,
      height: 10,
      layers: 1,
      mips: 1,
    });
    for (const layer of [0, 1]) {
      const data = read(`x.bntx/T.layer${layer}.mip1.astc`);
      // magic, 4 x 4 x 1, 12 x 10 x 1
      expect(data.subarray(0, 16).toString('hex')).toBe('13aba15c0404010c00000a0000010000');
      expect(new Uint8Array(data.subarray(16))).toEqual(texture.levels[layer]![1]);
    }
    expect(textures(put(folder, 'q.bntx', QUIRKS), '--to', 'astc').stderr).toMatch(
      /BNTX at 0x\w+: expected an ASTC format, found \w+ \(texture "/,
    );
    expect(textures(file, '--to', 'dds').stderr).toMatch(/expected a format that DDS has, found ASTC4x4_UNORM/);
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
