import type { FileType } from '../../ts/formats/recognize.ts';
import { postedError, RomflowError, type PostedError } from '../../ts/io/errors.ts';
import type { Staging } from '../output/folder.ts';
import type { Platform } from '../platform.ts';
import type { Content, Turn } from '../walk/content.ts';
import type { Session } from '../walk/session.ts';
import {
  walk,
  type EntryHandOver,
  type HandedOver,
  type Place,
  type VisitedFile,
  type VisitFailure,
  type WalkOptions,
} from '../walk/walk.ts';
import { asRomflowError, isFatal } from './failures.ts';

/** What an input is called; can be posted to workers. */
export interface InputNames {
  /** as messages name it; `/` goes on into archives */
  path: string;
  /** relative path of its outputs, with `/` */
  output: string;
}

/** An entry of an input's archive, to be worked on elsewhere than its archive. */
export interface EntryPlace extends Place {
  /** the outermost file, as messages name it */
  root: string;
  /** whether the input itself was a file, and not a folder in an archive */
  inputIsFile: boolean;
}

/** A file that a job came across, with the relative path of its outputs. */
export type JobFile = VisitedFile & { output: string };

/** A failure, as it can be posted. */
export interface FailedResult {
  kind: 'failure';
  file: string;
  error: PostedError;
}

/** A file that was not handled. */
export interface SkippedResult {
  kind: 'skipped';
  /** of what kind it is */
  type: string;
}

/** An oddity that is no error. */
export interface WarningResult {
  kind: 'warning';
  message: string;
}

export type CommonResult = FailedResult | SkippedResult | WarningResult;

/** What work on an input comes to, in order; plain data, for other threads and journals. */
export type Result<R> = R | CommonResult;

/** Warnings are of a worker, and no results of the input: they come the first time alone. */
export function isWarning(result: unknown): result is WarningResult {
  return (result as { kind?: unknown }).kind === 'warning';
}

/** How summaries count a file that was not handled: its type, and the platform where it is not the Switch's. */
export function skippedResult({ id, platform }: FileType): SkippedResult {
  return { kind: 'skipped', type: platform === undefined || platform === 'Switch' ? id : `${id} (${platform})` };
}

/** A result that comes with a file. */
export interface Placed {
  /** where the file was placed in the output folder; set when that is done */
  placed?: string;
}

/** Any error about `path` as a result. Throws those that end the job. */
export function failedResult(error: unknown, path: string, file: string): FailedResult {
  if (isFatal(error)) throw error;
  return { kind: 'failure', file, error: postedError(asRomflowError(error, path)) };
}

/** What work needs of where it is done. */
export interface Tools {
  session: Session;
  platform: Platform;
  /** lets signals be seen, when it is time for that */
  turn: Turn;
  /** Whether something is wanted, by the relative path of its outputs. */
  match: (path: string) => boolean;
  /** where files are written; there for jobs that write some */
  staging: Staging;
  /** Reports an error about `path`, once. Throws those that end the job. */
  failure: (error: unknown, path: string, file: string) => Iterable<FailedResult>;
}

/** The part of a job that is done where the input is: it makes results of the files in it. */
export interface Work<R> {
  file(file: JobFile, input: InputNames): AsyncIterable<Result<R>> | Iterable<Result<R>>;
  /** How to walk, if not everywhere. */
  walk?: (input: InputNames) => Pick<WalkOptions, 'enter' | 'unwrap'>;
  /** What to say of a file that cannot be opened at all. */
  unopened?(failure: VisitFailure): Iterable<R>;
}

/** Makes the work of a job from options that can be posted. */
export type WorkFactory<O, R> = (options: O, tools: Tools) => Work<R>;

/** Where an input is worked on. */
export interface Workplace extends Omit<Tools, 'failure'> {
  /** counts visits */
  visits?: { count: number };
  /** Takes entries of archives away, to work on them elsewhere; as walks do it. */
  handOver?: (place: EntryPlace, archiveSize: number) => Promise<EntryHandOver> | undefined;
}

/**
 * Does a job's work on an input, or on one entry of it. Gives what comes of it; an entry handed over stands as the
 * number that stands for it. Throws a RomflowError that ends the job.
 */
export async function* workOn<O, R>(
  factory: WorkFactory<O, R>,
  options: O,
  input: InputNames,
  start: Content | EntryPlace,
  workplace: Workplace,
): AsyncGenerator<Result<R> | HandedOver, void, void> {
  // One error can come up in an archive and again in its entries.
  const reported = new WeakSet<Error>();
  function* failure(error: unknown, path: string, file: string): Generator<FailedResult, void, void> {
    const result = failedResult(error, path, file);
    if (error instanceof Error) {
      if (reported.has(error)) return;
      reported.add(error);
    }
    yield result;
  }
  const { turn, session, visits, handOver } = workplace;
  const work = factory(options, { ...workplace, failure });
  const rules = work.walk?.(input);
  const onTheWay = (path: string): boolean => input.path.startsWith(`${path}/`);
  const inScope = (path: string): boolean => path === input.path || path.startsWith(`${input.path}/`);
  const place =
    'depth' in start
      ? start
      : { content: start, depth: 0, storedSize: start.size ?? 0, root: start.path, inputIsFile: false };
  const { root } = place;
  let found = false;
  // What is meant may be a folder of entries, which is not visited itself: outputs are named from below it then.
  let { inputIsFile } = place;
  const walked = walk(place, session, {
    turn,
    ...(visits && { visits }),
    root,
    enter: (file) => onTheWay(file.path) || (inScope(file.path) && (rules?.enter?.(file) ?? true)),
    unwrap: (path) => onTheWay(path) || (rules?.unwrap?.(path) ?? true),
    ...(handOver && {
      handOver: (entry: Place, archiveSize: number) =>
        inScope(entry.content.path) ? handOver({ ...entry, root, inputIsFile }, archiveSize) : undefined,
    }),
  });
  for await (const visit of walked) {
    const pause = turn();
    if (pause) await pause;
    if (visit.kind === 'handed') {
      found = true;
      yield visit;
      continue;
    }
    if (!inScope(visit.path) && !(visit.kind === 'failure' && onTheWay(visit.path))) continue;
    found = true;
    if (visit.path === input.path) inputIsFile = true;
    const below = visit.path.slice(input.path.length);
    const output = inputIsFile || !below ? input.output + below : below.slice(1);
    try {
      if (visit.kind === 'file') {
        yield* work.file({ ...visit, output }, input);
      } else {
        if (visit.unopened && work.unopened) yield* work.unopened(visit);
        throw visit.error;
      }
    } catch (error) {
      yield* failure(error, visit.path, output);
    }
  }
  if (!found) {
    const missing = new RomflowError('not-found', 'there is no such entry', { path: input.path });
    yield* failure(missing, input.path, input.output);
  }
}
