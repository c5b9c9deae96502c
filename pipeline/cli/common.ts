import { InvalidArgumentError, Option, type Command } from 'commander';
import picomatch from 'picomatch';
import { RomflowError } from '../../ts/io/errors.ts';
import type { JobInput, JobOptions } from '../jobs/job.ts';
import { turns } from '../jobs/turns.ts';
import { openFile } from '../node/file-source.ts';
import { NodeFolder } from '../node/folder.ts';
import { findInputs, readStandardInput, standardInput } from '../node/inputs.ts';
import { nodePlatform } from '../node/platform.ts';
import { addRomfsDictionaries, findRomfs, isFolder, isInside, isSame } from '../node/romfs.ts';
import { addDictionaries } from '../walk/dictionaries.ts';
import { DEFAULT_LIMITS, Session } from '../walk/session.ts';
import type { Reporter } from './reporter.ts';

/** Options that every command reading files has. */
export interface CommonOptions {
  match?: string[];
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

/** What `--match` asks for. */
function matcherOf(match: string[]): (path: string) => boolean {
  const matchers = (globs: string[]): ((path: string) => boolean)[] =>
    globs.map((glob) => picomatch(glob, { dot: true, basename: !glob.includes('/') }));
  const wanted = matchers(match.filter((glob) => !glob.startsWith('!')));
  const unwanted = matchers(match.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)));
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
}

/** Adds the options of {@link CommonOptions}. */
export function withCommonOptions(command: Command): Command {
  return command
    .option(
      '--match <glob>',
      'only what matches by its path (of textures with their\nname), or without a slash by its last part; "!" excludes\n(repeatable)',
      collect,
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
    .option('--overwrite', 'replace files that are there already');
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
  settings: JobOptions;
}

/** Opens what the arguments and common options name. Throws a RomflowError. */
export async function prepare(
  paths: string[],
  options: CommonOptions & Partial<OutputOptions>,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<Work> {
  if (paths.includes('')) throw new RomflowError('usage', 'a path is empty');
  const { dictionary = [], match, romfs, output } = options;
  if (romfs !== undefined && !isFolder(romfs)) throw new RomflowError('usage', `--romfs ${romfs} is no folder`);
  if (output !== undefined) checkOutput(paths, output, romfs);
  const session = new Session({
    backend: options.backend,
    limits: {
      maxSize: options.maxSize * MIB,
      maxDepth: options.maxDepth,
      maxEntries: options.maxEntries,
      windowLimit: options.maxWindow * MIB,
    },
    onWarning: (message) => reporter.warn(message),
    findDictionaries: async (asking) => {
      for (const folder of romfsOf(paths, romfs)) await addRomfsDictionaries(asking, folder);
    },
  });
  const turn = turns(nodePlatform, signal);
  for (const file of dictionary) await addDictionaries(session, openFile(file), { raw: true, turn });
  session.hasGivenDictionaries = dictionary.length > 0;
  const stdin = paths.includes('-') ? await readStandardInput(session.limits.maxSize, signal) : undefined;
  return {
    inputs: inputsOf(paths, stdin, (path) => output !== undefined && isSame(path, output)),
    settings: { session, platform: nodePlatform, signal, ...(match && { match: matcherOf(match) }) },
  };
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

/** Runs `use` with the output folder and clears up after it, whatever happens. */
export async function withFolder<T>(
  { output, overwrite = false }: OutputOptions,
  use: (folder: NodeFolder) => Promise<T>,
): Promise<T> {
  const folder = new NodeFolder(output, { overwrite });
  try {
    return await use(folder);
  } finally {
    folder.close();
  }
}
