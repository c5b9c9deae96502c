// Compressed blocks (RFC 8878, 3.1.1.3): literals, then sequences of literal runs and matches.
import { SLACK, resize } from '../memory/heap';
import {
  BAD_BLOCK_SIZE, BAD_FSE, BAD_HUFFMAN, BAD_LITERALS, BAD_OFFSET, BAD_SEQUENCES, OUT_OF_MEMORY, RESERVED,
} from '../memory/stream-error';
import { backwardSize, headOf, peekBackward, topBits } from './bits';
import {
  LITERAL_LENGTH_CODES, LITERAL_LENGTH_LOG, LITERAL_LENGTH_MAX, MATCH_LENGTH_CODES, MATCH_LENGTH_LOG, MATCH_LENGTH_MAX,
  OFFSET_CODES, OFFSET_LOG, OFFSET_MAX, PREDEFINED_LITERAL_LENGTHS, PREDEFINED_MATCH_LENGTHS, PREDEFINED_OFFSETS,
  TABLE_HEADER, buildSingle, buildTable, readCounts,
} from './fse';
import { MAX_BITS, decodeStream, decodeStreams, readTree } from './huffman';
import {
  AT, BASE, BLOCK_LIMIT, CONTENT_SIZE, HUFFMAN, HUFFMAN_PTR, LITERALS, LITERALS_CAPACITY, LITERAL_LENGTHS,
  LITERAL_LENGTHS_PTR, MATCH_LENGTHS, MATCH_LENGTHS_PTR, OFFSETS, OFFSETS_PTR, PREFIX_END, PREFIX_SIZE, REPEATS, TABLES,
  TOTAL, WINDOW, failAt,
} from './state';

const RAW: u32 = 0;
const RLE: u32 = 1;
const TREELESS: u32 = 3;

// The literals of the block at hand; 64 bytes after them may be read.
let literals: usize = 0;
let literalsEnd: usize = 0;

// Row n repeats the numbers below n: the shuffle that repeats the last n bytes.
const PATTERNS: usize = memory.data(16 * 16, 16);

function init(): void {
  for (let n: u32 = 1; n < 16; n++) {
    for (let i: u32 = 0; i < 16; i++) store<u8>(PATTERNS + (n << 4) + i, <u8>(i % n));
  }
}
init();

/** Decodes the block `src..srcEnd` to AT. Gives the end of its content, or 0 after `failAt`. */
export function decodeBlock(decoder: usize, src: usize, srcEnd: usize): usize {
  const sequences = readLiterals(decoder, src, srcEnd);
  return sequences ? decodeSequences(decoder, src, sequences, srcEnd) : 0;
}

/** Reads the literals section. Gives where it ends, or 0. */
function readLiterals(decoder: usize, src: usize, srcEnd: usize): usize {
  const size = <u32>(srcEnd - src);
  const first = size ? <u32>load<u8>(src) : 0;
  const type = first & 3;
  const format = (first >>> 2) & 3;
  let headerSize: u32;
  if (type <= RLE) headerSize = format == 1 ? 2 : format == 3 ? 3 : 1;
  else headerSize = format < 2 ? 3 : format + 2;
  if (size < headerSize) return failAt(BAD_LITERALS, src, headerSize, size);
  let header: u64 = 0;
  for (let i: u32 = 0; i < headerSize; i++) header |= <u64>load<u8>(src + i) << (i << 3);

  let regenerated: u32;
  let stored: u32;
  if (type <= RLE) {
    regenerated = <u32>header >>> (format & 1 ? 4 : 3);
    stored = type == RAW ? regenerated : 1;
  } else {
    const width: u32 = format < 2 ? 10 : format == 2 ? 14 : 18;
    const mask: u32 = (<u32>1 << width) - 1;
    regenerated = <u32>(header >>> 4) & mask;
    stored = <u32>(header >>> (4 + width)) & mask;
  }
  const limit = load<u32>(decoder, BLOCK_LIMIT);
  if (regenerated > limit) return failAt(BAD_LITERALS, src, limit, regenerated);
  const p = src + headerSize;
  const rest = size - headerSize;
  if (stored > rest) return failAt(BAD_LITERALS, src, rest, stored);
  const end = p + stored;

  if (type == RAW && srcEnd - end >= SLACK) {
    literals = p;
    literalsEnd = end;
    return end;
  }
  if (!load<u32>(decoder, LITERALS) || load<u32>(decoder, LITERALS_CAPACITY) < regenerated) {
    const buffer = resize(<usize>load<u32>(decoder, LITERALS), 0, limit);
    if (!buffer) return failAt(OUT_OF_MEMORY, src, limit, 0);
    store<u32>(decoder, <u32>buffer, LITERALS);
    store<u32>(decoder, limit, LITERALS_CAPACITY);
  }
  literals = <usize>load<u32>(decoder, LITERALS);
  literalsEnd = literals + regenerated;
  if (type == RAW) memory.copy(literals, p, regenerated);
  else if (type == RLE) memory.fill(literals, load<u8>(p), regenerated);
  else if (!decodeHuffman(decoder, src, p, end, type == TREELESS, format != 0)) return 0;
  return end;
}

/** Decodes the compressed literals `src..srcEnd`, of which `header` is the section's start. */
function decodeHuffman(decoder: usize, header: usize, src: usize, srcEnd: usize, treeless: bool, four: bool): bool {
  const size = <u32>(literalsEnd - literals);
  if (four && size < 6) return <bool>failAt(BAD_LITERALS, header, 6, size);
  if (!treeless) {
    const streams = readTree(decoder + TABLES + HUFFMAN, src, srcEnd, MAX_BITS);
    // A tree half read may have overwritten the table, but after an error nothing is decoded any more.
    if (!streams) return <bool>failAt(BAD_HUFFMAN, src, 0, 0);
    store<u32>(decoder, <u32>(decoder + TABLES + HUFFMAN), HUFFMAN_PTR);
    src = streams;
  }
  const table = <usize>load<u32>(decoder, HUFFMAN_PTR);
  if (!table) return <bool>failAt(BAD_LITERALS, header, 0, 0);
  if (!four) return decodeStream(table, literals, literalsEnd, src, srcEnd) || <bool>failAt(BAD_HUFFMAN, src, 0, 0);
  if (srcEnd - src < 6) return <bool>failAt(BAD_HUFFMAN, src, 0, 0);
  const size1 = <usize>load<u16>(src);
  const size2 = <usize>load<u16>(src, 2);
  const size3 = <usize>load<u16>(src, 4);
  if (size1 + size2 + size3 > srcEnd - src - 6) return <bool>failAt(BAD_HUFFMAN, src, 0, 0);
  const stream2 = src + 6 + size1;
  const stream3 = stream2 + size2;
  const stream4 = stream3 + size3;
  const quarter = <usize>(size + 3) >>> 2;
  const wrong = decodeStreams(table, literals, literalsEnd, quarter, src + 6, stream2, stream3, stream4, srcEnd);
  return !wrong || <bool>failAt(BAD_HUFFMAN, wrong, 0, 0);
}

// Where the description of the table read last ends.
let tableEnd: usize = 0;

/**
 * Reads one table of the sequences section, from `src` on. Gives the table, or 0 after `failAt`. `modes` is where the
 * modes are, `own` the decoder's room for a table, `current` the table in use or 0.
 */
function readTable(
  mode: u32, modes: usize, src: usize, srcEnd: usize,
  own: usize, current: usize, predefined: usize, codes: usize, maxLog: u32, maxCode: u32,
): usize {
  tableEnd = src;
  if (mode == 0) return predefined;
  if (mode == 3) return current ? current : failAt(BAD_FSE, modes, 0, 0);
  if (mode == 1) {
    if (src >= srcEnd || <u32>load<u8>(src) > maxCode) return failAt(BAD_FSE, src, 0, 0);
    buildSingle(own, codes, <u32>load<u8>(src));
    tableEnd = src + 1;
  } else {
    tableEnd = readCounts(src, srcEnd, maxLog, maxCode);
    if (!tableEnd) return failAt(BAD_FSE, src, 0, 0);
    buildTable(own, codes);
  }
  return own;
}

/** Decodes the sequences section `src..srcEnd` of the block at `block`, and all of the block's content with it. */
function decodeSequences(decoder: usize, block: usize, src: usize, srcEnd: usize): usize {
  let at = <usize>load<u32>(decoder, AT);
  const start = at;
  const total = load<u64>(decoder, TOTAL);
  const limit = at + <usize>min(<u64>load<u32>(decoder, BLOCK_LIMIT), load<u64>(decoder, CONTENT_SIZE) - total);
  let literal = literals;

  const size = srcEnd - src;
  const first = size ? <u32>load<u8>(src) : 0;
  const countSize: usize = first < 128 ? 1 : first < 255 ? 2 : 3;
  if (size < countSize) return failAt(BAD_SEQUENCES, src, 0, 0);
  let count = first;
  if (first == 255) count = <u32>load<u16>(src, 1) + 0x7f00;
  else if (first >= 128) count = ((first - 128) << 8) | <u32>load<u8>(src, 1);
  if (!count) {
    if (size > countSize) return failAt(BAD_SEQUENCES, src, 0, <u32>(size - countSize));
  } else {
    if (size == countSize) return failAt(BAD_SEQUENCES, src, 0, 0);
    const modesAt = src + countSize;
    const modes = <u32>load<u8>(modesAt);
    if (modes & 3) return failAt(RESERVED, modesAt, 0, modes & 3);
    const literalLengths = readTable(
      modes >>> 6, modesAt, modesAt + 1, srcEnd, decoder + TABLES + LITERAL_LENGTHS,
      <usize>load<u32>(decoder, LITERAL_LENGTHS_PTR), PREDEFINED_LITERAL_LENGTHS,
      LITERAL_LENGTH_CODES, LITERAL_LENGTH_LOG, LITERAL_LENGTH_MAX,
    );
    if (!literalLengths) return 0;
    const offsets = readTable(
      (modes >>> 4) & 3, modesAt, tableEnd, srcEnd, decoder + TABLES + OFFSETS,
      <usize>load<u32>(decoder, OFFSETS_PTR), PREDEFINED_OFFSETS, OFFSET_CODES, OFFSET_LOG, OFFSET_MAX,
    );
    if (!offsets) return 0;
    const matchLengths = readTable(
      (modes >>> 2) & 3, modesAt, tableEnd, srcEnd, decoder + TABLES + MATCH_LENGTHS,
      <usize>load<u32>(decoder, MATCH_LENGTHS_PTR), PREDEFINED_MATCH_LENGTHS,
      MATCH_LENGTH_CODES, MATCH_LENGTH_LOG, MATCH_LENGTH_MAX,
    );
    if (!matchLengths) return 0;
    store<u32>(decoder, <u32>literalLengths, LITERAL_LENGTHS_PTR);
    store<u32>(decoder, <u32>offsets, OFFSETS_PTR);
    store<u32>(decoder, <u32>matchLengths, MATCH_LENGTHS_PTR);

    const stream = tableEnd;
    let left = backwardSize(stream, srcEnd);
    if (left < 0) return failAt(BAD_SEQUENCES, stream, 0, 0);
    const head = headOf(stream, srcEnd);
    const literalLengthStates = literalLengths + TABLE_HEADER;
    const offsetStates = offsets + TABLE_HEADER;
    const matchLengthStates = matchLengths + TABLE_HEADER;
    let bits = peekBackward(stream, head, left);
    const log1 = load<u32>(literalLengths);
    const log2 = load<u32>(offsets);
    const log3 = load<u32>(matchLengths);
    let literalLengthEntry = load<u64>(literalLengthStates + (<usize>topBits(bits, log1) << 3));
    let offsetEntry = load<u64>(offsetStates + (<usize>topBits(bits << log1, log2) << 3));
    let matchLengthEntry = load<u64>(matchLengthStates + (<usize>topBits(bits << (log1 + log2), log3) << 3));
    left -= <i32>(log1 + log2 + log3);

    const base = <usize>load<u32>(decoder, BASE);
    const window = load<u32>(decoder, WINDOW);
    let repeat1 = load<u32>(decoder, REPEATS);
    let repeat2 = load<u32>(decoder, REPEATS + 4);
    let repeat3 = load<u32>(decoder, REPEATS + 8);

    for (;;) {
      // Decode: the extra bits of offset, match and literal length, then those of the next states.
      const counts = <u32>(literalLengthEntry + offsetEntry + matchLengthEntry);
      const extra = <i32>(counts >>> 8) & 0xff;
      bits = left > 56
        ? load<u64>(stream - 8 + (<usize>(left + 7) >>> 3)) << <u64>(-left & 7)
        : peekBackward(stream, head, left);
      let shift = offsetEntry >>> 8;
      let offset = <u32>(offsetEntry >>> 32) + <u32>(bits >>> 1 >>> ~shift);
      const offsetCode = <u32>shift & 0xff;
      bits <<= shift;
      // 57 bits are sure to be there, of which the states take up to 26.
      const long = extra > 31;
      if (long) bits = peekBackward(stream, head, left - <i32>offsetCode);
      shift = matchLengthEntry >>> 8;
      let matchLength = <usize>(matchLengthEntry >>> 32) + <usize>(bits >>> 1 >>> ~shift);
      bits <<= shift;
      shift = literalLengthEntry >>> 8;
      const literalLength = <usize>(literalLengthEntry >>> 32) + <usize>(bits >>> 1 >>> ~shift);
      bits <<= shift;
      left -= extra;
      if (--count) {
        if (long) bits = peekBackward(stream, head, left);
        const state1 = ((<u32>literalLengthEntry >>> 16) + <u32>(bits >>> 1 >>> ~literalLengthEntry)) << 3;
        bits <<= literalLengthEntry;
        const state2 = ((<u32>matchLengthEntry >>> 16) + <u32>(bits >>> 1 >>> ~matchLengthEntry)) << 3;
        bits <<= matchLengthEntry;
        const state3 = ((<u32>offsetEntry >>> 16) + <u32>(bits >>> 1 >>> ~offsetEntry)) << 3;
        literalLengthEntry = load<u64>(literalLengthStates + state1);
        matchLengthEntry = load<u64>(matchLengthStates + state2);
        offsetEntry = load<u64>(offsetStates + state3);
        left -= <i32>(counts & 0xff);
      }
      if (left < 0) break;

      if (offsetCode > 1) {
        repeat3 = repeat2;
        repeat2 = repeat1;
        repeat1 = offset;
      } else {
        if (!literalLength) offset++;
        if (offset == 1) {
          offset = repeat1;
        } else {
          const repeated = offset == 2 ? repeat2 : offset == 3 ? repeat3 : repeat1 - 1;
          if (offset != 2) repeat3 = repeat2;
          repeat2 = repeat1;
          repeat1 = repeated;
          offset = repeated;
        }
      }

      // Execute: the literals, then the match.
      if (literalLength > literalsEnd - literal) {
        const have = <u32>(literalsEnd - literal);
        return failAt(BAD_SEQUENCES, stream, have, <u32>literalLength);
      }
      if (literalLength + matchLength > limit - at) {
        const reached = <u32>(at - start + literalLength + matchLength);
        return failAt(BAD_BLOCK_SIZE, block - 3, <u32>(limit - start), reached);
      }
      v128.store(at, v128.load(literal));
      if (literalLength > 16) copyWide(at + 16, literal + 16, at + literalLength);
      at += literalLength;
      literal += literalLength;

      let match = at - offset;
      let step: usize = offset;
      if (offset - 1 >= <u32>(at - base) || offset > window) {
        const reached = total + (at - start);
        const reach = reached <= <u64>window ? reached + load<u32>(decoder, PREFIX_SIZE) : <u64>window;
        if (!offset || offset > reach) {
          return failAt(BAD_OFFSET, stream, <u32>min<u64>(reach, u32.MAX_VALUE), offset);
        }
        // The match starts in the prefix, and may go on at the base.
        const before = <usize>offset - (at - base);
        match = <usize>load<u32>(decoder, PREFIX_END) - before;
        if (matchLength <= before) {
          step = 16;
        } else {
          memory.copy(at, match, before);
          at += before;
          matchLength -= before;
          match = base;
        }
      }
      const end = at + matchLength;
      if (step >= 16) copyWide(at, match, end);
      else repeatPattern(at, match, step, end);
      at = end;
      if (!count) break;
    }
    if (left) return failAt(BAD_SEQUENCES, stream, 0, 0);
    store<u32>(decoder, repeat1, REPEATS);
    store<u32>(decoder, repeat2, REPEATS + 4);
    store<u32>(decoder, repeat3, REPEATS + 8);
  }
  const rest = literalsEnd - literal;
  if (rest > limit - at) {
    return failAt(BAD_BLOCK_SIZE, block - 3, <u32>(limit - start), <u32>(at - start + rest));
  }
  memory.copy(at, literal, rest);
  return at + rest;
}

/** Copies at least to `end`, in steps of 16 bytes. `src` is not within 16 bytes before `dst`. */
function copyWide(dst: usize, src: usize, end: usize): void {
  do {
    v128.store(dst, v128.load(src));
    dst += 16;
    src += 16;
  } while (dst < end);
}

/** Repeats the `period` bytes, 15 at most, from `src` to `dst` right after them, at least to `end`. */
function repeatPattern(dst: usize, src: usize, period: usize, end: usize): void {
  const pattern = v128.swizzle(v128.load(src), v128.load(PATTERNS + (period << 4)));
  const step: usize = 16 - (<usize>16 % period);
  do {
    v128.store(dst, pattern);
    dst += step;
  } while (dst < end);
}
