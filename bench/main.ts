/** npm run bench -- [--json OUT.json] [--only KERNEL,...]: measures, prints tables, and writes the rows as JSON. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { choose, KERNEL_FAMILIES, measure, type Family } from './kernels/index.ts';
import { machine } from './kernels/machine.ts';
import type { Row } from './kernels/measure.ts';
import { tableOf } from './kernels/table.ts';
import { OUTSIDE } from './outside/index.ts';
import { targetTable } from './targets.ts';
import { benchTexturesJob } from './textures-job.ts';

const FAMILIES: readonly Family[] = [
  ...KERNEL_FAMILIES,
  { kernels: ['textures-job', 'textures-memory'], run: benchTexturesJob },
];

const { json, wanted } = parseArguments();

function parseArguments(): { json: string | undefined; wanted: (kernel: string) => boolean } {
  try {
    const { values } = parseArgs({ options: { json: { type: 'string' }, only: { type: 'string' } } });
    return { json: values.json, wanted: choose(FAMILIES, values.only) };
  } catch (error) {
    console.error(`bench: ${(error as Error).message}`);
    process.exit(2);
  }
}

const rows: Row[] = [];
for await (const race of measure(FAMILIES, { wanted, seconds: 0.8, leastRuns: 7, outside: OUTSIDE })) {
  rows.push(...race);
  console.log(`${tableOf(race)}\n`);
}
console.log(targetTable(rows));
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine: machine(), rows }, undefined, 1)}\n`);
