import { setImmediate } from 'node:timers/promises';
import { compareOutputs, type Tolerance } from './compare.ts';
import type { Outside } from './outside.ts';

/** One row of the results: see bench/README.md. */
export interface Row {
  kernel: string;
  /** what went in */
  input: string;
  /** what came out, such as RGBA8 */
  output: string;
  /** `wasm`, `ts`, or the name of a package or tool */
  contestant: string;
  /** median, more is better */
  value: number;
  /** of `MB`, which is memory, less is better */
  unit: 'MB/s' | 'Mpx/s' | 'MB';
  /** least and most */
  spread: [number, number];
  runs: number;
  /** how the contestant's output may differ from that of the others */
  note?: string;
}

/** What a benchmark is run with. */
export interface Bench {
  /** whether a kernel is to be measured */
  wanted(kernel: string): boolean;
  /** seconds for each contestant of a race */
  seconds: number;
  leastRuns: number;
  /** left out where only the kernels themselves are measured */
  outside?: Outside;
}

type Output = Uint8Array | readonly Uint8Array[];

/** Something to be timed. */
export interface Contestant {
  name: string;
  /** Does the work once; gives its output, whole or in parts, where it can be compared. */
  run(): Output | void | Promise<Uint8Array>;
  /** The seconds that the work takes by the contestant's own count; of others, `run` is timed. */
  seconds?(): number;
  /** The output as all others give it, such as in another order of channels; not timed. */
  normalize?(output: Uint8Array): Uint8Array;
  /** how the output may differ; not at all, unless told */
  tolerance?: Tolerance;
}

export interface Race {
  kernel: string;
  input: string;
  output: string;
  unit: Row['unit'];
  /** millions of the unit that one run does: bytes or pixels / 1e6 */
  amount: number;
  contestants: Contestant[];
  /** What is compared, where equal outputs need not be the same bytes (a compressor's). */
  normalize?(output: Uint8Array): Uint8Array;
}

const MOST_RUNS = 400;

/**
 * Runs the contestants in turn, so that a busy machine hits all alike, and back and forth, since each finds the caches as
 * the one before left them; after their outputs were compared.
 */
export async function race(
  { seconds: budget, leastRuns }: Bench,
  { kernel, input, output, unit, amount, contestants, normalize }: Race,
): Promise<Row[]> {
  await compareOutputs(kernel, contestants, normalize);
  const seconds: number[][] = contestants.map(() => []);
  const order = [...contestants.keys()];
  let total = 0;
  for (let round = 0; round < MOST_RUNS; round++) {
    if (round >= leastRuns && total > budget * contestants.length) break;
    for (const i of round % 2 ? order.toReversed() : order) {
      const taken = await secondsOf(contestants[i]!);
      seconds[i]!.push(taken);
      total += taken;
    }
    await setImmediate(); // for Ctrl-C
  }
  return contestants.map(({ name, tolerance }, i) => {
    const rates = seconds[i]!.map((s) => amount / s);
    const note = tolerance && { note: tolerance.why };
    return rowOf({ kernel, input, output, contestant: name, unit, ...note }, rates);
  });
}

async function secondsOf(contestant: Contestant): Promise<number> {
  if (contestant.seconds) return contestant.seconds();
  const start = performance.now();
  const result = contestant.run();
  if (result instanceof Promise) await result;
  return (performance.now() - start) / 1000;
}

/** The row of values that were measured. */
export function rowOf(about: Omit<Row, 'value' | 'spread' | 'runs'>, values: readonly number[]): Row {
  const { note, ...rest } = about;
  const sorted = values.toSorted((a, b) => a - b);
  return {
    ...rest,
    value: round(sorted[Math.floor(sorted.length / 2)]!),
    spread: [round(sorted[0]!), round(sorted.at(-1)!)],
    runs: sorted.length,
    ...(note !== undefined && { note }),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
