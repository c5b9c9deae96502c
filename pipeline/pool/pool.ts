import { postedError, RomflowError } from '../../ts/io/errors.ts';
import type { FailedResult } from '../jobs/work.ts';
import { MemoryBudget } from './memory-budget.ts';
import type { FromWorker, HandedResult, Order, PostedEntry, ToWorker } from './messages.ts';

/** A worker of any kind: a thread of Node, or a Web Worker. */
export interface PoolWorker {
  post(message: ToWorker, transfer: ArrayBuffer[]): void;
  /** Ends it at once, whatever it does. */
  terminate(): Promise<unknown>;
  /** Whether the process is to stay for its sake. */
  hold(held: boolean): void;
}

/** What a worker tells the pool. */
export interface PoolWorkerEvents {
  message(message: FromWorker): void;
  /** it is no more; `outOfMemory` says why, if that is known to be so */
  gone(reason: string, outOfMemory: boolean): void;
}

export interface WorkerPoolOptions {
  /** Starts a worker. */
  createWorker(events: PoolWorkerEvents): PoolWorker;
  /** workers at most; at least 1 */
  jobs: number;
  /** bytes of files that workers may hold unpacked, all together */
  memory?: number;
  /** seconds without progress after which a worker is taken to hang */
  timeLimit?: number;
  /** seconds after which a worker without work ends */
  idleTime?: number;
}

export const WORKER_POOL_DEFAULTS = { memory: 512 * 1024 * 1024, timeLimit: 120, idleTime: 5 } as const;

/** How often an input is tried. */
const TRIES = 2;

/** Part of the work on an input: all of it, or an entry that was given away. */
class Task {
  readonly attempt: Attempt;
  readonly entry: PostedEntry | undefined;
  /** bytes of the budget that the entry takes */
  readonly bytes: number;
  results: ([visits: number, result: unknown] | undefined)[] = [];
  /** entries of it that were given away, by ticket */
  readonly entries = new Map<number, Task>();
  /** entries visited, when it is done */
  visits: number | undefined;

  constructor(attempt: Attempt, entry?: PostedEntry, bytes = 0) {
    this.attempt = attempt;
    this.entry = entry;
    this.bytes = bytes;
  }
}

/** One try at an input. */
class Attempt {
  readonly run: Run;
  /** nobody else helps: what an entry does to its worker is to be found out where it is */
  readonly last: boolean;
  /** nobody else works at the same time, since memory was short */
  readonly exclusive: boolean;
  readonly main: Task;
  /** why it came to nothing */
  lost: RomflowError | undefined;

  constructor(run: Run, last: boolean, exclusive: boolean) {
    this.run = run;
    this.last = last;
    this.exclusive = exclusive;
    this.main = new Task(this);
  }
}

/** The work on one input. */
class Run {
  readonly order: Order;
  readonly owner: object;
  tries = 1;
  attempt: Attempt;
  cancelled = false;
  #wake: () => void = () => {};
  #changed = new Promise<void>((resolve) => (this.#wake = resolve));

  constructor(order: Order, owner: object) {
    this.order = order;
    this.owner = owner;
    this.attempt = new Attempt(this, false, false);
  }

  /** Resolves with the next change. */
  get changed(): Promise<void> {
    return this.#changed;
  }

  change(): void {
    this.#wake();
    this.#changed = new Promise((resolve) => (this.#wake = resolve));
  }
}

/** A place for one worker. */
interface Seat {
  worker: PoolWorker | undefined;
  task: Task | undefined;
  /** what the worker does after that: it was told already, since small inputs take less time than telling */
  next: Task | undefined;
  /** ticks without a sign of progress */
  silent: number;
  /** bytes it has of the budget */
  held: number;
  /** stops waiting for more */
  stopWaiting: (() => void) | undefined;
  /** bytes that it was promised for an entry it offers */
  offered: number | undefined;
  idleTimer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Workers that work on inputs, each input in one worker; entries of large archives go to others that have nothing to do.
 * A worker that dies, hangs or runs out of memory is replaced, and its input tried once more.
 */
export class WorkerPool {
  readonly #options: Required<WorkerPoolOptions>;
  readonly #budget: MemoryBudget;
  readonly #seats: Seat[] = [];
  /** entries that were given away come first */
  readonly #entries: Task[] = [];
  readonly #queue: Task[] = [];
  readonly #ending = new Set<Promise<unknown>>();
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = { ...WORKER_POOL_DEFAULTS, ...options };
    this.#budget = new MemoryBudget(this.#options.memory);
    for (let i = 0; i < this.#options.jobs; i++) {
      this.#seats.push({
        worker: undefined,
        task: undefined,
        next: undefined,
        silent: 0,
        held: 0,
        stopWaiting: undefined,
        offered: undefined,
        idleTimer: undefined,
      });
    }
  }

  /** workers that are there now */
  get size(): number {
    return this.#seats.filter((seat) => seat.worker).length;
  }

  /**
   * Has an input worked on, from now on; gives the results in order. What cannot be done is a result of kind `failure`.
   * Results of an `owner` that cancels throw a RomflowError `aborted`.
   */
  process<R>(order: Order, owner: object): AsyncGenerator<R | FailedResult, void, void> {
    const run = new Run(order, owner);
    this.#queue.push(run.attempt.main);
    this.#dispatch();
    return this.#results(run) as AsyncGenerator<R | FailedResult, void, void>;
  }

  /** Ends what is begun or waits for an owner. */
  cancel(owner: object): void {
    const given = this.#seats.flatMap(({ task, next }) => [task ?? [], next ?? []].flat());
    const runs = [...this.#queue, ...this.#entries, ...given].map(({ attempt }) => attempt.run);
    this.#cancel(new Set(runs.filter((run) => run.owner === owner)));
  }

  /** Ends all workers. Work that is not done is lost. */
  async close(): Promise<void> {
    for (const seat of this.#seats) this.#vacate(seat);
    await Promise.all(this.#ending);
  }

  async *#results(run: Run): AsyncGenerator<unknown, void, void> {
    const { input, file, maxEntries } = run.order;
    let given = 0;
    for (;;) {
      const { attempt } = run;
      let index = 0;
      for await (const [visits, result] of this.#resultsOf(attempt.main, 0)) {
        // An input gives the same results each time: those of the attempt before were good.
        // Warnings are of a worker, and do not count.
        if ((result as { kind?: unknown }).kind === 'warning') {
          yield result;
          continue;
        }
        if (index++ < given) continue;
        given++;
        if (visits > maxEntries) {
          this.#cancel(new Set([run]));
          const reason = `holds more than ${maxEntries} entries; --max-entries raises the limit`;
          yield failure(new RomflowError('limit', reason, { path: file }), input.output);
          return;
        }
        yield result;
      }
      if (run.cancelled) throw new RomflowError('aborted', 'interrupted');
      if (!attempt.lost) return;
      if (attempt === run.attempt) {
        yield failure(attempt.lost, input.output);
        return;
      }
    }
  }

  /**
   * The results of a task as they come, those of entries in their places; fewer when the attempt is lost. `before`
   * entries were visited already; gives how many were in the end.
   */
  async *#resultsOf(task: Task, before: number): AsyncGenerator<[visits: number, result: unknown], number, void> {
    const { attempt } = task;
    const { run } = attempt;
    for (let index = 0, elsewhere = before; ;) {
      if (attempt.lost || run.cancelled) return elsewhere;
      const next = task.results[index];
      if (next === undefined) {
        if (task.visits !== undefined) return elsewhere + task.visits;
        await run.changed;
        continue;
      }
      task.results[index++] = undefined;
      const [visits, result] = next;
      if (isHanded(result)) {
        const entry = task.entries.get(result.ticket)!;
        elsewhere = (yield* this.#resultsOf(entry, elsewhere + visits)) - visits;
      } else {
        yield [elsewhere + visits, result];
      }
    }
  }

  /** Ends runs, all at once: nobody is to begin with one that is about to end. */
  #cancel(runs: ReadonlySet<Run>): void {
    for (const run of runs) run.cancelled = true;
    this.#forget(runs);
    for (const seat of this.#seats) {
      // What comes next may be cancelled: it is done for nobody, and does not end what others wait for.
      if (seat.task?.attempt.run.cancelled) this.#vacate(seat);
    }
    for (const run of runs) run.change();
    this.#dispatch();
  }

  /** Takes what is not begun of runs off the queues. */
  #forget(runs: ReadonlySet<Run>): void {
    for (const queue of [this.#entries, this.#queue]) {
      const [gone, left] = [true, false].map((isGone) =>
        queue.filter(({ attempt }) => runs.has(attempt.run) === isGone),
      );
      for (const { bytes } of gone!) this.#budget.release(bytes);
      queue.splice(0, queue.length, ...left!);
    }
  }

  /** Gives work to those who have none. */
  #dispatch(): void {
    for (;;) {
      const queue = this.#entries.length ? this.#entries : this.#queue;
      const [task] = queue;
      const seat = task && this.#freeSeat(task);
      if (!seat) break;
      queue.shift();
      this.#start(seat, task);
    }
    for (const seat of this.#seats) if (this.#queue.length && canTakeNext(seat, this.#queue[0]!)) this.#giveNext(seat);
    this.#unblock();
  }

  /** Tells a worker that is busy what to do afterwards. */
  #giveNext(seat: Seat): void {
    seat.next = this.#queue.shift()!;
    this.#post(seat.worker!, seat.next);
  }

  #freeSeat(task: Task): Seat | undefined {
    const busy = this.#seats.filter((seat) => seat.task);
    if (busy.some((seat) => seat.task!.attempt.exclusive)) return undefined;
    if (task.attempt.exclusive && busy.length) return undefined;
    const free = this.#seats.filter((seat) => !seat.task);
    return free.find((seat) => seat.worker) ?? free[0];
  }

  #start(seat: Seat, task: Task): void {
    clearTimeout(seat.idleTimer);
    seat.task = task;
    seat.silent = 0;
    seat.held = task.bytes;
    try {
      seat.worker ??= this.#createWorker(seat);
      seat.worker.hold(true);
      this.#post(seat.worker, task);
      this.#clock ??= setInterval(() => this.#tick(), 1000);
    } catch (error) {
      this.#lose(seat, new RomflowError('worker', `no worker could be started: ${(error as Error).message}`), false);
    }
  }

  #post(worker: PoolWorker, { entry, attempt }: Task): void {
    const { order } = attempt.run;
    const transfer = (entry?.blocks ?? []).map(({ buffer }) => buffer as ArrayBuffer);
    const { last } = attempt;
    worker.post({ kind: 'work', order, entry, shared: !last && this.#options.jobs > 1, last }, transfer);
  }

  #createWorker(seat: Seat): PoolWorker {
    const worker = this.#options.createWorker({
      message: (message) => {
        if (seat.worker === worker) this.#hear(seat, message);
      },
      gone: (reason, outOfMemory) => {
        if (seat.worker !== worker) return;
        this.#lose(seat, new RomflowError(outOfMemory ? 'memory' : 'worker', reason), outOfMemory);
      },
    });
    return worker;
  }

  #hear(seat: Seat, message: FromWorker): void {
    const { task } = seat;
    if (!task) return;
    seat.silent = 0;
    switch (message.kind) {
      case 'results':
        for (const result of message.results) task.results.push(result);
        task.attempt.run.change();
        break;
      case 'done':
        task.visits = message.visits;
        if (seat.next) this.#goOn(seat);
        else this.#free(seat);
        this.#dispatch();
        task.attempt.run.change();
        break;
      case 'alive':
        break;
      case 'offer':
        this.#answer(seat, this.#takeOffer(seat, message.bytes));
        break;
      case 'entry':
        this.#takeEntry(seat, task, message.entry, message.ticket);
        break;
      case 'reserve':
        this.#reserve(seat, message.bytes);
        break;
      case 'release':
        seat.held -= message.bytes;
        this.#budget.release(message.bytes);
        break;
      case 'out-of-memory':
        this.#lose(seat, new RomflowError('memory', 'there is not enough memory'), true);
        break;
      case 'crash':
        this.#lose(seat, new RomflowError('worker', message.message), false);
    }
  }

  #answer(seat: Seat, granted: boolean): void {
    seat.silent = 0;
    seat.worker?.post({ kind: 'answer', granted }, []);
  }

  #reserve(seat: Seat, bytes: number): void {
    const grant = (): void => {
      seat.held += bytes;
      seat.stopWaiting = undefined;
      this.#answer(seat, true);
    };
    if (this.#budget.tryReserve(bytes)) {
      grant();
      return;
    }
    seat.stopWaiting = this.#budget.wait(bytes, grant);
    this.#unblock();
  }

  /** Whether an entry can go to somebody who has nothing else to do. */
  #takeOffer(seat: Seat, bytes: number): boolean {
    const idle = this.#seats.filter((other) => !other.task).length;
    const promised = this.#seats.filter((other) => other.offered !== undefined).length;
    if (idle <= promised + this.#entries.length || this.#queue.length || !this.#budget.tryReserve(bytes)) return false;
    seat.offered = bytes;
    return true;
  }

  #takeEntry(seat: Seat, task: Task, entry: PostedEntry | undefined, ticket: number): void {
    const { attempt } = task;
    const bytes = seat.offered ?? 0;
    seat.offered = undefined;
    if (!entry || attempt.lost || attempt.run.cancelled) {
      this.#budget.release(bytes);
      return;
    }
    const inner = new Task(attempt, entry, bytes);
    task.entries.set(ticket, inner);
    this.#entries.push(inner);
    this.#dispatch();
  }

  /** Somebody must go on: when all who work wait for memory, nobody gives any back. */
  #unblock(): void {
    if (this.#seats.every((seat) => !seat.task || seat.stopWaiting)) this.#budget.force();
  }

  /** A worker begins with what it was told to do next. */
  #goOn(seat: Seat): void {
    const { next } = seat;
    this.#settle(seat);
    seat.task = next;
    seat.next = undefined;
  }

  /** A worker has nothing to do any more. */
  #free(seat: Seat): void {
    this.#settle(seat);
    if (this.#seats.every(({ task }) => !task)) this.#stopClock();
    seat.worker?.hold(false);
    seat.idleTimer = setTimeout(() => this.#vacate(seat), 1000 * this.#options.idleTime);
    unrefTimer(seat.idleTimer);
  }

  /** Gives back what a worker has of the budget. */
  #settle(seat: Seat): void {
    seat.task = undefined;
    seat.stopWaiting?.();
    seat.stopWaiting = undefined;
    const bytes = seat.held + (seat.offered ?? 0);
    seat.held = 0;
    seat.offered = undefined;
    this.#budget.release(bytes);
  }

  /** Ends the worker of a seat. */
  #vacate(seat: Seat): void {
    const { worker, next } = seat;
    seat.worker = undefined;
    seat.next = undefined;
    if (next && !next.attempt.run.cancelled) this.#queue.unshift(next);
    clearTimeout(seat.idleTimer);
    this.#settle(seat);
    if (this.#seats.every(({ task }) => !task)) this.#stopClock();
    if (!worker) return;
    const ended = worker.terminate().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** A worker is no more, or no good any more: its input is tried again, or given up. */
  #lose(seat: Seat, error: RomflowError, outOfMemory: boolean): void {
    const { task } = seat;
    this.#vacate(seat);
    if (task && !task.attempt.lost && !task.attempt.run.cancelled) {
      const { attempt } = task;
      const { run } = attempt;
      const { code, reason } = error;
      attempt.lost = new RomflowError(code, reason, { path: task.entry?.path ?? run.order.input.path });
      this.#forget(new Set([run]));
      for (const other of this.#seats) if (other.task?.attempt === attempt) this.#vacate(other);
      if (run.tries++ < TRIES) {
        run.attempt = new Attempt(run, true, outOfMemory);
        this.#queue.unshift(run.attempt.main);
      }
      run.change();
    }
    this.#dispatch();
  }

  /** Counts seconds: a process that was stopped for a while has not had them. */
  #tick(): void {
    const { timeLimit } = this.#options;
    for (const seat of this.#seats) {
      if (!seat.task || seat.stopWaiting || ++seat.silent < timeLimit) continue;
      const reason = `no progress for ${timeLimit} s; --time-limit raises the limit`;
      this.#lose(seat, new RomflowError('limit', reason), false);
    }
  }

  #stopClock(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}

/** Inputs up to this size, in bytes, are small. */
const SMALL_INPUT = 256 * 1024;

/** Whether a worker that is busy may be told of an input that comes next. */
function canTakeNext({ task, next, worker }: Seat, { attempt }: Task): boolean {
  if (!worker || !task || next || task.attempt.last || attempt.last) return false;
  return attempt.run.order.size <= SMALL_INPUT;
}

function isHanded(result: unknown): result is HandedResult {
  return (result as { kind?: unknown }).kind === 'handed';
}

function failure(error: RomflowError, file: string): FailedResult {
  return { kind: 'failure', file, error: postedError(error) };
}

/** Node's timers keep a process alive; those of browsers have no such thing. */
function unrefTimer(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
