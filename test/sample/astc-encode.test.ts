import { describe, expect, it } from 'vitest';
import { FORMATS, type FormatName } from '../../scripts/sample/formats.ts';
import { pixels } from '../../scripts/sample/picture.ts';
import { landscape } from '../../scripts/sample/scenes.ts';
import { FOOTPRINTS } from '../support/astc-blocks.ts';
import { LINEAR_ASTCENC, SRGB_ASTCENC, decodeAstc } from '../support/astcenc.ts';
import { decodeElements } from './tiny-decoder.ts';

const NAMES = (Object.keys(FORMATS) as FormatName[]).filter((name) => name.startsWith('ASTC'));

describe('ASTC', () => {
  it('has all block sizes, linear and sRGB', () => {
    expect(NAMES.map((name) => FORMATS[name].extent)).toEqual(FOOTPRINTS.flatMap((size) => [size, size]));
  });

  it.each(NAMES)('%s is to Arm what it is to the judge of the encoders', (name) => {
    const picture = landscape(37, 29);
    const srgb = name.endsWith('SRGB');
    const blocks = FORMATS[name].encode(picture);
    const judged = decodeElements(name, 37, 29, blocks);
    const command = srgb ? SRGB_ASTCENC : LINEAR_ASTCENC;
    expect(judged).toHaveLength(picture.rgba.length);
    if (command)
      expect(decodeAstc(command, srgb, FOOTPRINTS[NAMES.indexOf(name) >> 1]!, 37, 29, blocks)).toEqual(judged);
  });

  it('a block of one colour keeps it', () => {
    const blocks = FORMATS.ASTC6x5_UNORM.encode(pixels(6, 5, () => [1, 20, 255, 0]));
    // The void extent, without coordinates, and each channel in 16 bits.
    expect(Buffer.from(blocks).toString('hex')).toBe('fcfdffffffffffff01011414ffff0000');
  });

  it('the ends of a block are the colours that differ most', () => {
    // Weights 0, 1, 2, 3 in each row, two bits each from the last on: 00 10 01 11.
    const ramp = pixels(4, 4, (x) => [85 * x, 85 * x, 85 * x, 255]);
    const block = FORMATS.ASTC4x4_UNORM.encode(ramp);
    expect([...block.subarray(12)]).toEqual([0x27, 0x27, 0x27, 0x27]);
    // (257 * 255 * 21 + 32) / 64 / 256 = 84.0, and of 43, 171.99
    expect([...decodeElements('ASTC4x4_UNORM', 4, 1, block)].filter((_, i) => i % 4 === 0)).toEqual([0, 84, 171, 255]);
  });
});
