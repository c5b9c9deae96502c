/** npm run bench -- [--json OUT.json] [--only KERNEL,...]: measures, prints a table, and writes the rows as JSON. */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAstc } from './astc.ts';
import { benchBc } from './bc.ts';
import { benchHash } from './hash.ts';
import type { Row } from './measure.ts';
import { benchPng } from './png.ts';
import { benchTegra } from './tegra.ts';
import { benchTexturesJob } from './textures-job.ts';
import { benchYaz0 } from './yaz0.ts';
import { benchZstd } from './zstd.ts';

/** Kernels of a family, and what measures them; `only` says which kernels are wanted. */
const FAMILIES: { kernels: string[]; run(wanted: (kernel: string) => boolean): Row[] | Promise<Row[]> }[] = [
  { kernels: ['tegra'], run: benchTegra },
  { kernels: ['bc1', 'bc2', 'bc3', 'bc4', 'bc5', 'bc6h', 'bc7', 'bc7-fused'], run: benchBc },
  { kernels: ['astc4x4', 'astc6x6', 'astc8x8'], run: benchAstc },
  { kernels: ['zstd', 'zstd-dict'], run: benchZstd },
  { kernels: ['yaz0'], run: benchYaz0 },
  { kernels: ['png'], run: benchPng },
  { kernels: ['textures-job', 'textures-memory'], run: benchTexturesJob },
  { kernels: ['crc32', 'murmur3', 'xxh64', 'hash-batch'], run: benchHash },
];

const { values } = parseArguments();

function parseArguments(): { values: { json?: string; only?: string } } {
  try {
    return parseArgs({ options: { json: { type: 'string' }, only: { type: 'string' } } });
  } catch (error) {
    console.error(`bench: ${(error as Error).message}`);
    process.exit(2);
  }
}

const known = FAMILIES.flatMap((family) => family.kernels);
const only = values.only?.split(',') ?? known;
const strange = only.filter((kernel) => !known.includes(kernel));
if (strange.length) {
  console.error(`bench: no such kernel: ${strange.join(', ')} (there are ${known.join(', ')})`);
  process.exit(2);
}

const rows: Row[] = [];
for (const family of FAMILIES) {
  if (!family.kernels.some((kernel) => only.includes(kernel))) continue;
  for (const row of await family.run((kernel) => only.includes(kernel))) {
    rows.push(row);
    const { kernel, contestant, value, unit, input, output } = row;
    console.log(
      `${kernel.padEnd(15)} ${contestant.padEnd(20)} ${String(value).padStart(8)} ${unit.padEnd(5)}  ${input}: ${output}`,
    );
  }
}
const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  date: new Date().toISOString(),
};
if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine, rows }, undefined, 1)}\n`);
