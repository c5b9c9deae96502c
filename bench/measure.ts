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
}

/** Something to be timed. */
export interface Contestant {
  name: string;
  /** Does the work once; gives its output where it can be compared. */
  run(): Uint8Array | void;
}

export interface Race {
  kernel: string;
  input: string;
  output: string;
  unit: Row['unit'];
  /** millions of the unit that one run does: bytes or pixels / 1e6 */
  amount: number;
  contestants: Contestant[];
  /** outputs are not the same bytes (a compressor's), so only that there are some is checked */
  anyOutput?: boolean;
}

const LEAST_SECONDS = 0.8; // per contestant
const LEAST_RUNS = 7;
const MOST_RUNS = 400;

/** Runs the contestants in turn, so that a busy machine hits all alike, after their outputs were compared. */
export function race({ kernel, input, output, unit, amount, contestants, anyOutput = false }: Race): Row[] {
  compareOutputs(kernel, contestants, anyOutput);
  const seconds: number[][] = contestants.map(() => []);
  const total = (): number => seconds.flat().reduce((sum, s) => sum + s, 0);
  for (let round = 0; round < MOST_RUNS; round++) {
    if (round >= LEAST_RUNS && total() > LEAST_SECONDS * contestants.length) break;
    for (const [i, contestant] of contestants.entries()) {
      const start = performance.now();
      contestant.run();
      seconds[i]!.push((performance.now() - start) / 1000);
    }
  }
  return contestants.map(({ name }, i) => {
    const rates = seconds[i]!.map((s) => amount / s);
    return rowOf({ kernel, input, output, contestant: name, unit }, rates);
  });
}

/** The row of values that were measured. */
export function rowOf(about: Omit<Row, 'value' | 'spread' | 'runs'>, values: readonly number[]): Row {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    ...about,
    value: round3(sorted[Math.floor(sorted.length / 2)]!),
    spread: [round3(sorted[0]!), round3(sorted.at(-1)!)],
    runs: sorted.length,
  };
}

function round3(value: number): number {
  return Number(value.toPrecision(4));
}

function compareOutputs(kernel: string, contestants: Contestant[], anyOutput: boolean): void {
  const outputs = contestants.map((contestant) => contestant.run());
  const first = outputs[0];
  for (const [i, output] of outputs.entries()) {
    const name = `${kernel}: ${contestants[i]!.name}`;
    if (!output || !first) continue;
    if (!output.length) throw new Error(`${name} gave nothing`);
    if (!anyOutput && Buffer.compare(output, first) !== 0)
      throw new Error(`${name} gave other bytes than ${contestants[0]!.name}`);
  }
}
