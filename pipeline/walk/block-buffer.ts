import { BufferSource, checkRange, type Source } from '../../ts/io/source.ts';
import { freeBuffer } from './free-buffer.ts';

const BLOCK_SIZE = 4 * 1024 * 1024;
/** For much data: what is larger than 32 MiB goes back to the system when it is freed, and what is smaller may not. */
const LARGE_BLOCK_SIZE = 40 * 1024 * 1024;
const MUCH = 32 * 1024 * 1024;
/** What a promised size is trusted with before there are bytes. */
const TRUSTED_SIZE = 1024 * 1024;
const LEAST_SIZE = 16 * 1024;

/** Collects bytes in blocks, so that much of them is never copied together and nothing is set aside for promises. */
export class BlockBuffer {
  readonly #blocks: Uint8Array[] = [];
  readonly #blockSize: number;
  #last: Uint8Array;
  #lastSize = 0;

  /** `promised` is the size to come, if that is known. */
  constructor(promised: number | undefined) {
    this.#blockSize = (promised ?? 0) > MUCH ? LARGE_BLOCK_SIZE : BLOCK_SIZE;
    this.#last = new Uint8Array(Math.min(promised ?? LEAST_SIZE, TRUSTED_SIZE));
  }

  get size(): number {
    return this.#blocks.length * this.#blockSize + this.#lastSize;
  }

  append(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#lastSize === this.#last.length) this.#enlarge(chunk.length - at);
      const take = Math.min(chunk.length - at, this.#last.length - this.#lastSize);
      this.#last.set(chunk.subarray(at, at + take), this.#lastSize);
      this.#lastSize += take;
      at += take;
    }
  }

  /** Makes room behind the last byte: in a larger block, or in one more when it is as large as they get. */
  #enlarge(want: number): void {
    const full = this.#blockSize;
    if (this.#last.length < full) {
      const size = Math.min(Math.max(2 * this.#lastSize, this.#lastSize + want, LEAST_SIZE), BLOCK_SIZE);
      const larger = new Uint8Array(this.#lastSize < BLOCK_SIZE ? size : full);
      larger.set(this.#last);
      freeBuffer(this.#last.buffer);
      this.#last = larger;
    } else {
      this.#blocks.push(this.#last);
      this.#last = new Uint8Array(full);
      this.#lastSize = 0;
    }
  }

  /** What was collected, end to end; all but the last are of one size. Nothing may be appended afterwards. */
  blocks(): Uint8Array[] {
    return [...this.#blocks, this.#last.subarray(0, this.#lastSize)];
  }

  /** What was collected. Nothing may be appended afterwards. */
  source(path: string): Source {
    return blockSource(path, this.blocks());
  }
}

/** A source over the blocks of a {@link BlockBuffer}. */
export function blockSource(path: string, blocks: Uint8Array[]): Source {
  return blocks.length > 1 ? new BlockSource(path, blocks) : new BufferSource(path, blocks[0]!);
}

/** A source over blocks of one size, the last one shorter. */
class BlockSource implements Source {
  readonly path: string;
  readonly size: number;
  readonly #blocks: Uint8Array[];
  readonly #blockSize: number;

  constructor(path: string, blocks: Uint8Array[]) {
    this.path = path;
    this.#blockSize = blocks[0]!.length;
    this.size = (blocks.length - 1) * this.#blockSize + blocks.at(-1)!.length;
    this.#blocks = blocks;
  }

  read(offset: number, length: number): Uint8Array {
    checkRange(this, offset, length);
    const at = offset % this.#blockSize;
    if (at + length <= this.#blockSize) {
      return (this.#blocks[Math.floor(offset / this.#blockSize)] ?? new Uint8Array(0)).subarray(at, at + length);
    }
    const bytes = new Uint8Array(length);
    this.readInto(offset, bytes);
    return bytes;
  }

  readInto(offset: number, target: Uint8Array): void {
    checkRange(this, offset, target.length);
    for (let done = 0; done < target.length;) {
      const block = this.#blocks[Math.floor((offset + done) / this.#blockSize)]!;
      const at = (offset + done) % this.#blockSize;
      const part = block.subarray(at, at + target.length - done);
      target.set(part, done);
      done += part.length;
    }
  }
}
