import { crc32 } from 'node:zlib';
import { random, randomBytes } from '../../test/support/random.ts';
import { createKernels } from '../../ts/kernels/index.ts';
import { race, type Bench, type Contestant, type Row } from './measure.ts';

const SIZE = 4 * 1024 * 1024;
const NAMES = 400_000;

/** Hashes of 4 MiB that lie in kernel memory, and of many names that do not. */
export async function* benchHash(bench: Bench): AsyncGenerator<Row[], void, void> {
  const data = randomBytes(SIZE, 1);
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  const buffer = wasm.alloc(SIZE);
  buffer.bytes.set(data);
  const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
  const u64 = (value: bigint): Uint8Array => new Uint8Array(BigUint64Array.of(value).buffer);
  const hashes: Record<string, Contestant[]> = {
    crc32: [
      { name: 'wasm', run: () => u32(wasm.hash.crc32(buffer.bytes, 0)) },
      { name: 'ts', run: () => u32(ts.hash.crc32(data, 0)) },
      { name: 'zlib', run: () => u32(crc32(data)) },
    ],
    murmur3: [
      { name: 'wasm', run: () => u32(wasm.hash.murmur3(buffer.bytes, 0)) },
      { name: 'ts', run: () => u32(ts.hash.murmur3(data, 0)) },
    ],
    xxh64: [
      { name: 'wasm', run: () => u64(wasm.hash.xxh64(buffer.bytes, 0n)) },
      { name: 'ts', run: () => u64(ts.hash.xxh64(data, 0n)) },
    ],
  };
  for (const [kernel, contestants] of Object.entries(hashes)) {
    if (!bench.wanted(kernel)) continue;
    const input = '4 MiB of random bytes';
    yield race(bench, { kernel, input, output: 'checksum', unit: 'MB/s', amount: SIZE / 1e6, contestants });
  }
  if (bench.wanted('hash-batch')) yield benchBatch(bench);
}

/** Paths of the length that games have, in one call and in one each. */
function benchBatch(bench: Bench): Promise<Row[]> {
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  const next = random(2);
  const word = (): string => next().toString(36);
  const names = Array.from({ length: NAMES }, (_, i) => {
    return new TextEncoder().encode(`Component/${word()}/${word()}_${i}.game__component__${word()}.bgyml`);
  });
  const data = new Uint8Array(Buffer.concat(names));
  let end = 0;
  const ends = Uint32Array.from(names, ({ length }) => (end += length));
  const oneByOne = (): Uint8Array => {
    const hashes = new Uint32Array(NAMES);
    for (let i = 0; i < NAMES; i++) hashes[i] = wasm.hash.crc32(names[i]!, 0);
    return new Uint8Array(hashes.buffer);
  };
  return race(bench, {
    kernel: 'hash-batch',
    input: `${NAMES} paths of ${Math.round(data.length / NAMES)} bytes`,
    output: 'CRC-32 of each',
    unit: 'MB/s',
    amount: data.length / 1e6,
    contestants: [
      { name: 'wasm', run: () => wasm.hash.batch('crc32', data, ends, 0n) },
      { name: 'ts', run: () => ts.hash.batch('crc32', data, ends, 0n) },
      { name: 'wasm, a call each', run: oneByOne },
    ],
  });
}
