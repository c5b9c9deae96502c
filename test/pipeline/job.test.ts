import { describe, expect, it } from 'vitest';
import { extract } from '../../pipeline/jobs/extract.ts';
import { nodePlatform } from '../../pipeline/node/platform.ts';
import { createSession } from '../../pipeline/node/session.ts';
import type { JobInput } from '../../pipeline/jobs/job.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { bytesInput } from '../support/inputs.ts';
import { MemoryFolder } from '../support/memory-folder.ts';

describe('a signal that was aborted before the job', () => {
  it('lets no input through', async () => {
    const archive = writeSarc([{ name: 'a', data: new Uint8Array(4) }], { alignment: 4 });
    let taken = 0;
    function* inputs(): Generator<JobInput, void, void> {
      taken++;
      yield bytesInput('x.sarc', archive);
    }
    const output = new MemoryFolder();
    const options = { session: await createSession(), platform: nodePlatform, output, signal: AbortSignal.abort() };
    const events = [];
    for await (const event of extract(inputs(), options)) events.push(event);
    expect(events).toMatchObject([
      { kind: 'failure', error: { code: 'aborted' } },
      { kind: 'summary', files: 0, extracted: 0 },
    ]);
    expect(taken).toBe(0);
  });
});
