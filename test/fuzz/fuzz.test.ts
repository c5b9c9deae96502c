import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FuzzResult } from '../../fuzz/engine.ts';
import { TARGETS } from '../../fuzz/targets.ts';

const SEED = 1;
const COUNT = 20_000;
/** Far more than all targets take; the watchdog ends what hangs. */
const PATIENCE = 900_000;

describe(`fuzzing with seed ${SEED}`, () => {
  const results = new Map<string, FuzzResult>();
  let ended = false;
  let complaints = '';
  let arrived = (): void => {};
  let stop = (): void => {};

  // In a process of its own, which the watchdog can end when an input makes it hang.
  beforeAll(() => {
    const args = ['scripts/run-ts.mjs', 'fuzz/main.ts', '--json', '--seed', `${SEED}`, '--count', `${COUNT}`];
    const fuzzer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    stop = () => void fuzzer.kill();
    fuzzer.stderr.on('data', (text) => (complaints += text));
    createInterface({ input: fuzzer.stdout }).on('line', (line) => {
      const result = JSON.parse(line) as FuzzResult;
      results.set(result.target, result);
      arrived();
    });
    fuzzer.on('close', () => {
      ended = true;
      arrived();
    });
  });
  afterAll(() => stop());

  // One after the other, in the order in which the fuzzer takes them.
  it.each(TARGETS)(
    '$name',
    async ({ name }) => {
      while (!results.has(name) && !ended) await new Promise<void>((resolve) => (arrived = resolve));
      const result = results.get(name);
      if (!result) throw new Error(`the fuzzer ended before it came to ${name}: ${complaints}`);
      expect(result.findings).toEqual([]);
      expect(result.mutations).toBe(COUNT);
    },
    PATIENCE,
  );
});
