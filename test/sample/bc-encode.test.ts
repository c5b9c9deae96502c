import { describe, expect, it } from 'vitest';
import { encodeBc1Alpha, encodeBc4, encodeBc7, encodeBlocks, randomBc7Blocks } from '../../scripts/sample/bc-encode.ts';
import { FORMATS } from '../../scripts/sample/formats.ts';
import type { FormatName } from '../../scripts/sample/formats.ts';
import { pixels } from '../../scripts/sample/picture.ts';
import type { Picture } from '../../scripts/sample/picture.ts';
import * as scenes from '../../scripts/sample/scenes.ts';
import { HAS_CORPUS, readCorpus, readTable } from '../support/corpus.ts';
import { random } from '../support/random.ts';
import { sha256 } from '../support/sha256.ts';
import { bc7Mode, decodeElements, difference } from './tiny-decoder.ts';
import { formatName, readBntx, readElements } from './tiny-reader.ts';

describe.skipIf(!HAS_CORPUS)('the decoder of these tests', () => {
  it('agrees with the known pixels of real textures', () => {
    const folder = 'textures/bntx_real';
    const seen = new Set<string>();
    for (const row of readTable(`${folder}/expected.tsv`)) {
      if (Number(row['width']) > 64) continue;
      const bytes = readCorpus(`${folder}/${row['file']}`);
      const texture = readBntx(bytes).textures.find(({ name }) => name === row['texture'])!;
      const elements = readElements(bytes, texture, 0, Number(row['mip']));
      const format = formatName(texture.format);
      const rgba = decodeElements(format, Number(row['width']), Number(row['height']), elements);
      expect(sha256(rgba), `${row['file']} ${row['texture']} ${row['mip']}`).toBe(row['rgba_raw_channels_sha256']);
      seen.add(format);
    }
    expect([...seen].sort()).toEqual(['BC1_SRGB', 'BC1_UNORM', 'BC2_SRGB', 'BC4_UNORM']);
  });
});

/** What of a picture a format can keep at all. */
function kept(format: FormatName, { rgba }: Picture): Uint8Array {
  const { channels } = FORMATS[format];
  return rgba.map((v, i) => {
    const channel = i % 4;
    if (channels === 4) return format.startsWith('BC1') && channel === 3 ? 255 : v;
    return channel < channels ? v : channel === 3 ? 255 : 0;
  });
}

function roundTrip(format: FormatName, picture: Picture): { mean: number; max: number } {
  const elements = FORMATS[format].encode(picture);
  return difference(decodeElements(format, picture.width, picture.height, elements), kept(format, picture));
}

const smooth: Picture = pixels(64, 64, (x, y) => [4 * x, 4 * y, 255 - 2 * (x + y), 128 + x]);

describe('error bounds', () => {
  // The mean over all channels; channels that a format lacks do not differ and so lower it.
  it.each<[FormatName, number, number]>([
    ['BC1_UNORM', 3, 3],
    ['BC2_UNORM', 4, 3],
    ['BC3_UNORM', 3, 3],
    ['BC4_UNORM', 0.4, 0.4],
    ['BC4_SNORM', 0.5, 0.5],
    ['BC5_UNORM', 0.8, 0.8],
    ['BC5_SNORM', 0.9, 0.9],
    ['BC7_UNORM', 2, 1.3],
  ])('%s: mean %d on a gradient, %d on a landscape', (format, onGradient, onLandscape) => {
    expect(roundTrip(format, smooth).mean).toBeLessThan(onGradient);
    expect(roundTrip(format, scenes.landscape(96, 96)).mean).toBeLessThan(onLandscape);
  });

  it.each<FormatName>(['BC1_UNORM', 'BC2_UNORM', 'BC3_UNORM', 'BC7_UNORM'])(
    '%s keeps a colour it can hold',
    (format) => {
      for (const [r, g, b] of [
        [0, 0, 0],
        [255, 255, 255],
        [255, 0, 0],
        // Five and six bits repeated, which the seven bits of BC7 do not reach.
        ...(format === 'BC7_UNORM' ? [] : ([[132, 130, 132]] as const)),
      ] as const) {
        expect(
          roundTrip(
            format,
            pixels(8, 8, () => [r, g, b, 255]),
          ).max,
        ).toBe(0);
      }
    },
  );

  it('black and white beside each other stay so in every format', () => {
    const board = pixels(16, 16, (x, y) => ((x + y) % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    for (const format of ['BC1_UNORM', 'BC2_UNORM', 'BC3_UNORM', 'BC4_UNORM', 'BC5_UNORM', 'BC7_UNORM'] as const) {
      expect(roundTrip(format, board).max, format).toBe(0);
    }
  });

  it('sizes that are no multiples of 4 repeat the edge', () => {
    const card = scenes.cornerCard(13, 7, '#3c6fc0');
    const elements = FORMATS.BC7_SRGB.encode(card);
    expect(elements.length).toBe(16 * 4 * 2);
    expect(difference(decodeElements('BC7_SRGB', 13, 7, elements), card.rgba).mean).toBeLessThan(6);
  });
});

describe('alpha', () => {
  it('BC1 makes holes where alpha is below half, and only there', () => {
    const leaves = scenes.leaves(64, 64);
    const decoded = decodeElements('BC1_SRGB', 64, 64, FORMATS.BC1_SRGB.encode(leaves));
    let holes = 0;
    for (let i = 0; i < decoded.length; i += 4) {
      const hole = leaves.rgba[i + 3]! < 128;
      holes += hole ? 1 : 0;
      expect(decoded[i + 3]).toBe(hole ? 0 : 255);
      if (hole) expect([...decoded.subarray(i, i + 3)]).toEqual([0, 0, 0]);
    }
    expect(holes).toBeGreaterThan(500);
  });

  it('a wholly transparent BC1 block has no colour', () => {
    const out = new Uint8Array(8);
    encodeBc1Alpha(new Uint8Array(64), out, 0);
    expect(out).toEqual(Uint8Array.of(0, 0, 0, 0, 255, 255, 255, 255));
  });

  it('BC7 keeps opaque pictures exactly opaque', () => {
    const decoded = decodeElements('BC7_UNORM', 96, 96, FORMATS.BC7_UNORM.encode(scenes.landscape(96, 96)));
    expect(decoded.every((v, i) => i % 4 !== 3 || v === 255)).toBe(true);
  });
});

describe('modes', () => {
  it('BC4 uses both: eight steps for a ramp, both extremes for a mask', () => {
    const ramp = FORMATS.BC4_UNORM.encode(pixels(4, 4, (x, y) => [100 + 4 * y + x, 0, 0, 255]));
    expect(ramp[0]!).toBeGreaterThan(ramp[1]!);
    const mask = new Uint8Array(8);
    const texels = new Uint8Array(64);
    [0, 255, 0, 255, 0, 255, 0, 255, 90, 94, 98, 102, 106, 110, 0, 255].forEach((v, i) => (texels[4 * i] = v));
    encodeBc4(texels, mask, 0);
    expect(mask[0]!).toBeLessThanOrEqual(mask[1]!);
    expect(
      difference(decodeElements('BC4_UNORM', 4, 4, mask), kept('BC4_UNORM', { width: 4, height: 4, rgba: texels })).max,
    ).toBeLessThanOrEqual(1);
  });

  it('BC7 uses three modes over the sample', () => {
    const blocks = [scenes.landscape(64, 64), scenes.logo(64, 64, ['A', 'B']), scenes.coinIcon(64, 64)].map((picture) =>
      encodeBlocks(picture, [4, 4], 16, encodeBc7),
    );
    const modes = new Set(
      blocks.flatMap((data) => Array.from({ length: 256 }, (_, i) => bc7Mode(data.subarray(16 * i)))),
    );
    expect([...modes].sort()).toEqual([1, 5, 6]);
  });

  it('random BC7 blocks come in the shares asked for', () => {
    const shares = [1, 1, 2, 2, 3, 3, 6, 1, 1];
    const blocks = randomBc7Blocks(20_000, shares, random(5));
    const counts = new Array<number>(9).fill(0);
    for (let i = 0; i < blocks.length; i += 16) counts[blocks[i] === 0 ? 8 : bc7Mode(blocks.subarray(i))]! += 1;
    counts.forEach((count, mode) => expect(Math.abs(count / 1000 - shares[mode]!)).toBeLessThan(0.25));
    expect(
      randomBc7Blocks(10, [0, 0, 0, 1], random(1))
        .filter((_, i) => i % 16 === 0)
        .every((v) => (v & 15) === 8),
    ).toBe(true);
  });

  it('encoding is deterministic', () => {
    const coin = scenes.coinIcon(32, 32);
    expect(encodeBlocks(coin, [4, 4], 16, encodeBc7)).toEqual(encodeBlocks(coin, [4, 4], 16, encodeBc7));
  });
});
