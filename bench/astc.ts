import { LINEAR_ASTCENC, SRGB_ASTCENC, encodeAstc } from '../test/support/astcenc.ts';
import { createKernels, type TexelFormat } from '../ts/kernels/index.ts';
import { race, type Row } from './measure.ts';
import { pictures } from './pictures.ts';

const EXTENT = 1024;

/** ASTC decoders, blocks and pixels in kernel memory; nothing where there is no encoder. */
export function benchAstc(wanted: (kernel: string) => boolean): Row[] {
  const astcenc = LINEAR_ASTCENC ?? SRGB_ASTCENC;
  if (!astcenc) {
    console.error('bench: astc needs astcenc, of @gpu-tex-enc/astc (Linux on x64) or installed');
    return [];
  }
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  const rows: Row[] = [];
  for (const size of ['4x4', '6x6', '8x8']) {
    const kernel = `astc${size}`;
    if (!wanted(kernel)) continue;
    const format = `astc-${size}` as TexelFormat;
    const data = encodeAstc(astcenc, pictures()[0]!, size, '-medium');
    const source = wasm.alloc(data.length);
    const target = wasm.alloc(4 * EXTENT * EXTENT);
    const tsTarget = new Uint8Array(4 * EXTENT * EXTENT);
    source.bytes.set(data);
    rows.push(
      ...race({
        kernel,
        input: `${EXTENT} x ${EXTENT}, bricks with noise, astcenc -medium`,
        output: 'RGBA8',
        unit: 'Mpx/s',
        amount: (EXTENT * EXTENT) / 1e6,
        contestants: [
          { name: 'wasm', run: () => wasm.astc.decode(format, source.bytes, EXTENT, EXTENT, target.bytes) },
          { name: 'ts', run: () => ts.astc.decode(format, data, EXTENT, EXTENT, tsTarget) },
        ],
      }),
    );
    source.free();
    target.free();
  }
  return rows;
}
