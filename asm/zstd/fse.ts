// Finite State Entropy: table descriptions and decode tables (RFC 8878, 4.1).
//
// A table is u32 accuracy log, u32 unused, then an entry of eight bytes per state:
// u8 bits that the next state adds, u8 extra bits of the value, u16 base of the next state, u32 base of the value.
// Bit counts come first so that an entry can serve as a shift count, of which wasm takes the low six bits.
import { highBit, peekForward } from './bits';

export const TABLE_HEADER: usize = 8;

export const LITERAL_LENGTH_LOG: u32 = 9;
export const MATCH_LENGTH_LOG: u32 = 9;
export const OFFSET_LOG: u32 = 8;
export const LITERAL_LENGTH_MAX: u32 = 35;
export const MATCH_LENGTH_MAX: u32 = 52;
export const OFFSET_MAX: u32 = 31;

/** Bytes of a table of any accuracy the format allows for the kind. */
export const LITERAL_LENGTH_TABLE: usize = TABLE_HEADER + (8 << 9);
export const MATCH_LENGTH_TABLE: usize = TABLE_HEADER + (8 << 9);
export const OFFSET_TABLE: usize = TABLE_HEADER + (8 << 8);

// What each code means, as the value half of an entry.
export const LITERAL_LENGTH_CODES: usize = memory.data(36 * 8, 8);
export const MATCH_LENGTH_CODES: usize = memory.data(53 * 8, 8);
export const OFFSET_CODES: usize = memory.data(32 * 8, 8);

export const PREDEFINED_LITERAL_LENGTHS: usize = memory.data(8 + 64 * 8, 8);
export const PREDEFINED_MATCH_LENGTHS: usize = memory.data(8 + 64 * 8, 8);
export const PREDEFINED_OFFSETS: usize = memory.data(8 + 32 * 8, 8);

// The description read last: probabilities (-1: less than one), how many, and their accuracy.
const COUNTS: usize = memory.data(256 * 2, 8);
let symbols: u32 = 0;
let log: u32 = 0;

const SYMBOLS: usize = memory.data(512, 8); // symbol of each state while a table is built
const NEXT: usize = memory.data(256 * 2, 8); // per symbol, the number its next state gets

function init(): void {
  const literalLengthBits = memory.data<u8>([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
  ]);
  const matchLengthBits = memory.data<u8>([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
  ]);
  lengthCodes(LITERAL_LENGTH_CODES, literalLengthBits, LITERAL_LENGTH_MAX, 0);
  lengthCodes(MATCH_LENGTH_CODES, matchLengthBits, MATCH_LENGTH_MAX, 3);
  // Codes 0 and 1 give the offset values 1 to 3, the repeat offsets; above, the 3 is taken off here.
  for (let code: u32 = 0; code <= OFFSET_MAX; code++) {
    const base: u32 = (<u32>1 << code) - (code > 1 ? 3 : 0);
    store<u64>(OFFSET_CODES + (<usize>code << 3), (<u64>base << 32) | (<u64>code << 8));
  }
  predefine(PREDEFINED_LITERAL_LENGTHS, LITERAL_LENGTH_CODES, 6, 36, memory.data<i8>([
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
  ]));
  predefine(PREDEFINED_MATCH_LENGTHS, MATCH_LENGTH_CODES, 6, 53, memory.data<i8>([
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
  ]));
  predefine(PREDEFINED_OFFSETS, OFFSET_CODES, 5, 29, memory.data<i8>([
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
  ]));
}
init();

function lengthCodes(codes: usize, bits: usize, maxCode: u32, base: u32): void {
  for (let code: u32 = 0; code <= maxCode; code++) {
    const extra = <u32>load<u8>(bits + code);
    store<u64>(codes + (<usize>code << 3), (<u64>base << 32) | (<u64>extra << 8));
    base += <u32>1 << extra;
  }
}

function predefine(table: usize, codes: usize, accuracyLog: u32, count: u32, counts: usize): void {
  log = accuracyLog;
  symbols = count;
  for (let s: u32 = 0; s < count; s++) store<i16>(COUNTS + (<usize>s << 1), load<i8>(counts + s));
  buildTable(table, codes);
}

/** Reads a table description. Gives where it ends, or 0 when it is not valid. */
export function readCounts(src: usize, srcEnd: usize, maxLog: u32, maxSymbol: u32): usize {
  log = (peekForward(src, srcEnd, 0) & 15) + 5;
  if (log > maxLog) return 0;
  let bit: usize = 4;
  let remaining: i32 = 1 << log;
  symbols = 0;
  while (remaining > 0) {
    if (symbols > maxSymbol) return 0;
    // A value up to remaining + 1 takes `width` bits, or one less when it is below `short`.
    const width = highBit(remaining + 1) + 1;
    const half: u32 = (<u32>1 << (width - 1)) - 1;
    const short: u32 = (<u32>2 << (width - 1)) - 2 - <u32>remaining;
    const bits = peekForward(src, srcEnd, bit);
    let value = bits & half;
    if (value < short) {
      bit += width - 1;
    } else {
      value = bits & (2 * half + 1);
      if (value > half) value -= short;
      bit += width;
    }
    const count = <i32>value - 1;
    store<i16>(COUNTS + (<usize>symbols << 1), <i16>count);
    symbols++;
    remaining -= abs(count);
    if (!count) {
      let zeros: u32;
      do {
        zeros = peekForward(src, srcEnd, bit) & 3;
        bit += 2;
        if (symbols + zeros > maxSymbol + 1) return 0;
        for (const stop = symbols + zeros; symbols < stop; symbols++) store<i16>(COUNTS + (<usize>symbols << 1), 0);
      } while (zeros == 3);
    }
  }
  const size = (bit + 7) >>> 3;
  return size <= srcEnd - src ? src + size : 0;
}

/** Builds the table of the description read last. Without `codes` the value is the symbol itself. */
export function buildTable(table: usize, codes: usize): void {
  const size: u32 = <u32>1 << log;
  const mask = size - 1;
  store<u32>(table, log);
  let high = mask;
  for (let s: u32 = 0; s < symbols; s++) {
    const count = load<i16>(COUNTS + (<usize>s << 1));
    if (count < 0) store<u8>(SYMBOLS + high--, <u8>s);
    store<i16>(NEXT + (<usize>s << 1), count < 0 ? 1 : count);
  }
  const step = (size >>> 1) + (size >>> 3) + 3;
  let position: u32 = 0;
  for (let s: u32 = 0; s < symbols; s++) {
    for (let i = <i32>load<i16>(COUNTS + (<usize>s << 1)); i > 0; i--) {
      store<u8>(SYMBOLS + position, <u8>s);
      do position = (position + step) & mask;
      while (position > high);
    }
  }
  for (let state: u32 = 0; state < size; state++) {
    const s = <u32>load<u8>(SYMBOLS + state);
    const x = <u32>load<u16>(NEXT + (<usize>s << 1));
    store<u16>(NEXT + (<usize>s << 1), <u16>(x + 1));
    const bits = log - highBit(x);
    const value = codes ? load<u64>(codes + (<usize>s << 3)) : <u64>s << 32;
    store<u64>(table + TABLE_HEADER + (<usize>state << 3), value | (((x << bits) - size) << 16) | bits);
  }
}

/** A table that gives one code for ever and takes no bits. */
export function buildSingle(table: usize, codes: usize, code: u32): void {
  store<u32>(table, 0);
  store<u64>(table + TABLE_HEADER, load<u64>(codes + (<usize>code << 3)));
}
