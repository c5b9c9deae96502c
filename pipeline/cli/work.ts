import { RomflowError } from '../../ts/io/errors.ts';
import type { JobInput, JobOptions } from '../jobs/job.ts';
import { turns } from '../jobs/turns.ts';
import { findInputs, readStandardInput, standardInput } from '../node/inputs.ts';
import { matcherOf } from '../node/match.ts';
import { nodePlatform } from '../node/platform.ts';
import { openPool } from '../node/pool.ts';
import { findRomfs, isFile, isFolder, realPath } from '../node/romfs.ts';
import { createSession, type NodeSessionOptions } from '../node/session.ts';
import type { WorkerPool } from '../pool/pool.ts';
import { MIB, type CommonOptions, type OutputOptions } from './options.ts';
import type { Reporter } from './reporter.ts';
import { countInputs } from './total.ts';

/** What a command works with. */
export interface Work {
  inputs: Iterable<JobInput>;
  /** what the common options set of a job */
  settings: JobOptions & { pool: WorkerPool };
}

/**
 * Opens what the arguments and common options name, has a command `use` it, and clears up after it, whatever happens.
 * Throws a RomflowError.
 */
export async function withWork<T>(
  paths: string[],
  options: CommonOptions & Partial<OutputOptions>,
  reporter: Reporter,
  signal: AbortSignal,
  use: (work: Work) => Promise<T>,
): Promise<T> {
  checkPaths(paths, options);
  const { dictionary: dictionaries = [], match, romfs, output, jobs, memory, timeLimit } = options;
  const sessionOptions: NodeSessionOptions = {
    backend: options.backend,
    limits: {
      maxSize: options.maxSize * MIB,
      maxDepth: options.maxDepth,
      maxEntries: options.maxEntries,
      windowLimit: options.maxWindow * MIB,
    },
    dictionaries,
    romfs: [...romfsOf(paths, romfs)],
  };
  const onWarning = (message: string): void => reporter.warn(message);
  const session = await createSession({ ...sessionOptions, onWarning }, turns(nodePlatform, signal));
  const stdin = paths.includes('-') ? await readStandardInput(session.limits.maxSize, signal) : undefined;
  const pool = openPool({
    session: sessionOptions,
    memory: memory * MIB,
    timeLimit,
    ...(match && { match }),
    ...(jobs !== undefined && { jobs }),
  });
  const ownFolder = output === undefined ? undefined : realPath(output);
  const exclude = (path: string): boolean => realPath(path) === ownFolder;
  const total = countInputs(
    paths.filter((path) => path !== '-'),
    exclude,
  );
  try {
    return await use({
      inputs: inputsOf(paths, stdin, exclude),
      settings: {
        session,
        platform: nodePlatform,
        pool,
        signal,
        ...(match && { match: matcherOf(match) }),
        onProgress: (progress) => reporter.inputs(progress, total),
      },
    });
  } finally {
    total.stop();
    await pool.close();
  }
}

/** Makes sure that paths are worth being looked at. Throws a RomflowError `usage`. */
export function checkPaths(paths: string[], { dictionary = [], romfs }: CommonOptions): void {
  if (paths.includes('')) throw new RomflowError('usage', 'a path is empty');
  if (romfs !== undefined && !isFolder(romfs)) throw new RomflowError('usage', `--romfs ${romfs} is no folder`);
  const missing = dictionary.find((path) => !isFile(path));
  if (missing !== undefined) throw new RomflowError('usage', `--dictionary ${missing} is no file`);
}

/** The unmodified games that the paths belong to. */
export function romfsOf(paths: string[], romfs: string | undefined): Set<string> {
  return new Set(romfs === undefined ? paths.flatMap((path) => findRomfs(path) ?? []) : [romfs]);
}

function* inputsOf(
  paths: string[],
  stdin: Uint8Array | undefined,
  exclude: (path: string) => boolean,
): Generator<JobInput, void, void> {
  for (const path of paths) {
    if (path === '-' && stdin) yield standardInput(stdin);
    else yield* findInputs([path], exclude);
  }
}
