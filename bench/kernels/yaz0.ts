import { encodeYaz0 } from '../../scripts/sample/yaz0.ts';
import { createKernels, type Kernels } from '../../ts/kernels/index.ts';
import { race, type Bench, type Row } from './measure.ts';
import { mixedData } from './mixed-data.ts';

/** Yaz0 of data such as archives hold, pushed whole. */
export async function* benchYaz0(bench: Bench): AsyncGenerator<Row[], void, void> {
  const data = mixedData(4 * 1024 * 1024);
  const packed = encodeYaz0(data);
  const decode = ({ yaz0 }: Kernels): Uint8Array[] => {
    const decoder = yaz0.decoderOpen();
    const parts = [yaz0.decoderPush(decoder, packed, true)];
    while (yaz0.decoderPending(decoder)) parts.push(yaz0.decoderPush(decoder, new Uint8Array(0), true));
    yaz0.decoderFree(decoder);
    return parts;
  };
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  yield race(bench, {
    kernel: 'yaz0',
    input: '4 MiB of text, tables and texture blocks',
    output: 'bytes',
    unit: 'MB/s',
    amount: data.length / 1e6,
    contestants: [
      { name: 'wasm', run: () => decode(wasm) },
      { name: 'ts', run: () => decode(ts) },
    ],
  });
}
