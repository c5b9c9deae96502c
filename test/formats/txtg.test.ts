import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeTexture } from '../../scripts/sample/surfaces.ts';
import * as scenes from '../../scripts/sample/scenes.ts';
import { writeTxtg } from '../../scripts/sample/txtg.ts';
import { readTxtg } from '../../ts/formats/txtg/index.ts';
import { BufferSource } from '../../ts/io/source.ts';
import { createKernels } from '../../ts/kernels/index.ts';
import { decodeSurface } from '../../ts/textures/surface.ts';
import { readTextures } from '../../ts/textures/texture-files.ts';
import { decodeElements } from '../sample/tiny-decoder.ts';
import { unswizzle } from '../support/block-linear.ts';
import { concat } from '../support/concat.ts';
import { CORPUS, HAS_CORPUS, readCorpus } from '../support/corpus.ts';

/** The pixels of all surfaces, by `layer.mip`. */
function decodeAll(bytes: Uint8Array, backend: 'wasm' | 'ts' = 'wasm'): Record<string, Uint8Array> {
  const kernels = createKernels({ backend });
  const before = kernels.memorySize;
  const all: Record<string, Uint8Array> = {};
  for (const texture of readTextures('txtg', new BufferSource('dir/Name.txtg', bytes), { kernels })) {
    for (const surface of texture.surfaces()) {
      const parts: Uint8Array[] = [];
      for (const band of decodeSurface(kernels, surface)) parts.push(band.bytes.slice());
      all[`${surface.layer}.${surface.mip}`] = concat(...parts);
    }
  }
  expect(kernels.memorySize).toBeLessThan(before + (64 << 20));
  return all;
}

const TEXTURE = makeTexture({
  name: 'Name',
  format: 'BC7_UNORM',
  dimension: '2d-array',
  channels: 'RGB1',
  pictures: [scenes.ground(scenes.GROUND_NAMES[0]!, 96, 40), scenes.ground(scenes.GROUND_NAMES[1]!, 96, 40)],
});

/** What the plainest decoder makes of the elements that the texture was made of. */
function expected(layer: number, mip: number): Uint8Array {
  const [width, height] = [Math.max(1, 96 >> mip), Math.max(1, 40 >> mip)];
  const rgba = decodeElements('BC7_UNORM', width, height, TEXTURE.levels[layer]![mip]!);
  return rgba.map((value, i) => (i % 4 === 3 ? 255 : value));
}

describe('TexToGo', () => {
  it.each(['wasm', 'ts'] as const)(
    'gives the pixels of every layer and mip, in whatever order they lie: %s',
    (backend) => {
      for (const options of [{}, { mipsFirst: true }, { cut: 64 }]) {
        const all = decodeAll(writeTxtg(TEXTURE, options), backend);
        expect(Object.keys(all)).toHaveLength(2 * TEXTURE.mips);
        for (let layer = 0; layer < 2; layer++) {
          // What was cut from the last block is padding only where that is not full of texels.
          for (let mip = 0; mip < (options.cut ? 3 : TEXTURE.mips); mip++) {
            expect([layer, mip, all[`${layer}.${mip}`]]).toEqual([layer, mip, expected(layer, mip)]);
          }
        }
      }
    },
  );

  it('reads the header', () => {
    const source = new BufferSource('a/B.txtg', writeTxtg(TEXTURE));
    expect([...readTextures('txtg', source, { kernels: createKernels() })]).toMatchObject([
      { name: 'B', width: 96, height: 40, layerCount: 2, mipCount: 7, dimension: '2D array', channels: 0x01040302 },
    ]);
  });

  it.each([
    [0x101, 0x7f74, 'ASTC8x5_UNORM'],
    [0x101, 0x7f33, 'ASTC4x4_UNORM'],
    [0x105, 0x7f77, 'ASTC8x8_SRGB'],
    [0x109, 0, 'ASTC4x4_SRGB'],
    [0x102, 0, 'ASTC8x8_UNORM'],
    [0x202, 0x7f33, 'BC1_UNORM'],
    [0x305, 0, 'BC1_SRGB'],
    [0x505, 0, 'BC3_SRGB'],
    [0x607, 0, 'BC4_UNORM'],
    [0x709, 0, 'BC5_UNORM'],
    [0x901, 0, 'BC7_UNORM'],
    [0xa0a, 0, 'RGBA8_UNORM'],
    [0xb0b, 0, 'R8G8_UNORM'],
    [0xc0c, 0, 'R8_UNORM'],
    [0x101, 0, 'TexToGo format 0x101'],
    [0x401, 0, 'TexToGo format 0x401'],
  ])('format %i with %i is %s', (id, setting, name) => {
    const bytes = writeTxtg(TEXTURE);
    const view = new DataView(bytes.buffer);
    view.setUint16(0x3c, id, true);
    view.setUint32(0x44, setting, true);
    expect(readTxtg(new BufferSource('x', bytes)).format.name).toBe(name);
  });

  it.each<[string, (view: DataView) => void, RegExp]>([
    ['another version', (view) => view.setUint16(2, 0x12, true), /TXTG at 0x2: expected version 0x11, found 0x12/],
    ['no width', (view) => view.setUint16(8, 0, true), /at 0x8: expected a width of 1 to 16384, found 0/],
    ['a channel', (view) => view.setUint8(0x1a, 6), /at 0x1a: expected a channel source of 0 to 5, found 6/],
    ['a layer', (view) => view.setUint16(0x54, 2, true), /at 0x54: expected a layer below 2, found 2/],
    ['a mip', (view) => view.setUint8(0x56, 7), /at 0x56: expected a mip level below 7, found 7/],
    [
      'a repeated one',
      (view) => view.setUint8(0x56, 0),
      /at 0x54: expected a surface of its own, found mip 0 of layer 0 again/,
    ],
    [
      'a size',
      (view) => view.setUint32(0x88, 1e9, true),
      /at 0x88: expected at most \d+ bytes, all that is left, found 1000000000/,
    ],
    ['many surfaces', (view) => view.setUint16(0xc, 2000, true), /expected 56000 bytes|TXTG at 0x/],
    [
      'an unknown format',
      (view) => view.setUint16(0x3c, 0x401, true),
      /at 0x3c: expected a known format, found TexToGo format 0x401/,
    ],
  ])('says what is wrong: %s', (_, change, message) => {
    const bytes = writeTxtg(TEXTURE);
    change(new DataView(bytes.buffer));
    expect(() => decodeAll(bytes)).toThrow(message);
  });

  it('names the surface whose frame is damaged or too short', () => {
    const bytes = writeTxtg(TEXTURE);
    const [first] = readTxtg(new BufferSource('x', bytes)).frames;
    expect(() => decodeAll(writeTxtg(TEXTURE, { cut: 8192 }))).toThrow(
      /^dir\/Name.txtg\/layer0.mip\d: TXTG at 0x\w+: expected \d+ bytes, found \d+$/,
    );
    bytes[first!.offset + 1]! ^= 0xff;
    expect(() => decodeAll(bytes)).toThrow(/^dir\/Name.txtg\/layer0.mip0: zstd at 0x0: /);
  });

  const file = 'textures/txtg/TexturedCube.txtg';
  const hasZstd = spawnSync('zstd', ['--version']).status === 0;
  it.skipIf(!HAS_CORPUS || !existsSync(`${CORPUS}/${file}`) || !hasZstd)(
    'a public file has the pixels that the zstd tool, the published address formula and a plain BC1 decoder give',
    () => {
      const bytes = new Uint8Array(readCorpus(file));
      const { frames, width, height } = readTxtg(new BufferSource('x', bytes));
      const pixels = decodeAll(bytes);
      expect(frames.map(({ size }) => size)).toHaveLength(9);
      for (const { mip, offset, size } of frames) {
        const [w, h] = [Math.max(1, width >> mip), Math.max(1, height >> mip)];
        const [columns, rows] = [Math.ceil(w / 4), Math.ceil(h / 4)];
        const surface = spawnSync('zstd', ['-d', '-c'], { input: bytes.subarray(offset, offset + size) }).stdout;
        const blockHeightLog2 = Math.ceil(Math.log2(Math.ceil(rows / 8)));
        const elements = unswizzle(surface, 8 * columns, rows, { blockHeightLog2, blockDepthLog2: 0, pitch: 0 });
        expect([mip, pixels[`0.${mip}`]]).toEqual([mip, decodeElements('BC1_UNORM', w, h, elements)]);
      }
    },
  );
});
