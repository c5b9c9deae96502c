import { resolve, sep } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { RomflowError } from '../../ts/io/errors.ts';
import type { JobInput, JobOptions } from '../jobs/job.ts';
import { turns } from '../jobs/turns.ts';
import { NodeFolder } from '../node/folder.ts';
import { findInputs, readStandardInput, standardInput } from '../node/inputs.ts';
import type { Journal } from '../node/journal.ts';
import { matcherOf } from '../node/match.ts';
import { nodePlatform } from '../node/platform.ts';
import { openPool } from '../node/pool.ts';
import { findRomfs, isFolder, isInside, isSame } from '../node/romfs.ts';
import { createSession, type NodeSessionOptions } from '../node/session.ts';
import { WORKER_POOL_DEFAULTS, type WorkerPool } from '../pool/pool.ts';
import { DEFAULT_LIMITS } from '../walk/session.ts';
import { count, type Reporter } from './reporter.ts';
import { countInputs } from './total.ts';

declare const ROMFLOW_VERSION: string;

/** Options that every command reading files has. */
export interface CommonOptions {
  match?: string[];
  jobs?: number;
  memory: number;
  timeLimit: number;
  dictionary?: string[];
  romfs?: string;
  maxSize: number;
  maxDepth: number;
  maxEntries: number;
  maxWindow: number;
  backend: 'wasm' | 'ts';
  json?: boolean;
  quiet?: boolean;
  debug?: boolean;
}

/** Options of commands that write a folder. */
export interface OutputOptions {
  output: string;
  overwrite?: boolean;
  resume?: boolean;
}

/** Options as they were given: `--output` may be missing. */
export type GivenOptions<T extends OutputOptions> = Omit<T, 'output'> & { output?: string };

const MIB = 1024 * 1024;

/** Parses a whole number from `low` to `high`; for commander. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(`A whole number from ${low} to ${high} is needed.`);
  };
}

/** Collects the values of a repeatable option; for commander. */
function collect(value: string, values?: string[]): string[] {
  return [...(values ?? []), value];
}

/** Adds the options of {@link CommonOptions}. */
export function withCommonOptions(command: Command): Command {
  return command
    .option(
      '--match <glob>',
      'only what matches by its path (of textures with their\nname), or without a slash by its last part; "!" excludes\n(repeatable)',
      collect,
    )
    .option('--jobs <n>', 'threads to use (default: one for each processor)', wholeNumber(1, 1024))
    .option(
      '--memory <MiB>',
      'most that all threads together may hold unpacked',
      wholeNumber(1, 1024 * 1024),
      WORKER_POOL_DEFAULTS.memory / MIB,
    )
    .option(
      '--time-limit <s>',
      'give a file up after so many seconds without progress',
      wholeNumber(1, 1e6),
      WORKER_POOL_DEFAULTS.timeLimit,
    )
    .option('--dictionary <file>', 'zstd dictionary, or an archive of them (repeatable)', collect)
    .option(
      '--romfs <dir>',
      'folder of the unmodified game, for its dictionaries\n(default: the nearest above PATH that looks like one)',
    )
    .option(
      '--max-size <MiB>',
      'most that one compressed file may unpack to',
      wholeNumber(1, 1024 * 1024),
      DEFAULT_LIMITS.maxSize / MIB,
    )
    .option('--max-window <MiB>', 'largest zstd window', wholeNumber(1, 4095), DEFAULT_LIMITS.windowLimit / MIB)
    .option('--max-entries <n>', 'most entries in one file', wholeNumber(1, 1e9), DEFAULT_LIMITS.maxEntries)
    .option('--max-depth <n>', 'most levels of nesting', wholeNumber(1, 1000), DEFAULT_LIMITS.maxDepth)
    .addOption(new Option('--backend <name>', 'kernels to use').choices(['wasm', 'ts']).default('wasm'))
    .option('--json', 'one JSON object a line on standard output, nothing else')
    .option('--quiet', 'print errors alone')
    .option('--debug', 'print stack traces');
}

/** Adds the options of {@link OutputOptions}. */
export function withOutputOptions(command: Command): Command {
  return command
    .option('-o, --output <dir>', 'folder to write to (required)')
    .option('--resume', 'go on where an earlier run ended: what it wrote is kept')
    .option('--overwrite', 'replace files that are there already and were not written\nby an earlier run');
}

/** Makes sure that `--output` was given. It is no mandatory option of commander's, since it would be one of subcommands. */
export function requireOutput<T extends OutputOptions>(options: GivenOptions<T>, command: Command): T {
  if (options.output === undefined) command.error("error: option '-o, --output <dir>' is required");
  return options as unknown as T;
}

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
  if (paths.includes('')) throw new RomflowError('usage', 'a path is empty');
  const { dictionary: dictionaries = [], match, romfs, output, jobs, memory, timeLimit } = options;
  if (romfs !== undefined && !isFolder(romfs)) throw new RomflowError('usage', `--romfs ${romfs} is no folder`);
  if (output !== undefined) checkOutput(paths, output, romfs);
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
  const exclude = (path: string): boolean => output !== undefined && isSame(path, output);
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

/** The unmodified games that the paths belong to. */
function romfsOf(paths: string[], romfs: string | undefined): Set<string> {
  return new Set(romfs === undefined ? paths.flatMap((path) => findRomfs(path) ?? []) : [romfs]);
}

/** The game's own files stay as they are; and a folder cannot be read and written at once. */
function checkOutput(paths: string[], output: string, romfs: string | undefined): void {
  for (const game of romfsOf(paths, romfs)) {
    if (isInside(output, game)) throw new RomflowError('usage', `--output must not lie in the game's folder ${game}`);
  }
  if (output === '') throw new RomflowError('usage', '--output must name a folder');
  if (paths.some((path) => isFolder(path) && isSame(path, output))) {
    throw new RomflowError('usage', `--output must not be the folder that is read (${output})`);
  }
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

/** What a journal is to know of a job, beside the options that all have. */
export interface JournalParts {
  job: string;
  /** what the outputs depend on */
  settings: object;
  dryRun?: boolean;
}

/** Runs `use` with the output folder and its journal, and clears up after it, whatever happens. */
export async function withFolder<T>(
  paths: string[],
  { output, overwrite = false, resume = false, match, dictionary, json = false }: OutputOptions & CommonOptions,
  { job, settings, dryRun = false }: JournalParts,
  use: (folder: NodeFolder, journal: Journal) => Promise<T>,
): Promise<T> {
  const folder = new NodeFolder(output, {
    overwrite,
    journal: {
      job,
      settings: { version: ROMFLOW_VERSION, match, dictionary, ...settings },
      hashed: json,
      resume,
      dryRun,
      covers: (input) => paths.some((path) => lies(input, resolve(path))),
    },
  });
  try {
    return await use(folder, folder.journal!);
  } finally {
    folder.close();
  }
}

/** Whether a path is a place or lies in it; both are absolute. */
function lies(path: string, place: string): boolean {
  return path === place || path.startsWith(place.endsWith(sep) ? place : place + sep);
}

/** What a summary says of what earlier runs did. */
interface ResumedSummary {
  failed: number;
  resumed: number;
}

/** Removes what a resumed run left behind of earlier ones; gives how many files. With `--match` there may be more to do. */
export function removeStale(journal: Journal, { resume, match }: CommonOptions & OutputOptions): number {
  return resume && !match ? journal.removeStale() : 0;
}

/** A summary for JSON: of earlier runs only where one was asked for. */
export function summaryOf<T extends ResumedSummary>(
  { resumed, ...summary }: T,
  { resume }: OutputOptions,
  removed: number,
): object {
  return resume ? { ...summary, resumed, removed } : summary;
}

/** Parts of a summary for people. */
export function resumedText({ resumed }: ResumedSummary, removed: number): string[] {
  return [
    ...(resumed ? [`${count(resumed, 'file')} as before`] : []),
    ...(removed ? [`${count(removed, 'file')} of before removed`] : []),
  ];
}
