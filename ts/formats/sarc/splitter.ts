import { concat } from '../../io/concat.ts';
import { counted, FormatError } from '../../io/errors.ts';
import { Slice } from '../../io/slice.ts';
import { inDataOrder, readSarcHeader, readSarcTables, SARC_HEADER_SIZE } from './reader.ts';
import type { Sarc, SarcEntry } from './types.ts';

/** A piece of an entry, in order; every entry ends with a piece that is `last`, empty ones have just that. */
export interface SarcPiece {
  entry: SarcEntry;
  /** a view of what was pushed, good until the next push */
  data: Uint8Array;
  last: boolean;
}

export interface SarcSplitterOptions {
  /** how errors name the archive */
  path: string;
  /** told once, in one line, when entries share bytes and the archive must be buffered */
  onWarning?: (message: string) => void;
}

/**
 * Splits a SARC that comes in chunks into the pieces of its entries, in the order of their data.
 *
 * Nothing but the tables is held back, unless entries overlap: then everything is, until the end.
 */
export class SarcSplitter {
  readonly #options: SarcSplitterOptions;
  /** bytes before the data, while the tables are not whole; all bytes when `#overlapping` */
  #held: Uint8Array[] = [];
  #heldSize = 0;
  #need = SARC_HEADER_SIZE;
  #sarc: Sarc | undefined;
  #entries: SarcEntry[] = [];
  #overlapping = false;
  #current = 0;
  #position = 0;

  constructor(options: SarcSplitterOptions) {
    this.#options = options;
  }

  /** The tables, once they were seen. */
  get sarc(): Sarc | undefined {
    return this.#sarc;
  }

  /** Takes more bytes and gives the pieces in them. `final` says that none follow. Throws FormatError. */
  *push(chunk: Uint8Array, final: boolean): Generator<SarcPiece, void, void> {
    let data = chunk;
    if (!this.#sarc || this.#overlapping) {
      if (chunk.length) this.#held.push(chunk.slice());
      this.#heldSize += chunk.length;
      while (!this.#sarc && this.#heldSize >= this.#need) this.#readTables();
      if (!this.#sarc) {
        if (final) throw this.#truncated(this.#need - this.#heldSize);
        return;
      }
      if (this.#overlapping && !final) return;
      data = this.#takeHeld();
      if (this.#overlapping) {
        yield* this.#overlappingPieces(data);
        return;
      }
    }
    yield* this.#pieces(data);
    const entry = this.#entries[this.#current];
    if (final && entry) throw this.#truncated(entry.offset + entry.size - this.#position);
  }

  #readTables(): void {
    const front = this.#takeHeld();
    this.#held = [front];
    this.#heldSize = front.length;
    const slice = new Slice(this.#options.path, front, 0, { format: 'SARC' });
    const { dataOffset } = readSarcHeader(slice);
    this.#need = dataOffset;
    if (front.length < dataOffset) return;
    // No more than the tables, however much has come: what is cut off there must not depend on the chunks.
    this.#sarc = readSarcTables(new Slice(this.#options.path, front.subarray(0, dataOffset), 0, { format: 'SARC' }));
    this.#entries = inDataOrder(this.#sarc.entries);
    this.#overlapping = this.#entries.some((entry, i) => {
      const next = this.#entries[i + 1];
      return next !== undefined && next.offset < entry.offset + entry.size;
    });
    if (this.#overlapping) {
      this.#options.onWarning?.(`${this.#options.path}: SARC entries share bytes; the whole archive is held in memory`);
    }
  }

  #takeHeld(): Uint8Array {
    const held = this.#held;
    this.#held = [];
    return held.length === 1 ? held[0]! : concat(held);
  }

  *#pieces(data: Uint8Array): Generator<SarcPiece, void, void> {
    const start = this.#position;
    this.#position += data.length;
    for (;;) {
      const entry = this.#entries[this.#current];
      if (!entry || entry.offset > this.#position) return;
      const from = Math.max(entry.offset - start, 0);
      const to = Math.min(entry.offset + entry.size - start, data.length);
      const last = entry.offset + entry.size <= this.#position;
      if (to > from || last) yield { entry, data: data.subarray(from, Math.max(to, from)), last };
      if (!last) return;
      this.#current++;
    }
  }

  *#overlappingPieces(data: Uint8Array): Generator<SarcPiece, void, void> {
    this.#position = data.length;
    for (const entry of this.#entries) {
      const end = entry.offset + entry.size;
      if (end > data.length) throw this.#truncated(end - data.length);
      yield { entry, data: data.subarray(entry.offset, end), last: true };
    }
  }

  #truncated(missing: number): FormatError {
    const offset = this.#sarc ? this.#position : this.#heldSize;
    return new FormatError({
      code: 'truncated',
      format: 'SARC',
      offset,
      expected: counted(missing, 'more byte'),
      found: `the end of the file`,
      path: this.#options.path,
    });
  }
}
