import type { Kernels } from '../ts/kernels/index.ts';
import { Finding } from './outcome.ts';

/** Bytes of a block's header (asm/memory/heap.ts): u32 size of what follows, u32 used, u32 previous block. */
const HEADER = 16;
const CLEAR = 32;

/**
 * Watches the heap of wasm kernels from outside. The headers between its blocks are canaries: whatever writes past a
 * block and its slack breaks the chain; and a state that nobody freed is a block too many.
 */
export class HeapWatch {
  readonly #kernels: Kernels;
  readonly #anchor: { bytes: Uint8Array };
  readonly #first: number;
  #used: number;

  /** `kernels` must be new, so that their first block is the first of all. */
  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.#anchor = kernels.alloc(HEADER);
    this.#first = this.#anchor.bytes.byteOffset - HEADER;
    this.#used = this.#count();
  }

  /** Takes what is allocated now for what is to stay. */
  rebase(): void {
    this.#used = this.#count();
  }

  /** Throws when the chain is broken, when something was not given back, or when the memory grew beyond `limit`. */
  check(limit: number): void {
    const used = this.#count();
    if (used !== this.#used) throw new Finding(`${used} blocks of kernel memory are in use, not ${this.#used}`);
    const size = this.#kernels.memorySize;
    if (size > limit) throw new Finding(`the kernels have ${size} bytes of memory, more than ${limit}`);
  }

  #count(): number {
    const memory = new DataView(this.#anchor.bytes.buffer);
    const u32 = (at: number): number => memory.getUint32(at, true);
    let used = 0;
    let previous = 0;
    let block = this.#first;
    for (let size = u32(block); size; size = u32(block)) {
      const flag = u32(block + 4);
      const end = block + HEADER + size;
      if (size % 16 || flag > 1 || u32(block + 8) !== previous || end > memory.byteLength) {
        throw new Finding(`the header of the kernel memory block at ${block} is overwritten`);
      }
      used += flag;
      previous = block;
      block = end;
      if (block + HEADER > memory.byteLength) return used;
    }
    // Nothing was ever allocated behind the last block.
    for (let at = block; at < Math.min(block + CLEAR, memory.byteLength); at += 4) {
      if (u32(at)) throw new Finding(`something was written behind the last kernel memory block, at ${at}`);
    }
    return used;
  }
}
