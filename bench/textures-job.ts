import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLargeDump } from '../scripts/sample/large-dump.ts';
import { rowOf, type Bench, type Row } from './kernels/measure.ts';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const PAIRS = 5;
/** Bytes of textures: for one worker, some 20 seconds of work. */
const DUMP = { bytes: 4e9, archiveBytes: 250e6 };
const INPUT = `${DUMP.bytes / 1e9} GB of BC7 and RGBA8 in .pack.zs`;

interface Run {
  seconds: number;
  /** most resident memory of the process, in bytes; undefined where the system does not tell */
  peak: number | undefined;
}

/** Whole runs of the command line over a large dump: time with one and two workers, in turn, and memory. */
export async function* benchTexturesJob({ wanted }: Bench): AsyncGenerator<Row[], void, void> {
  const folder = mkdtempSync(join(tmpdir(), 'romflow-bench-'));
  try {
    writeLargeDump(join(folder, 'dump'), DUMP);
    const runs = { 1: [] as Run[], 2: [] as Run[] };
    for (let pair = 0; pair < PAIRS; pair++) {
      for (const jobs of [1, 2] as const) {
        runs[jobs].push(await run(join(folder, 'dump'), join(folder, 'out'), jobs));
        rmSync(join(folder, 'out'), { recursive: true });
      }
    }
    const rowsOf = (kernel: string, unit: Row['unit'], valueOf: (run: Run) => number | undefined): Row[] =>
      ([1, 2] as const).flatMap((jobs) => {
        const values = runs[jobs].map(valueOf).filter((value) => value !== undefined);
        const about = { kernel, input: INPUT, output: 'PNG', contestant: `jobs-${jobs}`, unit };
        return values.length ? [rowOf(about, values)] : [];
      });
    if (wanted('textures-job')) yield rowsOf('textures-job', 'MB/s', ({ seconds }) => DUMP.bytes / 1e6 / seconds);
    const memory = rowsOf('textures-memory', 'MB', ({ peak }) => peak && peak / 1e6);
    if (wanted('textures-memory') && memory.length) yield memory;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run(dump: string, out: string, jobs: number): Promise<Run> {
  const begun = performance.now();
  const job = spawn(process.execPath, [CLI, 'textures', dump, '-o', out, '--jobs', String(jobs), '--quiet']);
  let peak: number | undefined;
  const look = setInterval(() => (peak = peakOf(job.pid!) ?? peak), 20);
  const status = await new Promise((resolve) => job.on('close', resolve));
  clearInterval(look);
  if (status !== 0) throw new Error(`romflow ended with ${String(status)}`);
  return { seconds: (performance.now() - begun) / 1000, peak };
}

/** The most that a process has had of resident memory, in bytes. */
function peakOf(pid: number): number | undefined {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : 1024 * Number(kibibytes);
  } catch {
    return undefined;
  }
}
