import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { FailedResult } from '../../pipeline/jobs/work.ts';
import { openPool, type NodePoolOptions } from '../../pipeline/node/pool.ts';
import { WorkerPool } from '../../pipeline/pool/pool.ts';
import { errorOf, RomflowError } from '../../ts/io/errors.ts';
import { all as collect } from '../support/all.ts';
import { temporaryFolder } from '../support/cli.ts';

const script = new URL('./faulty-worker.mjs', import.meta.url);
const OWNER = {};

const pools: WorkerPool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function poolOf(options: NodePoolOptions): WorkerPool {
  const pool = openPool({ script, ...options });
  pools.push(pool);
  return pool;
}

/** Begins work on a file; gives results as texts, failures as `code: message`. */
function start(pool: WorkerPool, file: string, maxEntries = 100): Promise<string[]> {
  const input = { path: `in/${file}`, output: file };
  const order = { job: 'test', options: {}, input, file, size: 0, staging: undefined, maxEntries };
  const results = collect(pool.process<string>(order, OWNER));
  return results.then((found) => found.map((result) => (typeof result === 'string' ? result : textOf(result))));
}

function textOf({ error }: FailedResult): string {
  const { code, message } = errorOf(error);
  return `${code}: ${message}`;
}

const GOOD = ['a', 'b', 'c'];

describe('WorkerPool', () => {
  it('gives the results of many inputs, each in order, whatever the number of workers', async () => {
    for (const jobs of [1, 2, 5]) {
      const pool = poolOf({ jobs });
      const found = await Promise.all(Array.from({ length: 20 }, (_, i) => start(pool, i % 3 ? 'good' : 'slow')));
      expect(found).toEqual(Array.from({ length: 20 }, () => GOOD));
      expect(pool.size).toBe(jobs);
    }
  });

  it.each(['throw', 'exit', 'hang', 'heap-full', 'out-of-memory', 'crash', 'half-way'])(
    'an input whose worker fails once (%s) is done by another, and no result comes twice',
    async (fault) => {
      const pool = poolOf({ jobs: 2, timeLimit: fault === 'hang' ? 2 : 30 });
      const marker = join(temporaryFolder(), 'marker');
      const files = ['good', `once ${fault} ${marker}`, 'good', 'slow', 'good'];
      expect(await Promise.all(files.map((file) => start(pool, file)))).toEqual(files.map(() => GOOD));
    },
    60_000,
  );

  it.each([
    ['throw', 'worker', 'the worker ended: thrown on purpose'],
    ['exit', 'worker', 'the worker ended with code 3'],
    ['hang', 'limit', 'no progress for 2 s; --time-limit raises the limit'],
    ['heap-full', 'memory', 'there is not enough memory'],
    ['out-of-memory', 'memory', 'there is not enough memory'],
    ['crash', 'worker', 'crashed on purpose'],
  ])(
    'an input whose workers all fail (%s) is one failure, and the others are done',
    async (fault, code, reason) => {
      const pool = poolOf({ jobs: 2, timeLimit: fault === 'hang' ? 2 : 30 });
      const [before, bad, after] = await Promise.all(['slow', fault, 'good'].map((file) => start(pool, file)));
      expect([before, after]).toEqual([GOOD, GOOD]);
      expect(bad).toEqual([`${code}: in/${fault}: ${reason}`]);
    },
    60_000,
  );

  it('keeps what came before a failure', async () => {
    expect(await start(poolOf({ jobs: 1 }), 'half-way')).toEqual([
      'a',
      'b',
      'worker: in/half-way: the worker ended with code 4',
    ]);
  });

  it('a worker that cannot be started is a failure of each input', async () => {
    const pool = poolOf({ jobs: 2, script: new URL('./no-such-worker.mjs', import.meta.url) });
    const found = await Promise.all([start(pool, 'a'), start(pool, 'b')]);
    expect(found.flat()).toEqual([
      expect.stringMatching(/^worker: in\/a: the worker ended: .*no-such-worker/),
      expect.stringMatching(/^worker: in\/b: the worker ended: .*no-such-worker/),
    ]);
  });

  it('more entries than an input may hold end it at once', async () => {
    expect(await start(poolOf({ jobs: 1 }), 'good', 2)).toEqual([
      'a',
      'b',
      'limit: good: holds more than 2 entries; --max-entries raises the limit',
    ]);
  });

  it('cancelling ends what is begun and what waits, and the pool goes on for others', async () => {
    const pool = poolOf({ jobs: 1 });
    const begun = start(pool, 'hang');
    const waiting = start(pool, 'good');
    await setTimeout(200);
    pool.cancel(OWNER);
    for (const results of [begun, waiting]) {
      await expect(results).rejects.toThrow(RomflowError);
      await expect(results).rejects.toMatchObject({ code: 'aborted' });
    }
    expect(await start(pool, 'good')).toEqual(GOOD);
  });

  it('cancelling much starts no worker for what is cancelled', async () => {
    let started = 0;
    const pool = new WorkerPool({
      jobs: 1,
      createWorker() {
        started++;
        return { post() {}, terminate: () => Promise.resolve(), hold() {} };
      },
    });
    const all = Array.from({ length: 50 }, () => start(pool, 'good').catch(({ code }: RomflowError) => code));
    pool.cancel(OWNER);
    expect(await Promise.all(all)).toEqual(Array.from({ length: 50 }, () => 'aborted'));
    expect(started).toBe(1);
  });

  it('what is cancelled does not end what others wait for', async () => {
    const pool = poolOf({ jobs: 1 });
    const other = {};
    const order = { job: '', options: {}, input: { path: 'o', output: 'o' }, file: 'good', size: 0, maxEntries: 9 };
    const mine = start(pool, 'slow');
    const theirs = collect(pool.process({ ...order, staging: undefined }, other)).catch(() => 'cancelled');
    pool.cancel(other);
    expect(await mine).toEqual(GOOD);
    expect(await theirs).toBe('cancelled');
  });

  it('workers without work end', async () => {
    const pool = poolOf({ jobs: 2, idleTime: 0.2 });
    await Promise.all([start(pool, 'slow'), start(pool, 'slow')]);
    expect(pool.size).toBe(2);
    await setTimeout(1000);
    expect(pool.size).toBe(0);
    expect(await start(pool, 'good')).toEqual(GOOD);
  });

  it('does not keep the process, though nobody closes it', () => {
    const built = new URL('../../dist/pipeline.js', import.meta.url);
    const program = `
      import { openPool } from ${JSON.stringify(built.href)};
      const pool = openPool({ jobs: 2, idleTime: 1000, script: new URL(${JSON.stringify(script.href)}) });
      const order = { job: '', options: {}, input: { path: 'x', output: 'x' }, file: 'good', size: 0, maxEntries: 9 };
      for await (const result of pool.process(order, {})) console.log(result);`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect([status, stdout]).toEqual([0, 'a\nb\nc\n']);
  });
});
