/** The open states of a kernel family, by the numbers its functions take. */
export class Handles<T> {
  readonly #open = new Map<number, T>();
  #next = 1;

  add(state: T): number {
    const handle = this.#next++;
    this.#open.set(handle, state);
    return handle;
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
