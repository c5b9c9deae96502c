// Huffman-coded literals (RFC 8878, 4.2).
//
// A table is u32 bits that choose an entry, u32 unused, then the entries: u8 length of the code, u8 symbol.
// Read as u16 an entry is its own shift count, of which wasm takes the low six bits. Trees that are not as deep as 11
// bits are spread over 11.
import { backwardSize, headOf, highBit, peekBackward, topBits } from './bits';
import { TABLE_HEADER, buildTable, readCounts } from './fse';

/** Depth of the trees of blocks. */
export const MAX_BITS: u32 = 11;
/** Depth of the trees of dictionaries: the format says 11 here too, but zstd has trained some with 12. */
export const MAX_DICTIONARY_BITS: u32 = 12;
/** Bytes of a table. */
export const HUFFMAN_TABLE: usize = TABLE_HEADER + (2 << 12);

const WEIGHT_LOG: u32 = 6;
const WEIGHT_TABLE: usize = memory.data(8 + 64 * 8, 8);
const WEIGHTS: usize = memory.data(256, 8);
const RANKS: usize = memory.data(4 * 13, 8); // per weight: symbols that have it, then the next place in the table

/** Reads a tree description and builds its table. Gives where the description ends, or 0 when it is not valid. */
export function readTree(table: usize, src: usize, srcEnd: usize, maxBits: u32): usize {
  if (src >= srcEnd) return 0;
  const header = <u32>load<u8>(src++);
  let end: usize;
  let count: u32;
  if (header >= 128) {
    count = header - 127;
    const size = (count + 1) >>> 1;
    if (srcEnd - src < size) return 0;
    end = src + size;
    for (let i: u32 = 0; i < count; i++) {
      const pair = <u32>load<u8>(src + (i >>> 1));
      store<u8>(WEIGHTS + i, <u8>(i & 1 ? pair & 15 : pair >>> 4));
    }
  } else {
    if (srcEnd - src < header) return 0;
    end = src + header;
    count = readWeights(src, end);
  }
  return count && fillTable(table, count, maxBits) ? end : 0;
}

/** Weights compressed with two interleaved FSE states. Gives how many there are, or 0. */
function readWeights(src: usize, srcEnd: usize): u32 {
  src = readCounts(src, srcEnd, WEIGHT_LOG, 255);
  if (!src) return 0;
  buildTable(WEIGHT_TABLE, 0);
  const log = load<u32>(WEIGHT_TABLE);
  const head = headOf(src, srcEnd);
  let left = backwardSize(src, srcEnd) - 2 * <i32>log;
  if (left < 0) return 0;
  let bits = peekBackward(src, head, left + 2 * <i32>log);
  let entry = weightEntry(topBits(bits, log));
  let other = weightEntry(topBits(bits << log, log));
  for (let count: u32 = 0; count < 254; ) {
    store<u8>(WEIGHTS + count++, <u8>(entry >>> 32));
    const need = <u32>entry & 0xff;
    if (left < <i32>need) {
      // The state cannot go on: the last symbol is the other state's.
      store<u8>(WEIGHTS + count++, <u8>(other >>> 32));
      return count;
    }
    bits = peekBackward(src, head, left);
    left -= <i32>need;
    const next = weightEntry((<u32>entry >>> 16) + topBits(bits, need));
    entry = other;
    other = next;
  }
  return 0;
}

function weightEntry(state: u32): u64 {
  return load<u64>(WEIGHT_TABLE + TABLE_HEADER + (<usize>state << 3));
}

/** Builds the table of `count` weights and the one that completes them. */
function fillTable(table: usize, count: u32, maxBits: u32): bool {
  memory.fill(RANKS, 0, 4 * 13);
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const weight = <u32>load<u8>(WEIGHTS + i);
    if (weight > maxBits) return false;
    if (!weight) continue;
    sum += <u32>1 << (weight - 1);
    addRank(weight, 1);
  }
  if (!sum) return false;
  const depth = highBit(sum) + 1;
  const rest = (<u32>1 << depth) - sum;
  if (depth > maxBits || rest & (rest - 1)) return false;
  store<u8>(WEIGHTS + count, <u8>(highBit(rest) + 1));
  addRank(highBit(rest) + 1, 1);
  // The depth is that of a real code, so two symbols have it.
  if (load<u32>(RANKS + 4) < 2) return false;
  const tableBits = max(depth, MAX_BITS);
  const scale = tableBits - depth;
  store<u32>(table, tableBits);
  let at: u32 = 0;
  for (let weight: u32 = 1; weight <= depth; weight++) {
    const have = load<u32>(RANKS + (<usize>weight << 2));
    store<u32>(RANKS + (<usize>weight << 2), at);
    at += have << (weight - 1 + scale);
  }
  for (let symbol: u32 = 0; symbol <= count; symbol++) {
    const weight = <u32>load<u8>(WEIGHTS + symbol);
    if (!weight) continue;
    const span: u32 = <u32>1 << (weight - 1 + scale);
    let p = table + TABLE_HEADER + (<usize>addRank(weight, span) << 1);
    const entry = (symbol << 8) | (depth + 1 - weight);
    if (span >= 4) {
      const four = <u64>entry * 0x0001000100010001;
      for (const end = p + (<usize>span << 1); p < end; p += 8) store<u64>(p, four);
    } else {
      store<u16>(p, <u16>entry);
      if (span == 2) store<u16>(p, <u16>entry, 2);
    }
  }
  return true;
}

/** Adds to a rank; gives what it was. */
function addRank(weight: u32, add: u32): u32 {
  const p = RANKS + (<usize>weight << 2);
  const was = load<u32>(p);
  store<u32>(p, was + add);
  return was;
}

/** Decodes one stream to exactly `dst..dstEnd`. False when the stream does not end where they do. */
export function decodeStream(table: usize, dst: usize, dstEnd: usize, src: usize, srcEnd: usize): bool {
  return finishStream(table, dst, dstEnd, src, srcEnd, backwardSize(src, srcEnd));
}

/** Decodes what is left of a stream of which `left` bits are unread. */
function finishStream(table: usize, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, left: i32): bool {
  if (left < 0) return false;
  const head = headOf(src, srcEnd);
  const shift = <u64>(64 - load<u32>(table));
  const entries = table + TABLE_HEADER;
  while (left > 56 && dst < dstEnd) {
    let bits = peekBackward(src, head, left);
    for (const stop = min(dst + 4, dstEnd); dst < stop; dst++) {
      const entry = <u64>load<u16>(entries + (<usize>(bits >>> shift) << 1));
      bits <<= entry;
      left -= <i32>(entry & 0xff);
      store<u8>(dst, <u8>(entry >>> 8));
    }
  }
  let bits = peekBackward(src, head, left);
  for (; dst < dstEnd; dst++) {
    const entry = <u64>load<u16>(entries + (<usize>(bits >>> shift) << 1));
    bits <<= entry;
    left -= <i32>(entry & 0xff);
    store<u8>(dst, <u8>(entry >>> 8));
  }
  return left == 0;
}

/**
 * Decodes four streams to `dst..dstEnd`: the first three give `quarter` bytes each. `src1` to `src4` are their starts,
 * `src5` the end of the last. Gives the start of the first stream that is not valid, or 0.
 */
export function decodeStreams(
  table: usize, dst: usize, dstEnd: usize, quarter: usize,
  src1: usize, src2: usize, src3: usize, src4: usize, src5: usize,
): usize {
  let left1 = backwardSize(src1, src2);
  let left2 = backwardSize(src2, src3);
  let left3 = backwardSize(src3, src4);
  let left4 = backwardSize(src4, src5);
  let dst1 = dst;
  let dst2 = dst + quarter;
  let dst3 = dst2 + quarter;
  let dst4 = dst3 + quarter;
  if (load<u32>(table) == MAX_BITS && min(min(left1, left2), min(left3, left4)) > 56) {
    const entries = table + TABLE_HEADER;
    // `in` is where the eight bytes of `bits` came from. Their lowest bit is set, so that the trailing zeros of `bits`
    // tell how many were used; it is never reached by the five codes of a round, which take 55 bits at most.
    let in1 = src2 - 8;
    let in2 = src3 - 8;
    let in3 = src4 - 8;
    let in4 = src5 - 8;
    let bits1 = refill(in1, 64 - (left1 - (<i32>(in1 - src1) << 3)));
    let bits2 = refill(in2, 64 - (left2 - (<i32>(in2 - src2) << 3)));
    let bits3 = refill(in3, 64 - (left3 - (<i32>(in3 - src3) << 3)));
    let bits4 = refill(in4, 64 - (left4 - (<i32>(in4 - src4) << 3)));
    for (;;) {
      // A round moves `in` back by seven bytes at most.
      const room = min(min(in1 - src1, in2 - src2), min(in3 - src3, in4 - src4)) / 7;
      const rounds = min(room, (dstEnd - dst4) / 5);
      if (!rounds) break;
      for (const stop = dst1 + rounds * 5; dst1 < stop; ) {
        for (let i = 0; i < 5; i++) {
          const entry1 = <u64>load<u16>(entries + (<usize>(bits1 >>> 53) << 1));
          const entry2 = <u64>load<u16>(entries + (<usize>(bits2 >>> 53) << 1));
          const entry3 = <u64>load<u16>(entries + (<usize>(bits3 >>> 53) << 1));
          const entry4 = <u64>load<u16>(entries + (<usize>(bits4 >>> 53) << 1));
          bits1 <<= entry1;
          bits2 <<= entry2;
          bits3 <<= entry3;
          bits4 <<= entry4;
          store<u8>(dst1++, <u8>(entry1 >>> 8));
          store<u8>(dst2++, <u8>(entry2 >>> 8));
          store<u8>(dst3++, <u8>(entry3 >>> 8));
          store<u8>(dst4++, <u8>(entry4 >>> 8));
        }
        const used1 = <usize>ctz(bits1);
        const used2 = <usize>ctz(bits2);
        const used3 = <usize>ctz(bits3);
        const used4 = <usize>ctz(bits4);
        in1 -= used1 >>> 3;
        in2 -= used2 >>> 3;
        in3 -= used3 >>> 3;
        in4 -= used4 >>> 3;
        bits1 = refill(in1, <i32>used1 & 7);
        bits2 = refill(in2, <i32>used2 & 7);
        bits3 = refill(in3, <i32>used3 & 7);
        bits4 = refill(in4, <i32>used4 & 7);
      }
    }
    left1 = (<i32>(in1 - src1) << 3) + 64 - <i32>ctz(bits1);
    left2 = (<i32>(in2 - src2) << 3) + 64 - <i32>ctz(bits2);
    left3 = (<i32>(in3 - src3) << 3) + 64 - <i32>ctz(bits3);
    left4 = (<i32>(in4 - src4) << 3) + 64 - <i32>ctz(bits4);
  }
  if (!finishStream(table, dst1, dst + quarter, src1, src2, left1)) return src1;
  if (!finishStream(table, dst2, dst + 2 * quarter, src2, src3, left2)) return src2;
  if (!finishStream(table, dst3, dst + 3 * quarter, src3, src4, left3)) return src3;
  if (!finishStream(table, dst4, dstEnd, src4, src5, left4)) return src4;
  return 0;
}

function refill(p: usize, used: i32): u64 {
  return (load<u64>(p) | 1) << <u64>used;
}
