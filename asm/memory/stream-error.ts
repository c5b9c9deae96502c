// The error of a push decoder, in the order of `types.stream-error-code` of the WIT.

export const TRUNCATED: u32 = 0;
export const BAD_MAGIC: u32 = 1;
export const RESERVED: u32 = 2;
export const WINDOW_TOO_LARGE: u32 = 3;
export const MISSING_DICTIONARY: u32 = 4;
export const BAD_DICTIONARY: u32 = 5;
export const BAD_BLOCK_SIZE: u32 = 6;
export const BAD_LITERALS: u32 = 7;
export const BAD_HUFFMAN: u32 = 8;
export const BAD_FSE: u32 = 9;
export const BAD_SEQUENCES: u32 = 10;
export const BAD_OFFSET: u32 = 11;
export const BAD_CHECKSUM: u32 = 12;
export const BAD_CONTENT_SIZE: u32 = 13;
export const OUT_OF_MEMORY: u32 = 14;

/**
 * What the last failed call of a decoder says: u32 code, u32 expected, u32 found, u32 unused, u64 offset.
 * Read at once by the caller; the module is single-threaded.
 */
export const STREAM_ERROR: usize = memory.data(24, 8);

/** Notes an error; gives -1, what a failed push returns. */
export function fail(code: u32, offset: u64, expected: u32, found: u32): i32 {
  store<u32>(STREAM_ERROR, code);
  store<u32>(STREAM_ERROR, expected, 4);
  store<u32>(STREAM_ERROR, found, 8);
  store<u64>(STREAM_ERROR, offset, 16);
  return -1;
}

/** Address of the error of the last failed call. */
export function stream_error(): usize {
  return STREAM_ERROR;
}
