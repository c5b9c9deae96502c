import { legalAstcBlocks } from '../../test/support/astc-blocks.ts';
import { createKernels, type TexelFormat } from '../../ts/kernels/index.ts';
import { race, type Bench, type Row } from './measure.ts';
import { bricks } from './pictures.ts';

const EXTENT = 1024;

/** ASTC decoders, blocks and pixels in kernel memory. */
export async function* benchAstc(bench: Bench): AsyncGenerator<Row[], void, void> {
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  for (const side of [4, 6, 8]) {
    const footprint = `${side}x${side}`;
    const kernel = `astc${footprint}`;
    if (!bench.wanted(kernel)) continue;
    const format = `astc-${footprint}` as TexelFormat;
    const encoded = bench.outside?.encodeAstc(bricks(), footprint);
    const data = encoded ?? legalAstcBlocks(Math.ceil(EXTENT / side) ** 2, side);
    const source = wasm.alloc(data.length);
    const target = wasm.alloc(4 * EXTENT ** 2);
    const tsTarget = new Uint8Array(4 * EXTENT ** 2);
    source.bytes.set(data);
    yield race(bench, {
      kernel,
      input: `${EXTENT} x ${EXTENT}, ${encoded ? 'bricks with noise, astcenc -medium' : 'random blocks, one partition'}`,
      output: 'RGBA8',
      unit: 'Mpx/s',
      amount: EXTENT ** 2 / 1e6,
      contestants: [
        { name: 'wasm', run: () => wasm.astc.decode(format, source.bytes, EXTENT, EXTENT, target.bytes) },
        { name: 'ts', run: () => ts.astc.decode(format, data, EXTENT, EXTENT, tsTarget) },
        ...((await bench.outside?.blockDecoders(format, data, EXTENT, EXTENT)) ?? []),
      ],
    });
    source.free();
    target.free();
  }
}
