import { counted, FormatError } from './errors.ts';

/**
 * Random access to the bytes of one layer: a file, an entry of an archive, or what a compressed file holds.
 *
 * Access is synchronous, since decoding is one synchronous chain in a worker; a `Blob` is read there by
 * `FileReaderSync`.
 */
export interface Source {
  /** How messages name it, with `/` into archives. */
  readonly path: string;
  /** in bytes */
  readonly size: number;
  /** Exactly `length` bytes at `offset`; only to be read. Throws {@link FormatError} when they are not all there. */
  read(offset: number, length: number): Uint8Array;
  /** Fills `target` with the bytes at `offset`; for large reads, which then leave no garbage. Throws as `read`. */
  readInto(offset: number, target: Uint8Array): void;
}

/** Throws unless `length` bytes at `offset` lie inside a source of `size` bytes. */
export function checkRange(source: { path: string; size: number }, offset: number, length: number): void {
  if (offset + length <= source.size && offset >= 0 && length >= 0) return;
  throw new FormatError({
    code: 'truncated',
    format: 'file',
    offset: Math.min(Math.max(offset, 0), source.size),
    expected: counted(length, 'byte'),
    found: `${Math.max(source.size - offset, 0)}`,
    path: source.path,
  });
}

/** A source over bytes in memory. */
export class BufferSource implements Source {
  readonly path: string;
  readonly size: number;
  readonly #bytes: Uint8Array;

  constructor(path: string, bytes: Uint8Array) {
    this.path = path;
    this.size = bytes.length;
    this.#bytes = bytes;
  }

  read(offset: number, length: number): Uint8Array {
    checkRange(this, offset, length);
    return this.#bytes.subarray(offset, offset + length);
  }

  readInto(offset: number, target: Uint8Array): void {
    target.set(this.read(offset, target.length));
  }
}

/** A part of another source, such as an entry of an archive that is not compressed. */
export class SubSource implements Source {
  readonly path: string;
  readonly size: number;
  readonly #parent: Source;
  readonly #offset: number;

  constructor(parent: Source, path: string, offset: number, size: number) {
    checkRange(parent, offset, size);
    this.path = path;
    this.size = size;
    this.#parent = parent;
    this.#offset = offset;
  }

  read(offset: number, length: number): Uint8Array {
    checkRange(this, offset, length);
    return this.#parent.read(this.#offset + offset, length);
  }

  readInto(offset: number, target: Uint8Array): void {
    checkRange(this, offset, target.length);
    this.#parent.readInto(this.#offset + offset, target);
  }
}
