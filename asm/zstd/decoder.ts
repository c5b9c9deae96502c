// The push decoder: frames and blocks (RFC 8878, 3), and the buffers around them.
//
// Input is taken in units: a magic number, a frame header, a block. A unit that has not come whole is held back.
//
// Output is decoded into one buffer, of which the caller gets the part that a push added. The buffer starts small,
// grows with what is decoded, and stops when the window and one more block fit. From then on it is a ring: when a block
// does not fit at its end, decoding goes on at its start, and what was decoded before is the prefix that matches may
// reach back into, just as they reach back into a dictionary at the start of a frame. So no full window is ever copied.
import { xxh64Finish, xxh64Start, xxh64Update } from '../hash/xxh64';
import { alloc, free, resize } from '../memory/heap';
import {
  BAD_BLOCK_SIZE, BAD_CHECKSUM, BAD_CONTENT_SIZE, BAD_MAGIC, MISSING_DICTIONARY, OUT_OF_MEMORY, RESERVED, STREAM_ERROR,
  TRUNCATED, WINDOW_TOO_LARGE, fail,
} from '../memory/stream-error';
import { decodeBlock } from './block';
import {
  AT, BASE, BLOCK_HEADER, BLOCK_LIMIT, BLOCK_MAX, BUFFER, CAPACITY, CHECKSUM, CONTENT_SIZE, CONTENT_SIZE_AT,
  DECODER_SIZE, DEFAULT_DICTIONARY, DESCRIPTOR, DICTIONARIES, DICTIONARY_CONTENT, DICTIONARY_COUNT, DICTIONARY_ENTROPY,
  DICTIONARY_ID, DICTIONARY_REPEATS, DICTIONARY_SIZE, DICTIONARY_TABLES, FAILED, FAILURE, FINAL, GIVEN, HELD,
  HELD_CAPACITY, HELD_END, HELD_START, HUFFMAN, HUFFMAN_PTR, LITERALS, LITERAL_LENGTHS, LITERAL_LENGTHS_PTR,
  MATCH_LENGTHS, MATCH_LENGTHS_PTR, NEED, OFFSETS, OFFSETS_PTR, PENDING, POSITION, PREFIX_END, PREFIX_SIZE, RECEIVED,
  REPEATS, STAGE, STARTED, TABLES, TOTAL, WILD, WINDOW, WINDOW_LIMIT, failAt, locate, offsetOf,
} from './state';

const MAGIC: u32 = 0xfd2fb528;
const SKIPPABLE_MAGIC: u32 = 0x184d2a50; // and the fifteen numbers after it

// What a unit of input is.
const AT_MAGIC: u32 = 0;
const AT_SKIPPABLE_SIZE: u32 = 1;
const AT_SKIPPED: u32 = 2;
const AT_DESCRIPTOR: u32 = 3;
const AT_HEADER: u32 = 4;
const AT_BLOCK_HEADER: u32 = 5;
const AT_BLOCK: u32 = 6;
const AT_CHECKSUM: u32 = 7;

// Types of blocks.
const RAW: u32 = 0;
const RLE: u32 = 1;
const COMPRESSED: u32 = 2;

/** A push gives no more than this. */
const OUTPUT_MAX: u32 = 4 << 20;
/** The buffer holds at least this much before it is a ring, so that frames with small windows need few pushes. */
const RING_MIN: u64 = 1 << 20;
const UNKNOWN: u64 = u64.MAX_VALUE;

/** A decoder, or 0 when memory cannot be had. */
export function openDecoder(windowLimit: u32, defaultDictionary: usize): usize {
  const decoder = alloc(DECODER_SIZE);
  if (!decoder) return 0;
  memory.fill(decoder, 0, TABLES);
  store<u32>(decoder, windowLimit, WINDOW_LIMIT);
  store<u32>(decoder, <u32>defaultDictionary, DEFAULT_DICTIONARY);
  expect(decoder, AT_MAGIC, 4);
  return decoder;
}

export function freeDecoder(decoder: usize): void {
  free(<usize>load<u32>(decoder, BUFFER));
  free(<usize>load<u32>(decoder, LITERALS));
  free(<usize>load<u32>(decoder, HELD));
  free(<usize>load<u32>(decoder, DICTIONARIES));
  free(decoder);
}

/** False when memory cannot be had. */
export function addDictionary(decoder: usize, dictionary: usize): bool {
  const count = <usize>load<u32>(decoder, DICTIONARY_COUNT);
  const list = resize(<usize>load<u32>(decoder, DICTIONARIES), count << 2, (count + 1) << 2);
  if (!list) return false;
  store<u32>(list + (count << 2), <u32>dictionary);
  store<u32>(decoder, <u32>list, DICTIONARIES);
  store<u32>(decoder, <u32>count + 1, DICTIONARY_COUNT);
  return true;
}

/** Takes `src..srcEnd`. Gives how many bytes lie at GIVEN, or -1 after `fail`. */
export function push(decoder: usize, src: usize, srcEnd: usize, final: bool): i32 {
  if (final) store<u32>(decoder, 1, FINAL);
  store<u64>(decoder, load<u64>(decoder, RECEIVED) + (srcEnd - src), RECEIVED);
  if (load<u32>(decoder, STAGE) <= AT_HEADER) store<u32>(decoder, load<u32>(decoder, BUFFER), AT);
  store<u32>(decoder, load<u32>(decoder, AT), GIVEN);
  if (!load<u32>(decoder, FAILED)) {
    store<u32>(decoder, 0, PENDING);
    if (!take(decoder, src, srcEnd)) {
      memory.copy(decoder + FAILURE, STREAM_ERROR, 24);
      store<u32>(decoder, 1, FAILED);
    }
  }
  const size = <i32>(load<u32>(decoder, AT) - load<u32>(decoder, GIVEN));
  // What was decoded before an error is given first, so that the output does not depend on how the input is cut.
  if (load<u32>(decoder, FAILED)) {
    store<u32>(decoder, size > 0 ? 1 : 0, PENDING);
    if (!size) {
      memory.copy(STREAM_ERROR, decoder + FAILURE, 24);
      return -1;
    }
  }
  return size;
}

/** Decodes the units that are whole, the held input first, and holds the rest back. False after `fail`. */
function take(decoder: usize, src: usize, srcEnd: usize): bool {
  while (true) {
    const need = <usize>load<u32>(decoder, NEED);
    const start = <usize>load<u32>(decoder, HELD_START);
    const held = <usize>load<u32>(decoder, HELD_END) - start;
    if (load<u32>(decoder, STAGE) == AT_SKIPPED) {
      const skipped = min(held ? held : srcEnd - src, need);
      if (held) store<u32>(decoder, <u32>(start + skipped), HELD_START);
      else src += skipped;
      advance(decoder, skipped);
      if (skipped == need) expect(decoder, AT_MAGIC, 4);
      else if (skipped) store<u32>(decoder, <u32>(need - skipped), NEED);
      else return checkEnd(decoder, 0);
      continue;
    }
    if (held < need && (held || srcEnd - src < need)) {
      const more = min(need - held, srcEnd - src);
      if (!hold(decoder, src, more)) return false;
      src += more;
      if (held + more < need) return checkEnd(decoder, held + more);
      continue;
    }
    const unit = held ? <usize>load<u32>(decoder, HELD) + start : src;
    locate(unit, load<u64>(decoder, POSITION));
    if (load<u32>(decoder, STAGE) == AT_BLOCK) {
      if (mustGive(decoder)) {
        store<u32>(decoder, 1, PENDING);
        return hold(decoder, src, srcEnd - src);
      }
      if (!makeRoom(decoder)) return <bool>failAt(OUT_OF_MEMORY, unit, 0, 0);
    }
    if (!decodeUnit(decoder, unit, need)) return false;
    if (held) store<u32>(decoder, <u32>(start + need), HELD_START);
    else src += need;
  }
}

/** Says what the next unit is, and how long. */
function expect(decoder: usize, stage: u32, need: u32): bool {
  store<u32>(decoder, stage, STAGE);
  store<u32>(decoder, need, NEED);
  return true;
}

function advance(decoder: usize, size: usize): void {
  store<u64>(decoder, load<u64>(decoder, POSITION) + size, POSITION);
}

/** Input has run out with `have` bytes of a unit: whether that is no error. */
function checkEnd(decoder: usize, have: usize): bool {
  if (!load<u32>(decoder, FINAL)) return true;
  if (load<u32>(decoder, STAGE) == AT_MAGIC && !have && load<u32>(decoder, STARTED)) return true;
  fail(TRUNCATED, load<u64>(decoder, RECEIVED), load<u32>(decoder, NEED) - <u32>have, 0);
  return false;
}

/** Adds input to what is held back. */
function hold(decoder: usize, src: usize, size: usize): bool {
  if (!size) return true;
  let held = <usize>load<u32>(decoder, HELD);
  let start = <usize>load<u32>(decoder, HELD_START);
  let end = <usize>load<u32>(decoder, HELD_END);
  const capacity = <usize>load<u32>(decoder, HELD_CAPACITY);
  if (size > capacity - end) {
    memory.copy(held, held + start, end - start);
    end -= start;
    start = 0;
    if (size > capacity - end) {
      // Doubling keeps the copies few when the input comes in small pieces.
      const want = max(end + size, capacity * 2);
      held = resize(held, end, want);
      if (!held) {
        fail(OUT_OF_MEMORY, load<u64>(decoder, POSITION), <u32>want, 0);
        return false;
      }
      store<u32>(decoder, <u32>held, HELD);
      store<u32>(decoder, <u32>want, HELD_CAPACITY);
    }
  }
  memory.copy(held + end, src, size);
  store<u32>(decoder, <u32>start, HELD_START);
  store<u32>(decoder, <u32>(end + size), HELD_END);
  return true;
}

/** Decodes a whole unit. False after `failAt`. */
function decodeUnit(decoder: usize, unit: usize, size: usize): bool {
  const stage = load<u32>(decoder, STAGE);
  let done: bool;
  if (stage == AT_BLOCK_HEADER) done = readBlockHeader(decoder, unit);
  else if (stage == AT_BLOCK) done = readBlock(decoder, unit, unit + size);
  else if (stage == AT_MAGIC) done = readMagic(decoder, unit);
  else if (stage == AT_DESCRIPTOR) done = readDescriptor(decoder, unit);
  else if (stage == AT_HEADER) done = readHeader(decoder, unit);
  else if (stage == AT_CHECKSUM) done = readChecksum(decoder, unit);
  else done = expect(decoder, AT_SKIPPED, load<u32>(unit));
  advance(decoder, size);
  return done;
}

function readMagic(decoder: usize, p: usize): bool {
  const magic = load<u32>(p);
  if (magic == MAGIC) expect(decoder, AT_DESCRIPTOR, 1);
  else if ((magic & 0xfffffff0) == SKIPPABLE_MAGIC) expect(decoder, AT_SKIPPABLE_SIZE, 4);
  else return <bool>failAt(BAD_MAGIC, p, MAGIC, magic);
  store<u32>(decoder, 1, STARTED);
  return true;
}

// Fields of a frame header by its descriptor.
function singleSegment(descriptor: u32): bool {
  return (descriptor & 0x20) != 0;
}
function dictionaryIdSize(descriptor: u32): u32 {
  return (1 << (descriptor & 3)) >>> 1;
}
function contentSizeSize(descriptor: u32): u32 {
  const flag = descriptor >>> 6;
  return flag ? 1 << flag : singleSegment(descriptor) ? 1 : 0;
}

function readDescriptor(decoder: usize, p: usize): bool {
  const descriptor = <u32>load<u8>(p);
  if (descriptor & 8) return <bool>failAt(RESERVED, p, 0, 8);
  store<u32>(decoder, descriptor, DESCRIPTOR);
  const windowSize: u32 = singleSegment(descriptor) ? 0 : 1;
  return expect(decoder, AT_HEADER, windowSize + dictionaryIdSize(descriptor) + contentSizeSize(descriptor));
}

function readHeader(decoder: usize, p: usize): bool {
  const descriptor = load<u32>(decoder, DESCRIPTOR);
  const single = singleSegment(descriptor);
  const windowAt = p;
  if (!single) p++;
  const idAt = p;
  p += dictionaryIdSize(descriptor);
  const contentSizeAt = p;
  const sizeSize = contentSizeSize(descriptor);
  let contentSize = UNKNOWN;
  if (sizeSize) contentSize = readBytes(p, sizeSize) + (sizeSize == 2 ? 256 : 0);

  let window = contentSize;
  if (!single) {
    const exponent = <u64>load<u8>(windowAt);
    const base = <u64>1 << (10 + (exponent >>> 3));
    window = base + (base >>> 3) * (exponent & 7);
    if (!checkWindow(decoder, windowAt, window)) return false;
  }
  const id = <u32>readBytes(idAt, <u32>(contentSizeAt - idAt));
  const dictionary = id ? findDictionary(decoder, id) : <usize>load<u32>(decoder, DEFAULT_DICTIONARY);
  if (id && !dictionary) return <bool>failAt(MISSING_DICTIONARY, idAt, 0, id);
  if (single && !checkWindow(decoder, contentSizeAt, window)) return false;

  store<u32>(decoder, <u32>window, WINDOW);
  store<u32>(decoder, <u32>min<u64>(window, BLOCK_MAX), BLOCK_LIMIT);
  store<u64>(decoder, contentSize, CONTENT_SIZE);
  store<u64>(decoder, offsetOf(contentSizeAt), CONTENT_SIZE_AT);
  store<u64>(decoder, 0, TOTAL);
  store<u32>(decoder, load<u32>(decoder, AT), BASE);
  useDictionary(decoder, dictionary);
  if (descriptor & 4) xxh64Start(decoder + CHECKSUM, 0);
  return expect(decoder, AT_BLOCK_HEADER, 3);
}

function readBytes(p: usize, size: u32): u64 {
  let v: u64 = 0;
  for (let i: u32 = 0; i < size; i++) v |= <u64>load<u8>(p + i) << (i << 3);
  return v;
}

function checkWindow(decoder: usize, p: usize, window: u64): bool {
  const limit = load<u32>(decoder, WINDOW_LIMIT);
  if (window <= limit) return true;
  const found = min<u64>((window >>> 10) + (window & 1023 ? 1 : 0), u32.MAX_VALUE);
  return <bool>failAt(WINDOW_TOO_LARGE, p, limit >>> 10, <u32>found);
}

/** The dictionary added last of those with the id, or 0. */
function findDictionary(decoder: usize, id: u32): usize {
  const list = <usize>load<u32>(decoder, DICTIONARIES);
  for (let i = load<u32>(decoder, DICTIONARY_COUNT); i > 0; i--) {
    const dictionary = <usize>load<u32>(list + (<usize>(i - 1) << 2));
    if (load<u32>(dictionary, DICTIONARY_ID) == id) return dictionary;
  }
  return 0;
}

/** Sets what a frame starts from. `dictionary` may be 0. */
function useDictionary(decoder: usize, dictionary: usize): void {
  const size = dictionary ? load<u32>(dictionary, DICTIONARY_SIZE) : 0;
  const entropy = dictionary && load<u32>(dictionary, DICTIONARY_ENTROPY);
  const tables = entropy ? dictionary + DICTIONARY_TABLES : 0;
  store<u32>(decoder, size ? load<u32>(dictionary, DICTIONARY_CONTENT) + size : 0, PREFIX_END);
  store<u32>(decoder, size, PREFIX_SIZE);
  store<u32>(decoder, <u32>(tables ? tables + HUFFMAN : 0), HUFFMAN_PTR);
  store<u32>(decoder, <u32>(tables ? tables + LITERAL_LENGTHS : 0), LITERAL_LENGTHS_PTR);
  store<u32>(decoder, <u32>(tables ? tables + MATCH_LENGTHS : 0), MATCH_LENGTHS_PTR);
  store<u32>(decoder, <u32>(tables ? tables + OFFSETS : 0), OFFSETS_PTR);
  store<u32>(decoder, entropy ? load<u32>(dictionary, DICTIONARY_REPEATS) : 1, REPEATS);
  store<u32>(decoder, entropy ? load<u32>(dictionary, DICTIONARY_REPEATS + 4) : 4, REPEATS + 4);
  store<u32>(decoder, entropy ? load<u32>(dictionary, DICTIONARY_REPEATS + 8) : 8, REPEATS + 8);
}

function readBlockHeader(decoder: usize, p: usize): bool {
  const header = <u32>load<u16>(p) | (<u32>load<u8>(p, 2) << 16);
  const type = (header >>> 1) & 3;
  const size = header >>> 3;
  if (type > COMPRESSED) return <bool>failAt(RESERVED, p, 0, type);
  let limit = load<u32>(decoder, BLOCK_LIMIT);
  if (type != COMPRESSED) limit = <u32>min<u64>(limit, contentLeft(decoder));
  if (size > limit) return <bool>failAt(BAD_BLOCK_SIZE, p, limit, size);
  store<u32>(decoder, header, BLOCK_HEADER);
  return expect(decoder, AT_BLOCK, type == RLE ? 1 : size);
}

/** How much the frame's content may still grow. */
function contentLeft(decoder: usize): u64 {
  return load<u64>(decoder, CONTENT_SIZE) - load<u64>(decoder, TOTAL);
}

/** Bytes that the next block may need at AT. */
function roomNeeded(decoder: usize): usize {
  return <usize>min<u64>(load<u32>(decoder, BLOCK_LIMIT), contentLeft(decoder)) + WILD;
}

function hasRoom(decoder: usize): bool {
  const used = load<u32>(decoder, AT) - load<u32>(decoder, BUFFER);
  return load<u32>(decoder, BUFFER) != 0 && roomNeeded(decoder) <= load<u32>(decoder, CAPACITY) - used;
}

/**
 * Size at which the buffer is a ring: when it wraps, the older output that matches may reach lies beyond what wide
 * copies of the newer may touch.
 */
function ringSize(decoder: usize): u64 {
  return max<u64>(<u64>load<u32>(decoder, WINDOW) + load<u32>(decoder, BLOCK_LIMIT), RING_MIN) + 2 * WILD;
}

function isRing(decoder: usize): bool {
  return load<u32>(decoder, CAPACITY) >= ringSize(decoder);
}

function canGrow(decoder: usize): bool {
  return !isRing(decoder) && load<u32>(decoder, BASE) == load<u32>(decoder, BUFFER);
}

/** Whether the output of this push must be given before the next block: it is enough, or in the way. */
function mustGive(decoder: usize): bool {
  const size = load<u32>(decoder, AT) - load<u32>(decoder, GIVEN);
  return size > OUTPUT_MAX - BLOCK_MAX || (size > 0 && !hasRoom(decoder) && !canGrow(decoder));
}

/** Makes room for a block at AT. False when memory cannot be had. */
function makeRoom(decoder: usize): bool {
  while (!hasRoom(decoder)) {
    const buffer = <usize>load<u32>(decoder, BUFFER);
    const base = <usize>load<u32>(decoder, BASE);
    const at = <usize>load<u32>(decoder, AT);
    if (canGrow(decoder)) {
      if (!grow(decoder)) return false;
    } else if (!isRing(decoder) || load<u64>(decoder, TOTAL) <= load<u32>(decoder, WINDOW)) {
      // All of the frame is needed: move it to the start.
      memory.copy(buffer, base, at - base);
      store<u32>(decoder, <u32>buffer, BASE);
      store<u32>(decoder, <u32>(buffer + (at - base)), AT);
      store<u32>(decoder, <u32>(buffer + (at - base)), GIVEN);
    } else {
      store<u32>(decoder, <u32>at, PREFIX_END);
      store<u32>(decoder, <u32>buffer, BASE);
      store<u32>(decoder, <u32>buffer, AT);
      store<u32>(decoder, <u32>buffer, GIVEN);
    }
  }
  return true;
}

/** Grows the buffer, which the frame fills from its start. */
function grow(decoder: usize): bool {
  const buffer = <usize>load<u32>(decoder, BUFFER);
  const used = <usize>load<u32>(decoder, AT) - buffer;
  const least = <u64>used + roomNeeded(decoder);
  // Steps of four keep what is copied below half of what is decoded.
  let want = max<u64>(least, min<u64>(<u64>load<u32>(decoder, CAPACITY) * 4, ringSize(decoder)));
  let grown: usize = 0;
  if (want < u32.MAX_VALUE) grown = resize(buffer, used, <usize>want);
  if (!grown && least < u32.MAX_VALUE) {
    want = least;
    grown = resize(buffer, used, <usize>want);
  }
  if (!grown) return false;
  const moved = grown - buffer;
  store<u32>(decoder, <u32>grown, BUFFER);
  store<u32>(decoder, <u32>want, CAPACITY);
  store<u32>(decoder, <u32>grown, BASE);
  store<u32>(decoder, <u32>(grown + used), AT);
  store<u32>(decoder, load<u32>(decoder, GIVEN) + <u32>moved, GIVEN);
  return true;
}

function readBlock(decoder: usize, src: usize, srcEnd: usize): bool {
  const header = load<u32>(decoder, BLOCK_HEADER);
  const type = (header >>> 1) & 3;
  const size = <usize>(header >>> 3);
  const at = <usize>load<u32>(decoder, AT);
  let end = at + size;
  if (type == RAW) memory.copy(at, src, size);
  else if (type == RLE) memory.fill(at, load<u8>(src), size);
  else end = decodeBlock(decoder, src, srcEnd);
  if (!end) return false;
  const checksum = load<u32>(decoder, DESCRIPTOR) & 4;
  if (checksum) xxh64Update(decoder + CHECKSUM, at, end - at);
  const total = load<u64>(decoder, TOTAL) + (end - at);
  store<u64>(decoder, total, TOTAL);
  store<u32>(decoder, <u32>end, AT);
  if (!(header & 1)) return expect(decoder, AT_BLOCK_HEADER, 3);
  const contentSize = load<u64>(decoder, CONTENT_SIZE);
  if (contentSize != UNKNOWN && contentSize != total) {
    fail(BAD_CONTENT_SIZE, load<u64>(decoder, CONTENT_SIZE_AT), <u32>contentSize, <u32>total);
    return false;
  }
  return expect(decoder, checksum ? AT_CHECKSUM : AT_MAGIC, 4);
}

function readChecksum(decoder: usize, p: usize): bool {
  const found = <u32>xxh64Finish(decoder + CHECKSUM, 0);
  if (load<u32>(p) != found) return <bool>failAt(BAD_CHECKSUM, p, load<u32>(p), found);
  return expect(decoder, AT_MAGIC, 4);
}
