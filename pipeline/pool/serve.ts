import { postedError } from '../../ts/io/errors.ts';
import { isFatal } from '../jobs/failures.ts';
import { turns } from '../jobs/turns.ts';
import {
  failedResult,
  workOn,
  type EntryPlace,
  type FailedResult,
  type WorkFactory,
  type Workplace,
} from '../jobs/work.ts';
import { NO_STAGING, type Staging } from '../output/folder.ts';
import type { Platform } from '../platform.ts';
import { BlockBuffer, blockSource } from '../walk/block-buffer.ts';
import { BlockContent, SourceContent, StreamContent, type Content, type Memory, type Turn } from '../walk/content.ts';
import type { Session } from '../walk/session.ts';
import type { EntryHandOver, HandedOver } from '../walk/walk.ts';
import {
  MOST_AHEAD,
  weightOf,
  type FromWorker,
  type HandedResult,
  type Order,
  type PostedEntry,
  type PostedResult,
  type ToWorker,
} from './messages.ts';

/** What a worker is made of; the same for all kinds of workers. */
export interface WorkerParts {
  /** what it can do, by the names of jobs */
  // oxlint-disable-next-line typescript/no-explicit-any -- each has options and results of its own
  work: Readonly<Record<string, WorkFactory<any, unknown>>>;
  platform: Platform;
  match: (path: string) => boolean;
  /** Makes the session of all work; `memory` asks the pool. */
  createSession(memory: Memory, onWarning: (message: string) => void): Promise<Session>;
  /** Opens the file of an order. Throws. */
  open(file: string): Content;
  /** Where files are written; `folder` is what the output folder says. */
  staging(folder: string): Staging;
  post(message: FromWorker, transfer: ArrayBuffer[]): void;
}

/** Entries of archives above this size are offered to others. */
const LARGE_ARCHIVE = 32 * 1024 * 1024;
/** Entries below this size are not worth the trouble. */
const LEAST_ENTRY = 64 * 1024;
/** Requests below this size are not worth asking for. */
const LEAST_REQUEST = 1024 * 1024;
/** Results that are posted together at most, and how long they wait for that, in milliseconds. */
const MOST_RESULTS = 64;
const LONGEST_WAIT = 50;
const SIGN_OF_LIFE = 250;

/** The worker's side of a {@link WorkerPool}. Gives a function that is to be called with each message. */
export function serve(parts: WorkerParts): (message: ToWorker) => void {
  const server = new Server(parts);
  return (message) => server.hear(message);
}

class Server {
  readonly #parts: WorkerParts;
  readonly #creating: Promise<Session>;
  #session!: Session;
  /** one after the other */
  #working = Promise.resolve();
  /** waits for the answer to the last question */
  #answer: ((granted: boolean) => void) | undefined;
  #results: PostedResult[] = [];
  /** weight of results that were made and are not taken yet */
  #ahead = 0;
  /** tells that some were taken */
  #taken: (() => void) | undefined;
  #posted = 0;
  #visits = { count: 0 };
  #tickets = 0;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    const memory: Memory = {
      reserve: (bytes) => (bytes < LEAST_REQUEST ? undefined : this.#ask({ kind: 'reserve', bytes })),
      release: (bytes) => {
        if (bytes >= LEAST_REQUEST) this.#post({ kind: 'release', bytes });
      },
    };
    this.#creating = parts.createSession(memory, (message) => this.#give({ kind: 'warning', message }));
    // Who begins work waits for it too, and tells what is wrong.
    this.#creating.then(
      () => this.#post({ kind: 'alive' }),
      () => {},
    );
  }

  hear(message: ToWorker): void {
    if (message.kind === 'answer') {
      this.#answer?.(message.granted);
      return;
    }
    if (message.kind === 'taken') {
      this.#ahead -= message.weight;
      this.#taken?.();
      return;
    }
    this.#working = this.#working
      .then(() => this.#work(message))
      .catch((error: unknown) => {
        this.#post({ kind: 'crash', message: error instanceof Error ? error.message : String(error) });
      });
  }

  async #work({ order, entry, shared, last }: ToWorker & { kind: 'work' }): Promise<void> {
    this.#visits = { count: 0 };
    this.#tickets = 0;
    this.#posted = performance.now();
    this.#session = await this.#creating;
    try {
      for await (const result of this.#resultsOf(order, entry, shared, last)) {
        if (!last && isOutOfMemory(result)) {
          this.#post({ kind: 'out-of-memory' });
          return;
        }
        this.#give(result);
        // What comes next may be the end of this worker.
        if (last) this.#flush();
        await this.#room();
      }
    } catch (error) {
      if (!isFatal(error)) throw error;
      this.#give({ kind: 'failure', file: order.input.output, error: postedError(error) } satisfies FailedResult);
    }
    this.#flush();
    this.#session.recycle();
    this.#post({ kind: 'done', visits: this.#visits.count });
  }

  async *#resultsOf(
    { job, options, input, file, staging }: Order,
    entry: PostedEntry | undefined,
    shared: boolean,
    last: boolean,
  ): AsyncGenerator<unknown, void, void> {
    const { work, platform, match } = this.#parts;
    const workplace: Workplace = {
      session: this.#session,
      platform,
      turn: this.#turns(),
      match,
      staging: staging === undefined ? NO_STAGING : this.#parts.staging(staging),
      visits: this.#visits,
      ...(shared && { handOver: (place, archiveSize) => this.#handOver(place, archiveSize, workplace.turn) }),
    };
    let start: Content | EntryPlace;
    try {
      start = entry ? placeOf(entry) : this.#parts.open(file);
    } catch (error) {
      yield failedResult(error, input.path, input.output);
      return;
    }
    const factory = last ? this.#announced(work[job]!) : work[job]!;
    for await (const result of workOn(factory, options, input, start, workplace)) {
      yield isHandedOver(result) ? ({ kind: 'handed', ticket: result.ticket } satisfies HandedResult) : result;
    }
  }

  /** The same work, each file named before it is begun. */
  #announced(factory: WorkFactory<unknown, unknown>): WorkFactory<unknown, unknown> {
    return (options, tools) => {
      const work = factory(options, tools);
      return {
        ...work,
        file: (file, input) => {
          this.#post({ kind: 'visiting', path: file.path });
          return work.file(file, input);
        },
      };
    };
  }

  /** Turns in which answers are heard, results posted and signs of life given. */
  #turns(): Turn {
    const turn = turns(this.#parts.platform, undefined);
    return () => {
      const pause = turn();
      if (pause) {
        const waited = performance.now() - this.#posted;
        if (this.#results.length && waited > LONGEST_WAIT) this.#flush();
        else if (waited > SIGN_OF_LIFE) this.#post({ kind: 'alive' });
      }
      return pause;
    };
  }

  /** Offers an entry of a large archive to the pool, and gives it away if that takes it. */
  #handOver(place: EntryPlace, archiveSize: number, turn: Turn): Promise<EntryHandOver> | undefined {
    const bytes = place.storedSize;
    if (archiveSize < LARGE_ARCHIVE || bytes < LEAST_ENTRY) return undefined;
    return this.#ask({ kind: 'offer', bytes }).then((granted) =>
      granted ? this.#giveAway(place, turn) : place.content,
    );
  }

  async #giveAway({ content, ...rest }: EntryPlace, turn: Turn): Promise<EntryHandOver> {
    const { path } = content;
    const buffer = new BlockBuffer(rest.storedSize);
    const ticket = this.#tickets++;
    try {
      for (const chunk of content.chunks()) {
        buffer.append(chunk);
        const pause = turn();
        if (pause) await pause;
      }
    } catch (error) {
      this.#post({ kind: 'entry', ticket, entry: undefined });
      const { limits, memory } = this.#session;
      const read = replay(buffer.blocks(), error);
      return new StreamContent(path, read, { maxSize: limits.maxSize, memory, size: rest.storedSize });
    }
    const blocks = buffer.blocks();
    const entry = { ...rest, path, blocks, streamed: content.random === undefined };
    this.#post(
      { kind: 'entry', ticket, entry },
      blocks.map((block) => block.buffer as ArrayBuffer),
    );
    return ticket;
  }

  #ask(question: FromWorker & { kind: 'offer' | 'reserve' }): Promise<boolean> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#post(question);
    });
  }

  /** Waits while too much of what was made is not taken. */
  async #room(): Promise<void> {
    while (this.#ahead > MOST_AHEAD) {
      this.#flush();
      await new Promise<void>((resolve) => (this.#taken = resolve));
    }
  }

  #give(result: unknown): void {
    const weight = weightOf(result);
    this.#ahead += weight;
    this.#results.push([this.#visits.count, weight, result]);
    if (this.#results.length >= MOST_RESULTS) this.#flush();
  }

  #flush(): void {
    const results = this.#results;
    this.#results = [];
    if (results.length) this.#post({ kind: 'results', results });
  }

  #post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
    this.#posted = performance.now();
    this.#parts.post(message, transfer);
  }
}

function isOutOfMemory(result: unknown): boolean {
  const { kind, error } = result as Partial<FailedResult>;
  return kind === 'failure' && error !== undefined && 'code' in error && error.code === 'memory';
}

function isHandedOver(result: unknown): result is HandedOver {
  return (result as HandedOver).kind === 'handed';
}

/** Chunks that were read already, and what came then. */
function* replay(chunks: Uint8Array[], error: unknown): Generator<Uint8Array, void, void> {
  yield* chunks;
  throw error;
}

/** An entry that another worker gave away. */
function placeOf({ path, blocks, streamed, ...rest }: PostedEntry): EntryPlace {
  const content = streamed ? new BlockContent(path, blocks) : new SourceContent(blockSource(path, blocks));
  return { ...rest, content };
}
