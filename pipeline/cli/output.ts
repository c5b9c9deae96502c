import { resolve, sep } from 'node:path';
import { RomflowError } from '../../ts/io/errors.ts';
import { NodeFolder } from '../node/folder.ts';
import type { Journal } from '../node/journal.ts';
import { isFolder, isInside, isSame } from '../node/romfs.ts';
import type { CommonOptions, OutputOptions } from './options.ts';
import { count, type Reporter } from './reporter.ts';
import { checkPaths, romfsOf, withWork, type Work } from './work.ts';

declare const ROMFLOW_VERSION: string;

/** What a command that writes files works with. */
export interface OutputWork extends Work {
  output: NodeFolder;
  /** what earlier runs wrote to it */
  store: Journal;
}

/** What a journal is to know of a job, beside the options that all have. */
export interface JournalParts {
  job: string;
  /** what the outputs depend on */
  settings: object;
  dryRun?: boolean;
}

/** As {@link withWork}, with the output folder and its journal. */
export async function withOutput<T>(
  paths: string[],
  options: CommonOptions & OutputOptions,
  { job, settings, dryRun = false }: JournalParts,
  reporter: Reporter,
  signal: AbortSignal,
  use: (work: OutputWork) => Promise<T>,
): Promise<T> {
  checkPaths(paths, options);
  checkOutput(paths, options);
  const { overwrite = false, resume = false, match, json = false } = options;
  const output = new NodeFolder(options.output, {
    overwrite,
    journal: {
      job,
      // Dictionaries are not of them: what needs one fails without it, and what failed is tried again.
      settings: { version: ROMFLOW_VERSION, match, ...settings },
      hashed: json,
      resume,
      // What does not match may be wanted from the run before.
      prune: resume && !match,
      dryRun,
      covers: (input) => paths.some((path) => lies(input, resolve(path))),
    },
  });
  try {
    return await withWork(paths, options, reporter, signal, (work) => use({ ...work, output, store: output.journal! }));
  } finally {
    output.close();
  }
}

/** The game's own files stay as they are; and a folder cannot be read and written at once. */
function checkOutput(paths: string[], { output, romfs }: CommonOptions & OutputOptions): void {
  for (const game of romfsOf(paths, romfs)) {
    if (isInside(output, game)) throw new RomflowError('usage', `--output must not lie in the game's folder ${game}`);
  }
  if (output === '') throw new RomflowError('usage', '--output must name a folder');
  if (paths.some((path) => isFolder(path) && isSame(path, output))) {
    throw new RomflowError('usage', `--output must not be the folder that is read (${output})`);
  }
}

/** Whether a path is a place or lies in it; both are absolute. */
function lies(path: string, place: string): boolean {
  return path === place || path.startsWith(place.endsWith(sep) ? place : place + sep);
}

/** A summary for JSON: of earlier runs only where one was asked for. */
export function summaryOf<T extends { resumed: number; removed: number }>(
  { resumed, removed, ...summary }: T,
  { resume }: OutputOptions,
): object {
  return resume ? { ...summary, resumed, removed } : summary;
}

/** Parts of a summary for people. */
export function resumedText(
  { resumed, removed }: { resumed: number; removed: number },
  interrupted: boolean,
): string[] {
  return [
    ...(interrupted ? ['interrupted: --resume goes on from here'] : []),
    ...(resumed ? [`${count(resumed, 'file')} as before`] : []),
    ...(removed ? [`${count(removed, 'file')} of before removed`] : []),
  ];
}
