import { randomBytes } from '../../test/support/random.ts';
import { createKernels, type Tiling } from '../../ts/kernels/index.ts';
import { race, type Bench, type Row } from './measure.ts';

const TILING: Tiling = { blockHeightLog2: 4, blockDepthLog2: 0, pitch: 0 };

/** Deswizzling RGBA8 against the copy of as many bytes in the same memory. */
export async function* benchTegra(bench: Bench): AsyncGenerator<Row[], void, void> {
  for (const extent of [1024, 1000]) {
    const bytes = 4 * extent * extent;
    const blockRows = Math.ceil(extent / 128);
    const surface = randomBytes(Math.ceil((4 * extent) / 64) * 512 * 16 * blockRows, 1);
    const wasm = createKernels();
    const input = wasm.alloc(surface.length);
    const output = wasm.alloc(Math.max(bytes, surface.length));
    const copied = wasm.alloc(bytes);
    input.bytes.set(surface);
    output.bytes.fill(1);
    copied.bytes.fill(1);
    const ts = createKernels({ backend: 'ts' });
    const tsOutput = new Uint8Array(bytes);
    yield race(bench, {
      kernel: 'tegra',
      input: `${extent} x ${extent} RGBA8, block height 16`,
      output: 'rows',
      unit: 'MB/s',
      amount: bytes / 1e6,
      contestants: [
        {
          name: 'wasm',
          run: () => wasm.tegra.deswizzle(input.bytes, 0, 4, extent, extent, TILING, 0, 0, extent, output.bytes),
        },
        { name: 'ts', run: () => ts.tegra.deswizzle(surface, 0, 4, extent, extent, TILING, 0, 0, extent, tsOutput) },
        // Decoding RGBA8 to RGBA8 is one memory.copy.
        { name: 'memcpy', run: () => void wasm.pixel.decode('rgba8', input.bytes.subarray(0, bytes), copied.bytes) },
      ],
    });
  }
}
