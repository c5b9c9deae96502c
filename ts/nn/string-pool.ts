import { FormatError, hex } from '../io/errors.ts';
import { Slice, type SliceOptions } from '../io/slice.ts';
import type { Source } from '../io/source.ts';

/**
 * Reads strings of an nn::util::StringPool: u16 length, then UTF-8.
 *
 * Each is read once, and all together may not be longer than the source: strings that overlap a thousand times would
 * make much out of little.
 */
export class StringPool {
  readonly #source: Source;
  readonly #options: SliceOptions;
  readonly #known = new Map<number, string>();
  #left: number;

  constructor(source: Source, options: SliceOptions) {
    this.#source = source;
    this.#options = options;
    this.#left = source.size;
  }

  /** The string at an offset in the source. Throws FormatError. */
  read(offset: number): string {
    let text = this.#known.get(offset);
    if (text === undefined) {
      const length = Slice.read(this.#source, offset, 2, this.#options).u16(offset);
      this.spend(length, offset);
      text = Slice.read(this.#source, offset + 2, length, this.#options).utf8(offset + 2, length);
      this.#known.set(offset, text);
    }
    return text;
  }

  /** Counts bytes that a structure takes beside its strings. Throws FormatError, about the field at `offset`. */
  spend(size: number, offset: number): void {
    this.#left -= size;
    if (this.#left >= 0) return;
    throw new FormatError({
      format: this.#options.format,
      offset,
      expected: `parts that fit into ${hex(this.#source.size)} bytes together`,
      found: 'parts that overlap',
      path: this.#source.path,
    });
  }
}
