import { describe, expect, it } from 'vitest';
import { createKernels, TEXEL_FORMATS, type Kernels } from '../../ts/kernels/index.ts';
import { random, randomBytes } from '../support/random.ts';

const CANARY = 0x5a;
const MARGIN = 64;

/** Runs `write` with an output in the middle of a buffer, and checks that nothing around it was touched. */
function guarded(kernels: Kernels, size: number, write: (out: Uint8Array) => Uint8Array): Uint8Array {
  const buffer = kernels.alloc(size + 2 * MARGIN);
  try {
    buffer.bytes.fill(CANARY);
    const result = write(buffer.bytes.subarray(MARGIN, MARGIN + size)).slice();
    const all = buffer.bytes;
    expect(all.subarray(0, MARGIN).every((byte) => byte === CANARY)).toBe(true);
    expect(all.subarray(MARGIN + size).every((byte) => byte === CANARY)).toBe(true);
    return result;
  } finally {
    buffer.free();
  }
}

/** Seeded arguments, sensible and not: both backends agree on them and stay inside their buffers. */
describe('kernels stay inside their buffers and agree', () => {
  const wasm = createKernels({ backend: 'wasm' });
  const ts = createKernels({ backend: 'ts' });

  it('tegra', () => {
    const next = random(11);
    const below = (n: number): number => next() % n;
    for (let i = 0; i < 600; i++) {
      const size = [1, 2, 4, 8, 12, 16][below(6)]!;
      const [width, height] = [1 + below(90), 1 + below(90)];
      const tiling = { blockHeightLog2: below(6), blockDepthLog2: below(6), pitch: below(3) ? 0 : 1 + below(400) };
      const [slice, base] = [below(5), below(3) ? 0 : below(9000)];
      const rowStart = below(height + 2);
      const rowEnd = rowStart + below(height + 2);
      const data = randomBytes(below(20000), i);
      const rows = Math.max(0, Math.min(rowEnd, height) - rowStart);
      const run = (k: Kernels) => (out: Uint8Array) =>
        k.tegra.deswizzle(data, base, size, width, height, tiling, slice, rowStart, rowEnd, out);
      const outputSize = size * width * rows;
      expect(guarded(wasm, outputSize, run(wasm))).toEqual(guarded(ts, outputSize, run(ts)));
    }
  });

  it.each(TEXEL_FORMATS)('decodeRows of %s', (format) => {
    const next = random(TEXEL_FORMATS.indexOf(format) + 1);
    const below = (n: number): number => next() % n;
    for (let i = 0; i < 120; i++) {
      const [width, height] = [1 + below(70), 1 + below(70)];
      const tiling = { blockHeightLog2: below(6), blockDepthLog2: below(3), pitch: below(3) ? 0 : 1 + below(400) };
      const extent = format.startsWith('bc') ? 4 : 1;
      const rowStart = below(Math.ceil(height / extent));
      const rowEnd = rowStart + below(height);
      const data = randomBytes(below(9000), i);
      const size = 4 * width * Math.max(0, Math.min(rowEnd * extent, height) - rowStart * extent);
      const run = (k: Kernels) => (out: Uint8Array) =>
        k.tegra.decodeRows(format, data, 0, width, height, tiling, below(1), rowStart, rowEnd, out);
      expect(guarded(wasm, size, run(wasm))).toEqual(guarded(ts, size, run(ts)));
    }
  });

  it('block heights and depths above 5 are refused', () => {
    for (const k of [wasm, ts]) {
      const run = (blockHeightLog2: number, blockDepthLog2: number) => () =>
        k.tegra.deswizzle(new Uint8Array(512), 0, 4, 4, 4, { blockHeightLog2, blockDepthLog2, pitch: 0 }, 0, 0, 4);
      expect(run(6, 0)).toThrow(RangeError);
      expect(run(0, 6)).toThrow(RangeError);
    }
  });

  it('an out that is too small is refused', () => {
    for (const k of [wasm, ts])
      expect(() => k.pixel.decode('r8', new Uint8Array(4), new Uint8Array(15))).toThrow(RangeError);
  });
});
