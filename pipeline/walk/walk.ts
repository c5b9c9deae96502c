import { bffnt } from '../../ts/formats/bffnt/index.ts';
import { bfres } from '../../ts/formats/bfres/index.ts';
import { openEmbedded, type EmbeddedFile } from '../../ts/formats/format.ts';
import { recognize, type FileType } from '../../ts/formats/recognize.ts';
import { entryName, inDataOrder, readSarc, SarcSplitter, type SarcPiece } from '../../ts/formats/sarc/index.ts';
import { RomflowError } from '../../ts/io/errors.ts';
import type { Source } from '../../ts/io/source.ts';
import { SourceContent, StreamContent, type Content } from './content.ts';
import { decompress, isCompressed } from './decompress.ts';
import type { Session } from './session.ts';

/** A file or an entry, outer compression taken off. */
export interface VisitedFile {
  kind: 'file';
  /** how messages name it: the argument as given, then `/` into archives */
  path: string;
  /** 0 for an argument, 1 for an entry of it, ... */
  depth: number;
  type: FileType;
  /** compression around it, outermost first */
  layers: FileType[];
  /** bytes it takes where it lies, compressed or not */
  storedSize: number;
  /** files inside a file that is more than an archive of them; undefined where there are none */
  embedded: EmbeddedFile[] | undefined;
  content: Content;
}

/** Something that could not be read; the walk goes on behind it. */
export interface VisitFailure {
  kind: 'failure';
  path: string;
  error: unknown;
  /** what it is, when that alone is known: the outermost compression that could not be taken off */
  unopened?: { type: FileType; storedSize: number };
}

export type Visit = VisitedFile | VisitFailure;

export interface WalkOptions {
  /** Whether to go into an archive; default: always. Asked after the file was visited. */
  enter?: (file: VisitedFile) => boolean;
  /** Whether to take compression off the file at `path`; default: always. */
  unwrap?: (path: string) => boolean;
}

const HEAD_SIZE = 4096;
const TAIL_SIZE = 0x40;

/**
 * Walks a file and everything in it, outside in, entries in the order of their data. Whoever iterates may read a file's
 * content until asking for the next; after that a streamed one is gone.
 */
export function* walk(content: Content, session: Session, options: WalkOptions = {}): Generator<Visit, void, void> {
  yield* visit({ content, depth: 0, storedSize: content.size ?? 0 }, session, options);
}

interface Place {
  content: Content;
  depth: number;
  storedSize: number;
}

function* visit(place: Place, session: Session, options: WalkOptions): Generator<Visit, void, void> {
  const { depth } = place;
  const { path } = place.content;
  let { content } = place;
  try {
    const unwrapped = unwrap(content, session, options.unwrap?.(path) ?? true);
    const { type, layers } = unwrapped;
    content = unwrapped.content;
    if (unwrapped.error) {
      yield { kind: 'failure', path, error: unwrapped.error, unopened: { type, storedSize: place.storedSize } };
      return;
    }
    let damage: unknown;
    let embedded: EmbeddedFile[] | undefined;
    try {
      embedded = embeddedFiles(type, content);
    } catch (error) {
      damage = error;
    }
    const file: VisitedFile = {
      kind: 'file',
      path,
      depth,
      type,
      layers,
      storedSize: place.storedSize,
      embedded,
      content,
    };
    yield file;
    if (options.enter && !options.enter(file)) return;
    if (damage) throw damage;
    if (depth >= session.limits.maxDepth) {
      if (isContainer(file))
        throw new RomflowError('limit', `nested more than ${depth} deep; --max-depth raises the limit`, { path });
      return;
    }
    yield* entries(file, session, options);
  } catch (error) {
    yield { kind: 'failure', path, error };
  } finally {
    content.close();
  }
}

/** Whether a file's entries are walked. */
export function isContainer({ type, embedded }: VisitedFile): boolean {
  return type.id === 'sarc' || embedded !== undefined;
}

/** What formats that are more than archives hold; undefined when nothing. */
function embeddedFiles(type: FileType, content: Content): EmbeddedFile[] | undefined {
  switch (type.id) {
    case 'bfres': {
      if (type.platform !== 'Switch') return undefined;
      const files = bfres.read(content.source()).embeddedFiles;
      return files.length ? files : undefined;
    }
    case 'bffnt': {
      const { sheets } = bffnt.read(content.source());
      return sheets && [sheets];
    }
    default:
      return undefined;
  }
}

/** What is left when compression is taken off, or how far that went before an error. */
interface Unwrapped {
  content: Content;
  type: FileType;
  /** compression that was taken off, outermost first */
  layers: FileType[];
  error?: unknown;
}

/** Takes compression off until something else comes. */
function unwrap(outer: Content, session: Session, wanted: boolean): Unwrapped {
  const layers: FileType[] = [];
  let content = outer;
  let type = typeOf(content);
  while (wanted && isCompressed(type)) {
    let inner: Content | undefined;
    try {
      if (layers.length >= session.limits.maxDepth) {
        throw new RomflowError('limit', `compressed more than ${layers.length} times; --max-depth raises the limit`, {
          path: content.path,
        });
      }
      inner = decompress(content, type, session);
      const innerType = typeOf(inner);
      layers.push(type);
      content = inner;
      type = innerType;
    } catch (error) {
      inner?.close();
      return { content, type, layers, error };
    }
  }
  return { content, type, layers };
}

function typeOf(content: Content): FileType {
  const name = content.path.slice(content.path.lastIndexOf('/') + 1);
  const head = content.head(HEAD_SIZE);
  if (!content.random) {
    const type = recognize(head, { name, size: content.size ?? Infinity });
    // Only what its first bytes do not tell may be told by its end, for which a stream must be collected.
    if (type.certainty === 'magic') return type;
  }
  const source = content.source();
  const tailSize = Math.min(TAIL_SIZE, source.size);
  return recognize(source.read(0, Math.min(HEAD_SIZE, source.size)), {
    name,
    size: source.size,
    tail: source.read(source.size - tailSize, tailSize),
  });
}

function* entries(file: VisitedFile, session: Session, options: WalkOptions): Generator<Visit, void, void> {
  const { content, type, embedded } = file;
  if (embedded) {
    yield* randomEntries(file, content.source(), embedded, session, options);
  } else if (type.id === 'sarc' && content.random) {
    const files = inDataOrder(readSarc(content.random).entries).map((entry) => ({ ...entry, name: entryName(entry) }));
    yield* randomEntries(file, content.random, files, session, options);
  } else if (type.id === 'sarc') {
    yield* streamedEntries(file, session, options);
  }
}

function* randomEntries(
  file: VisitedFile,
  source: Source,
  files: EmbeddedFile[],
  session: Session,
  options: WalkOptions,
): Generator<Visit, void, void> {
  for (const inner of files) {
    const path = childPath(file, inner.name);
    let content: Content;
    try {
      content = new SourceContent(openEmbedded(source, inner, path, file.type.id.toUpperCase()));
    } catch (error) {
      yield { kind: 'failure', path, error };
      continue;
    }
    yield* visit({ content, depth: file.depth + 1, storedSize: inner.size }, session, options);
  }
}

/** Entries of an archive that comes as a stream: each must be done with before the next. */
function* streamedEntries(file: VisitedFile, session: Session, options: WalkOptions): Generator<Visit, void, void> {
  const splitter = new SarcSplitter({ path: file.path, onWarning: session.onWarning });
  const pieces = split(splitter, file.content);
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    const first = next.value;
    const path = childPath(file, entryName(first.entry));
    const { size } = first.entry;
    const stream = new EntryStream(first, pieces);
    const content = new StreamContent(path, stream.chunks(), session.limits.maxSize, size);
    yield* visit({ content, depth: file.depth + 1, storedSize: size }, session, options);
    stream.drain();
  }
}

function* split(splitter: SarcSplitter, content: Content): Generator<SarcPiece, void, void> {
  for (const chunk of content.chunks()) yield* splitter.push(chunk, false);
  yield* splitter.push(new Uint8Array(0), true);
}

/** The pieces of one entry, out of those of all. */
class EntryStream {
  #piece: SarcPiece;
  readonly #pieces: Iterator<SarcPiece, void, void>;

  constructor(first: SarcPiece, pieces: Iterator<SarcPiece, void, void>) {
    this.#piece = first;
    this.#pieces = pieces;
  }

  *chunks(): Generator<Uint8Array, void, void> {
    do {
      if (this.#piece.data.length) yield this.#piece.data;
    } while (this.#advance());
  }

  /** Passes over what was not read. */
  drain(): void {
    while (this.#advance());
  }

  #advance(): boolean {
    if (this.#piece.last) return false;
    const next = this.#pieces.next();
    if (!next.done) this.#piece = next.value;
    return !next.done;
  }
}

function childPath(file: VisitedFile, name: string): string {
  return `${file.path}/${name.replace(/^\/+/, '')}`;
}
