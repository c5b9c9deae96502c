import { counted, type ErrorCode, FormatError, hex } from './errors.ts';
import type { Source } from './source.ts';

const UTF8 = new TextDecoder('utf-8');

/** Settings of a {@link Slice}. */
export interface SliceOptions {
  /** format named in errors, such as `BNTX` */
  format: string;
  littleEndian?: boolean;
}

/**
 * A range of a source with checked reads. All offsets are offsets in the source, so that a reader uses the numbers of
 * the format page and errors name true places.
 */
export class Slice {
  readonly path: string;
  readonly format: string;
  readonly littleEndian: boolean;
  /** offset in the source of the first byte that is here */
  readonly start: number;
  /** offset in the source after the last byte that is here */
  readonly end: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(path: string, bytes: Uint8Array, start: number, { format, littleEndian = true }: SliceOptions) {
    this.path = path;
    this.format = format;
    this.littleEndian = littleEndian;
    this.start = start;
    this.end = start + bytes.length;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Reads `length` bytes of a source at `start`; what lies past its end is an error of the format. */
  static read(source: Source, start: number, length: number, options: SliceOptions): Slice {
    if (start < 0 || start + length > source.size) {
      throw truncated(options.format, source.path, start, length, source.size);
    }
    return new Slice(source.path, source.read(start, length), start, options);
  }

  /** The same bytes, read with the other settings. */
  with(options: Partial<SliceOptions>): Slice {
    const { format, littleEndian } = this;
    return new Slice(this.path, this.#bytes, this.start, { format, littleEndian, ...options });
  }

  #at(offset: number, length: number): number {
    if (offset < this.start || offset + length > this.end) {
      throw truncated(this.format, this.path, offset, length, this.end);
    }
    return offset - this.start;
  }

  u8(offset: number): number {
    return this.#view.getUint8(this.#at(offset, 1));
  }

  u16(offset: number): number {
    return this.#view.getUint16(this.#at(offset, 2), this.littleEndian);
  }

  u32(offset: number): number {
    return this.#view.getUint32(this.#at(offset, 4), this.littleEndian);
  }

  s32(offset: number): number {
    return this.#view.getInt32(this.#at(offset, 4), this.littleEndian);
  }

  f32(offset: number): number {
    return this.#view.getFloat32(this.#at(offset, 4), this.littleEndian);
  }

  u64(offset: number): bigint {
    return this.#view.getBigUint64(this.#at(offset, 8), this.littleEndian);
  }

  /** A u64 that must be at most `limit`, such as a file offset. */
  offset64(offset: number, limit: number, what: string): number {
    const value = this.u64(offset);
    if (value > BigInt(limit)) throw this.error(offset, `${what} of at most ${hex(limit)}`, hex(value));
    return Number(value);
  }

  bytes(offset: number, length: number): Uint8Array {
    const at = this.#at(offset, length);
    return this.#bytes.subarray(at, at + length);
  }

  /** `length` bytes as one character each; for magics. */
  ascii(offset: number, length: number): string {
    return String.fromCharCode(...this.bytes(offset, length));
  }

  /** UTF-8 of known length; bytes that are not UTF-8 become U+FFFD. */
  utf8(offset: number, length: number): string {
    return UTF8.decode(this.bytes(offset, length));
  }

  /** UTF-8 up to a NUL, which must come before `limit` (an offset; default: the slice's end). */
  cString(offset: number, limit = this.end): string {
    const end = Math.min(limit, this.end);
    const length = this.bytes(offset, Math.max(end - offset, 0)).indexOf(0);
    if (length < 0) throw this.error(offset, `a NUL before ${hex(end)}`, 'none');
    return this.utf8(offset, length);
  }

  /** Throws unless the bytes at `offset` are `magic`. */
  expectMagic(offset: number, magic: string): void {
    const found = this.ascii(offset, magic.length);
    if (found !== magic) throw this.error(offset, JSON.stringify(magic), JSON.stringify(found));
  }

  /** An error about the field at `offset`, to be thrown. */
  error(offset: number, expected: string, found: string, code?: ErrorCode): FormatError {
    return new FormatError({
      code: code ?? 'bad-format',
      format: this.format,
      offset,
      expected,
      found,
      path: this.path,
    });
  }
}

function truncated(format: string, path: string, offset: number, length: number, end: number): FormatError {
  return new FormatError({
    code: 'truncated',
    format,
    offset,
    expected: counted(length, 'byte'),
    found: `${Math.max(end - offset, 0)}`,
    path,
  });
}
