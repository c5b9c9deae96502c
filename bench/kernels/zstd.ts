import { writeZstd, writeZstdDictionary } from '../../scripts/sample/zstd.ts';
import { createKernels, type Kernels } from '../../ts/kernels/index.ts';
import { race, type Bench, type Row } from './measure.ts';
import { mixedData } from './mixed-data.ts';

const LARGE_SIZE = 8 * 1024 * 1024;
const SMALL_FILES = 400;
const DICTIONARY_ID = 7;

/** zstd of large data, and of many small files with a dictionary that is parsed once. */
export async function* benchZstd(bench: Bench): AsyncGenerator<Row[], void, void> {
  if (bench.wanted('zstd')) yield benchLarge(bench);
  if (bench.wanted('zstd-dict')) yield benchSmall(bench);
}

function decodeAll({ zstd }: Kernels, decoder: number, packed: Uint8Array): Uint8Array[] {
  const parts = [zstd.decoderPush(decoder, packed, true)];
  while (zstd.decoderPending(decoder)) parts.push(zstd.decoderPush(decoder, new Uint8Array(0), true));
  zstd.decoderFree(decoder);
  return parts;
}

async function benchLarge(bench: Bench): Promise<Row[]> {
  const data = mixedData(LARGE_SIZE, 2);
  const byTool = bench.outside?.packZstd(data);
  const packed = byTool ?? writeZstd(data);
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  const decode = (kernels: Kernels): Uint8Array[] => decodeAll(kernels, kernels.zstd.decoderOpen(1 << 28, 0), packed);
  return race(bench, {
    kernel: 'zstd',
    input: `8 MiB of text, tables and texture blocks, ${byTool ? 'zstd -17' : 'own writer'}`,
    output: 'bytes',
    unit: 'MB/s',
    amount: data.length / 1e6,
    contestants: [
      { name: 'wasm', run: () => decode(wasm) },
      { name: 'ts', run: () => decode(ts) },
      ...((await bench.outside?.zstdDecoders(packed, data.length)) ?? []),
    ],
  });
}

async function benchSmall(bench: Bench): Promise<Row[]> {
  const files = Array.from({ length: SMALL_FILES }, (_, i) => mixedData(1000 + ((i * 37) % 5000), i + 10));
  const dictionary = writeZstdDictionary(files.slice(0, 40), DICTIONARY_ID);
  const frames = files.map((file) => writeZstd(file, { dictionary }));
  const size = files.reduce((sum, file) => sum + file.length, 0);
  const out = new Uint8Array(size);
  const decode = (kernels: Kernels): (() => Uint8Array) => {
    const handle = kernels.zstd.dictionaryOpen(dictionary.bytes);
    return () => {
      let at = 0;
      for (const frame of frames) {
        const decoder = kernels.zstd.decoderOpen(1 << 28, 0);
        kernels.zstd.decoderAddDictionary(decoder, handle);
        for (const bytes of decodeAll(kernels, decoder, frame)) {
          out.set(bytes, at);
          at += bytes.length;
        }
      }
      return out;
    };
  };
  return race(bench, {
    kernel: 'zstd-dict',
    input: `${SMALL_FILES} files of 1 to 6 kB with a dictionary of ${dictionary.bytes.length} bytes`,
    output: 'bytes',
    unit: 'MB/s',
    amount: size / 1e6,
    contestants: [
      { name: 'wasm', run: decode(createKernels()) },
      { name: 'ts', run: decode(createKernels({ backend: 'ts' })) },
      ...((await bench.outside?.zstdDictionaryDecoders(frames, dictionary.bytes, out)) ?? []),
    ],
  });
}
