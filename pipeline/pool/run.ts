import type { RomflowError } from '../../ts/io/errors.ts';
import type { Order, PostedEntry, PostedResult } from './messages.ts';

/** Part of the work on an input: all of it, or an entry that was given away. */
export class Task {
  readonly attempt: Attempt;
  readonly entry: PostedEntry | undefined;
  /** bytes of the budget that the entry takes */
  readonly bytes: number;
  /** what was posted; what was taken of it is undefined */
  results: (PostedResult | undefined)[] = [];
  /** entries of it that were given away, by ticket */
  readonly entries = new Map<number, Task>();
  /** entries visited, when it is done */
  visits: number | undefined;
  /** Tells the worker that results of so much weight were taken. */
  taken: (weight: number) => void = () => {};

  constructor(attempt: Attempt, entry?: PostedEntry, bytes = 0) {
    this.attempt = attempt;
    this.entry = entry;
    this.bytes = bytes;
  }

  /** Takes what nobody waits for. */
  drop(): void {
    for (const result of this.results.splice(0)) if (result) this.taken(result[1]);
    for (const entry of this.entries.values()) entry.drop();
  }
}

/** One try at an input. */
export class Attempt {
  readonly run: Run;
  /** nobody else helps: what an entry does to its worker is to be found out where it is */
  readonly last: boolean;
  /** nobody else works at the same time, since memory was short */
  readonly exclusive: boolean;
  readonly main: Task;
  /** the file that was begun last, where that is told */
  visiting: string | undefined;
  /** why it came to nothing */
  lost: RomflowError | undefined;

  constructor(run: Run, last: boolean, exclusive: boolean) {
    this.run = run;
    this.last = last;
    this.exclusive = exclusive;
    this.main = new Task(this);
  }

  /** nobody waits for its results any more */
  get over(): boolean {
    return this.run.cancelled || this.lost !== undefined;
  }
}

/** The work on one input. */
export class Run {
  /** results are taken in the order of these, of one owner */
  readonly number: number;
  readonly order: Order;
  readonly owner: object;
  tries = 1;
  attempt: Attempt;
  cancelled = false;
  #wake: () => void = () => {};
  #changed = new Promise<void>((resolve) => (this.#wake = resolve));

  constructor(number: number, order: Order, owner: object) {
    this.number = number;
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
