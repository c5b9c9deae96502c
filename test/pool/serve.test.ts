import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { WorkFactory } from '../../pipeline/jobs/work.ts';
import { nodePlatform } from '../../pipeline/node/platform.ts';
import { NO_STAGING } from '../../pipeline/output/folder.ts';
import { MOST_AHEAD, weightOf, type FromWorker, type ToWorker } from '../../pipeline/pool/messages.ts';
import { serve } from '../../pipeline/pool/serve.ts';
import { SourceContent } from '../../pipeline/walk/content.ts';
import { Session } from '../../pipeline/walk/session.ts';
import { BufferSource } from '../../ts/io/source.ts';

/** The worker's side with one kind of work, and what it posted. */
function server(work: WorkFactory<unknown, unknown>): { hear: (message: ToWorker) => void; posted: FromWorker[] } {
  const posted: FromWorker[] = [];
  const hear = serve({
    work: { test: work },
    platform: nodePlatform,
    match: () => true,
    createSession: (memory) => Promise.resolve(new Session({ backend: 'ts', memory })),
    open: (file) => new SourceContent(new BufferSource(file, new Uint8Array(10))),
    staging: () => NO_STAGING,
    post: (message) => posted.push(message),
  });
  return { hear, posted };
}

function work(last: boolean): ToWorker {
  const input = { path: 'a', output: 'a' };
  const order = { job: 'test', options: {}, input, file: 'a', size: 10, staging: undefined, maxEntries: 9 };
  return { kind: 'work', order, entry: undefined, shared: false, last };
}

describe('the side of a worker', () => {
  it('posts no more than is taken, and goes on then', async () => {
    const text = 'x'.repeat(10_000);
    const many = Math.ceil((3 * MOST_AHEAD) / weightOf(text));
    const { hear, posted } = server(() => ({ file: () => Array.from({ length: many }, () => text) }));
    const count = (): number =>
      posted.reduce((sum, message) => sum + (message.kind === 'results' ? message.results.length : 0), 0);
    hear(work(false));
    await setTimeout(100);
    const most = Math.floor(MOST_AHEAD / weightOf(text)) + 1;
    expect(count()).toBe(most);
    hear({ kind: 'taken', weight: 5 * weightOf(text) });
    await setTimeout(50);
    expect(count()).toBe(most + 5);
    hear({ kind: 'taken', weight: most * weightOf(text) });
    await setTimeout(50);
    hear({ kind: 'taken', weight: most * weightOf(text) });
    await setTimeout(50);
    expect(count()).toBe(many);
    expect(posted.at(-1)).toEqual({ kind: 'done', visits: 1 });
  });

  it('in a last try tells what it begins, and each result before the next is made', async () => {
    const seen: string[] = [];
    const { hear, posted } = server(() => ({
      *file() {
        for (const text of ['one', 'two']) {
          seen.push(posted.map(({ kind }) => kind).join());
          yield text;
        }
        seen.push(posted.map(({ kind }) => kind).join());
      },
    }));
    hear(work(true));
    await setTimeout(50);
    expect(seen).toEqual(['alive,visiting', 'alive,visiting,results', 'alive,visiting,results,results']);
    expect(posted[1]).toEqual({ kind: 'visiting', path: 'a' });
  });
});
