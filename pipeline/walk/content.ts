import { RomflowError } from '../../ts/io/errors.ts';
import { BufferSource, type Source } from '../../ts/io/source.ts';

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
  /** Random access; what a stream still holds is collected in memory for it. */
  source(): Source;
  /** Ends a stream that is not wanted any more. */
  close(): void;
}

const CHUNK_SIZE = 256 * 1024;

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
    for (let offset = 0; offset < this.size; offset += CHUNK_SIZE) {
      yield this.random.read(offset, Math.min(CHUNK_SIZE, this.size - offset));
    }
  }

  source(): Source {
    return this.random;
  }

  close(): void {}
}

/** Content that comes in chunks, from a decoder or an archive that is split on the way. */
export class StreamContent implements Content {
  readonly path: string;
  readonly #chunks: Iterator<Uint8Array, void, void>;
  readonly #maxSize: number;
  #size: number | undefined;
  /** chunks that `head` had to take before their time */
  #peeked: Uint8Array[] = [];
  #source: Source | undefined;
  /** what ended the stream before its time; whoever reads on gets the same error */
  #failure: unknown;

  /** `size` is what is promised, if anything. More than `maxSize` bytes are an error wherever they come from. */
  constructor(path: string, chunks: Iterator<Uint8Array, void, void>, maxSize: number, size?: number) {
    this.path = path;
    this.#chunks = chunks;
    this.#maxSize = maxSize;
    this.#size = size;
  }

  get size(): number | undefined {
    return this.#size;
  }

  get random(): Source | undefined {
    return this.#source;
  }

  head(size: number): Uint8Array {
    if (this.#source) return this.#source.read(0, Math.min(size, this.#source.size));
    let have = this.#peeked.reduce((sum, chunk) => sum + chunk.length, 0);
    while (have < size) {
      const chunk = this.#next();
      if (!chunk) break;
      this.#peeked.push(chunk.slice());
      have += chunk.length;
    }
    if (this.#peeked.length > 1) this.#peeked = [join(this.#peeked)];
    return (this.#peeked[0] ?? new Uint8Array(0)).subarray(0, size);
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
    this.#peeked = [];
    for (const chunk of peeked) yield counted(chunk);
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

  source(): Source {
    if (!this.#source) {
      // The promised size is only trusted for the first allocation, and only a little.
      let bytes = new Uint8Array(Math.min(this.#size ?? 0, 1024 * 1024));
      let length = 0;
      for (const chunk of this.chunks()) {
        if (length + chunk.length > bytes.length) {
          const promised = this.#size !== undefined && this.#size >= length + chunk.length ? this.#size : Infinity;
          const larger = new Uint8Array(Math.min(Math.max(2 * bytes.length, length + chunk.length), promised));
          larger.set(bytes.subarray(0, length));
          bytes = larger;
        }
        bytes.set(chunk, length);
        length += chunk.length;
      }
      this.#source = new BufferSource(this.path, bytes.subarray(0, length));
      this.#size = length;
    }
    return this.#source;
  }

  close(): void {
    this.#chunks.return?.();
  }

  #tooLarge(): RomflowError {
    const mebibytes = Math.floor(this.#maxSize / (1024 * 1024));
    return new RomflowError('limit', `holds more than ${mebibytes} MiB when unpacked; --max-size raises the limit`, {
      path: this.path,
    });
  }
}

function join(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
