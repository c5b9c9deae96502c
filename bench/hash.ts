import { crc32 } from 'node:zlib';
import { randomBytes } from '../test/support/random.ts';
import { createKernels } from '../ts/kernels/index.ts';
import { race, type Contestant, type Row } from './measure.ts';

const SIZE = 4 * 1024 * 1024;

/** Checksums of 4 MiB that lie in kernel memory. */
export function benchHash(wanted: (kernel: string) => boolean): Row[] {
  const data = randomBytes(SIZE, 1);
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  const buffer = wasm.alloc(SIZE);
  buffer.bytes.set(data);
  const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
  const u64 = (value: bigint): Uint8Array => new Uint8Array(BigUint64Array.of(value).buffer);
  const rows = (kernel: string, contestants: Contestant[]): Row[] =>
    wanted(kernel)
      ? race({
          kernel,
          input: '4 MiB of random bytes',
          output: 'checksum',
          unit: 'MB/s',
          amount: SIZE / 1e6,
          contestants,
        })
      : [];
  return [
    ...rows('crc32', [
      { name: 'wasm', run: () => u32(wasm.hash.crc32(buffer.bytes, 0)) },
      { name: 'ts', run: () => u32(ts.hash.crc32(data, 0)) },
      { name: 'zlib', run: () => u32(crc32(data)) },
    ]),
    ...rows('xxh64', [
      { name: 'wasm', run: () => u64(wasm.hash.xxh64(buffer.bytes, 0n)) },
      { name: 'ts', run: () => u64(ts.hash.xxh64(data, 0n)) },
    ]),
  ];
}
