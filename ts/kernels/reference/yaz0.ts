import { StreamError, type Yaz0Kernels } from '../contract.ts';
import { Handles } from '../handles.ts';

// The format is described at the head of asm/yaz0/index.ts.

const MAGIC = 0x59617a30;
const HEADER_SIZE = 16;
const WINDOW = 4096;
const PUSH_LIMIT = 1 << 20;
const MAX_MATCH = 273;
/** Most output that a byte of input can give: three bytes are at most a match. */
const MAX_RATIO = MAX_MATCH / 3;
/** A byte of codes and the data of one. */
const MAX_CODE_INPUT = 1 + 3;
const MIN_CAPACITY = 1 << 16;

/** The codes left of a group are the highest bits of an int32, ended by a 1. */
const NO_CODES = 1 << 31;
const END_OF_CODES = 1 << 23;

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

/** Whether the next code and its data are all there. */
function complete(codes: number, input: Uint8Array, p: number): boolean {
  if (codes === NO_CODES) {
    if (p === input.length) return false;
    codes = input[p++]! << 24;
  }
  if (p === input.length) return false;
  return codes < 0 || input.length - p >= (input[p]! >> 4 ? 2 : 3);
}

class Decoder {
  /** Whether an empty push would give more output. */
  pending = false;
  #stage: 'header' | 'content' | 'done' = 'header';
  #error: StreamError | undefined;
  #total = 0;
  #ended = false;
  /** Input that was not decoded yet; never a view of what a caller gave. */
  #held: Uint8Array = new Uint8Array(0);
  /** The window and the output, up to `#end`. */
  #buffer = new Uint8Array(0);
  #end = 0;
  /** Bytes of content not yet decoded. */
  #missing = 0;
  #codes = NO_CODES;

  push(chunk: Uint8Array, final: boolean): Uint8Array {
    this.pending = false;
    if (this.#error) throw this.#error;
    if (this.#stage === 'done') return new Uint8Array(0);
    this.#total += chunk.length;
    this.#ended ||= final;
    const input = !this.#held.length ? chunk : chunk.length ? concat(this.#held, chunk) : this.#held;
    if (this.#stage === 'header' && !this.#readHeader(input)) {
      this.#held = input.slice();
      return new Uint8Array(0);
    }

    const from = this.#stage === 'header' ? HEADER_SIZE : 0;
    this.#stage = 'content';
    this.#reserve(Math.min(this.#missing, PUSH_LIMIT, MAX_RATIO * (input.length - from)) + MAX_MATCH);
    const start = this.#end;
    const stopped = this.#decode(input, from);
    this.pending = this.#missing > 0 && complete(this.#codes, input, stopped);
    if (!this.#missing) this.#stage = 'done';
    else if (this.#ended && !this.pending) this.#error ??= new StreamError('truncated', this.#total, this.#missing);
    // What was decoded before an error is given first, so that the output does not depend on how the input is cut.
    if (this.#error) {
      this.pending = this.#end > start;
      if (!this.pending) throw this.#error;
    }
    const rest = input.subarray(this.#missing ? stopped : input.length);
    this.#held = input === chunk ? rest.slice() : rest;
    return this.#buffer.slice(start, this.#end);
  }

  /** False when the header is not all there yet. */
  #readHeader(input: Uint8Array): boolean {
    const view = new DataView(input.buffer, input.byteOffset, input.length);
    const magic = input.length >= 4 ? view.getUint32(0x0) : MAGIC;
    if (magic !== MAGIC) this.#error = new StreamError('bad-magic', 0, MAGIC, magic);
    else if (input.length < HEADER_SIZE && this.#ended) {
      this.#error = new StreamError('truncated', this.#total, HEADER_SIZE - input.length);
    }
    if (this.#error) throw this.#error;
    if (input.length < HEADER_SIZE) return false;
    this.#missing = view.getUint32(0x4);
    return true;
  }

  /** Makes room for `size` bytes of output and keeps the window before them. */
  #reserve(size: number): void {
    if (this.#end + size <= this.#buffer.length) return;
    const window = this.#buffer.subarray(Math.max(0, this.#end - WINDOW), this.#end);
    if (window.length + size > this.#buffer.length) {
      this.#buffer = new Uint8Array(Math.max(window.length + size, MIN_CAPACITY));
    }
    this.#buffer.set(window);
    this.#end = window.length;
  }

  /** Decodes from `p` on until the content, the limit of a push, the input or its sense ends; gives where it stopped. */
  #decode(input: Uint8Array, p: number): number {
    const buffer = this.#buffer;
    const contentEnd = this.#end + this.#missing;
    const stop = Math.min(contentEnd, this.#end + PUSH_LIMIT);
    const safe = input.length - MAX_CODE_INPUT;
    let o = this.#end;
    let codes = this.#codes;
    while (o < stop && (p <= safe || complete(codes, input, p))) {
      if (codes === NO_CODES) codes = (input[p++]! << 24) | END_OF_CODES;
      if (codes < 0) {
        buffer[o++] = input[p++]!;
      } else {
        const high = input[p]!;
        const distance = (((high & 15) << 8) | input[p + 1]!) + 1;
        // A distance above what there is of a window is above all output so far, which is then still in the buffer.
        if (distance > o) {
          this.#error = new StreamError('bad-offset', this.#total - input.length + p, o, distance);
          break;
        }
        let length = (high >> 4) + 2;
        p += 2;
        if (length === 2) length = 18 + input[p++]!;
        for (const end = o + length; o < end; o++) buffer[o] = buffer[o - distance]!;
      }
      codes <<= 1;
    }
    this.#codes = codes;
    const end = Math.min(o, contentEnd);
    this.#missing = contentEnd - end;
    this.#end = end;
    return p;
  }
}

export function createYaz0(): Yaz0Kernels {
  const decoders = new Handles<Decoder>();
  return {
    decoderOpen: () => decoders.add(new Decoder()),
    decoderPush: (decoder, chunk, final) => decoders.get(decoder).push(chunk, final),
    decoderPending: (decoder) => decoders.get(decoder).pending,
    decoderFree: (decoder) => void decoders.take(decoder),
  };
}
