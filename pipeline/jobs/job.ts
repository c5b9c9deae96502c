import type { FileType } from '../../ts/formats/recognize.ts';
import { RomflowError } from '../../ts/io/errors.ts';
import type { Platform } from '../platform.ts';
import type { Content } from '../walk/content.ts';
import type { Session } from '../walk/session.ts';
import { walk, type VisitedFile, type VisitFailure, type WalkOptions } from '../walk/walk.ts';

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

/** A file, entry or surface that failed. */
export interface JobFailure {
  kind: 'failure';
  /** as in the outputs */
  file: string;
  /** codes `output` and `aborted` have ended the job; after all others it went on */
  error: RomflowError;
}

/** A file that a job came across, with the relative path of its outputs. */
export type JobFile = VisitedFile & { output: string };

/** What every job needs. */
export interface JobOptions {
  session: Session;
  platform: Platform;
  /** Whether something is wanted, by the relative path of its outputs; default: all is. */
  match?: (path: string) => boolean;
  signal?: AbortSignal;
}

/** Whether an error ends a job, since whatever comes next would fail in the same way. */
function isFatal(error: unknown): error is RomflowError {
  return error instanceof RomflowError && (error.code === 'output' || error.code === 'aborted');
}

/** Any error as a RomflowError: what is thrown by chance becomes an `input` or `memory` error with its message. */
export function asRomflowError(error: unknown, path: string): RomflowError {
  if (error instanceof RomflowError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RomflowError(error instanceof RangeError ? 'memory' : 'input', message, { path, cause: error });
}

/** How summaries count a file that was not handled: its type, and the platform where it is not the Switch's. */
export function kindOf({ id, platform }: FileType): string {
  return platform === undefined || platform === 'Switch' ? id : `${id} (${platform})`;
}

const TURN_MILLISECONDS = 30;

/** How a job stands, and what all jobs do alike: walk the inputs, go on after failures, stop when there is no point. */
export class Job {
  readonly session: Session;
  readonly platform: Platform;
  files = 0;
  bytesIn = 0;
  failed = 0;
  readonly #signal: AbortSignal | undefined;
  /** errors that were reported: one can come up in an archive and again in its entries */
  readonly #reported = new WeakSet<Error>();
  readonly #skipped = new Map<string, number>();
  readonly #start = performance.now();
  #lastTurn = performance.now();

  constructor({ session, platform, signal }: JobOptions) {
    this.session = session;
    this.platform = platform;
    this.#signal = signal;
  }

  /** since the job began, to the millisecond */
  get seconds(): number {
    return Math.round(performance.now() - this.#start) / 1000;
  }

  /** files that were not handled, by kind in alphabetical order */
  get skipped(): Record<string, number> {
    return Object.fromEntries([...this.#skipped].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  skip(type: FileType): void {
    const kind = kindOf(type);
    this.#skipped.set(kind, (this.#skipped.get(kind) ?? 0) + 1);
  }

  /** Lets signals be seen, when it is time for that. Rejects with an `aborted` error. */
  readonly turn = (): Promise<void> | undefined => {
    const now = performance.now();
    if (now - this.#lastTurn < TURN_MILLISECONDS) return undefined;
    return this.platform.yield().then(() => {
      this.#lastTurn = performance.now();
      if (this.#signal?.aborted) throw new RomflowError('aborted', 'interrupted');
    });
  };

  /** Reports an error about `path`, once. Throws those that end the job. */
  *failure(error: unknown, path: string, file: string): Generator<JobFailure, void, void> {
    if (isFatal(error)) throw error;
    if (error instanceof Error) {
      if (this.#reported.has(error)) return;
      this.#reported.add(error);
    }
    this.failed++;
    yield { kind: 'failure', file, error: asRomflowError(error, path) };
  }

  /**
   * Does `work` on every file that the inputs hold; `unopened` is told of those that cannot be opened at all. Never
   * rejects: an error that ends the job is the last failure.
   */
  async *run<E>(
    inputs: Iterable<JobInput>,
    work: (file: JobFile, input: JobInput) => AsyncIterable<E> | Iterable<E>,
    options: (input: JobInput) => WalkOptions & { unopened?: (failure: VisitFailure) => Iterable<E> } = () => ({}),
  ): AsyncGenerator<E | JobFailure, void, void> {
    for (const input of inputs) {
      this.files++;
      this.bytesIn += input.size;
      try {
        yield* this.#input(input, work, options(input));
      } catch (error) {
        if (!isFatal(error)) throw error;
        this.failed++;
        yield { kind: 'failure', file: input.output, error };
        return;
      }
      this.session.recycle();
    }
  }

  async *#input<E>(
    input: JobInput,
    work: (file: JobFile, input: JobInput) => AsyncIterable<E> | Iterable<E>,
    options: WalkOptions & { unopened?: (failure: VisitFailure) => Iterable<E> },
  ): AsyncGenerator<E | JobFailure, void, void> {
    const onTheWay = (path: string): boolean => input.path.startsWith(`${path}/`);
    const inScope = (path: string): boolean => path === input.path || path.startsWith(`${input.path}/`);
    let found = false;
    // What is meant may be a folder of entries, which is not visited itself: outputs are named from below it then.
    let isFile = false;
    try {
      const walked = walk(input.open(), this.session, {
        turn: this.turn,
        enter: (file) => onTheWay(file.path) || (inScope(file.path) && (options.enter?.(file) ?? true)),
        unwrap: (path) => onTheWay(path) || (options.unwrap?.(path) ?? true),
      });
      for await (const visit of walked) {
        const pause = this.turn();
        if (pause) await pause;
        if (!inScope(visit.path) && !(visit.kind === 'failure' && onTheWay(visit.path))) continue;
        found = true;
        if (visit.path === input.path) isFile = true;
        const below = visit.path.slice(input.path.length);
        const output = isFile || !below ? input.output + below : below.slice(1);
        try {
          if (visit.kind === 'file') {
            yield* work({ ...visit, output }, input);
          } else {
            if (visit.unopened && options.unopened) yield* options.unopened(visit);
            throw visit.error;
          }
        } catch (error) {
          yield* this.failure(error, visit.path, output);
        }
      }
      if (!found) throw new RomflowError('not-found', 'there is no such entry', { path: input.path });
    } catch (error) {
      yield* this.failure(error, input.path, input.output);
    }
  }
}
