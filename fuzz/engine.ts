import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createKernels } from '../ts/kernels/index.ts';
import { HeapWatch } from './heap.ts';
import { mutate, randomOf } from './mutate.ts';
import { Finding } from './outcome.ts';
import type { Check, Target } from './target.ts';

/** Seconds of work that one input may take, unless told otherwise. */
const PATIENCE = 5;
/** Kernel memory that no input may need more of. */
const MEMORY = 16 << 20;
const FOLDER = 'out/fuzz';
/** Longest input. */
const LONGEST = 1 << 15;
/** Findings after which a target is left alone. */
const ENOUGH = 3;

export interface FuzzOptions {
  seed: number;
  /** how many mutations, if the time allows */
  count: number;
  /** default: as long as it takes */
  seconds?: number;
  /** this mutation alone; its input is written in any case */
  only?: number | undefined;
  /** where inputs of findings are written */
  folder?: string;
  /** seconds of work that one input may take */
  patience?: number;
}

export interface FuzzResult {
  target: string;
  mutations: number;
  /** different kinds of results and errors */
  outcomes: number;
  seconds: number;
  findings: string[];
}

/** What the watchdog sees: i32 turn, running, n, size of the input; then the input. */
class Watched {
  readonly #shared = new SharedArrayBuffer(16 + LONGEST);
  readonly #state = new Int32Array(this.#shared, 0, 4);
  readonly #bytes = new Uint8Array(this.#shared, 16);
  readonly #worker: Worker;

  constructor(patience: number, pathOf: string, reproduce: string) {
    const workerData = { shared: this.#shared, patience, pathOf, reproduce };
    this.#worker = new Worker(new URL('./watchdog.mjs', import.meta.url), { workerData });
  }

  begin(n: number, input: Uint8Array): void {
    this.#bytes.set(input);
    this.#state[2] = n;
    this.#state[3] = input.length;
    this.#state[0]!++;
    this.#state[1] = 1;
  }

  end(): void {
    this.#state[1] = 0;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** A target with kernels of its own. */
class Opened {
  readonly check: Check;
  readonly heap: HeapWatch;

  constructor(target: Target) {
    const kernels = { wasm: createKernels({ backend: 'wasm' }), ts: createKernels({ backend: 'ts' }) };
    this.heap = new HeapWatch(kernels.wasm);
    this.check = target.open(kernels);
    this.heap.rebase();
  }
}

/** Fuzzes one target. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, count, seconds = Infinity, only, folder = FOLDER, patience = PATIENCE } = options;
  const fixtures = target.fixtures();
  const reproduce = `npm run fuzz -- --target ${target.name} --seed ${seed}`;
  const pathOf = `${folder}/${target.name}-${seed}-`;
  const save = (n: number, input: Uint8Array): string => {
    const path = `${pathOf}${n}.bin`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, input);
    return path;
  };
  const watched = new Watched(patience, pathOf, reproduce);
  const outcomes = new Set<string>();
  const findings: string[] = [];
  let opened = new Opened(target);

  // Only from inputs that are right do mutations get far.
  for (const [i, { name, bytes }] of fixtures.entries()) {
    const label = await opened.check(bytes.slice(), randomOf(name, seed, i));
    if (!label.startsWith('ok')) throw new Finding(`${target.name}: the fixture ${name} gives ${label}`);
    opened.heap.check(MEMORY);
  }

  const started = performance.now();
  let n = only ?? 0;
  const end = only === undefined ? count : only + 1;
  for (; n < end && findings.length < ENOUGH && performance.now() - started < 1000 * seconds; n++) {
    const next = randomOf(target.name, seed, n);
    const input = mutate(fixtures, next, LONGEST);
    if (only !== undefined) save(n, input);
    watched.begin(n, input);
    try {
      const label = opened.check(input, next);
      outcomes.add(typeof label === 'string' ? label : await label);
      opened.heap.check(MEMORY);
    } catch (error) {
      const text = error instanceof Finding ? error.message : (error as Error).stack;
      findings.push(`${target.name} ${n}: ${text}\n  input: ${save(n, input)}\n  again: ${reproduce} --only ${n}`);
      opened = new Opened(target);
    }
    watched.end();
  }
  await watched.close();
  return {
    target: target.name,
    mutations: n - (only ?? 0),
    outcomes: outcomes.size,
    seconds: (performance.now() - started) / 1000,
    findings,
  };
}
