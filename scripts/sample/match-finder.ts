/** Finds earlier occurrences of the bytes at a place, by hash chains over groups of `minimum` bytes. */
export class MatchFinder {
  readonly #data: Uint8Array;
  readonly #minimum: number;
  readonly #depth: number;
  readonly #heads: Int32Array;
  readonly #previous: Int32Array;
  #inserted = 0;

  /** `minimum` is 3 or 4; `depth` is how many candidates are looked at. */
  constructor(data: Uint8Array, minimum: 3 | 4, depth: number) {
    this.#data = data;
    this.#minimum = minimum;
    this.#depth = depth;
    this.#heads = new Int32Array(1 << 15).fill(-1);
    this.#previous = new Int32Array(data.length);
  }

  #hash(at: number): number {
    const data = this.#data;
    const fourth = this.#minimum === 4 ? data[at + 3]! << 24 : 0;
    return Math.imul(data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | fourth, 0x9e3779b1) >>> 17;
  }

  /** Makes all places before `end` known. */
  #insertUpTo(end: number): void {
    const limit = Math.min(end, this.#data.length - this.#minimum + 1);
    for (; this.#inserted < limit; this.#inserted++) {
      const hash = this.#hash(this.#inserted);
      this.#previous[this.#inserted] = this.#heads[hash]!;
      this.#heads[hash] = this.#inserted;
    }
  }

  /** Bytes that the places `a` and `b` share, at most up to `end` for `b`, which is the later one. */
  common(a: number, b: number, end: number): number {
    const data = this.#data;
    const start = b;
    while (b < end && data[a] === data[b]) {
      a++;
      b++;
    }
    return b - start;
  }

  /**
   * The longest match for the bytes at `at` that ends by `end`, the nearest among equals: its place must be `lowest` or
   * above. Length 0 when there is none of the minimum length. Ask for ascending places.
   */
  find(at: number, end: number, lowest: number): { at: number; length: number } {
    let best = { at: 0, length: 0 };
    if (at + this.#minimum > end) return best;
    this.#insertUpTo(at);
    let candidate = this.#heads[this.#hash(at)]!;
    for (let i = 0; i < this.#depth && candidate >= lowest; i++) {
      const length = this.common(candidate, at, end);
      if (length >= this.#minimum && length > best.length) best = { at: candidate, length };
      candidate = this.#previous[candidate]!;
    }
    return best;
  }
}
