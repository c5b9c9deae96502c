import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeZstd, writeZstdDictionary } from '../scripts/sample/zstd.ts';
import { createKernels, type Kernels } from '../ts/kernels/index.ts';
import { race, type Contestant, type Row } from './measure.ts';
import { mixedData } from './mixed-data.ts';
import { peer } from './peers.ts';

const SMALL_FILES = 400;
const DICTIONARY_ID = 7;

/** zstd of large data, and of many small files with a dictionary that is parsed once. */
export async function benchZstd(wanted: (kernel: string) => boolean): Promise<Row[]> {
  return [...(wanted('zstd') ? await large() : []), ...(wanted('zstd-dict') ? await small() : [])];
}

interface Bokuweb {
  init(): Promise<void>;
  decompress(data: Uint8Array, options: { defaultHeapSize: number }): Uint8Array;
  createDCtx(): number;
  decompressUsingDict(context: number, data: Uint8Array, dictionary: Uint8Array): Uint8Array;
}

async function bokuweb(): Promise<Bokuweb | undefined> {
  const module = await peer<Bokuweb & { default?: Bokuweb }>('@bokuweb/zstd-wasm');
  await module?.init();
  return module;
}

/** What other packages make of one frame of `size` bytes. */
async function peersOf(packed: Uint8Array, size: number): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  const zstdWasm = await bokuweb();
  if (zstdWasm) {
    const run = (): Uint8Array => zstdWasm.decompress(packed, { defaultHeapSize: 1 << 24 });
    contestants.push({ name: '@bokuweb/zstd-wasm', run });
  }
  const fzstd = await peer<{ decompress(data: Uint8Array): Uint8Array }>('fzstd');
  if (fzstd) contestants.push({ name: 'fzstd', run: () => fzstd.decompress(packed) });
  const zstddec = await peer<{
    ZSTDDecoder: new () => { init(): Promise<void>; decode(data: Uint8Array, size: number): Uint8Array };
  }>('zstddec');
  if (zstddec) {
    const decoder = new zstddec.ZSTDDecoder();
    await decoder.init();
    contestants.push({ name: 'zstddec', run: () => decoder.decode(packed, size) });
  }
  const codec = await peer<{ ZstdCodec: { run(use: (zstd: ZstdCodecBinding) => void): void } }>('zstd-codec');
  if (codec) {
    const binding = await new Promise<ZstdCodecBinding>((resolve) => codec.ZstdCodec.run(resolve));
    const simple = new binding.Streaming();
    contestants.push({ name: 'zstd-codec', run: () => simple.decompress(packed, size) });
  }
  return contestants;
}

interface ZstdCodecBinding {
  Streaming: new () => { decompress(data: Uint8Array, sizeHint: number): Uint8Array };
}

function decodeAll({ zstd }: Kernels, decoder: number, packed: Uint8Array): Uint8Array {
  const parts = [zstd.decoderPush(decoder, packed, true)];
  while (zstd.decoderPending(decoder)) parts.push(zstd.decoderPush(decoder, new Uint8Array(0), true));
  zstd.decoderFree(decoder);
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

async function large(): Promise<Row[]> {
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
      ...(await peersOf(packed, data.length)),
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

async function small(): Promise<Row[]> {
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
  const zstdWasm = await bokuweb();
  const context = zstdWasm?.createDCtx() ?? 0;
  const decodeByPeer = (): Uint8Array => {
    let last = new Uint8Array(0);
    for (const frame of packed) last = new Uint8Array(zstdWasm!.decompressUsingDict(context, frame, dictionary.bytes));
    return last;
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
      ...(zstdWasm ? [{ name: '@bokuweb/zstd-wasm', run: decodeByPeer }] : []),
    ],
  });
}
