// zlib (RFC 1950) and deflate (RFC 1951), made for the filtered rows of pictures.
//
// These decisions fix every byte of the output; ts/kernels/reference/deflate.ts makes the same ones.
//
// Chunks. The input is cut into chunks of CHUNK bytes, wherever the pushes end. A full chunk is compressed when a
//   byte follows it, the last one (which may be empty) by the final push. Matches may reach back over 32 KiB of the
//   chunks before, but not over the end of their own chunk. The stream starts with the bytes 78 01.
// Blocks. A chunk is cut into blocks. A block ends before the first position where it has BLOCK_TOKENS tokens
//   (literals and matches; skipped positions count as literals), or at the end of the chunk. The last 3 bytes of a
//   chunk are never looked up; if less than 4 bytes are left, they join the block as literals.
// Literal costs. Before a block is parsed, the SAMPLE bytes from its start (or what is left of the chunk) are
//   counted. The lengths of a Huffman code for these counts, limited to 15, are the costs in bits; UNSEEN_COST for a
//   byte that has no code.
// Matches. Greedy. The four bytes v (little endian) at a position select the bucket
//   (v * 0x9e3779b1 mod 2^32) >> (32 - HASH_BITS), which holds the last two positions entered there, modulo 2^16 and at first 0; the first byte of the
//   input is at 32768. A position is entered when it has been looked up; after a match the position of its last byte
//   is entered too, if four bytes are left from there. A candidate counts if it is 1 to 32768 bytes back (modulo
//   2^16), not before the start of the input, and its four bytes are the same. The longer match wins, of equal ones
//   the newer. At most 258 bytes.
// Acceptance. A match shorter than LONG_MATCH is dropped when (cost of v's four literals) * length <= 4 * (MATCH_BITS
//   + floor(log2(distance))): short far matches cost more than good literals, and finding them costs time.
// Skipping. A position without a match advances by 1, one with a dropped match by the match's length; both advance
//   further by misses >> SKIP_LOG, where misses counts the earlier ones of these positions since the last match of
//   the block. What is passed over is not looked up.
// Huffman codes. Leaves are the used symbols in ascending order of (frequency, symbol); if less than two are used,
//   the lowest unused ones are taken in with frequency 0. The two lightest nodes are joined, leaves before inner
//   nodes of the same weight. Depths above the limit count as the limit; then, once for every unit of 2^-limit by
//   which the code is over-full, the longest length below the limit that has a code loses one to the next length,
//   which gains another from the limit. The lengths are dealt out from the longest, leaves in their order. Limits:
//   15, and 7 for the code length code.
// Code lengths. Literal and distance lengths are one sequence. A run of a non-zero length gives the length, then
//   repeats (16) of up to 6 while at least 3 are left; a run of zeros gives 18 with up to 138 while at least 11 are
//   left, then 17 with what is left if that is at least 3. What remains is given one by one.
// Block type. The one with the fewest bits, counted exactly with the padding of a stored block; of equal ones stored,
//   then fixed, then dynamic. Only a block of at most 65535 bytes can be stored.

import { alloc, free, resize } from '../memory/heap';
import { adler32 } from './adler32';
import { add, assignCodes, codedBits, codeLengths } from './huffman';

const WINDOW: u32 = 32768;
const CHUNK: u32 = 1 << 18; // a multiple of 2^16, so that positions modulo 2^16 survive the change of chunks
const BLOCK_TOKENS: u32 = 1 << 15;
const SAMPLE: u32 = 1 << 13;
const HASH_BITS: u32 = 13;
const LONG_MATCH: u32 = 10;
const MATCH_BITS: u32 = 9;
const SKIP_LOG: u32 = 5;
const UNSEEN_COST: u8 = 12;

const MIN_LOOKUP: u32 = 4;
const MAX_MATCH: u32 = 258;
const LITERALS: u32 = 286;
const DISTANCES: u32 = 30;
const END_OF_BLOCK: usize = 256;
const FIRST_LENGTH: usize = 257;
const CODE_LENGTHS: u32 = 19;

// A state: its fields, the buckets, the sequences of a block, then the window with the chunk after it.
const OUTPUT: usize = 0x00; // u32 address
const CAPACITY: usize = 0x04; // u32 bytes there
const SIZE: usize = 0x08; // u32 bytes written by this push
const FILLED: usize = 0x0c; // u32 bytes in the chunk
const HISTORY: usize = 0x10; // u32 index of the first byte of input in the window and chunk
const ADLER: usize = 0x14; // u32
const STAGE: usize = 0x18; // u32: NEW, RUNNING or ENDED
const BIT_COUNT: usize = 0x1c; // u32 bits in BITS, less than 8
const BITS: usize = 0x20; // u64 not yet written
const BUCKETS: usize = 0x40;
const SEQUENCES: usize = BUCKETS + (4 << HASH_BITS);
const BUFFER: usize = SEQUENCES + 8 * <usize>BLOCK_TOKENS;
const STATE_SIZE: usize = BUFFER + WINDOW + CHUNK;

const NEW: u32 = 0;
const RUNNING: u32 = 1;
const ENDED: u32 = 2;

// A sequence: a run of literals and the match after it. Literals after the last sequence of a block have none.
const RUN: usize = 0; // u32
const LENGTH: usize = 4; // u16
const BEFORE: usize = 6; // u16 distance - 1

const LENGTH_BASE: usize = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_EXTRA: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
const CODE_LENGTH_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
const LENGTH_SYMBOL: usize = memory.data(256); // less FIRST_LENGTH, by length - 3
const FIXED_LENGTHS: usize = memory.data(288);

// The block at hand.
const HISTOGRAMS: usize = memory.data(4 * 4 * 256, 16);
const LITERAL_COSTS: usize = memory.data(256, 16);
const FREQUENCIES: usize = memory.data(4 * 288, 16);
const DISTANCE_FREQUENCIES: usize = memory.data(4 * 32, 16);
const LENGTHS: usize = memory.data(320, 16); // of literals, then without a gap of distances
const CODES: usize = memory.data(4 * 288, 16);
const DISTANCE_CODES: usize = memory.data(4 * 32, 16);
const MATCH_CODES: usize = memory.data(4 * 256, 16); // length code and extra bits | their count << 24, by length - 3
const ITEMS: usize = memory.data(2 * 320, 16); // the code lengths as written: u8 symbol, u8 extra bits
const ITEM_FREQUENCIES: usize = memory.data(4 * 19, 16);
const ITEM_LENGTHS: usize = memory.data(20, 16);
const ITEM_CODES: usize = memory.data(4 * 19, 16);

function init(): void {
  let symbol: usize = 0;
  for (let length: u32 = 3; length <= MAX_MATCH; length++) {
    if (symbol < 28 && length == load<u16>(LENGTH_BASE + ((symbol + 1) << 1))) symbol++;
    store<u8>(LENGTH_SYMBOL + length - 3, <u8>symbol);
  }
  memory.fill(FIXED_LENGTHS, 8, 288);
  memory.fill(FIXED_LENGTHS + 144, 9, 112);
  memory.fill(FIXED_LENGTHS + 256, 7, 24);
}
init();

// The end of the output while a chunk is compressed.
let out: usize = 0;
let bits: u64 = 0;
let bitCount: u32 = 0;

/** Writes up to 32 bits; up to 8 bytes after the output are overwritten. */
function put(value: u32, count: u32): void {
  bits |= <u64>value << bitCount;
  bitCount += count;
  store<u64>(out, bits);
  out += bitCount >>> 3;
  bits >>= bitCount & 56;
  bitCount &= 7;
}

function putCode(code: u32): void {
  put(code & 0xffff, code >>> 16);
}

/** `before` is the distance - 1. */
function distanceSymbol(before: u32): u32 {
  const log = 31 - clz(before);
  return before < 2 ? before : (log << 1) + ((before >>> (log - 1)) & 1);
}

function distanceExtra(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >>> 1) - 1;
}

/** Counts bytes in four histograms by turns, since a counter is slow to count twice in a row. */
function countBytes(p: usize, end: usize): void {
  for (; p + 4 <= end; p += 4) {
    const v = load<u32>(p);
    add(HISTOGRAMS, v & 255, 1);
    add(HISTOGRAMS + 1024, (v >>> 8) & 255, 1);
    add(HISTOGRAMS + 2048, (v >>> 16) & 255, 1);
    add(HISTOGRAMS + 3072, v >>> 24, 1);
  }
  for (; p < end; p++) add(HISTOGRAMS, load<u8>(p), 1);
}

/** Sums the histograms up into the literal frequencies and clears them. */
function takeHistograms(): void {
  for (let i: usize = 0; i < 1024; i += 4) {
    const h = HISTOGRAMS + i;
    store<u32>(FREQUENCIES + i, load<u32>(h) + load<u32>(h, 1024) + load<u32>(h, 2048) + load<u32>(h, 3072));
  }
  memory.fill(HISTOGRAMS, 0, 4 * 4 * 256);
}

/** Fills LITERAL_COSTS from a sample of the block. */
function estimateLiteralCosts(p: usize, end: usize): void {
  countBytes(p, end);
  takeHistograms();
  codeLengths(FREQUENCIES, 256, LITERAL_COSTS, 15);
  for (let byte: usize = 0; byte < 256; byte++) {
    if (!load<u8>(LITERAL_COSTS + byte)) store<u8>(LITERAL_COSTS + byte, UNSEEN_COST);
  }
}

/** The cost of the four literals in `v`. */
function literalCost(v: u32): u32 {
  return (
    <u32>load<u8>(LITERAL_COSTS + <usize>(v & 255)) + load<u8>(LITERAL_COSTS + <usize>((v >>> 8) & 255)) +
    load<u8>(LITERAL_COSTS + <usize>((v >>> 16) & 255)) + load<u8>(LITERAL_COSTS + <usize>(v >>> 24))
  );
}

/** Enters position `i`, where the bytes `v` are, into its bucket; gives the positions that were there. */
function enter(buckets: usize, v: u32, i: u32): u32 {
  const bucket = buckets + (((v * 0x9e3779b1) >>> (32 - HASH_BITS)) << 2);
  const positions = load<u32>(bucket);
  store<u32>(bucket, (positions << 16) | (i & 0xffff));
  return positions;
}

/** How many bytes at `p` are those at `q`, at most `limit`; the first four are known to be. */
function matchLength(p: usize, q: usize, limit: u32): u32 {
  let length = MIN_LOOKUP;
  while (length < limit) {
    const difference = load<u64>(p + length) ^ load<u64>(q + length);
    if (difference) {
      length += <u32>ctz(difference) >>> 3;
      break;
    }
    length += 8;
  }
  return min(length, limit);
}

/** Counts the tokens of a block; gives the number of their extra bits. */
function countTokens(p: usize, end: usize, sequence: usize, sequencesEnd: usize): u32 {
  memory.fill(FREQUENCIES, 0, 4 * 288);
  memory.fill(DISTANCE_FREQUENCIES, 0, 4 * 32);
  let extra: u32 = 0;
  for (; sequence < sequencesEnd; sequence += 8) {
    const stop = p + load<u32>(sequence, RUN);
    countBytes(p, stop);
    const length: usize = load<u16>(sequence, LENGTH);
    const lengthSymbol: usize = load<u8>(LENGTH_SYMBOL + length - 3);
    add(FREQUENCIES, FIRST_LENGTH + lengthSymbol, 1);
    const symbol = distanceSymbol(load<u16>(sequence, BEFORE));
    add(DISTANCE_FREQUENCIES, symbol, 1);
    extra += <u32>load<u8>(LENGTH_EXTRA + lengthSymbol) + distanceExtra(symbol);
    p = stop + length;
  }
  countBytes(p, end);
  takeHistograms();
  store<u32>(FREQUENCIES + (END_OF_BLOCK << 2), 1);
  return extra;
}

/** Writes the tokens of a block with CODES, MATCH_CODES and DISTANCE_CODES. */
function putTokens(p: usize, end: usize, sequence: usize, sequencesEnd: usize): void {
  // As `put`, with the state in locals.
  let o = out;
  let b = bits;
  let n = bitCount;
  for (;;) {
    const more = sequence < sequencesEnd;
    const stop = more ? p + load<u32>(sequence, RUN) : end;
    for (; p + 3 <= stop; p += 3) {
      const x = load<u32>(CODES + (<usize>load<u8>(p) << 2));
      const y = load<u32>(CODES + (<usize>load<u8>(p, 1) << 2));
      const z = load<u32>(CODES + (<usize>load<u8>(p, 2) << 2));
      b |= <u64>(x & 0xffff) << n;
      n += x >>> 16;
      b |= <u64>(y & 0xffff) << n;
      n += y >>> 16;
      b |= <u64>(z & 0xffff) << n;
      n += z >>> 16;
      store<u64>(o, b);
      o += n >>> 3;
      b >>= n & 56;
      n &= 7;
    }
    for (; p < stop; p++) {
      const x = load<u32>(CODES + (<usize>load<u8>(p) << 2));
      b |= <u64>(x & 0xffff) << n;
      n += x >>> 16;
    }
    store<u64>(o, b);
    o += n >>> 3;
    b >>= n & 56;
    n &= 7;
    if (!more) break;
    const length: usize = load<u16>(sequence, LENGTH);
    const before: u32 = load<u16>(sequence, BEFORE);
    p += length;
    sequence += 8;
    const match = load<u32>(MATCH_CODES + ((length - 3) << 2));
    b |= <u64>(match & 0xffffff) << n;
    n += match >>> 24;
    const symbol = distanceSymbol(before);
    const code = load<u32>(DISTANCE_CODES + (symbol << 2));
    b |= <u64>(code & 0xffff) << n;
    n += code >>> 16;
    const width = distanceExtra(symbol);
    b |= <u64>(before & ((1 << width) - 1)) << n;
    n += width;
    store<u64>(o, b);
    o += n >>> 3;
    b >>= n & 56;
    n &= 7;
  }
  out = o;
  bits = b;
  bitCount = n;
}

/** Fills MATCH_CODES from CODES. */
function makeMatchCodes(): void {
  for (let length: u32 = 3; length <= MAX_MATCH; length++) {
    const symbol: usize = load<u8>(LENGTH_SYMBOL + length - 3);
    const code = load<u32>(CODES + ((FIRST_LENGTH + symbol) << 2));
    const width = code >>> 16;
    const value = (code & 0xffff) | ((length - load<u16>(LENGTH_BASE + (symbol << 1))) << width);
    store<u32>(MATCH_CODES + ((length - 3) << 2), value | ((width + load<u8>(LENGTH_EXTRA + symbol)) << 24));
  }
}

/** Appends to ITEMS at `end` and counts the symbol; gives the new end. */
function addItem(end: usize, symbol: u32, extra: u32): usize {
  store<u16>(end, <u16>(symbol | (extra << 8)));
  add(ITEM_FREQUENCIES, symbol, 1);
  return end + 2;
}

/** Puts the first `count` of LENGTHS as ITEMS; gives their end. */
function makeItems(count: u32): usize {
  memory.fill(ITEM_FREQUENCIES, 0, 4 * CODE_LENGTHS);
  let end = ITEMS;
  for (let i: u32 = 0; i < count; ) {
    const length: u32 = load<u8>(LENGTHS + i);
    let run: u32 = 1;
    while (i + run < count && load<u8>(LENGTHS + i + run) == length) run++;
    i += run;
    if (length) {
      end = addItem(end, length, 0);
      run--;
      while (run >= 3) {
        const take = min<u32>(run, 6);
        end = addItem(end, 16, take - 3);
        run -= take;
      }
    } else {
      while (run >= 11) {
        const take = min<u32>(run, 138);
        end = addItem(end, 18, take - 11);
        run -= take;
      }
      if (run >= 3) {
        end = addItem(end, 17, run - 3);
        run = 0;
      }
    }
    for (; run > 0; run--) end = addItem(end, length, 0);
  }
  return end;
}

function itemExtra(symbol: u32): u32 {
  return symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
}

/** Makes room for `more` bytes of output, and those that `put` overwrites. */
function reserve(state: usize, more: u32): bool {
  const used = load<u32>(state, SIZE);
  const capacity = load<u32>(state, CAPACITY);
  const need = <u64>used + more + 8;
  if (need <= capacity) return true;
  if (need > 0x7fffffff) return false;
  const size = max<u32>(<u32>need, min<u32>(capacity, 0x3fffffff) << 1);
  const output = resize(load<u32>(state, OUTPUT), used, size);
  if (!output) return false;
  store<u32>(state, <u32>output, OUTPUT);
  store<u32>(state, size, CAPACITY);
  return true;
}

/** Writes the bytes from `start` to `end` as one block. */
function writeBlock(state: usize, start: usize, end: usize, sequencesEnd: usize, last: u32): bool {
  const sequences = state + SEQUENCES;
  const extra = countTokens(start, end, sequences, sequencesEnd);

  codeLengths(FREQUENCIES, LITERALS, LENGTHS, 15);
  let literals = LITERALS;
  while (!load<u8>(LENGTHS + literals - 1)) literals--;
  let dynamicBits = 3 + 5 + 5 + 4 + codedBits(FREQUENCIES, LENGTHS, literals) + extra;
  codeLengths(DISTANCE_FREQUENCIES, DISTANCES, LENGTHS + literals, 15);
  dynamicBits += codedBits(DISTANCE_FREQUENCIES, LENGTHS + literals, DISTANCES);
  let distances = DISTANCES;
  while (!load<u8>(LENGTHS + literals + distances - 1)) distances--;

  const itemsEnd = makeItems(literals + distances);
  codeLengths(ITEM_FREQUENCIES, CODE_LENGTHS, ITEM_LENGTHS, 7);
  let items = CODE_LENGTHS;
  while (!load<u8>(ITEM_LENGTHS + load<u8>(CODE_LENGTH_ORDER + items - 1))) items--;
  dynamicBits += 3 * items + codedBits(ITEM_FREQUENCIES, ITEM_LENGTHS, CODE_LENGTHS);
  for (let symbol: u32 = 16; symbol < CODE_LENGTHS; symbol++) {
    dynamicBits += itemExtra(symbol) * load<u32>(ITEM_FREQUENCIES + (symbol << 2));
  }

  let fixedBits = 3 + codedBits(FREQUENCIES, FIXED_LENGTHS, LITERALS) + extra;
  fixedBits += 5 * <u32>((sequencesEnd - sequences) >>> 3);

  const size = <u32>(end - start);
  const padding = (5 - bitCount) & 7;
  const storedBits = size > 65535 ? u32.MAX_VALUE : 3 + padding + 32 + 8 * size;

  const least = min(storedBits, min(fixedBits, dynamicBits));
  if (!reserve(state, (least + 14) >>> 3)) return false;
  out = <usize>load<u32>(state, OUTPUT) + load<u32>(state, SIZE);
  if (least == storedBits) {
    put(last, 3 + padding);
    put(size | (~size << 16), 32);
    memory.copy(out, start, size);
    out += size;
  } else {
    if (least == fixedBits) {
      put(last | 2, 3);
      assignCodes(FIXED_LENGTHS, 288, CODES);
      memory.fill(LENGTHS, 5, DISTANCES);
      assignCodes(LENGTHS, DISTANCES, DISTANCE_CODES);
    } else {
      put(last | 4, 3);
      put(literals - 257, 5);
      put(distances - 1, 5);
      put(items - 4, 4);
      for (let i: u32 = 0; i < items; i++) put(load<u8>(ITEM_LENGTHS + load<u8>(CODE_LENGTH_ORDER + i)), 3);
      assignCodes(ITEM_LENGTHS, CODE_LENGTHS, ITEM_CODES);
      for (let item = ITEMS; item < itemsEnd; item += 2) {
        const symbol: u32 = load<u8>(item);
        putCode(load<u32>(ITEM_CODES + (symbol << 2)));
        put(load<u8>(item, 1), itemExtra(symbol));
      }
      assignCodes(LENGTHS, literals, CODES);
      assignCodes(LENGTHS + literals, distances, DISTANCE_CODES);
    }
    makeMatchCodes();
    putTokens(start, end, sequences, sequencesEnd);
    putCode(load<u32>(CODES + (END_OF_BLOCK << 2)));
  }
  store<u32>(state, <u32>out - load<u32>(state, OUTPUT), SIZE);
  return true;
}

/** Compresses the chunk and makes its end the window of the next. False when memory cannot be had. */
function compressChunk(state: usize, last: bool): bool {
  const buffer = state + BUFFER;
  const buckets = state + BUCKETS;
  const history = load<u32>(state, HISTORY);
  const end = WINDOW + load<u32>(state, FILLED);
  bits = load<u64>(state, BITS);
  bitCount = load<u32>(state, BIT_COUNT);
  let i = WINDOW;
  do {
    const start = i;
    estimateLiteralCosts(buffer + start, buffer + min(start + SAMPLE, end));
    let sequence = state + SEQUENCES;
    let run = i; // where the run of literals starts
    let stop = i + BLOCK_TOKENS;
    let misses: u32 = 0;
    while (i < stop && i + MIN_LOOKUP <= end) {
      const p = buffer + i;
      const v = load<u32>(p);
      const positions = enter(buckets, v, i);
      const reach = min(WINDOW, i - history);
      const limit = min(MAX_MATCH, end - i);
      const newer = (i - positions) & 0xffff;
      const older = (i - (positions >>> 16)) & 0xffff;
      let length: u32 = 0;
      let distance: u32 = 0;
      // A distance of 0 wraps around and is beyond any reach.
      if (newer - 1 < reach && load<u32>(p - newer) == v) {
        length = matchLength(p, p - newer, limit);
        distance = newer;
      }
      if (older - 1 < reach && load<u32>(p - older) == v) {
        const other = matchLength(p, p - older, limit);
        if (other > length) {
          length = other;
          distance = older;
        }
      }
      if (length < LONG_MATCH && (!length || literalCost(v) * length <= (MATCH_BITS + 31 - clz(distance)) << 2)) {
        i += max<u32>(length, 1) + (misses++ >>> SKIP_LOG);
        continue;
      }
      store<u32>(sequence, i - run, RUN);
      store<u16>(sequence, <u16>length, LENGTH);
      store<u16>(sequence, <u16>(distance - 1), BEFORE);
      sequence += 8;
      i += length;
      stop += length - 1;
      if (i - 1 + MIN_LOOKUP <= end) enter(buckets, load<u32>(buffer + i - 1), i - 1);
      run = i;
      misses = 0;
    }
    if (i + MIN_LOOKUP > end) i = end;
    if (!writeBlock(state, buffer + start, buffer + i, sequence, u32(last && i == end))) return false;
  } while (i < end);
  store<u64>(state, bits, BITS);
  store<u32>(state, bitCount, BIT_COUNT);
  memory.copy(buffer, buffer + end - WINDOW, WINDOW);
  store<u32>(state, 0, FILLED);
  store<u32>(state, 0, HISTORY);
  return true;
}

/** A zlib stream, or 0 when memory cannot be had. */
export function deflate_open(): usize {
  const state = alloc(STATE_SIZE);
  if (!state) return 0;
  memory.fill(state, 0, SEQUENCES);
  store<u32>(state, WINDOW, HISTORY);
  store<u32>(state, 1, ADLER);
  return state;
}

/** Gives how many bytes lie at `deflate_output`, or -1 when memory cannot be had. */
export function deflate_push(handle: usize, src: usize, srcEnd: usize, final: bool): i32 {
  store<u32>(handle, 0, SIZE);
  const stage = load<u32>(handle, STAGE);
  if (stage == ENDED) return 0;
  if (stage == NEW) {
    if (!reserve(handle, 2)) return -1;
    store<u16>(load<u32>(handle, OUTPUT), 0x0178);
    store<u32>(handle, 2, SIZE);
    store<u32>(handle, RUNNING, STAGE);
  }
  store<u32>(handle, adler32(load<u32>(handle, ADLER), src, srcEnd - src), ADLER);
  while (src < srcEnd) {
    let filled = load<u32>(handle, FILLED);
    if (filled == CHUNK) {
      if (!compressChunk(handle, false)) return -1;
      filled = 0;
    }
    const take = min(CHUNK - filled, <u32>(srcEnd - src));
    memory.copy(handle + BUFFER + WINDOW + filled, src, take);
    store<u32>(handle, filled + take, FILLED);
    src += take;
  }
  if (final) {
    if (!compressChunk(handle, true) || !reserve(handle, 5)) return -1;
    const end = <usize>load<u32>(handle, OUTPUT) + load<u32>(handle, SIZE);
    const rest = (load<u32>(handle, BIT_COUNT) + 7) >>> 3;
    store<u8>(end, <u8>load<u64>(handle, BITS));
    store<u32>(end + rest, bswap(load<u32>(handle, ADLER)));
    store<u32>(handle, load<u32>(handle, SIZE) + rest + 4, SIZE);
    store<u32>(handle, ENDED, STAGE);
  }
  return <i32>load<u32>(handle, SIZE);
}

/** Address of what the last push gave. */
export function deflate_output(handle: usize): usize {
  return load<u32>(handle, OUTPUT);
}

export function deflate_free(handle: usize): void {
  free(load<u32>(handle, OUTPUT));
  free(handle);
}
