import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contestant } from '../kernels/measure.ts';
import { peer } from './peers.ts';

interface Bokuweb {
  init(): Promise<void>;
  decompress(data: Uint8Array, options: { defaultHeapSize: number }): Uint8Array;
  createDCtx(): number;
  decompressUsingDict(context: number, data: Uint8Array, dictionary: Uint8Array): Uint8Array;
}

interface Zstddec {
  ZSTDDecoder: new () => { init(): Promise<void>; decode(data: Uint8Array, size: number): Uint8Array };
}

interface ZstdCodec {
  ZstdCodec: { run(use: (zstd: ZstdCodecBinding) => void): void };
}

interface ZstdCodecBinding {
  Streaming: new () => { decompress(data: Uint8Array, sizeHint: number): Uint8Array };
}

let bokuweb: Promise<Bokuweb | undefined> | undefined;

/** Made ready once: a second time would take the memory away that contexts lie in. */
function openBokuweb(): Promise<Bokuweb | undefined> {
  return (bokuweb ??= peer<Bokuweb>('@bokuweb/zstd-wasm').then(async (module) => {
    await module?.init();
    return module;
  }));
}

/** Decoders of one frame of `size` bytes. */
export async function zstdDecoders(frame: Uint8Array, size: number): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  const zstdWasm = await openBokuweb();
  if (zstdWasm) {
    const run = (): Uint8Array => zstdWasm.decompress(frame, { defaultHeapSize: 2 * size });
    contestants.push({ name: '@bokuweb/zstd-wasm', run });
  }
  const fzstd = await peer<{ decompress(data: Uint8Array): Uint8Array }>('fzstd');
  if (fzstd) contestants.push({ name: 'fzstd', run: () => fzstd.decompress(frame) });
  const zstddec = await peer<Zstddec>('zstddec');
  if (zstddec) {
    const decoder = new zstddec.ZSTDDecoder();
    await decoder.init();
    contestants.push({ name: 'zstddec', run: () => decoder.decode(frame, size) });
  }
  const codec = await peer<ZstdCodec>('zstd-codec');
  if (codec) {
    const binding = await new Promise<ZstdCodecBinding>((resolve) => codec.ZstdCodec.run(resolve));
    const streaming = new binding.Streaming();
    contestants.push({ name: 'zstd-codec', run: () => streaming.decompress(frame, size) });
  }
  if (zstdRuns()) {
    const run = (): Uint8Array => zstd(['-dc'], frame);
    contestants.push({ name: 'zstd', run, seconds: () => size / 1e6 / zstdRate(frame) });
  }
  return contestants;
}

/** Decoders of many frames with one dictionary, to `out`. */
export async function zstdDictionaryDecoders(
  frames: Uint8Array[],
  dictionary: Uint8Array,
  out: Uint8Array,
): Promise<Contestant[]> {
  const zstdWasm = await openBokuweb();
  if (!zstdWasm) return [];
  const context = zstdWasm.createDCtx();
  const run = (): Uint8Array => {
    let at = 0;
    for (const frame of frames) {
      const bytes = zstdWasm.decompressUsingDict(context, frame, dictionary);
      out.set(bytes, at);
      at += bytes.length;
    }
    return out;
  };
  return [{ name: '@bokuweb/zstd-wasm', run }];
}

/** Data packed by the zstd tool as in games, at level 17 and without a checksum; undefined where it is missing. */
export function packZstd(data: Uint8Array): Uint8Array | undefined {
  return zstdRuns() ? zstd(['-17', '--no-check', '-c'], data) : undefined;
}

function zstdRuns(): boolean {
  return spawnSync('zstd', ['--version']).status === 0;
}

/** What the tool makes of a file. */
function zstd(args: string[], file: Uint8Array): Uint8Array {
  return inFile(file, (path) => new Uint8Array(run([...args, '-q', path])));
}

/** Decoding by the tool's own measurement, without files and start-up, in MB/s. */
function zstdRate(frame: Uint8Array): number {
  // 0 seconds are one measurement of its shortest kind.
  const printed = inFile(frame, (path) => run(['-b', '-d', '-i0', '-q', path]).toString());
  const rate = Number(/([\d.]+) MB\/s\s+\S+\s*$/.exec(printed)?.[1]);
  if (!rate) throw new Error(`zstd does not tell its rate: ${printed}`);
  return rate;
}

function run(args: string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync('zstd', args, { maxBuffer: 1 << 28 });
  if (status !== 0) throw error ?? new Error(`zstd ${args.join(' ')}: ${stderr.toString()}`);
  return stdout;
}

function inFile<T>(bytes: Uint8Array, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'romflow-bench-'));
  try {
    const path = join(folder, 'data');
    writeFileSync(path, bytes);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
