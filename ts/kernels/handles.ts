/** Counts over all kinds and all kernels of a realm, so that a handle is never taken for another's. */
let last = 0;

/** The open states of one kind, by the numbers that stand for them. */
export class Handles<T> {
  readonly #open = new Map<number, T>();

  add(state: T): number {
    this.#open.set(++last, state);
    return last;
  }

  get(handle: number): T {
    const state = this.#open.get(handle);
    if (state === undefined) throw new RangeError(`no open kernel handle: ${handle}`);
    return state;
  }

  /** Gives the state and forgets it. */
  take(handle: number): T {
    const state = this.get(handle);
    this.#open.delete(handle);
    return state;
  }
}
