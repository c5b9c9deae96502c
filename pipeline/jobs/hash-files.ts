import { counted, RomflowError } from '../../ts/io/errors.ts';
import type { Source } from '../../ts/io/source.ts';
import { HASH_SIZE, MAX_KERNEL_SIZE, type HashAlgorithm, type Kernels } from '../../ts/kernels/index.ts';
import type { Content } from '../walk/content.ts';
import { Job, type JobFailure, type JobInput, type JobOptions } from './job.ts';
import type { WorkFactory } from './work.ts';

/** How to hash; can be posted to workers. */
export interface HashSettings {
  algorithm: HashAlgorithm;
  /** as `hash.batch` takes it: of `sarc`, the multiplier */
  seed: bigint;
}

export interface HashFilesOptions extends JobOptions, HashSettings {}

/** A file that was hashed, as it lies there: compressed, if it is. */
export interface HashedFile {
  kind: 'file';
  path: string;
  size: number;
  /** 8 or 16 digits */
  hash: string;
}

export interface HashFilesSummary {
  kind: 'summary';
  files: number;
  hashed: number;
  failed: number;
  bytesIn: number;
  seconds: number;
}

export type HashFilesEvent = HashedFile | JobFailure | HashFilesSummary;

/**
 * Hashes whole files. crc32 takes them in chunks, the others hold one at a time in memory: its size, at most 2 GiB. Gives
 * an event per file and failure, and a summary last.
 *
 * @example
 * for await (const event of hashFiles(inputs, { session, platform: nodePlatform, algorithm: 'crc32', seed: 0n })) {
 *   if (event.kind === 'file') console.log(event.hash, event.path);
 * }
 */
export async function* hashFiles(
  inputs: Iterable<JobInput>,
  options: HashFilesOptions,
): AsyncGenerator<HashFilesEvent, void, void> {
  const { algorithm, seed } = options;
  const job = new Job(options);
  let hashed = 0;
  yield* job.run<HashSettings, HashedFile, HashedFile>(inputs, {
    name: 'hash',
    work: hashWork,
    options: { algorithm, seed },
    finish(file) {
      hashed++;
      return [file];
    },
  });
  const { files, failed, bytesIn, seconds } = job;
  yield { kind: 'summary', files, hashed, failed, bytesIn, seconds };
}

/** Hashes files. */
export const hashWork: WorkFactory<HashSettings, HashedFile> = (settings, { session, match, turn }) => {
  const { algorithm, seed } = settings;

  async function inChunks(content: Content): Promise<{ size: number; hash: bigint }> {
    let size = 0;
    let crc = Number(seed);
    for (const chunk of content.chunks()) {
      crc = session.kernels.hash.crc32(chunk, crc);
      size += chunk.length;
      const pause = turn();
      if (pause) await pause;
    }
    return { size, hash: BigInt(crc) };
  }

  /** The other algorithms have no way to go on from a chunk. */
  async function asAWhole(content: Content): Promise<{ size: number; hash: bigint }> {
    await content.gather(turn);
    return hashWhole(session.kernels, content.source(), settings);
  }

  return {
    async *file({ path, content, output }) {
      if (!match(output)) return;
      const { size, hash } = await (algorithm === 'crc32' ? inChunks(content) : asAWhole(content));
      yield { kind: 'file', path, size, hash: hash.toString(16).padStart(2 * HASH_SIZE[algorithm], '0') };
    },
    walk: () => ({ enter: () => false, unwrap: () => false }),
  };
};

function hashWhole(
  kernels: Kernels,
  source: Source,
  { algorithm, seed }: HashSettings,
): { size: number; hash: bigint } {
  const { size, path } = source;
  if (size > MAX_KERNEL_SIZE) {
    throw new RomflowError('limit', `has ${counted(size, 'byte')}: ${algorithm} takes ${MAX_KERNEL_SIZE} at most`, {
      path,
    });
  }
  const buffer = kernels.alloc(size);
  try {
    source.readInto(0, buffer.bytes);
    const hash = kernels.hash.batch(algorithm, buffer.bytes, Uint32Array.of(size), seed);
    return { size, hash: hash.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n) };
  } finally {
    buffer.free();
  }
}
