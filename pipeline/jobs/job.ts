import type { FileType } from '../../ts/formats/recognize.ts';
import { RomflowError } from '../../ts/io/errors.ts';
import type { Platform } from '../platform.ts';
import type { Content } from '../walk/content.ts';
import type { Session } from '../walk/session.ts';
import { walk, type Visit, type WalkOptions } from '../walk/walk.ts';

/** One file to work on, or a part of one. */
export interface JobInput {
  /** as messages name it; `/` goes on into archives */
  path: string;
  /** relative path of its outputs, with `/` */
  output: string;
  /** of the file, in bytes */
  size: number;
  /** Opens the file; its path is {@link path}, or the beginning of that when an entry inside is meant. Throws. */
  open(): Content;
}

/** What a walk came across, with the relative path of its outputs. */
export type JobVisit = Visit & { output: string };

/**
 * Walks an input, or the part of it that is meant; the options are for what is in that part. Throws a `not-found` error
 * when there is no such part.
 */
export function* visits(input: JobInput, session: Session, options: WalkOptions = {}): Generator<JobVisit, void, void> {
  const onTheWay = (path: string): boolean => input.path.startsWith(`${path}/`);
  const inScope = (path: string): boolean => path === input.path || path.startsWith(`${input.path}/`);
  let found = false;
  const walked = walk(input.open(), session, {
    enter: (file) => onTheWay(file.path) || (inScope(file.path) && (options.enter?.(file) ?? true)),
    unwrap: (path) => onTheWay(path) || (options.unwrap?.(path) ?? true),
  });
  for (const visit of walked) {
    if (!inScope(visit.path) && !(visit.kind === 'failure' && onTheWay(visit.path))) continue;
    found = true;
    yield { ...visit, output: input.output + visit.path.slice(input.path.length) };
  }
  if (!found) throw new RomflowError('not-found', 'there is no such entry', { path: input.path });
}

/** A file, entry or surface that failed; the job went on. */
export interface JobFailure {
  kind: 'failure';
  /** as in the outputs */
  file: string;
  error: RomflowError;
}

/** Errors that end a job, since whatever comes next would fail in the same way. */
export function isFatal(error: unknown): boolean {
  return error instanceof RomflowError && (error.code === 'output' || error.code === 'aborted');
}

/** Any error as a RomflowError: what is thrown by chance becomes an `input` or `memory` error with its message. */
export function asRomflowError(error: unknown, path: string): RomflowError {
  if (error instanceof RomflowError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RomflowError(error instanceof RangeError ? 'memory' : 'input', message, { path, cause: error });
}

/** Reports each error once, even when it comes up in an archive and again in its entries. */
export class Failures {
  readonly #seen = new WeakSet<object>();
  count = 0;

  /** The failure to report, or undefined when it was reported before. Throws errors that end the job. */
  report(error: unknown, path: string, file: string): JobFailure | undefined {
    if (isFatal(error)) throw error;
    if (typeof error === 'object' && error !== null) {
      if (this.#seen.has(error)) return undefined;
      this.#seen.add(error);
    }
    this.count++;
    return { kind: 'failure', file, error: asRomflowError(error, path) };
  }
}

/** How summaries count a file that was not handled: its type, and the platform where it is not the Switch's. */
export function kindOf({ id, platform }: FileType): string {
  return platform === undefined || platform === 'Switch' ? id : `${id} (${platform})`;
}

const TURN_MILLISECONDS = 30;

/** Gives the event loop a turn now and then, so that signals are seen, and stops an aborted job. */
export class Turns {
  readonly #platform: Platform;
  readonly #signal: AbortSignal | undefined;
  #last = performance.now();

  constructor(platform: Platform, signal: AbortSignal | undefined) {
    this.#platform = platform;
    this.#signal = signal;
  }

  /** Undefined when no turn is due. Rejects with an `aborted` error. */
  take(): Promise<void> | undefined {
    const now = performance.now();
    if (now - this.#last < TURN_MILLISECONDS) return undefined;
    this.#last = now;
    return this.#platform.yield().then(() => {
      if (this.#signal?.aborted) throw new RomflowError('aborted', 'interrupted');
    });
  }
}
