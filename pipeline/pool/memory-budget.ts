/** One who waits for memory. */
interface Waiting {
  bytes: number;
  grant: () => void;
}

/**
 * Memory that workers share: who needs more than is left waits until others give some back. Nobody waits for ever: when
 * all who could give back are waiting themselves, the first goes on beyond the budget.
 */
export class MemoryBudget {
  readonly #bytes: number;
  #held = 0;
  readonly #waiting: Waiting[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** how many wait */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes bytes if they are there and nobody waits for them. */
  tryReserve(bytes: number): boolean {
    if (this.#waiting.length || !this.#fits(bytes)) return false;
    this.#held += bytes;
    return true;
  }

  /** Takes bytes that are not there yet, when they are; gives a function that stops waiting. */
  wait(bytes: number, grant: () => void): () => void {
    const entry = { bytes, grant };
    this.#waiting.push(entry);
    return () => {
      const at = this.#waiting.indexOf(entry);
      if (at >= 0) this.#waiting.splice(at, 1);
      this.#grant();
    };
  }

  release(bytes: number): void {
    this.#held -= bytes;
    this.#grant();
  }

  /** Lets the first of those who wait go on: nobody will give anything back. */
  force(): void {
    const first = this.#waiting.shift();
    if (!first) return;
    this.#held += first.bytes;
    first.grant();
  }

  #fits(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#bytes;
  }

  #grant(): void {
    while (this.#waiting.length && this.#fits(this.#waiting[0]!.bytes)) this.force();
  }
}
