import { RomflowError } from '../../ts/io/errors.ts';
import { benchAstc } from './astc.ts';
import { benchBc } from './bc.ts';
import { benchHash } from './hash.ts';
import type { Bench, Row } from './measure.ts';
import { benchPng } from './png.ts';
import { benchTegra } from './tegra.ts';
import { benchYaz0 } from './yaz0.ts';
import { benchZstd } from './zstd.ts';

/** Kernels that are measured together, and what measures them, race by race. */
export interface Family {
  kernels: readonly string[];
  run(bench: Bench): AsyncIterable<Row[]>;
}

/** All kernels. */
export const KERNEL_FAMILIES: readonly Family[] = [
  { kernels: ['tegra'], run: benchTegra },
  { kernels: ['bc1', 'bc2', 'bc3', 'bc4', 'bc5', 'bc6h', 'bc7', 'bc7-fused'], run: benchBc },
  { kernels: ['astc4x4', 'astc6x6', 'astc8x8'], run: benchAstc },
  { kernels: ['zstd', 'zstd-dict'], run: benchZstd },
  { kernels: ['yaz0'], run: benchYaz0 },
  { kernels: ['png'], run: benchPng },
  { kernels: ['crc32', 'murmur3', 'xxh64', 'hash-batch'], run: benchHash },
];

/** What is wanted of `families` by a list such as `bc7,zstd`; all of it without one. Throws at a name that is none. */
export function choose(families: readonly Family[], only: string | undefined): (kernel: string) => boolean {
  const known = families.flatMap(({ kernels }) => kernels);
  const chosen = only?.split(',') ?? known;
  const strange = chosen.filter((kernel) => !known.includes(kernel));
  if (strange.length) {
    throw new RomflowError('usage', `no such kernel: ${strange.join(', ')} (there are ${known.join(', ')})`);
  }
  return (kernel) => chosen.includes(kernel);
}

/** Measures what is wanted of `families`, race by race. */
export async function* measure(families: readonly Family[], bench: Bench): AsyncGenerator<Row[], void, void> {
  for (const { kernels, run } of families) {
    if (kernels.some((kernel) => bench.wanted(kernel))) yield* run(bench);
  }
}
