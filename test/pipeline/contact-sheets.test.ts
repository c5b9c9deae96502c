import { expect, it } from 'vitest';
import { nodePlatform } from '../../pipeline/node/platform.ts';
import { extractTextures, type ExtractTexturesEvent } from '../../pipeline/jobs/extract-textures.ts';
import { Session } from '../../pipeline/walk/session.ts';
import { RomflowError } from '../../ts/io/errors.ts';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { sampleSet } from '../../scripts/sample/surfaces.ts';
import { all } from '../support/all.ts';
import { bytesInput } from '../support/inputs.ts';
import { MemoryFolder } from '../support/memory-folder.ts';

const PICTURES = writeBntx(sampleSet('quirks'));

function run(output: MemoryFolder): Promise<ExtractTexturesEvent[]> {
  const inputs = ['a.bntx', 'b.bntx'].map((name) => bytesInput(name, PICTURES));
  const options = { session: new Session(), platform: nodePlatform, output, dedupe: true, contactSheet: true };
  return all(extractTextures(inputs, options));
}

it('leave no thumbnail behind, not of pictures that are on none either', async () => {
  const output = new MemoryFolder();
  const summary = (await run(output)).at(-1);
  expect(summary).toMatchObject({ duplicates: 6, sheets: 1, failed: 0 });
  expect(output.files.size).toBe(7);
  expect(output.staged).toBe(0);
});

it('that cannot be written end the job', async () => {
  const room = 2 ** 40;
  const whole = new MemoryFolder(room);
  await run(whole);
  const events = await run(new MemoryFolder(room - whole.left - 1, () => new RomflowError('output', 'no space')));
  expect(events.slice(-2)).toMatchObject([
    { kind: 'failure', file: 'contact-sheet.png', error: { code: 'output', message: 'no space' } },
    { kind: 'summary', surfaces: 12, sheets: 0, failed: 1 },
  ]);
});
