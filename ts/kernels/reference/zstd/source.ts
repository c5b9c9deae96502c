import { StreamError, type StreamErrorCode } from '../../contract.ts';

/** Readable bytes around the content of a {@link Source}, so that words can be read across its ends. */
const GUARD = 16;

/** Index of the highest set bit of `v`, which must not be 0. */
export const highBit = (v: number): number => 31 - Math.clz32(v);

/** A stretch of the compressed stream: a block, or a dictionary. Positions in it count from {@link Source.start}. */
export class Source {
  readonly start = GUARD;
  end = GUARD;
  bytes = new Uint8Array(2 * GUARD);
  view = new DataView(this.bytes.buffer);
  #offset = 0;

  /** Takes a copy of `data`, which lies at `offset` in the stream. */
  load(data: Uint8Array, offset: number): void {
    if (this.bytes.length < data.length + 2 * GUARD) {
      this.bytes = new Uint8Array(data.length + 2 * GUARD);
      this.view = new DataView(this.bytes.buffer);
    }
    this.bytes.set(data, GUARD);
    this.end = GUARD + data.length;
    this.#offset = offset - GUARD;
  }

  fail(code: StreamErrorCode, at: number, expected = 0, found = 0): never {
    throw new StreamError(code, this.#offset + at, expected, found);
  }
}

/**
 * `count` bits, 25 at most, of the stream that starts at byte `start`, from bit `position` on. A negative position
 * reads what lies before the stream: the caller finds out that it has read too far.
 */
export function bitsAt(view: DataView, start: number, position: number, count: number): number {
  return (view.getUint32(start + (position >> 3), true) >>> (position & 7)) & ((1 << count) - 1);
}

/** How many bits of the backward stream `start..end` lie below its end marker; -1 when there is no marker. */
export function backwardSize(source: Source, start: number, end: number): number {
  const last = start < end ? source.bytes[end - 1]! : 0;
  return last ? 8 * (end - start - 1) + highBit(last) : -1;
}
