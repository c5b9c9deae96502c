// Yaz0, as a push decoder.
//
// A header of 16 bytes (magic, u32 big-endian size of the content, 8 bytes without a meaning here), then groups: a byte
// of eight codes, highest bit first, and their data. 1 is a literal; 0 a pair of 4 bits length and 12 bits
// distance - 1, where length 1 to 15 stands for 3 to 17 bytes and 0 for 18 plus a third byte.
//
// Input that cannot be decoded yet is held back; output is written behind the window of 4 KiB in one buffer, whose size
// follows from the input at hand, never from the size in the header.

import { alloc, free, resize } from '../memory/heap';
import { BAD_MAGIC, BAD_OFFSET, OUT_OF_MEMORY, TRUNCATED, fail } from '../memory/stream-error';

const MAGIC: u32 = 0x59617a30;
const HEADER_SIZE: u32 = 16;
const WINDOW: u32 = 4096;
const PUSH_LIMIT: u32 = 1 << 20;
const MAX_MATCH: u32 = 273;
/** Most output that a byte of input can give: three bytes are at most a match. */
const MAX_RATIO: u32 = MAX_MATCH / 3;

/** Input from which a whole group can be decoded without a check, and the most it writes with its wide copies. */
const GROUP_INPUT: usize = 1 + 8 * 3 + 8;
const GROUP_OUTPUT: u32 = 8 * MAX_MATCH + 16;
const MIN_CAPACITY: u32 = 1 << 16;

/** The codes left of a group are the highest bits of a u32, ended by a 1. */
const NO_CODES: u32 = 1 << 31;
const END_OF_CODES: u32 = 1 << 23;

const TOTAL: usize = 0x00; // u64 bytes of input so far
const HELD: usize = 0x08; // u32 address of the input held back
const HELD_CAPACITY: usize = 0x0c; // u32
const HELD_START: usize = 0x10; // u32 index
const HELD_END: usize = 0x14; // u32 index
const BUFFER: usize = 0x18; // u32 address of the window and output
const CAPACITY: usize = 0x1c; // u32
const START: usize = 0x20; // u32 index of what the last push gave
const END: usize = 0x24; // u32 index
const MISSING: usize = 0x28; // u32 bytes of content not yet decoded
const CODES: usize = 0x2c; // u32
const STAGE: usize = 0x30; // u32: AT_HEADER, IN_CONTENT, DONE or FAILED
const FINAL: usize = 0x34; // u32 whether all input is there
const PENDING: usize = 0x38; // u32
const ERROR_CODE: usize = 0x3c; // u32
const ERROR_EXPECTED: usize = 0x40; // u32
const ERROR_FOUND: usize = 0x44; // u32
const ERROR_OFFSET: usize = 0x48; // u64
const STATE_SIZE: usize = 0x50;

const AT_HEADER: u32 = 0;
const IN_CONTENT: u32 = 1;
const DONE: u32 = 2;
const FAILED: u32 = 3;

/** Fails for good: this push and all later ones end with {@link given}. */
function failed(decoder: usize, code: u32, offset: u64, expected: u32, found: u32): i32 {
  store<u32>(decoder, FAILED, STAGE);
  store<u32>(decoder, code, ERROR_CODE);
  store<u32>(decoder, expected, ERROR_EXPECTED);
  store<u32>(decoder, found, ERROR_FOUND);
  store<u64>(decoder, offset, ERROR_OFFSET);
  return given(decoder);
}

/**
 * What a push gives: how many bytes there are, or -1 for the error. What was decoded before an error is given first, so
 * that the output does not depend on how the input is cut.
 */
function given(decoder: usize): i32 {
  const size = <i32>(load<u32>(decoder, END) - load<u32>(decoder, START));
  if (load<u32>(decoder, STAGE) == FAILED) {
    store<u32>(decoder, size > 0 ? 1 : 0, PENDING);
    if (!size) {
      return fail(
        load<u32>(decoder, ERROR_CODE), load<u64>(decoder, ERROR_OFFSET),
        load<u32>(decoder, ERROR_EXPECTED), load<u32>(decoder, ERROR_FOUND),
      );
    }
  }
  return size;
}

/** Appends input to what is held back. False when memory cannot be had. */
function hold(decoder: usize, src: usize, srcEnd: usize): bool {
  const start = load<u32>(decoder, HELD_START);
  const held = load<u32>(decoder, HELD_END) - start;
  const need = <u64>held + (srcEnd - src);
  if (need > 0xf0000000) return false;
  let buffer = <usize>load<u32>(decoder, HELD);
  const capacity = load<u32>(decoder, HELD_CAPACITY);
  if (start + need > capacity) {
    if (start) memory.copy(buffer, buffer + start, held);
    store<u32>(decoder, 0, HELD_START);
    store<u32>(decoder, held, HELD_END);
    if (need > capacity) {
      const size = <u32>max<u64>(need, min<u64>(2 * <u64>capacity, need + PUSH_LIMIT));
      buffer = resize(buffer, held, size);
      if (!buffer) return false;
      store<u32>(decoder, <u32>buffer, HELD);
      store<u32>(decoder, size, HELD_CAPACITY);
    }
  }
  const end = load<u32>(decoder, HELD_END);
  memory.copy(buffer + end, src, srcEnd - src);
  store<u32>(decoder, end + <u32>(srcEnd - src), HELD_END);
  return true;
}

/** Makes room for `size` bytes of output and keeps the window before them. False when memory cannot be had. */
function reserve(decoder: usize, size: u32): bool {
  const end = load<u32>(decoder, END);
  const capacity = load<u32>(decoder, CAPACITY);
  if (end + size <= capacity) return true;
  const buffer = <usize>load<u32>(decoder, BUFFER);
  const window = min(end, WINDOW);
  let target = buffer;
  if (window + size > capacity) {
    const wanted = max(window + size, MIN_CAPACITY);
    target = alloc(wanted);
    if (!target) return false;
    store<u32>(decoder, <u32>target, BUFFER);
    store<u32>(decoder, wanted, CAPACITY);
  }
  memory.copy(target, buffer + end - window, window);
  if (target != buffer) free(buffer);
  store<u32>(decoder, window, START);
  store<u32>(decoder, window, END);
  return true;
}

/** Whether the next code and its data are all there. */
function complete(codes: u32, src: usize, srcEnd: usize): bool {
  if (codes == NO_CODES) {
    if (src == srcEnd) return false;
    codes = <u32>load<u8>(src++) << 24;
  }
  if (src == srcEnd) return false;
  return codes >> 31 ? true : srcEnd - src >= (load<u8>(src) >> 4 ? 2 : 3);
}

/** Copies a match of `length` bytes; up to 15 more are overwritten. */
function copyMatch(dst: usize, distance: u32, length: u32): void {
  let src = dst - distance;
  const end = dst + length;
  if (distance >= 16) {
    do {
      v128.store(dst, v128.load(src));
      dst += 16;
      src += 16;
    } while (dst < end);
    return;
  }
  // A period of less than 8 bytes: every copy of 8 doubles the part of it that is right.
  for (; distance < 8; distance <<= 1) {
    store<u64>(dst, load<u64>(src));
    dst += distance;
  }
  for (; dst < end; dst += 8, src += 8) store<u64>(dst, load<u64>(src));
}

/**
 * Decodes from `src` on until the content, the limit of a push or the input ends; `srcEnd` is the end of all input so
 * far. Gives where it stopped, or 0 when it failed.
 */
function decode(decoder: usize, src: usize, srcEnd: usize): usize {
  const missing = load<u32>(decoder, MISSING);
  const room = <u32>min<u64>(min(missing, PUSH_LIMIT), <u64>(srcEnd - src) * MAX_RATIO);
  if (!reserve(decoder, room + GROUP_OUTPUT)) {
    failed(decoder, OUT_OF_MEMORY, load<u64>(decoder, TOTAL) - (srcEnd - src), 0, 0);
    return 0;
  }
  const buffer = <usize>load<u32>(decoder, BUFFER);
  const start = buffer + load<u32>(decoder, END);
  const stop = start + room;
  let dst = start;
  let codes = load<u32>(decoder, CODES);
  let distance: u32 = 0;
  let bad = false;
  for (;;) {
    if (codes == NO_CODES) {
      // Whole groups; one may run past the end of the content.
      while (dst < stop && srcEnd - src >= GROUP_INPUT && !bad) {
        let group = <u32>load<u8>(src++) << 24;
        for (let left: u32 = 8; ; left--) {
          const literals = clz(~group);
          store<u64>(dst, load<u64>(src));
          src += literals;
          dst += literals;
          left -= literals;
          if (!left) break;
          const high: u32 = load<u8>(src);
          distance = (((high & 15) << 8) | load<u8>(src, 1)) + 1;
          if (distance > <u32>(dst - buffer)) {
            bad = true;
            break;
          }
          let length = (high >> 4) + 2;
          src += 2;
          if (length == 2) length = 18 + <u32>load<u8>(src++);
          copyMatch(dst, distance, length);
          dst += length;
          if (left == 1) break;
          group <<= literals + 1;
        }
      }
      if (bad) break;
    }
    if (dst >= stop || !complete(codes, src, srcEnd)) break;
    if (codes == NO_CODES) codes = (<u32>load<u8>(src++) << 24) | END_OF_CODES;
    if (codes >> 31) {
      store<u8>(dst++, load<u8>(src++));
    } else {
      const high: u32 = load<u8>(src);
      distance = (((high & 15) << 8) | load<u8>(src, 1)) + 1;
      if (distance > <u32>(dst - buffer)) {
        bad = true;
        break;
      }
      let length = (high >> 4) + 2;
      src += 2;
      if (length == 2) length = 18 + <u32>load<u8>(src++);
      copyMatch(dst, distance, length);
      dst += length;
    }
    codes <<= 1;
  }
  const written = <u32>(dst - start);
  const produced = min(written, missing);
  store<u32>(decoder, load<u32>(decoder, END) + produced, END);
  store<u32>(decoder, missing - produced, MISSING);
  store<u32>(decoder, codes, CODES);
  if (bad && written < missing) {
    // All output so far is still in the buffer, or the distance would have been inside the window.
    failed(decoder, BAD_OFFSET, load<u64>(decoder, TOTAL) - (srcEnd - src), <u32>(dst - buffer), distance);
    return 0;
  }
  return src;
}

/** A decoder, or 0 when memory cannot be had. */
export function yaz0_open(): usize {
  const decoder = alloc(STATE_SIZE);
  if (!decoder) return 0;
  memory.fill(decoder, 0, STATE_SIZE);
  store<u32>(decoder, NO_CODES, CODES);
  return decoder;
}

/** Gives how many bytes lie at `yaz0_output`, or -1: the reason is in `stream_error`. */
export function yaz0_push(decoder: usize, src: usize, srcEnd: usize, final: bool): i32 {
  store<u32>(decoder, load<u32>(decoder, END), START);
  const stage = load<u32>(decoder, STAGE);
  if (stage == DONE) return 0;
  if (stage == FAILED) return given(decoder);
  const total = load<u64>(decoder, TOTAL) + (srcEnd - src);
  store<u64>(decoder, total, TOTAL);
  if (final) store<u32>(decoder, 1, FINAL);
  const ended = load<u32>(decoder, FINAL);

  // Input is decoded where it is, unless there is some held back that comes first.
  const holding = load<u32>(decoder, HELD_START) < load<u32>(decoder, HELD_END);
  if (holding) {
    if (!hold(decoder, src, srcEnd)) return failed(decoder, OUT_OF_MEMORY, total - (srcEnd - src), 0, 0);
    src = <usize>load<u32>(decoder, HELD) + load<u32>(decoder, HELD_START);
    srcEnd = <usize>load<u32>(decoder, HELD) + load<u32>(decoder, HELD_END);
  }

  if (stage == AT_HEADER) {
    const size = <u32>min<usize>(srcEnd - src, HEADER_SIZE);
    const magic = size >= 4 ? bswap(load<u32>(src)) : MAGIC;
    if (magic != MAGIC) return failed(decoder, BAD_MAGIC, 0, MAGIC, magic);
    if (size < HEADER_SIZE) {
      if (ended) return failed(decoder, TRUNCATED, total, HEADER_SIZE - size, 0);
      if (!holding && !hold(decoder, src, srcEnd)) return failed(decoder, OUT_OF_MEMORY, 0, 0, 0);
      return 0;
    }
    store<u32>(decoder, bswap(load<u32>(src, 4)), MISSING);
    store<u32>(decoder, IN_CONTENT, STAGE);
    src += HEADER_SIZE;
  }

  src = decode(decoder, src, srcEnd);
  if (!src) return given(decoder);
  const missing = load<u32>(decoder, MISSING);
  const more = missing != 0 && complete(load<u32>(decoder, CODES), src, srcEnd);
  if (missing && ended && !more) return failed(decoder, TRUNCATED, total, missing, 0);
  store<u32>(decoder, more ? 1 : 0, PENDING);
  if (!missing) {
    store<u32>(decoder, DONE, STAGE);
    free(load<u32>(decoder, HELD));
    store<u32>(decoder, 0, HELD);
  } else if (holding) {
    store<u32>(decoder, <u32>src - load<u32>(decoder, HELD), HELD_START);
  } else if (src < srcEnd && !hold(decoder, src, srcEnd)) {
    return failed(decoder, OUT_OF_MEMORY, total - (srcEnd - src), 0, 0);
  }
  return given(decoder);
}

/** Address of what the last push gave. */
export function yaz0_output(decoder: usize): usize {
  return <usize>load<u32>(decoder, BUFFER) + load<u32>(decoder, START);
}

/** Whether an empty push would give more output. */
export function yaz0_pending(decoder: usize): bool {
  return load<u32>(decoder, PENDING) != 0;
}

export function yaz0_free(decoder: usize): void {
  free(load<u32>(decoder, HELD));
  free(load<u32>(decoder, BUFFER));
  free(decoder);
}
