import { InvalidArgumentError, Option, type Command } from 'commander';
import { WORKER_POOL_DEFAULTS } from '../pool/pool.ts';
import { DEFAULT_LIMITS } from '../walk/session.ts';

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

export const MIB = 1024 * 1024;

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
      'only what matches by its path (of textures with their name), or without a slash by its last part; "!" excludes (repeatable)',
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
      'folder of the unmodified game, for its dictionaries (default: the nearest above PATH that looks like one)',
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
    .option('--overwrite', 'replace files that are there already and were not written by an earlier run');
}

/** Makes sure that `--output` was given. It is no mandatory option of commander's, since it would be one of subcommands. */
export function requireOutput<T extends OutputOptions>(options: GivenOptions<T>, command: Command): T {
  if (options.output === undefined) command.error("error: option '-o, --output <dir>' is required");
  return options as unknown as T;
}
