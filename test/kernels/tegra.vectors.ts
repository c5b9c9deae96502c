import { randomBytes } from '../support/random.ts';
import type { Tiling } from '../../ts/kernels/contract.ts';
import { byteAddress, swizzle } from '../support/block-linear.ts';
import type { Vector } from './vectors.ts';

const tiling = (blockHeightLog2: number, blockDepthLog2 = 0, pitch = 0): Tiling => ({
  blockHeightLog2,
  blockDepthLog2,
  pitch,
});

/** Element size, width, height, depth, block height log2, block depth log2. */
const SHAPES: [number, number, number, number, number, number][] = [
  [1, 1, 1, 1, 0, 0],
  [1, 100, 9, 1, 1, 0],
  [2, 33, 40, 1, 2, 0],
  [4, 50, 20, 1, 1, 0],
  [4, 64, 130, 1, 4, 0],
  [4, 33, 33, 5, 0, 4],
  [8, 13, 70, 1, 3, 0],
  [12, 11, 17, 1, 1, 0],
  [16, 20, 300, 1, 5, 0],
  [16, 5, 12, 7, 1, 2],
  [4, 300, 24, 2, 1, 1],
];

/** The whole of a slice and ranges of rows of it, out of all of the surface and out of a part. */
export const tegraVectors: Vector[] = [
  ...SHAPES.flatMap(([size, width, height, depth, bhl, bdl], i) => {
    const rowSize = size * width;
    const rows = randomBytes(rowSize * height * depth, i + 1);
    const layout = tiling(bhl, bdl);
    const surface = swizzle(rows, rowSize, height, depth, layout);
    const slice = depth - 1;
    const expected = rows.subarray(rowSize * height * slice);
    const name = `${width} x ${height} x ${depth} of ${size} bytes, block height ${1 << bhl}, depth ${1 << bdl}`;
    const [from, to] = [Math.floor(height / 3), Math.ceil((2 * height) / 3)];
    return [
      {
        name: `deswizzle ${name}`,
        run: (k) => k.tegra.deswizzle(surface, 0, size, width, height, layout, slice, 0, height),
        expected,
      },
      {
        name: `deswizzle rows ${from} to ${to} of ${name}`,
        run: (k) => k.tegra.deswizzle(surface, 0, size, width, height, layout, slice, from, to),
        expected: expected.subarray(from * rowSize, to * rowSize),
      },
      {
        name: `deswizzle the last rows of ${name}, past the end`,
        run: (k) => k.tegra.deswizzle(surface, 0, size, width, height, layout, slice, to, height + 5),
        expected: expected.subarray(to * rowSize),
      },
      {
        name: `deswizzle ${name} with bytes missing at both ends`,
        run: (k) => {
          const part = surface.subarray(100, surface.length - 100);
          return k.tegra.deswizzle(part, 100, size, width, height, layout, slice, 0, height);
        },
        expected: expected.map((byte, at) => {
          const address = byteAddress(at % rowSize, Math.floor(at / rowSize), slice, rowSize, height, layout);
          return address >= 100 && address < surface.length - 100 ? byte : 0;
        }),
      },
    ] satisfies Vector[];
  }),
  {
    // 13 x 3 RGBA8 is 52 bytes a row, padded to 64.
    name: 'pitch-linear rows lose their padding',
    run: (k) => k.tegra.deswizzle(randomBytes(64 * 3, 9), 0, 4, 13, 3, tiling(0, 0, 64), 0, 1, 3),
    expected: new Uint8Array([
      ...randomBytes(64 * 3, 9).subarray(64, 116),
      ...randomBytes(64 * 3, 9).subarray(128, 180),
    ]),
  },
  {
    name: 'pitch-linear slices follow each other; missing bytes are 0',
    run: (k) => k.tegra.deswizzle(randomBytes(100, 3), 0, 1, 10, 4, tiling(0, 0, 16), 1, 0, 4),
    expected: new Uint8Array([
      ...randomBytes(100, 3).subarray(64, 74),
      ...randomBytes(100, 3).subarray(80, 90),
      ...randomBytes(100, 3).subarray(96, 100),
      ...new Uint8Array(16),
    ]),
  },
  {
    name: 'decodeRows of R8 is the texel, 0, 0, 255',
    run: (k) => k.tegra.decodeRows('r8', Uint8Array.of(7, 9, 0, 0), 0, 2, 1, tiling(0, 0, 4), 0, 0, 1),
    expected: Uint8Array.of(7, 0, 0, 255, 9, 0, 0, 255),
  },
  {
    name: 'decodeRows of BGRA8, block-linear',
    run: (k) => {
      const surface = swizzle(randomBytes(4 * 21 * 19, 5), 84, 19, 1, tiling(1));
      return k.tegra.decodeRows('bgra8', surface, 0, 21, 19, tiling(1), 0, 3, 18);
    },
    expected: bgraToRgba(randomBytes(4 * 21 * 19, 5).subarray(84 * 3, 84 * 18)),
  },
];

function bgraToRgba(bgra: Uint8Array): Uint8Array {
  return bgra.map((_, i) => bgra[i % 4 === 0 ? i + 2 : i % 4 === 2 ? i - 2 : i]!);
}
