import { FormatError, hex } from '../io/errors.ts';
import { SubSource, type Source } from '../io/source.ts';

/** What every format folder exports. */
export interface Format<T> {
  /** short name, as in `FileType.id` */
  readonly id: string;
  /** usual extensions, without the dot */
  readonly extensions: readonly string[];
  /** the bytes at offset 0, or {@link magicOffset} */
  readonly magic: string;
  readonly magicOffset?: number;
  /** Whether the first bytes of a file look like this format. */
  detect(head: Uint8Array): boolean;
  /** Reads the structure; the bulk of the data stays in the source. Throws FormatError. */
  read(source: Source): T;
}

/** Whether `head` has the characters of `magic` at `offset`. */
export function hasMagic(head: Uint8Array, magic: string, offset = 0): boolean {
  if (head.length < offset + magic.length) return false;
  for (let i = 0; i < magic.length; i++) if (head[offset + i] !== magic.charCodeAt(i)) return false;
  return true;
}

/** A file inside another one, uncompressed. */
export interface EmbeddedFile {
  name: string;
  /** offset in the source of the record that names it */
  recordOffset: number;
  /** offset in the source and size of its data, in bytes; may lie outside a damaged source */
  offset: number;
  size: number;
}

/** Opens a file inside `source` under the name `path`. Throws FormatError, about the record, when it does not lie inside. */
export function openEmbedded(source: Source, file: EmbeddedFile, path: string, format: string): Source {
  if (file.offset + file.size > source.size) {
    throw new FormatError({
      code: 'truncated',
      format,
      offset: file.recordOffset,
      expected: `data that ends at most at ${hex(source.size)}`,
      found: `${hex(file.size)} bytes at ${hex(file.offset)}`,
      path: source.path,
    });
  }
  return new SubSource(source, path, file.offset, file.size);
}
