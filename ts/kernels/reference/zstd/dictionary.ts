import { StreamError } from '../../contract.ts';
import { LITERAL_LENGTHS, MATCH_LENGTHS, OFFSETS, readTable, type Codes, type FseTable } from './fse.ts';
import { MAX_DICTIONARY_BITS, readTree, type HuffmanTable } from './huffman.ts';
import { Source } from './source.ts';

const MAGIC = 0xec30a437;

/** The tables that blocks may take over from what came before. */
export interface Tables {
  huffman: HuffmanTable;
  literalLengths: FseTable;
  offsets: FseTable;
  matchLengths: FseTable;
}

/** What a frame starts from. */
export interface Dictionary {
  readonly id: number;
  readonly content: Uint8Array;
  readonly tables: Partial<Tables>;
  readonly repeats: readonly [number, number, number];
}

export const NO_DICTIONARY: Dictionary = { id: 0, content: new Uint8Array(0), tables: {}, repeats: [1, 4, 8] };

/** Parses a dictionary: the standard format, or raw content. */
export function parseDictionary(data: Uint8Array): Dictionary {
  if (data.length < 8) throw new StreamError('bad-dictionary', 0, 8, data.length);
  const source = new Source();
  source.load(data, 0);
  const { view, start, end } = source;
  if (view.getUint32(start, true) !== MAGIC) return { ...NO_DICTIONARY, content: data.slice() };

  let at = start + 8;
  function parsed<T>(result: [T, number] | undefined): T {
    if (!result) return source.fail('bad-dictionary', at);
    at = result[1];
    return result[0];
  }
  const table = (codes: Codes): FseTable => parsed(readTable(source, at, end, codes));
  const huffman = parsed(readTree(source, at, end, MAX_DICTIONARY_BITS));
  const offsets = table(OFFSETS);
  const matchLengths = table(MATCH_LENGTHS);
  const literalLengths = table(LITERAL_LENGTHS);

  if (end - at < 12) source.fail('bad-dictionary', at, 12, end - at);
  const content = data.slice(at + 12 - start);
  const repeat = (p: number): number => {
    const offset = view.getUint32(p, true);
    if (offset === 0 || offset > content.length) source.fail('bad-dictionary', p, content.length, offset);
    return offset;
  };
  return {
    id: view.getUint32(start + 4, true),
    content,
    tables: { huffman, literalLengths, offsets, matchLengths },
    repeats: [repeat(at), repeat(at + 4), repeat(at + 8)],
  };
}
