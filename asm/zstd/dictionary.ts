// Dictionaries (RFC 8878, 5).
import { alloc, free } from '../memory/heap';
import { BAD_DICTIONARY, OUT_OF_MEMORY } from '../memory/stream-error';
import {
  LITERAL_LENGTH_CODES, LITERAL_LENGTH_LOG, LITERAL_LENGTH_MAX, MATCH_LENGTH_CODES, MATCH_LENGTH_LOG, MATCH_LENGTH_MAX,
  OFFSET_CODES, OFFSET_LOG, OFFSET_MAX, buildTable, readCounts,
} from './fse';
import { MAX_DICTIONARY_BITS, readTree } from './huffman';
import {
  DICTIONARY_CONTENT, DICTIONARY_ENTROPY, DICTIONARY_ID, DICTIONARY_REPEATS, DICTIONARY_SIZE, DICTIONARY_TABLES,
  HUFFMAN, LITERAL_LENGTHS, MATCH_LENGTHS, OFFSETS, TABLES_SIZE, failAt, locate,
} from './state';

const MAGIC: u32 = 0xec30a437;

/** Parses the dictionary `src..srcEnd`. Gives its state, or 0 after `failAt`. */
export function openDictionary(src: usize, srcEnd: usize): usize {
  locate(src, 0);
  const size = srcEnd - src;
  if (size < 8) return failAt(BAD_DICTIONARY, src, 8, <u32>size);
  const entropy = load<u32>(src) == MAGIC;
  const header = DICTIONARY_TABLES + (entropy ? TABLES_SIZE : 0);
  const dictionary = size < 0xf0000000 - header ? alloc(header + size) : 0;
  if (!dictionary) return failAt(OUT_OF_MEMORY, src, <u32>size, 0);
  let content = src;
  if (entropy) {
    content = readEntropy(dictionary, src, srcEnd);
    if (!content) {
      free(dictionary);
      return 0;
    }
  }
  const contentSize = srcEnd - content;
  memory.copy(dictionary + header, content, contentSize);
  store<u32>(dictionary, entropy ? load<u32>(src, 4) : 0, DICTIONARY_ID);
  store<u32>(dictionary, <u32>(dictionary + header), DICTIONARY_CONTENT);
  store<u32>(dictionary, <u32>contentSize, DICTIONARY_SIZE);
  store<u32>(dictionary, entropy ? 1 : 0, DICTIONARY_ENTROPY);
  return dictionary;
}

/** Reads tables and repeat offsets. Gives where the content starts, or 0. */
function readEntropy(dictionary: usize, src: usize, srcEnd: usize): usize {
  const tables = dictionary + DICTIONARY_TABLES;
  let p = src + 8;
  let end = readTree(tables + HUFFMAN, p, srcEnd, MAX_DICTIONARY_BITS);
  if (!end) return failAt(BAD_DICTIONARY, p, 0, 0);
  p = end;
  end = readCounts(p, srcEnd, OFFSET_LOG, OFFSET_MAX);
  if (!end) return failAt(BAD_DICTIONARY, p, 0, 0);
  buildTable(tables + OFFSETS, OFFSET_CODES);
  p = end;
  end = readCounts(p, srcEnd, MATCH_LENGTH_LOG, MATCH_LENGTH_MAX);
  if (!end) return failAt(BAD_DICTIONARY, p, 0, 0);
  buildTable(tables + MATCH_LENGTHS, MATCH_LENGTH_CODES);
  p = end;
  end = readCounts(p, srcEnd, LITERAL_LENGTH_LOG, LITERAL_LENGTH_MAX);
  if (!end) return failAt(BAD_DICTIONARY, p, 0, 0);
  buildTable(tables + LITERAL_LENGTHS, LITERAL_LENGTH_CODES);
  p = end;
  if (srcEnd - p < 12) return failAt(BAD_DICTIONARY, p, 12, <u32>(srcEnd - p));
  const content = p + 12;
  const contentSize = <u32>(srcEnd - content);
  for (let i: usize = 0; i < 12; i += 4) {
    const repeat = load<u32>(p + i);
    if (!repeat || repeat > contentSize) return failAt(BAD_DICTIONARY, p + i, contentSize, repeat);
    store<u32>(dictionary + DICTIONARY_REPEATS + i, repeat);
  }
  return content;
}
