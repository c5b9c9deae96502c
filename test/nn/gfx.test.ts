import { describe, expect, it } from 'vitest';
import { blockExtent, ELEMENT_SIZE, TEXEL_FORMATS } from '../../ts/kernels/contract.ts';
import { imageFormat } from '../../ts/nn/gfx.ts';

const [UNORM, SNORM, UINT, SINT, FLOAT, SRGB, DEPTH, UFLOAT] = [1, 2, 3, 4, 5, 6, 7, 10];

/** What nn::gfx has a format of the hardware for (open-ead/nnheaders gfx_NvnHelper.cpp), by channel format. */
const HARDWARE: Record<number, number[]> = {
  0x02: [UNORM, SNORM, UINT, SINT],
  0x03: [UNORM],
  0x05: [UNORM],
  0x06: [UNORM],
  0x07: [UNORM],
  0x08: [UNORM],
  0x09: [UNORM, SNORM, UINT, SINT],
  0x0a: [UNORM, SNORM, UINT, SINT, FLOAT, DEPTH],
  0x0b: [UNORM, SNORM, UINT, SINT, SRGB],
  0x0c: [UNORM, SRGB],
  0x0d: [FLOAT],
  0x0e: [UNORM, UINT],
  0x0f: [FLOAT],
  0x12: [UNORM, SNORM, UINT, SINT, FLOAT],
  0x13: [DEPTH],
  0x14: [UINT, SINT, FLOAT, DEPTH],
  0x15: [UNORM, SNORM, UINT, SINT, FLOAT],
  0x16: [DEPTH],
  0x17: [UINT, SINT, FLOAT],
  0x18: [UINT, SINT, FLOAT],
  0x19: [UINT, SINT, FLOAT],
  0x1a: [UNORM, SRGB],
  0x1b: [UNORM, SRGB],
  0x1c: [UNORM, SRGB],
  0x1d: [UNORM, SNORM],
  0x1e: [UNORM, SNORM],
  0x1f: [FLOAT, UFLOAT],
  0x20: [UNORM, SRGB],
  ...Object.fromEntries(Array.from({ length: 14 }, (_, i) => [0x2d + i, [UNORM, SRGB]])), // ASTC
  0x3b: [UNORM],
};

describe('image formats', () => {
  it('are decoded where the hardware has them, and nowhere else', () => {
    const used = new Set<string>();
    for (let channel = 0; channel < 0x40; channel++) {
      for (let type = 0; type < 16; type++) {
        const { name, bytes, blockWidth, blockHeight, texelFormat } = imageFormat((channel << 8) | type);
        expect([name, texelFormat !== undefined]).toEqual([name, HARDWARE[channel]?.includes(type) ?? false]);
        if (!texelFormat) continue;
        const { width, height } = blockExtent(texelFormat);
        expect([name, bytes, blockWidth, blockHeight]).toEqual([name, ELEMENT_SIZE[texelFormat], width, height]);
        used.add(texelFormat);
      }
    }
    expect([...used].toSorted()).toEqual([...TEXEL_FORMATS].toSorted());
  });
});
