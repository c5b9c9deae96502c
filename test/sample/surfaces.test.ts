import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../scripts/sample/formats.ts';
import type { FormatName } from '../../scripts/sample/formats.ts';
import { fullMipCount, mipChain, pixels } from '../../scripts/sample/picture.ts';
import { expectedPixels, makeTexture, SET_NAMES, sampleSet } from '../../scripts/sample/surfaces.ts';
import { TEXEL_FORMATS } from '../../ts/kernels/contract.ts';
import { imageFormat } from '../../ts/nn/gfx.ts';
import { decodeElements, difference, elementSize } from './tiny-decoder.ts';

const sets = SET_NAMES.map(sampleSet);
const all = sets.flatMap(({ textures }) => textures);

/** How far block formats may be from their pictures, by the mean over all bytes of a surface. */
const BOUNDS: Partial<Record<FormatName, number>> = {
  BC1_UNORM: 4,
  BC1_SRGB: 4,
  BC2_UNORM: 4,
  BC2_SRGB: 4,
  BC3_UNORM: 4,
  BC3_SRGB: 4,
  BC4_UNORM: 1.5,
  BC4_SNORM: 1.5,
  BC5_UNORM: 2,
  BC5_SNORM: 2,
  BC7_UNORM: 2.5,
  BC7_SRGB: 2.5,
  BC6_UFLOAT: 4.5,
  BC6_FLOAT: 4.5,
};

/** Of ASTC, the more texels a block has, the more. */
function boundOf(format: FormatName): number | undefined {
  const [columns, rows] = FORMATS[format].extent;
  return format.startsWith('ASTC') ? 4 + (columns * rows) / 7 : BOUNDS[format];
}

/**
 * How far any byte may be from its picture in plain formats that are not exact: half a step of the channel with the fewest
 * bits, or what is above the greatest integer.
 */
const MOST: Partial<Record<FormatName, number>> = {
  R8_SNORM: 1,
  R8G8_SNORM: 1,
  R8G8B8A8_SNORM: 1,
  R16_SNORM: 0,
  R16G16_SNORM: 0,
  R16G16B16A16_SNORM: 0,
  R8_SINT: 128,
  R8G8_SINT: 128,
  R8G8B8A8_SINT: 128,
  R4G4B4A4_UNORM: 8,
  R5G5B5A1_UNORM: 127,
  A1B5G5R5_UNORM: 127,
  B5G5R5A1_UNORM: 127,
  R5G6B5_UNORM: 4,
  B5G6R5_UNORM: 4,
  R10G10B10A2_UNORM: 42,
  R10G10B10A2_UINT: 252,
  R11G11B10_FLOAT: 4,
  R9G9B9E5_FLOAT: 1,
};

describe('the sample covers', () => {
  it('every format', () => {
    expect(new Set(all.map(({ format }) => format))).toEqual(new Set(Object.keys(FORMATS)));
    // and so each that is decoded
    const decoded = all.map(({ format }) => imageFormat(FORMATS[format].code).texelFormat);
    expect(new Set(decoded)).toEqual(new Set(TEXEL_FORMATS));
  });

  it('every dimension', () => {
    expect(new Set(all.map(({ dimension }) => dimension)).size).toBe(7);
  });

  it('the channel sources of real files', () => {
    const channels = new Set(all.map((texture) => texture.channels ?? 'RGBA'));
    expect([...channels].sort()).toEqual(['111R', 'RG01', 'RG11', 'RGB1', 'RGBA', 'RRR1', 'RRRA', 'RRRR']);
  });

  it('both versions, and names that are unique in each file', () => {
    expect(new Set(sets.map(({ version }) => version.join('.')))).toEqual(new Set(['4.0.0', '4.1.0']));
    for (const { textures } of sets) expect(new Set(textures.map(({ name }) => name)).size).toBe(textures.length);
  });
});

describe('what was put in comes out', () => {
  it.each(all.map((texture) => [texture.name, texture] as const))('%s', (_name, texture) => {
    const { pictures, format, levels } = texture;
    pictures.forEach((mips, layer) =>
      mips.forEach((slices, mip) => {
        const elements = levels[layer]![mip]!;
        const size = elements.length / slices.length;
        slices.forEach(({ width, height }, slice) => {
          const [columns, rows] = FORMATS[format].extent;
          expect(size).toBe(elementSize(format) * Math.ceil(width / columns) * Math.ceil(height / rows));
          const decoded = decodeElements(format, width, height, elements.subarray(size * slice, size * (slice + 1)));
          const { mean, max } = difference(decoded, expectedPixels(texture, { layer, mip, slice, rawChannels: true }));
          const bound = boundOf(format);
          if (FORMATS[format].exact) expect(max).toBe(0);
          else if (bound === undefined) expect(max).toBeLessThanOrEqual(MOST[format]!);
          // The smaller a mip, the less its neighbouring texels have in common, which blocks are worse at.
          const small = width >= 32 ? 1 : width >= 8 ? 3 : width >= 4 ? 8 : Infinity;
          if (bound !== undefined) expect(mean, `layer ${layer} mip ${mip}`).toBeLessThan(small * bound);
        });
      }),
    );
  });
});

describe('expected pixels', () => {
  const one = pixels(1, 1, () => [10, 20, 30, 40]);
  const of = (format: FormatName, channels?: string, rawChannels = false): number[] => [
    ...expectedPixels(
      makeTexture({ name: 'x', format, dimension: '2d', pictures: [one], ...(channels ? { channels } : {}) }),
      { rawChannels },
    ),
  ];

  it('apply the channel sources to what the format keeps', () => {
    expect(of('R8_UNORM')).toEqual([10, 0, 0, 255]);
    expect(of('R8_UNORM', '111R')).toEqual([255, 255, 255, 10]);
    expect(of('R8_UNORM', '111R', true)).toEqual([10, 0, 0, 255]);
    expect(of('R8G8_UNORM', 'RG01')).toEqual([10, 20, 0, 255]);
    expect(of('B8G8R8A8_SRGB', 'BGRA')).toEqual([30, 20, 10, 40]);
    expect(of('BC1_SRGB')).toEqual([0, 0, 0, 0]);
  });
});

describe('mips', () => {
  it('average boxes, and clamp at 1', () => {
    const picture = pixels(5, 2, (x, y) => [10 * x + y, 0, 0, 255]);
    const chain = mipChain([picture], 4).map(([slice]) => slice!);
    expect(chain.map(({ width, height }) => [width, height])).toEqual([
      [5, 2],
      [2, 1],
      [1, 1],
      [1, 1],
    ]);
    // (0 + 10 + 1 + 11) / 4 and (20 + 30 + 21 + 31) / 4, rounded; then their average.
    expect([chain[1]!.rgba[0], chain[1]!.rgba[4], chain[2]!.rgba[0]]).toEqual([6, 26, 16]);
    expect(chain[3]!.rgba).toEqual(chain[2]!.rgba);
  });

  it('of volumes average slices too', () => {
    const slices = [0, 100, 50].map((v) => pixels(2, 2, () => [v, v, v, 255]));
    const chain = mipChain(slices, 2, true);
    expect(chain[1]!.length).toBe(1);
    expect([...chain[1]![0]!.rgba]).toEqual([50, 50, 50, 255]);
  });

  it('are counted down to 1', () => {
    expect([fullMipCount(256, 64), fullMipCount(50, 20), fullMipCount(1, 1), fullMipCount(8, 4, 16)]).toEqual([
      9, 6, 1, 5,
    ]);
  });
});
