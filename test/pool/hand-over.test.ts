import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractTextures } from '../../pipeline/jobs/extract-textures.ts';
import { extract } from '../../pipeline/jobs/extract.ts';
import type { JobOptions } from '../../pipeline/jobs/job.ts';
import { list } from '../../pipeline/jobs/list.ts';
import { NodeFolder } from '../../pipeline/node/folder.ts';
import { findInputs } from '../../pipeline/node/inputs.ts';
import { nodePlatform } from '../../pipeline/node/platform.ts';
import { openPool } from '../../pipeline/node/pool.ts';
import { createSession } from '../../pipeline/node/session.ts';
import type { WorkerPool } from '../../pipeline/pool/pool.ts';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { writeSarc, type SarcFile } from '../../scripts/sample/sarc.ts';
import { landscape } from '../../scripts/sample/scenes.ts';
import { makeTexture } from '../../scripts/sample/surfaces.ts';
import { repeatingFrame } from '../../scripts/sample/zstd-repeats.ts';
import { put, QUIRKS } from '../cli/support.ts';
import { all } from '../support/all.ts';
import { filesBelow, temporaryFolder } from '../support/cli.ts';

const script = new URL('../../dist/worker.js', import.meta.url);

/** A BNTX of one RGBA8 texture, so large that an archive of some is handed over entry by entry. */
function largeTexture(name: string): Uint8Array {
  const pictures = [landscape(256, 256)];
  const texture = makeTexture({ name, format: 'R8G8B8A8_UNORM', dimension: '2d', mips: 1, pictures });
  const tall = Array.from({ length: 16 }, () => texture.levels[0]![0]!);
  const level = new Uint8Array(Buffer.concat(tall));
  return writeBntx({ name, version: [4, 1, 0], textures: [{ ...texture, height: 16 * 256, levels: [[level]] }] });
}

/** More than 32 MiB of entries: large and small, nested, compressed, damaged, and with names that clash. */
function largeArchive(): Uint8Array {
  const large = largeTexture('Large');
  const nested = writeSarc(
    [
      { name: 'in/Q.bntx', data: QUIRKS },
      { name: 'in/L.bntx', data: large },
    ],
    { alignment: 0x1000 },
  );
  const cutFrame = repeatingFrame(large).slice(0, -1000);
  const entries: SarcFile[] = [
    { name: 'a.bntx', data: large },
    { name: 'note.txt', data: new TextEncoder().encode('a small one\n') },
    { name: 'A.bntx', data: large },
    { name: 'cut.bntx', data: large.subarray(0, 300_000) },
    { name: 'nested.pack', data: nested },
    { name: 'cut.pack', data: nested.subarray(0, 200_000) },
    { name: 'packed.bntx.zs', data: repeatingFrame(large) },
    { name: 'cut.bntx.zs', data: cutFrame },
    { name: 'q.bntx', data: QUIRKS },
    ...Array.from({ length: 8 }, (_, i) => ({ name: `more/${i}.bntx`, data: large })),
  ];
  return writeSarc(entries, { alignment: 0x1000, dataOrder: 'given' });
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'romflow-test-'));
  const archive = largeArchive();
  expect(archive.length).toBeGreaterThan(40e6);
  put(folder, 'in/raw.pack', archive);
  put(folder, 'in/packed.pack.zs', repeatingFrame(archive));
  put(folder, 'in/cut.pack', archive.subarray(0, -500_000));
  put(folder, 'in/cut.pack.zs', repeatingFrame(archive).subarray(0, -400_000));
  put(folder, 'in/last.bntx', QUIRKS);
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  events: unknown[];
  files: Record<string, string>;
}

/** What a job comes to: here, or in so many workers. */
async function outcome(
  run: (paths: string[], options: JobOptions, output: NodeFolder) => AsyncIterable<object>,
  jobs: number | undefined,
  paths: string[],
  limits: { maxEntries?: number } = {},
  memory = 1 << 29,
): Promise<Outcome> {
  const out = join(temporaryFolder(), 'out');
  const session = await createSession({ limits });
  let pool: WorkerPool | undefined;
  const output = new NodeFolder(out);
  try {
    if (jobs) pool = openPool({ jobs, script, memory, session: { limits } });
    const options = { session, platform: nodePlatform, ...(pool && { pool }) };
    const events = await all(run(paths, options, output));
    const files = Object.fromEntries(
      filesBelow(out)
        .filter((path) => !path.startsWith('.romflow'))
        .map((path) => [
          path,
          createHash('sha256')
            .update(readFileSync(join(out, path)))
            .digest('hex'),
        ]),
    );
    return { events: events.map(comparable), files };
  } finally {
    await pool?.close();
    output.close();
  }
}

/** An event without the time it took. */
function comparable(event: object): unknown {
  const { seconds: _, error, ...rest } = event as { seconds?: number; error?: Error };
  return { ...rest, ...(error && { message: error.message }) };
}

const JOBS = {
  textures: (paths: string[], options: JobOptions, output: NodeFolder) =>
    extractTextures(findInputs(paths), { ...options, output, hashes: true }),
  deduped: (paths: string[], options: JobOptions, output: NodeFolder) =>
    extractTextures(findInputs(paths), { ...options, output, dedupe: true, flat: true }),
  extract: (paths: string[], options: JobOptions, output: NodeFolder) =>
    extract(findInputs(paths), { ...options, output, recursive: true, hashes: true }),
  ls: (paths: string[], options: JobOptions) => list(findInputs(paths), options),
};

describe('entries of large archives, given to other workers', () => {
  it.each(Object.keys(JOBS) as (keyof typeof JOBS)[])(
    '%s comes to the same with any number of workers',
    async (job) => {
      const paths = [join(folder, 'in')];
      const here = await outcome(JOBS[job], undefined, paths);
      expect(here.events.length).toBeGreaterThan(20);
      for (const jobs of [1, 2, 4]) expect(await outcome(JOBS[job], jobs, paths)).toEqual(here);
    },
  );

  it('so it does when hardly any memory may be used', async () => {
    const paths = [join(folder, 'in')];
    const here = await outcome(JOBS.textures, undefined, paths);
    expect(await outcome(JOBS.textures, 3, paths, {}, 1)).toEqual(here);
  });

  it('an archive alone keeps several workers busy', async () => {
    const pool = openPool({ jobs: 3, script });
    try {
      const options = { session: await createSession(), platform: nodePlatform, pool };
      let most = 0;
      for await (const _ of list(findInputs([join(folder, 'in/raw.pack')]), options)) most = Math.max(most, pool.size);
      expect(most).toBeGreaterThan(1);
    } finally {
      await pool.close();
    }
  });

  it('a path into an archive gives the same too', async () => {
    for (const inside of ['packed.pack.zs/more', 'raw.pack/nested.pack/in/L.bntx', 'raw.pack/nested.pack']) {
      const paths = [join(folder, 'in', inside)];
      const here = await outcome(JOBS.textures, undefined, paths);
      expect(Object.keys(here.files).length).toBeGreaterThan(0);
      expect(await outcome(JOBS.textures, 3, paths)).toEqual(here);
    }
  });

  it.each([5, 8, 14])('the limit of %d entries is the same', async (maxEntries) => {
    for (const name of ['raw.pack', 'packed.pack.zs']) {
      const paths = [join(folder, 'in', name)];
      const here = await outcome(JOBS.textures, undefined, paths, { maxEntries });
      expect(here.events.at(-2)).toMatchObject({ message: expect.stringContaining('--max-entries') as string });
      const shared = await outcome(JOBS.textures, 3, paths, { maxEntries });
      expect(shared.files).toEqual(here.files);
      expect(shared.events.map(messageOf)).toEqual(here.events.map(messageOf));
    }
  });
});

/** What is wrong, whichever entry it came up in. */
function messageOf(event: unknown): unknown {
  const { message, kind } = event as { message?: string; kind: string };
  return message ?? kind;
}
