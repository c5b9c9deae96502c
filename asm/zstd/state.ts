// Layout of the states, and errors that point into them.
import { SLACK } from '../memory/heap';
import { fail } from '../memory/stream-error';
import { LITERAL_LENGTH_TABLE, MATCH_LENGTH_TABLE, OFFSET_TABLE } from './fse';
import { HUFFMAN_TABLE } from './huffman';

/** Sizes of blocks end here whatever the window is. */
export const BLOCK_MAX: u32 = 128 << 10;
/** What wide copies may touch after a block's end, within the output buffer. */
export const WILD: usize = SLACK;

// A dictionary, in one block of memory with its content at the end.
export const DICTIONARY_ID: usize = 0x00;
export const DICTIONARY_CONTENT: usize = 0x04; // address
export const DICTIONARY_SIZE: usize = 0x08; // of the content
export const DICTIONARY_ENTROPY: usize = 0x0c; // 1: the fields below are there
export const DICTIONARY_REPEATS: usize = 0x10; // u32 x 3
export const DICTIONARY_TABLES: usize = 0x20;

// Tables, relative to DICTIONARY_TABLES or TABLES.
export const HUFFMAN: usize = 0;
export const LITERAL_LENGTHS: usize = HUFFMAN + HUFFMAN_TABLE;
export const MATCH_LENGTHS: usize = LITERAL_LENGTHS + LITERAL_LENGTH_TABLE;
export const OFFSETS: usize = MATCH_LENGTHS + MATCH_LENGTH_TABLE;
export const TABLES_SIZE: usize = OFFSETS + OFFSET_TABLE;

// A decoder.
export const WINDOW_LIMIT: usize = 0x00;
export const DEFAULT_DICTIONARY: usize = 0x04;
export const DICTIONARIES: usize = 0x08; // address of u32 dictionary x count
export const DICTIONARY_COUNT: usize = 0x0c;

export const STAGE: usize = 0x10; // what the next unit of input is
export const NEED: usize = 0x14; // bytes of that unit
export const POSITION: usize = 0x18; // u64, where that unit starts in the stream
export const RECEIVED: usize = 0x20; // u64, bytes pushed so far
export const STARTED: usize = 0x28; // whether a frame was seen
export const FINAL: usize = 0x2c; // whether the last push was

export const HELD: usize = 0x30; // address of the input not yet taken
export const HELD_CAPACITY: usize = 0x34;
export const HELD_START: usize = 0x38; // relative to HELD
export const HELD_END: usize = 0x3c; // relative to HELD

export const BUFFER: usize = 0x40; // address of the output: the window is the end of it
export const CAPACITY: usize = 0x44;
export const GIVEN: usize = 0x48; // address where the output of this push starts
export const AT: usize = 0x4c; // address where the next block goes
export const BASE: usize = 0x50; // address where the bytes of the frame that end at AT start
export const PREFIX_END: usize = 0x54; // address of the end of what comes before BASE: older output or the dictionary
export const PREFIX_SIZE: usize = 0x58; // of the dictionary's content
export const LITERALS: usize = 0x5c; // address of the buffer for the literals of a block
export const LITERALS_CAPACITY: usize = 0x60;

export const DESCRIPTOR: usize = 0x64; // of the frame header
export const WINDOW: usize = 0x68;
export const BLOCK_LIMIT: usize = 0x6c; // largest block of the frame
export const CONTENT_SIZE: usize = 0x70; // u64, all ones when the frame does not say
export const CONTENT_SIZE_AT: usize = 0x78; // u64, offset of that field in the stream
export const TOTAL: usize = 0x80; // u64, bytes of the frame decoded so far
export const BLOCK_HEADER: usize = 0x88; // of the block that comes

export const HUFFMAN_PTR: usize = 0x90; // tables in use, 0 for none
export const LITERAL_LENGTHS_PTR: usize = 0x94;
export const MATCH_LENGTHS_PTR: usize = 0x98;
export const OFFSETS_PTR: usize = 0x9c;
export const REPEATS: usize = 0xa0; // u32 x 3

export const PENDING: usize = 0xac; // whether an empty push gives more
export const FAILED: usize = 0xb0; // whether FAILURE is set
export const FAILURE: usize = 0xb8; // as STREAM_ERROR
export const CHECKSUM: usize = 0xd0; // XXH64_STATE
export const TABLES: usize = 0x118;
export const DECODER_SIZE: usize = TABLES + TABLES_SIZE;

let origin: u64 = 0;

/** Says that the input at address `p` is at `position` in the stream. */
export function locate(p: usize, position: u64): void {
  origin = position - p;
}

/** Offset in the stream of the input at address `p`. */
export function offsetOf(p: usize): u64 {
  return origin + p;
}

/** Notes an error at address `p` of the input. Gives 0, what functions that fail return. */
export function failAt(code: u32, p: usize, expected: u32, found: u32): usize {
  fail(code, origin + p, expected, found);
  return 0;
}
