import { errorOf, RomflowError } from '../../ts/io/errors.ts';
import { NO_STAGING, type OutputFolder } from '../output/folder.ts';
import type { Platform } from '../platform.ts';
import type { WorkerPool } from '../pool/pool.ts';
import type { Content, Turn } from '../walk/content.ts';
import type { Session } from '../walk/session.ts';
import { asRomflowError, isFatal } from './failures.ts';
import type { ResultShapes } from './shapes.ts';
import { turns } from './turns.ts';
import {
  failedResult,
  isWarning,
  workOn,
  type CommonResult,
  type InputNames,
  type Result,
  type WorkFactory,
} from './work.ts';

/** One file to work on, or a part of one. */
export interface JobInput extends InputNames {
  /** of the file, in bytes */
  size: number;
  /** when the file was changed last, in milliseconds; with {@link file} it tells whether it is the same as before */
  modified?: number;
  /** where workers find the file; without it, the input is worked on where the job is */
  file?: string;
  /** Opens the file; its path is that of the input, or the beginning of it when an entry is meant. Throws. */
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

/** How far a job is. */
export interface JobProgress {
  /** inputs that are done */
  files: number;
  /** bytes of them */
  bytesIn: number;
  /** of the inputs, those that were done by an earlier run */
  resumed: number;
  /** bytes of these */
  bytesResumed: number;
}

/** What every job needs. */
export interface JobOptions {
  session: Session;
  platform: Platform;
  /** workers to share the work with; default: all is done here */
  pool?: WorkerPool;
  /** Whether something is wanted, by the relative path of its outputs; default: all is. A pool has its own. */
  match?: (path: string) => boolean;
  signal?: AbortSignal;
  /** Told after each input. */
  onProgress?: (progress: JobProgress) => void;
}

/** What a job made of inputs before; it is asked for results of the kind that it was given. */
export interface ResultStore {
  /** The results of an input, while it and all that was made of it are as they were; can be gone over again. */
  recall<R>(input: JobInput, shapes: ResultShapes): Iterable<Result<R>> | undefined;
  /** Keeps a result that was finished. */
  add<R>(input: JobInput, result: Result<R>): void;
  /** All results of an input were added and none is a failure, or those that were `recalled` are good as they are. */
  record(input: JobInput, recalled: boolean): void;
}

/** What one job does. */
export interface JobParts<O, R, E> {
  /** by which workers know it */
  name: string;
  work: WorkFactory<O, R>;
  /** for the work; can be posted */
  options: O;
  /** where the work writes files */
  output?: OutputFolder;
  store?: ResultStore | undefined;
  /** what results from the store must have */
  shapes?: ResultShapes;
  /**
   * Makes events of a result; called in the order of inputs and results. Gives undefined when a `resumed` result cannot
   * stand as it is, since what came before is no longer the same: then the input is worked on again from there.
   */
  finish(result: R, input: JobInput, resumed: boolean): Iterable<E | JobFailure> | undefined;
  /** Clears up after a result that is not wanted. */
  discard?(result: R): void;
}

/** Inputs that may be worked on before the first of them is finished. */
const LOOK_AHEAD = 1024;

/** How a job stands, and what all jobs do alike: work on the inputs, go on after failures, stop when there is no point. */
export class Job {
  readonly #options: JobOptions;
  readonly #turn: Turn;
  files = 0;
  bytesIn = 0;
  failed = 0;
  resumed = 0;
  /** all inputs were gone over */
  complete = false;
  #bytesResumed = 0;
  readonly #skipped = new Map<string, number>();
  readonly #start = performance.now();

  constructor(options: JobOptions) {
    this.#options = options;
    this.#turn = turns(options.platform, options.signal);
  }

  /** since the job began, to the millisecond */
  get seconds(): number {
    return Math.round(performance.now() - this.#start) / 1000;
  }

  /** files that were not handled, by kind in alphabetical order */
  get skipped(): Record<string, number> {
    return Object.fromEntries([...this.#skipped].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Reports an error about `path`. Throws those that end the job. */
  *failure(error: unknown, path: string, file: string): Generator<JobFailure, void, void> {
    if (isFatal(error)) throw error;
    this.failed++;
    yield { kind: 'failure', file, error: asRomflowError(error, path) };
  }

  /**
   * Works on all inputs, in workers if there are some, and finishes results in the order of the inputs. Never rejects:
   * an error that ends the job is the last failure.
   */
  async *run<O, R, E>(
    inputs: Iterable<JobInput>,
    parts: JobParts<O, R, E>,
  ): AsyncGenerator<E | JobFailure, void, void> {
    const { pool, signal } = this.#options;
    if (signal?.aborted) {
      yield { kind: 'failure', file: '', error: new RomflowError('aborted', 'interrupted') };
      return;
    }
    const cancel = (): void => pool?.cancel(this);
    signal?.addEventListener('abort', cancel);
    const ahead: Started<R>[] = [];
    const remaining = inputs[Symbol.iterator]();
    try {
      for (;;) {
        while (ahead.length < (pool ? LOOK_AHEAD : 1)) {
          const { value: input, done } = remaining.next();
          if (done) break;
          const recalled = parts.store?.recall<R>(input, parts.shapes ?? {});
          const work = (): AsyncIterable<Result<R>> => this.#work(input, parts);
          ahead.push(recalled ? { input, recalled, work } : { input, results: work() });
        }
        const started = ahead.shift();
        if (!started) {
          this.complete = true;
          return;
        }
        try {
          yield* this.#finish(started, parts);
        } catch (error) {
          if (!isFatal(error)) throw error;
          if (error.code !== 'aborted') this.failed++;
          yield { kind: 'failure', file: started.input.output, error };
          return;
        }
      }
    } finally {
      signal?.removeEventListener('abort', cancel);
      cancel();
    }
  }

  #work<O, R, E>(input: JobInput, parts: JobParts<O, R, E>): AsyncIterable<Result<R>> {
    const { session, pool } = this.#options;
    const { path, output: as, file, size } = input;
    if (!pool || file === undefined) return this.#workHere(input, parts);
    const { name, options, output } = parts;
    const { maxEntries } = session.limits;
    const order = { job: name, options, input: { path, output: as }, file, size, staging: output?.staging, maxEntries };
    return pool.process<Result<R>>(order, this);
  }

  async *#workHere<O, R, E>(
    input: JobInput,
    { work, options, output }: JobParts<O, R, E>,
  ): AsyncGenerator<Result<R>, void, void> {
    const { session, platform, match = () => true } = this.#options;
    const workplace = { session, platform, turn: this.#turn, match, staging: output ?? NO_STAGING };
    let content: Content;
    try {
      content = input.open();
    } catch (error) {
      yield failedResult(error, input.path, input.output);
      return;
    }
    yield* workOn(work, options, input, content, workplace) as AsyncGenerator<Result<R>, void, void>;
    session.recycle();
  }

  async *#finish<O, R, E>(started: Started<R>, parts: JobParts<O, R, E>): AsyncGenerator<E | JobFailure, void, void> {
    const { input } = started;
    const { recalled = [] } = started;
    this.files++;
    this.bytesIn += input.size;
    let standing = 0;
    let isGood = started.recalled !== undefined;
    for (const result of recalled) {
      const events = this.#events(result, input, parts, true);
      if (!events) {
        isGood = false;
        break;
      }
      standing++;
      yield* events;
    }
    const pause = this.#turn();
    if (pause) await pause;
    if (isGood) {
      parts.store?.record(input, true);
      this.resumed++;
      this.#bytesResumed += input.size;
    } else {
      yield* this.#finishNew(input, started.results ?? started.work!(), recalled, standing, parts);
    }
    const { files, bytesIn, resumed } = this;
    this.#options.onProgress?.({ files, bytesIn, resumed, bytesResumed: this.#bytesResumed });
  }

  /** Finishes the results of an input behind the first ones: so many of the recalled ones are `standing` as they were. */
  async *#finishNew<O, R, E>(
    input: JobInput,
    results: AsyncIterable<Result<R>>,
    recalled: Iterable<Result<R>>,
    standing: number,
    parts: JobParts<O, R, E>,
  ): AsyncGenerator<E | JobFailure, void, void> {
    const { store } = parts;
    const { failed } = this;
    const olds = recalled[Symbol.iterator]();
    let index = 0;
    for await (const result of results) {
      // A worker warns of what all its work has in common with the first alone, so warnings do not count.
      if (isWarning(result)) {
        yield* this.#events(result, input, parts, false) ?? [];
        continue;
      }
      const old = index++ < standing ? (olds.next().value as Result<R>) : undefined;
      if (old === undefined) yield* this.#events(result, input, parts, false) ?? [];
      else if (!isCommon(result)) parts.discard?.(result);
      store?.add(input, old ?? result);
      const pause = this.#turn();
      if (pause) await pause;
    }
    if (this.failed === failed) store?.record(input, false);
  }

  #events<O, R, E>(
    result: Result<R>,
    input: JobInput,
    parts: JobParts<O, R, E>,
    resumed: boolean,
  ): Iterable<E | JobFailure> | undefined {
    if (!isCommon(result)) return parts.finish(result, input, resumed);
    switch (result.kind) {
      case 'failure':
        return this.failure(errorOf(result.error), input.path, result.file);
      case 'skipped':
        this.#skipped.set(result.type, (this.#skipped.get(result.type) ?? 0) + 1);
        return [];
      case 'warning':
        this.#options.session.onWarning(result.message);
        return [];
    }
  }
}

/** An input whose work has begun, or need not be done again. */
interface Started<R> {
  input: JobInput;
  recalled?: Iterable<Result<R>>;
  results?: AsyncIterable<Result<R>>;
  /** begins the work after all */
  work?: () => AsyncIterable<Result<R>>;
}

function isCommon<R>(result: Result<R>): result is CommonResult {
  const { kind } = result as { kind?: unknown };
  return kind === 'failure' || kind === 'skipped' || kind === 'warning';
}
