import { counted, postedError, RomflowError } from '../../ts/io/errors.ts';
import { isWarning, type FailedResult } from '../jobs/work.ts';
import { MemoryBudget } from './memory-budget.ts';
import {
  MOST_AHEAD,
  type FromWorker,
  type HandedResult,
  type Order,
  type PostedEntry,
  type ToWorker,
} from './messages.ts';
import { Attempt, Run, Task } from './run.ts';

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

/** Workers that may be starting at the same time: what others do meanwhile may make more of them needless. */
const MOST_STARTING = 4;
/** Seconds that a worker may take to start, however short the time limit is. */
const START_LIMIT = 60;

/** A place for one worker. */
interface Seat {
  worker: PoolWorker | undefined;
  /** the worker has said something */
  started: boolean;
  /** no worker could be started here */
  broken: boolean;
  task: Task | undefined;
  /** what the worker does after that: it was told already, since small inputs take less time than telling */
  next: Task | undefined;
  /** ticks without a sign of progress */
  silent: number;
  /** weight of results that its worker posted and was not told of that they are taken */
  ahead: number;
  /** of that, what is taken */
  taken: number;
  /** the last input that its worker began */
  latest: number;
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
  /** whose results are not all taken */
  readonly #runs = new Set<Run>();
  readonly #ending = new Set<Promise<unknown>>();
  #count = 0;
  #closed = false;
  #clock: ReturnType<typeof setInterval> | undefined;

  /** Throws a RangeError when `jobs` is no whole number from 1. */
  constructor(options: WorkerPoolOptions) {
    if (!Number.isInteger(options.jobs) || options.jobs < 1) {
      throw new RangeError(`jobs is ${options.jobs}: a whole number from 1 is needed`);
    }
    this.#options = { ...WORKER_POOL_DEFAULTS, ...options };
    this.#budget = new MemoryBudget(this.#options.memory);
    for (let i = 0; i < this.#options.jobs; i++) {
      this.#seats.push({
        worker: undefined,
        started: false,
        broken: false,
        task: undefined,
        next: undefined,
        silent: 0,
        ahead: 0,
        taken: 0,
        latest: 0,
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
   * Results of an `owner` that cancels, or of a pool that is closed, throw a RomflowError `aborted`.
   */
  process<R>(order: Order, owner: object): AsyncGenerator<R | FailedResult, void, void> {
    const run = new Run(this.#count++, order, owner);
    if (this.#closed) {
      run.cancelled = true;
    } else {
      this.#runs.add(run);
      this.#queue.push(run.attempt.main);
      this.#dispatch();
    }
    return this.#results(run) as AsyncGenerator<R | FailedResult, void, void>;
  }

  /** Ends what is begun or waits for an owner. */
  cancel(owner: object): void {
    this.#cancel([...this.#runs].filter((run) => run.owner === owner));
  }

  /** Ends all workers. Work that is not done is cancelled. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel([...this.#runs]);
    for (const seat of this.#seats) this.#vacate(seat);
    await Promise.all(this.#ending);
  }

  async *#results(run: Run): AsyncGenerator<unknown, void, void> {
    let done = false;
    try {
      yield* this.#attempts(run);
      done = true;
    } finally {
      if (done) this.#runs.delete(run);
      else this.#cancel([run]);
    }
  }

  async *#attempts(run: Run): AsyncGenerator<unknown, void, void> {
    const { input, file, maxEntries } = run.order;
    let given = 0;
    for (;;) {
      const { attempt } = run;
      let index = 0;
      for await (const [visits, result] of this.#resultsOf(attempt.main, 0)) {
        // An input gives the same results each time: those of the attempt before were good.
        if (isWarning(result)) {
          yield result;
          continue;
        }
        if (index++ < given) continue;
        given++;
        if (visits > maxEntries) {
          const reason = `holds more than ${counted(maxEntries, 'entry', 'entries')}; --max-entries raises the limit`;
          this.#cancel([run]);
          yield failure(new RomflowError('limit', reason, { path: file }), input.output);
          return;
        }
        yield result;
      }
      if (run.cancelled) throw new RomflowError('aborted', 'interrupted');
      if (!attempt.lost) return;
      attempt.main.drop();
      if (attempt === run.attempt) {
        yield failure(attempt.lost, input.output);
        return;
      }
    }
  }

  /**
   * The results of a task as they come, those of entries in their places; when the attempt is lost, those before what
   * is missing. `before` entries were visited already; gives how many were in the end.
   */
  async *#resultsOf(task: Task, before: number): AsyncGenerator<[visits: number, result: unknown], number, void> {
    const { attempt } = task;
    const { run } = attempt;
    for (let index = 0, elsewhere = before; ;) {
      if (run.cancelled) return elsewhere;
      const next = task.results[index];
      if (next === undefined) {
        if (task.visits !== undefined) return elsewhere + task.visits;
        if (attempt.lost) return elsewhere;
        await run.changed;
        continue;
      }
      task.results[index++] = undefined;
      const [visits, weight, result] = next;
      task.taken(weight);
      if (isHanded(result)) {
        const entry = task.entries.get(result.ticket)!;
        elsewhere = (yield* this.#resultsOf(entry, elsewhere + visits)) - visits;
        if (entry.visits === undefined) return elsewhere;
      } else {
        yield [elsewhere + visits, result];
      }
    }
  }

  /** Ends runs, all at once: nobody is to begin with one that is about to end. */
  #cancel(runs: readonly Run[]): void {
    for (const run of runs) {
      run.cancelled = true;
      this.#runs.delete(run);
    }
    this.#forget();
    for (const seat of this.#seats) {
      // What comes next may be cancelled: it is done for nobody, and does not end what others wait for.
      if (seat.task?.attempt.run.cancelled) this.#vacate(seat);
    }
    for (const run of runs) {
      run.attempt.main.drop();
      run.change();
    }
    this.#dispatch();
  }

  /** Takes what nobody waits for any more off the queues. */
  #forget(): void {
    for (const queue of [this.#entries, this.#queue]) {
      const over = queue.filter(({ attempt }) => attempt.over);
      if (!over.length) continue;
      for (const { bytes } of over) this.#budget.release(bytes);
      queue.splice(0, queue.length, ...queue.filter(({ attempt }) => !attempt.over));
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
    this.#post(seat, seat.next);
  }

  #freeSeat(task: Task): Seat | undefined {
    const busy = this.#seats.filter((seat) => seat.task);
    if (busy.some((seat) => seat.task!.attempt.exclusive)) return undefined;
    if (task.attempt.exclusive && busy.length) return undefined;
    const free = this.#seats.filter((seat) => !seat.task && !seat.broken);
    const starting = this.#seats.filter((seat) => seat.worker && !seat.started);
    return free.find((seat) => seat.worker) ?? (starting.length < MOST_STARTING ? free[0] : undefined);
  }

  #start(seat: Seat, task: Task): void {
    clearTimeout(seat.idleTimer);
    seat.task = task;
    seat.silent = 0;
    seat.held = task.bytes;
    try {
      seat.worker ??= this.#createWorker(seat);
      seat.worker.hold(true);
      this.#post(seat, task);
      this.#clock ??= setInterval(() => this.#tick(), 1000);
    } catch (error) {
      this.#unstarted(seat, `no worker could be started: ${(error as Error).message}`);
    }
  }

  #post(seat: Seat, task: Task): void {
    const { entry, attempt } = task;
    const { last, run } = attempt;
    const worker = seat.worker!;
    // What it did before comes later than this, and is not taken while this waits.
    if (run.number <= seat.latest) this.#letGoOn(seat);
    seat.latest = run.number;
    task.taken = (weight) => {
      if (seat.worker === worker) this.#take(seat, weight);
    };
    const transfer = (entry?.blocks ?? []).map(({ buffer }) => buffer as ArrayBuffer);
    const shared = !last && this.#options.jobs > 1;
    worker.post({ kind: 'work', order: run.order, entry, shared, last }, transfer);
  }

  /** Results were taken: their worker is told, now and then. */
  #take(seat: Seat, weight: number): void {
    seat.taken = Math.min(seat.taken + weight, seat.ahead);
    if (seat.taken > MOST_AHEAD / 4) this.#tellTaken(seat);
  }

  /** Has a worker go on that is ahead of others. */
  #letGoOn(seat: Seat): void {
    seat.taken = seat.ahead;
    if (seat.taken) this.#tellTaken(seat);
  }

  #tellTaken(seat: Seat): void {
    seat.worker!.post({ kind: 'taken', weight: seat.taken }, []);
    seat.ahead -= seat.taken;
    seat.taken = 0;
    seat.silent = 0;
  }

  #createWorker(seat: Seat): PoolWorker {
    const worker = this.#options.createWorker({
      message: (message) => {
        if (seat.worker === worker) this.#hear(seat, message);
      },
      gone: (reason, outOfMemory) => {
        if (seat.worker !== worker) return;
        if (!seat.started) this.#unstarted(seat, reason);
        else this.#lose(seat, new RomflowError(outOfMemory ? 'memory' : 'worker', reason), outOfMemory);
      },
    });
    return worker;
  }

  #hear(seat: Seat, message: FromWorker): void {
    seat.silent = 0;
    if (!seat.started) {
      seat.started = true;
      this.#dispatch();
    }
    const { task } = seat;
    if (!task) return;
    const { attempt } = task;
    switch (message.kind) {
      case 'results':
        for (const result of message.results) {
          seat.ahead += result[1];
          task.results.push(result);
        }
        if (attempt.over) task.drop();
        attempt.run.change();
        this.#unblock();
        break;
      case 'done':
        task.visits = message.visits;
        if (seat.next) this.#goOn(seat);
        else this.#free(seat);
        this.#dispatch();
        attempt.run.change();
        break;
      case 'alive':
        break;
      case 'visiting':
        attempt.visiting = message.path;
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
    if (!entry || attempt.over) {
      this.#budget.release(bytes);
      return;
    }
    const inner = new Task(attempt, entry, bytes);
    task.entries.set(ticket, inner);
    this.#entries.push(inner);
    this.#dispatch();
  }

  /** Sees to it that nobody waits for what waits for them. */
  #unblock(): void {
    for (const seat of this.#seats) {
      if (!seat.task || !isAhead(seat)) continue;
      if ([...this.#entries, ...this.#queue].some((task) => !comesBefore(seat.task!, task))) this.#letGoOn(seat);
    }
    const waiting = this.#seats.filter((seat) => seat.stopWaiting);
    if (!waiting.length) return;
    // When all wait who could give memory back, nobody does.
    const stuck = (seat: Seat): boolean =>
      !seat.task ||
      seat.stopWaiting !== undefined ||
      (isAhead(seat) && waiting.some(({ task }) => !comesBefore(seat.task!, task!)));
    if (this.#seats.every(stuck)) this.#budget.force();
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
    seat.started = false;
    seat.next = undefined;
    seat.ahead = 0;
    seat.taken = 0;
    seat.latest = 0;
    if (next && !next.attempt.run.cancelled) this.#queue.unshift(next);
    clearTimeout(seat.idleTimer);
    this.#settle(seat);
    if (this.#seats.every(({ task }) => !task)) this.#stopClock();
    if (!worker) return;
    const ended = worker.terminate().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** A worker did not come to begin: others do its work, if there are any. */
  #unstarted(seat: Seat, reason: string): void {
    const { task } = seat;
    seat.broken = true;
    const others = this.#seats.some((other) => !other.broken);
    if (task && others && !task.entry && !task.attempt.over) {
      this.#vacate(seat);
      this.#queue.unshift(task);
      this.#dispatch();
      return;
    }
    // What comes next may have more luck.
    if (!others) seat.broken = false;
    this.#lose(seat, new RomflowError('worker', reason), false, others);
  }

  /** A worker is no more, or no good any more: its input is tried again, or given up. */
  #lose(seat: Seat, error: RomflowError, outOfMemory: boolean, again = true): void {
    const { task } = seat;
    this.#vacate(seat);
    if (task && !task.attempt.over) {
      const { attempt } = task;
      const { run } = attempt;
      const isLast = !again || run.tries++ >= TRIES;
      attempt.lost = lostError(error, task, isLast);
      this.#forget();
      for (const other of this.#seats) if (other.task?.attempt === attempt) this.#vacate(other);
      if (!isLast) {
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
      const limit = seat.started ? timeLimit : Math.max(timeLimit, START_LIMIT);
      if (!seat.task || seat.stopWaiting || isAhead(seat) || ++seat.silent <= limit) continue;
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
  if (attempt.run.number < task.attempt.run.number) return false;
  return attempt.run.order.size <= SMALL_INPUT;
}

/** Whether a worker waits for its results to be taken. */
function isAhead({ ahead }: Seat): boolean {
  return ahead > MOST_AHEAD;
}

/** Whether the results of a task are taken before those of another begin to be, and nobody else waits for the other. */
function comesBefore({ attempt: { run } }: Task, { attempt: { run: other } }: Task): boolean {
  return run.owner === other.owner && run.number < other.number;
}

/** Why an attempt came to nothing, with the path of what did it. */
function lostError({ code, reason }: RomflowError, { attempt, entry }: Task, isLast: boolean): RomflowError {
  const { path } = attempt.run.order.input;
  const at = entry?.path ?? attempt.visiting ?? path;
  const rest = isLast && at !== path ? `; what follows in ${path} was not looked at` : '';
  return new RomflowError(code, reason + rest, { path: at });
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
