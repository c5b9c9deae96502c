import { RomflowError } from '../../ts/io/errors.ts';
import { BufferSource, type Source } from '../../ts/io/source.ts';
import { BlockBuffer, blockSource } from './block-buffer.ts';
import { freeBuffer } from './free-buffer.ts';

/** Gives others a turn in the middle of long work; undefined when none is due. Rejects when the work is to end. */
export type Turn = () => Promise<void> | undefined;

/** What files that are held in memory must be asked of, where others need memory too. */
export interface Memory {
  /** Waits until so many bytes may be taken; undefined when they may be at once. */
  reserve(bytes: number): Promise<unknown> | undefined;
  /** Gives bytes back that were reserved in one call. */
  release(bytes: number): void;
}

/** Memory that need not be shared. */
export const OWN_MEMORY: Memory = { reserve: () => undefined, release: () => {} };

/** Bytes of a file or entry that may come as a stream. Only the latest content of a stream is good at any time. */
export interface Content {
  /** how messages name it */
  readonly path: string;
  /** in bytes; undefined while a stream has not said it */
  readonly size: number | undefined;
  /** Random access, where the bytes are not a stream (any more). */
  readonly random: Source | undefined;
  /** Up to `size` of the first bytes. */
  head(size: number): Uint8Array;
  /** All bytes in order; a stream can be asked once. */
  chunks(): Generator<Uint8Array, void, void>;
  /** Collects a stream in memory, in turns with others, so that {@link source} is there at once. */
  gather(turn: Turn): Promise<void>;
  /** Random access; what a stream still holds is collected for it. */
  source(): Source;
  /** The same, in memory and still good when this is closed. */
  keep(): Source;
  /** Ends a stream that is not wanted any more. */
  close(): void;
}

/** What is reserved for a stream of unknown size. */
const LEAST_RESERVED = 1024 * 1024;
const CHUNK_SIZE = 256 * 1024;
/** Size of the first chunk, each further one being twice as large: the beginning may be all that is wanted. */
const FIRST_CHUNK_SIZE = 16 * 1024;

/** Content that is there already. */
export class SourceContent implements Content {
  readonly path: string;
  readonly size: number;
  readonly random: Source;

  constructor(source: Source) {
    this.path = source.path;
    this.size = source.size;
    this.random = source;
  }

  head(size: number): Uint8Array {
    return this.random.read(0, Math.min(size, this.size));
  }

  *chunks(): Generator<Uint8Array, void, void> {
    let chunkSize = FIRST_CHUNK_SIZE;
    for (let offset = 0; offset < this.size;) {
      const chunk = this.random.read(offset, Math.min(chunkSize, this.size - offset));
      offset += chunk.length;
      chunkSize = Math.min(2 * chunkSize, CHUNK_SIZE);
      yield chunk;
    }
  }

  async gather(): Promise<void> {}

  source(): Source {
    return this.random;
  }

  keep(): Source {
    return copyOf(this.random);
  }

  close(): void {}
}

export interface StreamOptions {
  /** more bytes than this are an error, wherever they come from */
  maxSize: number;
  memory: Memory;
  /** what is promised, if anything */
  size?: number | undefined;
  /** bytes that were reserved for the decoder; given back with the content */
  reserved?: number;
}

/** Content that is there, in blocks, and is to be taken for a stream: so that it is read as if it came from one. */
export class BlockContent implements Content {
  readonly path: string;
  readonly size: number;
  readonly #blocks: Uint8Array[];
  #source: Source | undefined;

  /** `blocks` are those of a {@link BlockBuffer}. */
  constructor(path: string, blocks: Uint8Array[]) {
    this.path = path;
    this.size = blocks.reduce((size, block) => size + block.length, 0);
    this.#blocks = blocks;
  }

  get random(): Source | undefined {
    return this.#source;
  }

  head(size: number): Uint8Array {
    return blockSource(this.path, this.#blocks).read(0, Math.min(size, this.size));
  }

  *chunks(): Generator<Uint8Array, void, void> {
    yield* this.#blocks;
  }

  async gather(): Promise<void> {
    this.source();
  }

  source(): Source {
    return (this.#source ??= blockSource(this.path, this.#blocks));
  }

  keep(): Source {
    return copyOf(this.source());
  }

  close(): void {
    for (const { buffer } of this.#blocks.splice(0)) freeBuffer(buffer);
  }
}

/** Content that comes in chunks, from a decoder or an archive that is split on the way. */
export class StreamContent implements Content {
  readonly path: string;
  readonly #chunks: Iterator<Uint8Array, void, void>;
  readonly #maxSize: number;
  readonly #memory: Memory;
  /** what was reserved, call by call */
  readonly #reserved: number[] = [];
  #size: number | undefined;
  /** the first bytes, when `head` had to take them before their time */
  #peeked = new Uint8Array(0);
  #source: Source | undefined;
  /** what {@link #source} reads */
  #blocks: Uint8Array[] = [];
  /** what ended the stream before its time; whoever reads on gets the same error */
  #failure: unknown;

  constructor(
    path: string,
    chunks: Iterator<Uint8Array, void, void>,
    { maxSize, memory, size, reserved }: StreamOptions,
  ) {
    this.path = path;
    this.#chunks = chunks;
    this.#maxSize = maxSize;
    this.#memory = memory;
    this.#size = size;
    if (reserved !== undefined) this.#reserved.push(reserved);
  }

  get size(): number | undefined {
    return this.#size;
  }

  get random(): Source | undefined {
    return this.#source;
  }

  head(size: number): Uint8Array {
    if (this.#source) return this.#source.read(0, Math.min(size, this.#source.size));
    if (this.#peeked.length < size) {
      const buffer = new BlockBuffer(size);
      buffer.append(this.#peeked);
      while (buffer.size < size) {
        const chunk = this.#next();
        if (!chunk) break;
        buffer.append(chunk);
      }
      const source = buffer.source(this.path);
      this.#peeked = new Uint8Array(source.read(0, source.size));
    }
    return this.#peeked.subarray(0, size);
  }

  *chunks(): Generator<Uint8Array, void, void> {
    if (this.#source) {
      yield* new SourceContent(this.#source).chunks();
      return;
    }
    let total = 0;
    const counted = (chunk: Uint8Array): Uint8Array => {
      total += chunk.length;
      if (total > this.#maxSize) throw (this.#failure = this.#tooLarge());
      return chunk;
    };
    const peeked = this.#peeked;
    this.#peeked = new Uint8Array(0);
    if (peeked.length) yield counted(peeked);
    for (let chunk = this.#next(); chunk; chunk = this.#next()) yield counted(chunk);
    this.#size = total;
  }

  #next(): Uint8Array | undefined {
    if (this.#failure) throw this.#failure;
    try {
      const { value, done } = this.#chunks.next();
      return done ? undefined : value;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  async gather(turn: Turn): Promise<void> {
    if (this.#source) return;
    let reserved = 0;
    const reserve = async (bytes: number): Promise<void> => {
      reserved += bytes;
      await this.#memory.reserve(bytes);
      this.#reserved.push(bytes);
    };
    await reserve(Math.min(this.#size ?? LEAST_RESERVED, this.#maxSize));
    for (const size of this.#collect()) {
      // A promise may be broken, or there was none.
      if (size > reserved) await reserve(Math.max(reserved, LEAST_RESERVED));
      const pause = turn();
      if (pause) await pause;
    }
  }

  source(): Source {
    for (const _ of this.#collect());
    return this.#source!;
  }

  keep(): Source {
    const source = this.source();
    this.#blocks = [];
    return source;
  }

  /** Collects what is left of the stream; each step is a chunk, and gives the size so far. */
  *#collect(): Generator<number, void, void> {
    if (this.#source) return;
    const buffer = new BlockBuffer(this.#size);
    for (const chunk of this.chunks()) {
      buffer.append(chunk);
      yield buffer.size;
    }
    this.#blocks = buffer.blocks();
    this.#source = blockSource(this.path, this.#blocks);
  }

  close(): void {
    this.#chunks.return?.();
    for (const { buffer } of this.#blocks.splice(0)) freeBuffer(buffer);
    for (const bytes of this.#reserved.splice(0)) this.#memory.release(bytes);
  }

  #tooLarge(): RomflowError {
    const mebibytes = Math.floor(this.#maxSize / (1024 * 1024));
    return new RomflowError('limit', `holds more than ${mebibytes} MiB when unpacked; --max-size raises the limit`, {
      path: this.path,
    });
  }
}

function copyOf(source: Source): Source {
  const bytes = new Uint8Array(source.size);
  source.readInto(0, bytes);
  return new BufferSource(source.path, bytes);
}
