import { extractTextures } from '../pipeline/jobs/extract-textures.ts';
import { extract } from '../pipeline/jobs/extract.ts';
import type { JobFailure, JobInput } from '../pipeline/jobs/job.ts';
import { list } from '../pipeline/jobs/list.ts';
import { nodePlatform } from '../pipeline/node/platform.ts';
import { Session } from '../pipeline/walk/session.ts';
import { writeBfres } from '../scripts/sample/bfres.ts';
import { writeSarc } from '../scripts/sample/sarc.ts';
import { encodeYaz0 } from '../scripts/sample/yaz0.ts';
import { writeZstd, writeZstdDictionary } from '../scripts/sample/zstd.ts';
import { bytesInput } from '../test/support/inputs.ts';
import { MemoryFolder } from '../test/support/memory-folder.ts';
import { tinyBntx } from './format-targets.ts';
import { HeapWatch } from './heap.ts';
import { sampleText } from './kernel-targets.ts';
import { fields, type Fixture } from './mutate.ts';
import { agree, Finding, type Outcome } from './outcome.ts';
import type { Target } from './target.ts';

const LIMITS = { maxSize: 1 << 18, maxDepth: 4, maxEntries: 40, windowLimit: 1 << 16 };
const MEMORY = 16 << 20;

/** `data` as a zstd frame of one raw block, so that mutations inside come through. */
function storedZstd(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0xfd2fb528, true);
  view.setUint8(4, 0xa0); // a single segment, four bytes of content size
  view.setUint32(5, data.length, true);
  view.setUint16(9, (data.length << 3) | 1, true);
  view.setUint8(11, data.length >> 13);
  bytes.set(data, 12);
  return bytes;
}

/** `data` as a Yaz0 file of literals. */
function storedYaz0(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(16 + data.length + Math.ceil(data.length / 8));
  bytes.set(new TextEncoder().encode('Yaz0'));
  new DataView(bytes.buffer).setUint32(4, data.length);
  for (let from = 0, to = 16; from < data.length; from += 8, to += 9) {
    bytes[to] = 0xff;
    bytes.set(data.subarray(from, from + 8), to + 1);
  }
  return bytes;
}

const dictionaryOf = (): ReturnType<typeof writeZstdDictionary> =>
  writeZstdDictionary([sampleText(300, 1), sampleText(300, 2)], 77);

/** Archives in archives, with and without compression. */
function nestedFixtures(): Fixture[] {
  const bntx = tinyBntx('R8_UNORM');
  const bfres = writeBfres({ name: 'm', version: [9, 0, 0], files: [{ name: 'textures.bntx', data: bntx }] });
  const dictionary = dictionaryOf();
  const archive = (files: Record<string, Uint8Array>): Fixture => {
    const entries = Object.entries(files).map(([name, data]) => ({ name, data }));
    const tables = entries.flatMap((_, i) => fields(0x20 + 16 * i, 4, 3, 1, 4, 4));
    const bytes = writeSarc(entries, { alignment: 16 });
    // Where its entries begin: their magics and what follows.
    const view = new DataView(bytes.buffer);
    const start = view.getUint32(0x0c, true);
    const heads = entries.flatMap((_, i) =>
      fields(start + view.getUint32(0x28 + 16 * i, true), 4, 1, 1, 2, 4, 4, 4, 4, 4),
    );
    const name = Object.keys(files).join(', ');
    return { name, bytes, fields: [...fields(0, 4, 2, 2, 4, 4, 2, 2, 4, 2, 2, 4), ...tables, ...heads] };
  };
  const inner = archive({ 'T.bntx': bntx, 'note.txt': sampleText(40, 3) }).bytes;
  return [
    archive({ 'a.bntx': bntx, 'b.txt': sampleText(60, 1) }),
    archive({
      'a.bfres.zs': writeZstd(bfres, { blockSize: 500 }),
      'b.szs': encodeYaz0(inner),
      'c/d': sampleText(9, 2),
    }),
    archive({
      'a.pack.zs': writeZstd(inner, { checksum: true }),
      'd.zs': writeZstd(sampleText(200, 1), { dictionary }),
      'e.zs': writeZstd(sampleText(200, 1), { dictionary, omitDictionaryId: true }),
      'f.zs': writeZstd(writeZstd(encodeYaz0(sampleText(50, 4)))),
    }),
    archive({ 'a.sarc': archive({ 'b.sarc': archive({ 'c.sarc': new Uint8Array(20) }).bytes }).bytes }),
    { name: 'bfres', bytes: bfres, fields: [...fields(0xb8, 8, 8), ...fields(0xec, 2, 1), ...fields(0x110, 8, 4, 4)] },
  ];
}

type Event = JobFailure | { kind: string; seconds?: number };

function eventText(event: Event): string {
  if (event.kind === 'failure') {
    const { file, error } = event as JobFailure;
    // The jobs give these codes to what they did not throw themselves.
    if (error.code === 'input' || error.code === 'memory') {
      throw new Finding(`${error.message}\n${(error.cause as Error | undefined)?.stack ?? ''}`);
    }
    return `${file} ${error.code} ${error.message}`;
  }
  return JSON.stringify({ ...event, seconds: 0 }, (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
}

type Job = (input: JobInput, session: Session, output: MemoryFolder) => AsyncIterable<Event>;

/** Runs a job in both backends and compares the events and the files. */
function walkTarget(name: string, job: Job, givenDictionaries: boolean): Target {
  return {
    name,
    fixtures: nestedFixtures,
    open() {
      const bodies = (['wasm', 'ts'] as const).map((backend) => {
        const session = new Session({ backend, limits: LIMITS });
        const heap = backend === 'wasm' ? new HeapWatch(session.kernels) : undefined;
        if (givenDictionaries) {
          session.dictionaries.add(session.kernels, 'dictionary', dictionaryOf().bytes);
          session.hasGivenDictionaries = true;
        }
        heap?.rebase();
        return { backend, session, heap };
      });
      const outcome = async (session: Session, input: Uint8Array): Promise<Outcome> => {
        const output = new MemoryFolder();
        const texts: string[] = [];
        let failures = 0;
        for await (const event of job(bytesInput('file.pack', input), session, output)) {
          texts.push(eventText(event));
          if (event.kind === 'failure') failures++;
        }
        const files = [...output.files];
        const detail = [...texts, ...files.map(([path, bytes]) => `${path} ${bytes.length}`)].join('\n');
        const label = `ok, ${Math.min(texts.length, 9)} events, ${Math.min(failures, 9)} failures`;
        return { label, detail, bytes: new Uint8Array(Buffer.concat(files.map(([, bytes]) => bytes))) };
      };
      return async (input, next) => {
        const wrapped = [input, storedZstd(input), storedYaz0(input)][next() % 3]!;
        const outcomes: Record<string, Outcome> = {};
        for (const { backend, session, heap } of bodies) {
          outcomes[backend] = await outcome(session, wrapped);
          heap?.check(MEMORY);
        }
        return agree(outcomes);
      };
    },
  };
}

/** The whole walk, as each job makes it. */
export const WALK_TARGETS: readonly Target[] = [
  walkTarget('walk-list', (input, session) => list([input], { session, platform: nodePlatform }), false),
  walkTarget(
    'walk-textures',
    (input, session, output) => extractTextures([input], { session, platform: nodePlatform, output }),
    true,
  ),
  walkTarget(
    'walk-extract',
    (input, session, output) => extract([input], { session, platform: nodePlatform, output, recursive: true }),
    false,
  ),
];
