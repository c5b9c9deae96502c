import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FailedResult } from '../../pipeline/jobs/work.ts';
import { MOST_AHEAD, type FromWorker, type ToWorker } from '../../pipeline/pool/messages.ts';
import { WorkerPool, type PoolWorkerEvents, type WorkerPoolOptions } from '../../pipeline/pool/pool.ts';
import { errorOf } from '../../ts/io/errors.ts';
import { all } from '../support/all.ts';

/** A worker that does nothing but what the test says. */
interface Puppet {
  /** what it was told, by kinds; work by its file */
  heard: string[];
  /** weight that it was told is taken */
  taken: number;
  say(message: FromWorker): void;
  /** It is no more. */
  vanish(reason?: string): void;
  /** Posts results with a weight. */
  give(...results: [text: string, weight: number][]): void;
}

interface Stage extends Omit<WorkerPoolOptions, 'createWorker'> {
  /** called before a worker is there; may throw */
  onStart?: (count: number) => void;
}

function stage({ onStart = () => {}, ...options }: Stage): { pool: WorkerPool; puppets: Puppet[] } {
  const puppets: Puppet[] = [];
  let count = 0;
  const createWorker = (events: PoolWorkerEvents) => {
    onStart(count++);
    const puppet: Puppet = {
      heard: [],
      taken: 0,
      say: (message) => events.message(message),
      vanish: (reason = 'vanished') => events.gone(reason, false),
      give: (...results) =>
        events.message({ kind: 'results', results: results.map(([text, weight], i) => [i + 1, weight, text]) }),
    };
    puppets.push(puppet);
    return {
      post(message: ToWorker) {
        puppet.heard.push(message.kind === 'work' ? message.order.file : message.kind);
        if (message.kind === 'taken') puppet.taken += message.weight;
      },
      terminate: () => Promise.resolve(),
      hold() {},
    };
  };
  return { pool: new WorkerPool({ ...options, createWorker }), puppets };
}

const OWNER = {};
const SIZE = 1e9;

function process(pool: WorkerPool, file: string, owner = OWNER): AsyncGenerator<string | FailedResult, void, void> {
  const order = { job: '', options: {}, input: { path: file, output: file }, file, size: SIZE, maxEntries: 9 };
  return pool.process<string>({ ...order, staging: undefined }, owner);
}

const textOf = (result: string | FailedResult): string =>
  typeof result === 'string' ? result : errorOf(result.error).message;

async function textsOf(results: AsyncIterable<string | FailedResult>): Promise<string[]> {
  return (await all(results)).map(textOf);
}

describe('how far workers may be ahead', () => {
  it('a worker is told of what was taken, and of nothing else', async () => {
    const { pool, puppets } = stage({ jobs: 1 });
    const results = process(pool, 'a');
    const [a] = puppets as [Puppet];
    a.give(['one', MOST_AHEAD / 2], ['two', MOST_AHEAD], ['three', 1]);
    await setTimeout(5);
    expect(a.taken).toBe(0);
    expect((await results.next()).value).toBe('one');
    expect(a.taken).toBe(MOST_AHEAD / 2);
    expect((await results.next()).value).toBe('two');
    expect(a.taken).toBe((3 * MOST_AHEAD) / 2);
    await pool.close();
  });

  it('who waits for that is not taken to hang', async () => {
    const { pool, puppets } = stage({ jobs: 1, timeLimit: 1 });
    const results = process(pool, 'a');
    puppets[0]!.give(['one', 2 * MOST_AHEAD]);
    await setTimeout(3500);
    puppets[0]!.say({ kind: 'done', visits: 1 });
    expect(await textsOf(results)).toEqual(['one']);
    await pool.close();
  });

  it('what nobody waits for any more counts as taken', async () => {
    const { pool, puppets } = stage({ jobs: 1 });
    const other = {};
    const begun = process(pool, 'a', other);
    const [a] = puppets as [Puppet];
    a.give(['one', 2 * MOST_AHEAD]);
    a.say({ kind: 'done', visits: 1 });
    pool.cancel(other);
    expect(a.taken).toBe(2 * MOST_AHEAD);
    await expect(begun.next()).rejects.toMatchObject({ code: 'aborted' });
    const next = process(pool, 'b');
    a.give(['two', 1]);
    a.say({ kind: 'done', visits: 1 });
    expect(await textsOf(next)).toEqual(['two']);
    await pool.close();
  });

  it.each(['another', 'the same'])(
    'an input that is tried again is not held up by later ones, on %s worker',
    async (on) => {
      const { pool, puppets } = stage({ jobs: 2 });
      const [first, second] = [process(pool, 'a'), process(pool, 'b')];
      const [a, b] = puppets as [Puppet, Puppet];
      a.give(['one', 1]);
      b.give(['later', 2 * MOST_AHEAD]);
      if (on === 'the same') b.say({ kind: 'done', visits: 1 });
      expect((await first.next()).value).toBe('one');
      expect(b.taken).toBe(0);
      a.vanish();
      const again = on === 'the same' ? b : puppets[2]!;
      expect(again.heard.at(-1)).toBe('a');
      again.give(['one', 1], ['two', 1]);
      again.say({ kind: 'done', visits: 2 });
      expect(await textsOf(first)).toEqual(['two']);
      // Its own results were of later inputs, so they count as taken.
      expect(b.taken).toBe(on === 'the same' ? 2 * MOST_AHEAD : 0);
      if (on !== 'the same') b.say({ kind: 'done', visits: 1 });
      expect(await textsOf(second)).toEqual(['later']);
      await pool.close();
    },
  );

  it('an input that needs all memory is begun though others wait for it', async () => {
    const { pool, puppets } = stage({ jobs: 2 });
    const [first, second] = [process(pool, 'a'), process(pool, 'b')];
    const [a, b] = puppets as [Puppet, Puppet];
    b.give(['later', 2 * MOST_AHEAD]);
    a.say({ kind: 'alive' });
    a.say({ kind: 'out-of-memory' });
    expect(b.taken).toBe(2 * MOST_AHEAD);
    b.say({ kind: 'done', visits: 1 });
    const again = b.heard.includes('a') ? b : puppets[2]!;
    again.give(['one', 1]);
    again.say({ kind: 'done', visits: 1 });
    expect(await textsOf(first)).toEqual(['one']);
    expect(await textsOf(second)).toEqual(['later']);
    await pool.close();
  });

  it('memory that is held by a worker that is ahead is not waited for', async () => {
    const { pool, puppets } = stage({ jobs: 2, memory: 100 });
    const first = process(pool, 'a');
    process(pool, 'b');
    const [a, b] = puppets as [Puppet, Puppet];
    b.say({ kind: 'reserve', bytes: 80 });
    a.say({ kind: 'reserve', bytes: 80 });
    expect(a.heard).toEqual(['a']);
    b.give(['later', 2 * MOST_AHEAD]);
    expect(a.heard).toEqual(['a', 'answer']);
    a.give(['one', 1]);
    a.say({ kind: 'done', visits: 1 });
    expect(await textsOf(first)).toEqual(['one']);
    await pool.close();
  });

  it('one job in the middle of another, in one pool, comes to its end', async () => {
    const { pool, puppets } = stage({ jobs: 1 });
    const outer = process(pool, 'a');
    const [a] = puppets as [Puppet];
    a.give(['one', 1], ['two', 2 * MOST_AHEAD]);
    expect((await outer.next()).value).toBe('one');
    const inner = textsOf(process(pool, 'inner', {}));
    expect(a.taken).toBe(2 * MOST_AHEAD + 1);
    a.say({ kind: 'done', visits: 2 });
    a.give(['within', 1]);
    a.say({ kind: 'done', visits: 1 });
    expect(await inner).toEqual(['within']);
    expect(await textsOf(outer)).toEqual(['two']);
    await pool.close();
  });
});

describe('memory', () => {
  it('is given to as many as it is there for, and time goes on for those', async () => {
    const { pool, puppets } = stage({ jobs: 2, memory: 100, timeLimit: 1 });
    const first = textsOf(process(pool, 'a'));
    process(pool, 'b')
      .next()
      .catch(() => {});
    const [a, b] = puppets as [Puppet, Puppet];
    for (const puppet of [a, b]) puppet.say({ kind: 'reserve', bytes: 80 });
    expect([a.heard, b.heard]).toEqual([['a', 'answer'], ['b']]);
    await setTimeout(2500);
    // Nothing came of the first, which had its memory: it was given up, and the other has it now.
    expect(b.heard).toEqual(['b', 'answer']);
    puppets[2]!.say({ kind: 'crash', message: 'again' });
    expect(await first).toEqual(['a: again']);
    await pool.close();
  });
});

describe('workers that do not start', () => {
  it('leave the work to others, and no try of it is lost', async () => {
    const { pool, puppets } = stage({
      jobs: 3,
      onStart(count) {
        if (count === 1) throw new Error('EAGAIN');
      },
    });
    const files = ['a', 'b', 'c'].map((file) => textsOf(process(pool, file)));
    const [a, b] = puppets as [Puppet, Puppet];
    expect(puppets.length).toBe(2);
    b.vanish('EMFILE');
    expect([a.heard, b.heard]).toEqual([['a'], ['b']]);
    for (const text of ['one', 'two', 'three']) {
      a.give([text, 1]);
      a.say({ kind: 'done', visits: 1 });
    }
    expect(await Promise.all(files)).toEqual([['one'], ['two'], ['three']]);
    expect(a.heard).toEqual(['a', 'b', 'c']);
    await pool.close();
  });

  it('are tried again for each input when there are no others', async () => {
    let starts = 0;
    const { pool } = stage({
      jobs: 2,
      onStart() {
        starts++;
        throw new Error('EAGAIN');
      },
    });
    const found = await Promise.all(['a', 'b', 'c'].map((file) => textsOf(process(pool, file))));
    expect(found.flat()).toEqual(['a', 'b', 'c'].map((file) => `${file}: no worker could be started: EAGAIN`));
    expect(starts).toBe(4);
  });

  it('are few at a time', async () => {
    const { pool, puppets } = stage({ jobs: 100 });
    for (let i = 0; i < 50; i++) process(pool, `${i}`);
    expect(puppets.length).toBe(4);
    puppets[0]!.say({ kind: 'alive' });
    expect(puppets.length).toBe(5);
    await pool.close();
  });
});

describe('the end of a pool', () => {
  it('ends what is begun, what waits and what comes', async () => {
    const { pool } = stage({ jobs: 1 });
    const begun = [process(pool, 'a'), process(pool, 'b')].map((results) => all(results));
    await pool.close();
    for (const results of [...begun, all(process(pool, 'c'))]) {
      await expect(results).rejects.toMatchObject({ code: 'aborted' });
    }
  });

  it.each([0, -1, 1.5, Number.NaN])('a pool of %d workers cannot be', (jobs) => {
    expect(() => stage({ jobs })).toThrow(RangeError);
  });
});

describe('a last try', () => {
  it('names what was begun and says what is missing; what came before stays', async () => {
    const { pool, puppets } = stage({ jobs: 1 });
    const results = textsOf(process(pool, 'a'));
    for (const puppet of [0, 1]) {
      puppets[puppet]!.give(['one', 1], ['two', 1]);
      puppets[puppet]!.say({ kind: 'visiting', path: 'a/bad' });
      puppets[puppet]!.vanish();
    }
    expect(await results).toEqual(['one', 'two', 'a/bad: vanished; what follows in a was not looked at']);
    await pool.close();
  });
});
