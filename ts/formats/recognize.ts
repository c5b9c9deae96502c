import { FILE_TYPES, TEXT_TYPES, type FileKind, type FileTypeEntry } from './filetypes.ts';
import { Head } from './head.ts';

export type { FileKind } from './filetypes.ts';

export interface FileType {
  id: string;
  description: string;
  /** such as `4.1.0`, `v7` or `3.0.0, big endian`; absent where the format has none or the header is cut short */
  version?: string;
  certainty: 'magic' | 'probably' | 'by name' | 'unknown';
  kind: FileKind;
  platform?: string;
  detail?: string;
}

export interface RecognizeOptions {
  /** file name or path; only for types without a magic */
  name?: string;
  /** bytes of the whole file */
  size: number;
  /** the last bytes of the file, up to 0x40; not needed when `head` is the whole file */
  tail?: Uint8Array;
}

/** A head of at least this many bytes that is all text is no binary header, whatever letters it begins with. */
const TEXT_MINIMUM = 16;

const compressions = FILE_TYPES.filter((entry) => entry.kind === 'compression' && entry.magic !== undefined);
const footers = FILE_TYPES.filter((entry) => entry.footer !== undefined);
const magics = FILE_TYPES.filter(
  (entry) => entry.magic !== undefined && entry.footer === undefined && entry.kind !== 'compression',
);
/** Types whose magic is the first thing in the file, by its first byte. */
const leading = Array.from({ length: 256 }, (_, byte) =>
  magics.filter(({ magic, at, start }) => {
    const first = typeof magic === 'string' ? magic.charCodeAt(0) : magic![0];
    return !at && !start && first === byte;
  }),
);
/** Types whose magic lies further on. */
const inner = magics.filter((entry) => entry.at || entry.start);
const structures = FILE_TYPES.filter((entry) => entry.magic === undefined && entry.check);
const names = FILE_TYPES.filter((entry) => entry.magic === undefined && !entry.check);

/** Last extension in lower case, before the `.zs` that a decompressed file may have kept in its name. */
function extensionOf(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  return /\.([^.]+?)(?:\.zst?)?$/.exec(base)?.[1] ?? '';
}

/** Whether the bytes are UTF-8 text; a character cut off at their end does not count against them. */
function isText(bytes: Uint8Array): boolean {
  for (const c of bytes) if (c === 0x7f || (c < 0x20 && c !== 9 && c !== 10 && c !== 12 && c !== 13)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function result(entry: FileTypeEntry, head: Head, certainty: FileType['certainty']): FileType {
  const { id, description, kind, platform } = entry;
  const facts = entry.read?.(head);
  const known: FileType = { id, description, certainty, kind, ...(platform === undefined ? {} : { platform }) };
  // Of a header that is cut short only what its magic says is sure.
  return head.missed ? known : { ...known, ...facts };
}

/** Whether it is text that only begins like a magic of letters. */
const isPlain = (head: Head, text: () => boolean): boolean => head.bytes.length >= TEXT_MINIMUM && text();

/** What the header of a type at its place says; `text` tells whether the whole head is text. */
function matchHeader(entry: FileTypeEntry, head: Head, text: () => boolean): FileType | undefined {
  if (!head.startsWith(entry.magic!, (entry.start ?? 0) + (entry.at ?? 0))) return undefined;
  const header = entry.start ? new Head(head.bytes.subarray(entry.start), head.size, head.extension) : head;
  if (entry.check && !entry.check(header)) return undefined;
  if (typeof entry.magic === 'string' && isPlain(head, text)) return undefined;
  return result(entry, new Head(header.bytes, header.size, header.extension), 'magic');
}

function matchFooter(tail: Uint8Array, head: Head, text: () => boolean): FileType | undefined {
  for (const entry of footers) {
    if (tail.length < entry.footer!) continue;
    const footer = new Head(tail.subarray(tail.length - entry.footer!), head.size, head.extension);
    if (footer.startsWith(entry.magic!, 0) && !isPlain(head, text)) return result(entry, footer, 'magic');
  }
  return undefined;
}

function textType(head: Head): FileType {
  const start = new TextDecoder().decode(head.bytes.subarray(0, 64));
  const entry =
    TEXT_TYPES.find(({ extensions }) => extensions?.includes(head.extension)) ??
    TEXT_TYPES.find(({ starts }) => starts?.test(start)) ??
    TEXT_TYPES.at(-1)!;
  return { id: entry.id, description: entry.description, certainty: 'probably', kind: 'text' };
}

/**
 * Names the type of a file by its first bytes (up to 4096 are looked at), its last bytes and its size: outer compression
 * first, then footers, magics, structure and, for types that have neither, the extension.
 */
export function recognize(bytes: Uint8Array, options: RecognizeOptions): FileType {
  const { name = '', size } = options;
  const head = new Head(bytes.subarray(0, 4096), size, extensionOf(name));
  let textSoFar: boolean | undefined;
  const text = (): boolean => (textSoFar ??= isText(head.bytes));

  const match = (entries: readonly FileTypeEntry[]): FileType | undefined => {
    for (const entry of entries) {
      const found = matchHeader(entry, head, text);
      if (found) return found;
    }
    return undefined;
  };

  const tail = options.tail ?? (bytes.length === size ? bytes : new Uint8Array(0));
  const known = match(compressions) ?? matchFooter(tail, head, text) ?? match(leading[bytes[0] ?? 0]!) ?? match(inner);
  if (known) return known;
  const { extension } = head;
  for (const entry of structures) {
    if (entry.extensions?.includes(extension) && entry.check!(head)) return result(entry, head, 'probably');
  }
  if (head.bytes.length > 0 && text()) return textType(head);
  // Breath of the Wild puts an s before the extension of files that Yaz0 was around.
  const spellings = extension.startsWith('s') ? [extension, extension.slice(1)] : [extension];
  for (const spelling of spellings) {
    const entry = names.find(({ extensions }) => extensions?.includes(spelling));
    if (entry) return result(entry, head, 'by name');
  }
  return { id: 'unknown', description: 'unknown', certainty: 'unknown', kind: 'unknown' };
}
