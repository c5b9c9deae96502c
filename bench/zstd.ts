import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeZstd, writeZstdDictionary } from '../scripts/sample/zstd.ts';
import { createKernels, type Kernels } from '../ts/kernels/index.ts';
import { race, type Row } from './measure.ts';
import { mixedData } from './mixed-data.ts';

const SMALL_FILES = 400;
const DICTIONARY_ID = 7;

/** zstd of large data, and of many small files with a dictionary that is parsed once. */
export function benchZstd(wanted: (kernel: string) => boolean): Row[] {
  return [...(wanted('zstd') ? large() : []), ...(wanted('zstd-dict') ? small() : [])];
}

function decodeAll({ zstd }: Kernels, decoder: number, packed: Uint8Array): Uint8Array {
  const parts = [zstd.decoderPush(decoder, packed, true)];
  while (zstd.decoderPending(decoder)) parts.push(zstd.decoderPush(decoder, new Uint8Array(0), true));
  zstd.decoderFree(decoder);
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

function large(): Row[] {
  const data = mixedData(8 * 1024 * 1024, 2);
  const { packed, by } = compressed(data);
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  const decode = (kernels: Kernels): Uint8Array => decodeAll(kernels, kernels.zstd.decoderOpen(1 << 28, 0), packed);
  return race({
    kernel: 'zstd',
    input: `8 MiB of text, tables and texture blocks, ${by}`,
    output: 'bytes',
    unit: 'MB/s',
    amount: data.length / 1e6,
    contestants: [
      { name: 'wasm', run: () => decode(wasm) },
      { name: 'ts', run: () => decode(ts) },
    ],
  });
}

/** By the zstd tool at level 17, as games' tools do, or by our own small writer where it is missing. */
function compressed(data: Uint8Array): { packed: Uint8Array; by: string } {
  const folder = mkdtempSync(join(tmpdir(), 'romflow-bench-'));
  try {
    const file = join(folder, 'data');
    writeFileSync(file, data);
    const { status } = spawnSync('zstd', ['-q', '-17', file, '-o', `${file}.zst`]);
    return status === 0
      ? { packed: readFileSync(`${file}.zst`), by: 'zstd -17' }
      : { packed: writeZstd(data), by: 'own writer' };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function small(): Row[] {
  const files = Array.from({ length: SMALL_FILES }, (_, i) => mixedData(1000 + ((i * 37) % 5000), i + 10));
  const dictionary = writeZstdDictionary(files.slice(0, 40), DICTIONARY_ID);
  const packed = files.map((file) => writeZstd(file, { dictionary }));
  const decodeFiles = (kernels: Kernels): (() => Uint8Array) => {
    const handle = kernels.zstd.dictionaryOpen(dictionary.bytes);
    return () => {
      let last = new Uint8Array(0);
      for (const frame of packed) {
        const decoder = kernels.zstd.decoderOpen(1 << 28, 0);
        kernels.zstd.decoderAddDictionary(decoder, handle);
        last = new Uint8Array(decodeAll(kernels, decoder, frame));
      }
      return last;
    };
  };
  return race({
    kernel: 'zstd-dict',
    input: `${SMALL_FILES} files of 1 to 6 kB with a dictionary of ${dictionary.bytes.length} bytes`,
    output: 'bytes',
    unit: 'MB/s',
    amount: files.reduce((sum, file) => sum + file.length, 0) / 1e6,
    contestants: [
      { name: 'wasm', run: decodeFiles(createKernels()) },
      { name: 'ts', run: decodeFiles(createKernels({ backend: 'ts' })) },
    ],
  });
}
