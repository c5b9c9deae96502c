import { bffnt } from '../../ts/formats/bffnt/index.ts';
import { bfres } from '../../ts/formats/bfres/index.ts';
import { openEmbedded, type EmbeddedFile } from '../../ts/formats/format.ts';
import { recognize, type FileType } from '../../ts/formats/recognize.ts';
import { entryName, inDataOrder, readSarc, SarcSplitter, type SarcPiece } from '../../ts/formats/sarc/index.ts';
import { counted, RomflowError } from '../../ts/io/errors.ts';
import type { Source } from '../../ts/io/source.ts';
import { SourceContent, StreamContent, type Content, type Turn } from './content.ts';
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

/** An entry that somebody else visits, with the number that was given for it. */
export interface HandedOver {
  kind: 'handed';
  path: string;
  ticket: number;
}

export type Visit = VisitedFile | VisitFailure;

/** Where a walk begins, or goes on. */
export interface Place {
  content: Content;
  /** 0 for an argument, 1 for an entry of it, ... */
  depth: number;
  /** bytes it takes where it lies, compressed or not */
  storedSize: number;
}

export interface WalkOptions {
  /** Whether to go into an archive; default: always. Asked after the file was visited. */
  enter?: (file: VisitedFile) => boolean;
  /** Whether to take compression off the file at `path`; default: always. */
  unwrap?: (path: string) => boolean;
  /** Gives others a turn in the middle of long work; default: none. */
  turn?: Turn;
}

/** What a walk needs that shares its work with others. */
export interface SharedWalkOptions extends WalkOptions {
  /** counts visits */
  visits?: { count: number };
  /** The outermost file, as messages name it; default: where the walk begins. */
  root?: string;
  /**
   * May take an entry of an archive away, for another walk, and give a number for it; it reads the content then. Asked
   * before the entry is visited; default: all stay.
   */
  handOver?: (entry: Place, archiveSize: number) => Promise<EntryHandOver> | undefined;
}

/** The number that was given for an entry that was taken away, or its content, good to be read from the beginning. */
export type EntryHandOver = number | Content;

const HEAD_SIZE = 4096;
const TAIL_SIZE = 0x40;

/**
 * Walks a file and everything in it, outside in, entries in the order of their data. Whoever iterates may read a file's
 * content until asking for the next; after that a streamed one is gone.
 */
export function walk(
  start: Content | Place,
  session: Session,
  options?: WalkOptions,
): AsyncGenerator<Visit, void, void>;
export function walk(
  start: Content | Place,
  session: Session,
  options: SharedWalkOptions,
): AsyncGenerator<Visit | HandedOver, void, void>;
export function walk(
  start: Content | Place,
  session: Session,
  options: SharedWalkOptions = {},
): AsyncGenerator<Visit | HandedOver, void, void> {
  const place = 'depth' in start ? start : { content: start, depth: 0, storedSize: start.size ?? 0 };
  return new Walk(options.root ?? place.content.path, session, options).visit(place);
}

/** Whether a file's entries are walked. */
export function isContainer({ type, embedded }: VisitedFile): boolean {
  return type.id === 'sarc' || embedded !== undefined;
}

/** What is left when compression is taken off, or how far that went before an error. */
interface Unwrapped {
  content: Content;
  type: FileType;
  /** compression that was taken off, outermost first */
  layers: FileType[];
  error?: unknown;
}

/** One walk, with what it may still do. */
class Walk {
  readonly #root: string;
  readonly #session: Session;
  readonly #options: SharedWalkOptions;
  readonly #turn: Turn;
  readonly #visits: { count: number };

  constructor(root: string, session: Session, options: SharedWalkOptions) {
    this.#root = root;
    this.#session = session;
    this.#options = options;
    this.#turn = options.turn ?? (() => undefined);
    this.#visits = options.visits ?? { count: 0 };
  }

  async *visit(place: Place): AsyncGenerator<Visit | HandedOver, void, void> {
    const { depth, storedSize } = place;
    const { path } = place.content;
    const opened = [place.content];
    try {
      const { maxEntries, maxDepth } = this.#session.limits;
      if (this.#visits.count > maxEntries) return;
      if (this.#visits.count++ === maxEntries) {
        const message = `holds more than ${counted(maxEntries, 'entry', 'entries')}; --max-entries raises the limit`;
        throw new RomflowError('limit', message, { path: this.#root });
      }
      const { content, type, layers, error } = await this.#unwrap(opened, this.#options.unwrap?.(path) ?? true);
      if (error) {
        yield { kind: 'failure', path, error, unopened: { type, storedSize } };
        return;
      }
      let damage: unknown;
      let embedded: EmbeddedFile[] | undefined;
      try {
        embedded = await this.#embeddedFiles(type, content);
      } catch (found) {
        damage = found;
      }
      const file: VisitedFile = { kind: 'file', path, depth, type, layers, storedSize, embedded, content };
      yield file;
      if (this.#options.enter && !this.#options.enter(file)) return;
      if (damage) throw damage;
      if (depth >= maxDepth && isContainer(file)) {
        throw new RomflowError('limit', `nested more than ${depth} deep; --max-depth raises the limit`, { path });
      }
      yield* this.#entries(file);
    } catch (error) {
      yield { kind: 'failure', path, error };
    } finally {
      for (const content of opened.toReversed()) content.close();
    }
  }

  /** What formats that are more than archives hold; undefined when nothing. */
  async #embeddedFiles(type: FileType, content: Content): Promise<EmbeddedFile[] | undefined> {
    switch (type.id) {
      case 'bfres': {
        if (type.platform !== 'Switch') return undefined;
        await content.gather(this.#turn);
        const files = bfres.read(content.source()).embeddedFiles;
        return files.length ? files : undefined;
      }
      case 'bffnt': {
        await content.gather(this.#turn);
        const { sheets } = bffnt.read(content.source());
        return sheets && [sheets];
      }
      default:
        return undefined;
    }
  }

  /** Takes compression off `opened[0]` until something else comes; what is opened on the way is added there. */
  async #unwrap(opened: Content[], wanted: boolean): Promise<Unwrapped> {
    const { maxDepth } = this.#session.limits;
    const layers: FileType[] = [];
    let content = opened[0]!;
    let type = await this.#typeOf(content);
    while (wanted && isCompressed(type)) {
      try {
        if (layers.length >= maxDepth) {
          throw new RomflowError(
            'limit',
            `compressed more than ${counted(maxDepth, 'time')}; --max-depth raises the limit`,
            {
              path: content.path,
            },
          );
        }
        const inner = await decompress(content, type, this.#session, this.#turn);
        opened.push(inner);
        const innerType = await this.#typeOf(inner);
        layers.push(type);
        content = inner;
        type = innerType;
      } catch (error) {
        return { content, type, layers, error };
      }
    }
    return { content, type, layers };
  }

  async #typeOf(content: Content): Promise<FileType> {
    const name = content.path.slice(content.path.lastIndexOf('/') + 1);
    if (!content.random) {
      const type = recognize(content.head(HEAD_SIZE), { name, size: content.size ?? Infinity });
      // Only what its first bytes do not tell may be told by its end, for which a stream must be collected.
      if (type.certainty === 'magic') return type;
      await content.gather(this.#turn);
    }
    const source = content.source();
    const tailSize = Math.min(TAIL_SIZE, source.size);
    return recognize(source.read(0, Math.min(HEAD_SIZE, source.size)), {
      name,
      size: source.size,
      tail: source.read(source.size - tailSize, tailSize),
    });
  }

  async *#entries(file: VisitedFile): AsyncGenerator<Visit | HandedOver, void, void> {
    const { content, type, embedded } = file;
    if (embedded) {
      yield* this.#randomEntries(file, content.source(), embedded);
    } else if (type.id === 'sarc' && content.random) {
      const files = inDataOrder(readSarc(content.random).entries).map((entry) => ({
        ...entry,
        name: entryName(entry),
      }));
      yield* this.#randomEntries(file, content.random, files);
    } else if (type.id === 'sarc') {
      yield* this.#streamedEntries(file);
    }
  }

  async *#randomEntries(
    file: VisitedFile,
    source: Source,
    files: EmbeddedFile[],
  ): AsyncGenerator<Visit | HandedOver, void, void> {
    for (const inner of files) {
      const path = childPath(file, inner.name);
      let content: Content;
      try {
        content = new SourceContent(openEmbedded(source, inner, path, file.type.id.toUpperCase()));
      } catch (error) {
        yield { kind: 'failure', path, error };
        continue;
      }
      yield* this.#entry(file, { content, depth: file.depth + 1, storedSize: inner.size });
    }
  }

  async *#entry(archive: VisitedFile, entry: Place): AsyncGenerator<Visit | HandedOver, void, void> {
    const handed = await this.#options.handOver?.(entry, archive.content.size ?? archive.storedSize);
    if (typeof handed === 'number') yield { kind: 'handed', path: entry.content.path, ticket: handed };
    else yield* this.visit(handed ? { ...entry, content: handed } : entry);
  }

  /** Entries of an archive that comes as a stream: each must be done with before the next. */
  async *#streamedEntries(file: VisitedFile): AsyncGenerator<Visit | HandedOver, void, void> {
    const { onWarning, limits, memory } = this.#session;
    const splitter = new SarcSplitter({ path: file.path, onWarning });
    const pieces = split(splitter, file.content);
    for (let next = pieces.next(); !next.done; next = pieces.next()) {
      const first = next.value;
      const path = childPath(file, entryName(first.entry));
      const { size } = first.entry;
      const stream = new EntryStream(first, pieces);
      const content = new StreamContent(path, stream.chunks(), { maxSize: limits.maxSize, memory, size });
      yield* this.#entry(file, { content, depth: file.depth + 1, storedSize: size });
      // What was not read is passed over.
      while (stream.advance()) {
        const pause = this.#turn();
        if (pause) await pause;
      }
    }
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
    } while (this.advance());
  }

  /** Goes on to the next piece; false after the last one. */
  advance(): boolean {
    if (this.#piece.last) return false;
    const next = this.#pieces.next();
    if (!next.done) this.#piece = next.value;
    return !next.done;
  }
}

function childPath(file: VisitedFile, name: string): string {
  return `${file.path}/${name.replace(/^\/+/, '') || '_'}`;
}
