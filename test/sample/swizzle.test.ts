import { describe, expect, it } from 'vitest';
import {
  blockLinearAddress,
  blockLinearSize,
  chooseBlockDepth,
  chooseBlockHeight,
  linearPitch,
  pitchLinear,
  shrinkBlocks,
  surfaceLayout,
  swizzle,
} from '../../scripts/sample/swizzle.ts';
import { randomBytes } from '../support/random.ts';
import { unswizzle } from './tiny-reader.ts';

const level = (width: number, height: number, depth: number, bytesPerElement: number) => ({
  width,
  height,
  depth,
  bytesPerElement,
});

describe('block-linear addresses, worked out by hand', () => {
  const flat = { blockHeight: 1, blockDepth: 1 };
  // 128 bytes (2 GOBs) by 40 rows.
  const surface = level(32, 40, 1, 4);

  it.each([
    [0, 0, 0],
    [15, 0, 15],
    [16, 0, 32],
    [0, 1, 16],
    [16, 1, 48],
    [0, 2, 64],
    [0, 7, 208],
    [32, 0, 256],
    [63, 7, 511],
    [64, 0, 512],
    [0, 8, 1024],
    [100, 13, 1024 + 512 + 256 + 128 + 16 + 4],
  ])('x %i, y %i lies at %i in blocks one GOB high', (x, y, address) => {
    expect(blockLinearAddress(x, y, 0, surface, flat)).toBe(address);
  });

  it.each([
    [0, 8, 512],
    [0, 15, 512 + 208],
    [64, 0, 2048],
    [0, 31, 3 * 512 + 208],
    [0, 32, 4096],
    [64, 39, 4096 + 2048 + 208],
  ])('x %i, y %i lies at %i in blocks four GOBs high', (x, y, address) => {
    expect(blockLinearAddress(x, y, 0, surface, { blockHeight: 4, blockDepth: 1 })).toBe(address);
  });

  it.each([
    [0, 0, 1, 1024],
    [0, 8, 1, 1024 + 512],
    [0, 0, 4, 8192],
    [64, 0, 0, 4096],
    [64, 9, 7, 8192 + 4096 + 3 * 1024 + 512 + 16],
  ])('x %i, y %i, z %i lies at %i in blocks two GOBs high and four slices deep', (x, y, z, address) => {
    expect(blockLinearAddress(x, y, z, level(32, 16, 8, 4), { blockHeight: 2, blockDepth: 4 })).toBe(address);
  });
});

describe('swizzle', () => {
  const cases: [
    width: number,
    height: number,
    depth: number,
    bytes: number,
    blockHeight: number,
    blockDepth: number,
  ][] = [];
  for (const bytes of [1, 2, 4, 8, 12, 16]) {
    for (const blockHeight of [1, 2, 4, 8, 16, 32]) cases.push([37, 83, 1, bytes, blockHeight, 1]);
    for (const blockDepth of [1, 2, 4, 8, 16]) cases.push([19, 21, 11, bytes, 2, blockDepth]);
  }

  it.each(cases)(
    '%i x %i x %i elements of %i bytes, block height %i, depth %i',
    (width, height, depth, bytes, bh, bd) => {
      const linear = randomBytes(width * height * depth * bytes, bytes);
      const stored = swizzle(linear, level(width, height, depth, bytes), { blockHeight: bh, blockDepth: bd });
      expect(stored.length).toBe(
        blockLinearSize(level(width, height, depth, bytes), { blockHeight: bh, blockDepth: bd }),
      );
      const back = unswizzle(stored, { rowSize: width * bytes, rows: height, depth }, bh, bd);
      expect(Buffer.compare(back, linear)).toBe(0);
      // Nothing lies in the padding.
      const sum = (data: Uint8Array): number => data.reduce((total, v) => total + v, 0);
      expect(sum(stored)).toBe(sum(linear));
    },
  );

  it('refuses elements of the wrong size', () => {
    expect(() => swizzle(new Uint8Array(63), level(4, 4, 1, 4), { blockHeight: 1, blockDepth: 1 })).toThrow(RangeError);
  });

  it('writes pitch-linear rows at multiples of 32 bytes', () => {
    const thirteen = level(13, 7, 1, 4);
    expect(linearPitch(thirteen)).toBe(64);
    const linear = randomBytes(13 * 7 * 4, 1);
    const stored = pitchLinear(linear, thirteen);
    expect(stored.length).toBe(64 * 7);
    expect(stored.subarray(64, 64 + 52)).toEqual(linear.subarray(52, 104));
    expect(stored.subarray(64 + 52, 128)).toEqual(new Uint8Array(12));
  });
});

describe('block sizes', () => {
  it('chooses by one and a half heights', () => {
    expect([5, 10, 11, 21, 22, 42, 43, 80, 85, 86].map(chooseBlockHeight)).toEqual([1, 1, 2, 2, 4, 4, 8, 8, 8, 16]);
    expect([1, 2, 3, 5, 6, 10, 11, 33].map(chooseBlockDepth)).toEqual([1, 2, 4, 4, 8, 8, 16, 16]);
  });

  it('shrinks until the level is more than half a block', () => {
    const tall = { blockHeight: 16, blockDepth: 8 };
    expect(shrinkBlocks(tall, level(1, 128, 8, 4), 0)).toEqual({ blockHeight: 16, blockDepth: 8 });
    expect(shrinkBlocks(tall, level(1, 65, 5, 4), 1)).toEqual({ blockHeight: 16, blockDepth: 8 });
    expect(shrinkBlocks(tall, level(1, 64, 4, 4), 1)).toEqual({ blockHeight: 8, blockDepth: 4 });
    expect(shrinkBlocks(tall, level(1, 8, 1, 4), 3)).toEqual({ blockHeight: 1, blockDepth: 1 });
    // Height 34: the second mip still fills more than one GOB.
    expect(shrinkBlocks({ blockHeight: 4, blockDepth: 1 }, level(1, 17, 1, 4), 1).blockHeight).toBe(4);
    expect(shrinkBlocks({ blockHeight: 4, blockDepth: 1 }, level(1, 8, 1, 4), 2).blockHeight).toBe(1);
  });
});

describe('layout of a whole texture', () => {
  const shape = { depth: 1, layers: 1, mips: 1, extent: [4, 4] as const, blockDepth: 1, tileMode: 'optimal' as const };

  it('puts the mips of a 256 x 256 BC1 texture where real files have them', () => {
    const { mips, size } = surfaceLayout({
      ...shape,
      width: 256,
      height: 256,
      mips: 9,
      bytesPerElement: 8,
      blockHeight: 8,
    });
    expect(mips.map(({ offset }) => offset + 0x1000)).toEqual([
      0x1000, 0x9000, 0xb000, 0xb800, 0xba00, 0xbc00, 0xbe00, 0xc000, 0xc200,
    ]);
    expect(size).toBe(0xb400);
  });

  it('rounds the layers of an array up to whole blocks', () => {
    // Three layers of 100 x 100 BC1, seven mips: 0x3200 bytes each, in blocks of 4 x 512 bytes.
    const arrays = surfaceLayout({
      ...shape,
      width: 100,
      height: 100,
      mips: 7,
      layers: 3,
      bytesPerElement: 8,
      blockHeight: 4,
    });
    expect(arrays.mips.at(-1)!.offset + arrays.mips.at(-1)!.size).toBe(0x3200);
    expect(arrays.layerStride).toBe(0x3800);
    expect(arrays.size).toBe(0xa800);
  });

  it('halves the block depth of smaller mips', () => {
    const volume = surfaceLayout({
      ...shape,
      width: 64,
      height: 8,
      depth: 8,
      mips: 4,
      extent: [1, 1],
      bytesPerElement: 1,
      blockHeight: 1,
      blockDepth: 8,
    });
    expect(volume.mips.map(({ size }) => size)).toEqual([0x1000, 0x800, 0x400, 0x200]);
  });
});
