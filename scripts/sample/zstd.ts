/** A small zstd encoder for fixtures (RFC 8878): every kind of block, of literals and of tables comes out of it. */
import { hash } from '../../ts/kernels/reference/hash.ts';
import { ByteWriter } from './bytes.ts';
import { BitWriter, FseTable, HuffmanCode, describe, normalize, type Distribution } from './entropy.ts';
import { MatchFinder } from './match-finder.ts';

const MAGIC = 0xfd2fb528;
const DICTIONARY_MAGIC = 0xec30a437;
const MAX_BLOCK = 128 * 1024;
const MIN_WINDOW_LOG = 10;
const MIN_MATCH = 4;
const MIN_REPEAT_MATCH = 3;
const SEARCH_DEPTH = 16;
/** Smallest log of a table that can be described. */
const MIN_LOG = 5;

const highBit = (value: number): number => 31 - Math.clz32(value);

/** Codes of lengths: the first value of each code, and how many bits tell its values apart. */
interface LengthCodes {
  base: number[];
  bits: number[];
}

function lengthCodes(first: number, single: number, bits: readonly number[]): LengthCodes {
  const all = [...Array.from({ length: single }, () => 0), ...bits];
  const base: number[] = [];
  let value = first;
  for (const width of all) {
    base.push(value);
    value += 2 ** width;
  }
  return { base, bits: all };
}

const LITERAL_LENGTHS = lengthCodes(0, 16, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
export const MATCH_LENGTHS = lengthCodes(3, 32, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
export const codeOf = ({ base }: LengthCodes, value: number): number => base.findLastIndex((first) => value >= first);

/** What is special about each of the three tables of sequences. */
interface TableKind {
  predefined: Distribution;
  maxLog: number;
  /** number of symbols that a dictionary gives a code */
  symbols: number;
}

const ones = (count: number): number[] => Array.from({ length: count }, () => 1);
const rare = (count: number): number[] => Array.from({ length: count }, () => -1);
const TABLES: Record<'literalLengths' | 'offsets' | 'matchLengths', TableKind> = {
  literalLengths: {
    predefined: {
      log: 6,
      probabilities: [
        4,
        3,
        ...Array.from({ length: 11 }, () => 2),
        ...ones(3),
        ...Array.from({ length: 9 }, () => 2),
        3,
        2,
      ]
        .concat(ones(5))
        .concat(rare(4)),
    },
    maxLog: 9,
    symbols: 36,
  },
  offsets: {
    predefined: { log: 5, probabilities: [...ones(6), 2, 2, 2, ...ones(15), ...rare(5)] },
    maxLog: 8,
    symbols: 31,
  },
  matchLengths: {
    predefined: { log: 6, probabilities: [1, 4, 3, ...Array.from({ length: 6 }, () => 2), ...ones(37), ...rare(7)] },
    maxLog: 9,
    symbols: 53,
  },
};
/** The order in which the sequences section describes its tables. */
const TABLE_ORDER = ['literalLengths', 'offsets', 'matchLengths'] as const;
type TableName = (typeof TABLE_ORDER)[number];

const PREDEFINED = Object.fromEntries(
  TABLE_ORDER.map((name) => [name, new FseTable(TABLES[name].predefined)]),
) as Record<TableName, FseTable>;

/** What one block leaves to the next. */
export interface State {
  repeats: [number, number, number];
  tables: Partial<Record<TableName, FseTable>>;
  huffman: HuffmanCode | undefined;
}

interface Sequence {
  literals: number;
  match: number;
  /** 1 to 3: one of the repeat offsets; above: the distance and 3 */
  offsetValue: number;
}

/** Says a distance as an offset value and moves the repeat offsets on, as the decoder will. */
function offsetValue(distance: number, literals: number, repeats: State['repeats']): number {
  const [a, b, c] = repeats;
  // Without literals the first repeat offset is no choice, and one less than it is the third.
  const choices = literals ? [a, b, c] : [b, c, a - 1];
  const choice = choices.indexOf(distance);
  if (choice < 0) repeats.splice(0, 3, distance, a, b);
  else {
    const index = literals ? choice : choice + 1;
    if (index === 1) repeats.splice(0, 3, b, a, c);
    else if (index >= 2) repeats.splice(0, 3, distance, a, b);
  }
  return choice < 0 ? distance + 3 : choice + 1;
}

/** Where matches may be looked for. */
interface Search {
  finder: MatchFinder;
  /** dictionary content, then the data */
  bytes: Uint8Array;
  dictionarySize: number;
  window: number;
}

/** First place that a match at `at` may begin: dictionary content is gone once the window is full. */
function lowestSource({ dictionarySize, window }: Search, at: number, end: number): number {
  return end - dictionarySize <= window ? 0 : Math.max(dictionarySize, at - window);
}

/** Splits the bytes from `start` to `end` into literals and matches. */
function parse(search: Search, start: number, end: number, repeats: State['repeats']) {
  const { finder, bytes } = search;
  const sequences: Sequence[] = [];
  const literals = new ByteWriter();
  let anchor = start;
  for (let at = start; at < end;) {
    const lowest = lowestSource(search, at, end);
    const found = finder.find(at, end, lowest);
    let distance = at - found.at;
    let length = found.length;
    for (const repeat of at > anchor ? repeats : repeats.slice(1)) {
      if (repeat > at - lowest) continue;
      const common = finder.common(at - repeat, at, end);
      if (common >= MIN_REPEAT_MATCH && common + 1 >= length) [distance, length] = [repeat, common];
    }
    if (!length) {
      at++;
      continue;
    }
    const count = at - anchor;
    sequences.push({ literals: count, match: length, offsetValue: offsetValue(distance, count, repeats) });
    literals.bytes(bytes.subarray(anchor, at));
    at += length;
    anchor = at;
  }
  literals.bytes(bytes.subarray(anchor, end));
  return { sequences, literals: literals.take() };
}

/** Fewer literals than this are not worth four streams. */
const SINGLE_STREAM = 256;

/** Literals section: the kind that is smallest. */
function writeLiterals(out: ByteWriter, literals: Uint8Array, state: State): void {
  const size = literals.length;
  const plain = (type: number, data: Uint8Array): void => {
    if (size < 32) out.u8(type | (size << 3));
    else if (size < 4096) out.le(type | (1 << 2) | (size << 4), 2);
    else out.le(type | (3 << 2) | (size << 4), 3);
    out.bytes(data);
  };
  if (size > 1 && literals.every((byte) => byte === literals[0])) {
    plain(1, literals.subarray(0, 1));
    return;
  }
  const counts = Array.from({ length: 256 }, () => 0);
  for (const byte of literals) counts[byte]!++;
  let best: { code: HuffmanCode; type: number; body: Uint8Array } | undefined;
  const consider = (code: HuffmanCode, type: number, tree: Uint8Array): void => {
    const body = huffmanBody(code, tree, literals);
    if (!best || body.length < best.body.length) best = { code, type, body };
  };
  if (size > 0 && state.huffman?.covers(literals)) consider(state.huffman, 3, new Uint8Array(0));
  if (counts.filter(Boolean).length > 1) {
    const code = new HuffmanCode(counts);
    const tree = code.describe();
    if (tree) consider(code, 2, tree);
  }
  if (!best || best.body.length >= size) {
    plain(0, literals);
    return;
  }
  const { code, type, body } = best;
  state.huffman = code;
  // Two bits of type, two of format, then both sizes in 10, 14 or 18 bits.
  const [format, width] = size < SINGLE_STREAM ? [0, 10] : size < 1024 ? [1, 10] : size < 16384 ? [2, 14] : [3, 18];
  out.le(type + format * 4 + size * 16 + body.length * 2 ** (4 + width), (4 + 2 * width) / 8);
  out.bytes(body);
}

function huffmanBody(code: HuffmanCode, tree: Uint8Array, literals: Uint8Array): Uint8Array {
  const out = new ByteWriter();
  out.bytes(tree);
  if (literals.length < SINGLE_STREAM) {
    out.bytes(code.encode(literals));
    return out.take();
  }
  const quarter = Math.ceil(literals.length / 4);
  const streams = [0, 1, 2, 3].map((i) => code.encode(literals.subarray(i * quarter, (i + 1) * quarter)));
  for (const stream of streams.slice(0, 3)) out.le(stream.length, 2);
  for (const stream of streams) out.bytes(stream);
  return out.take();
}

/** Chooses the table that costs least for these symbols: predefined 0, one symbol 1, described 2, repeated 3. */
function chooseTable(kind: TableKind, predefined: FseTable, previous: FseTable | undefined, symbols: number[]) {
  const highest = symbols.reduce((a, b) => Math.max(a, b));
  const counts: number[] = Array.from({ length: highest + 1 }, () => 0);
  for (const symbol of symbols) counts[symbol]!++;
  const none: Uint8Array = new Uint8Array(0);
  const choices = [{ mode: 0, table: predefined, description: none }];
  if (previous) choices.push({ mode: 3, table: previous, description: none });
  if (counts.filter(Boolean).length === 1) {
    choices.push({ mode: 1, table: FseTable.rle(symbols[0]!), description: Uint8Array.of(symbols[0]!) });
  } else {
    const log = Math.min(kind.maxLog, Math.max(MIN_LOG, highBit(counts.length) + 1, highBit(symbols.length)));
    const distribution = normalize(counts, log);
    choices.push({ mode: 2, table: new FseTable(distribution), description: describe(distribution) });
  }
  const cost = ({ table, description }: (typeof choices)[number]): number =>
    table.cost(counts) + table.log + 8 * description.length;
  return choices.reduce((a, b) => (cost(b) < cost(a) ? b : a));
}

/** Sequences section. */
function writeSequences(out: ByteWriter, sequences: readonly Sequence[], state: State): void {
  const count = sequences.length;
  if (count < 128) out.u8(count);
  else if (count < 0x7f00) out.bytes(Uint8Array.of((count >> 8) + 128, count & 0xff));
  else {
    out.u8(255);
    out.le(count - 0x7f00, 2);
  }
  if (!count) return;
  const symbols = codesOf(sequences);
  const chosen = TABLE_ORDER.map((name) =>
    chooseTable(TABLES[name], PREDEFINED[name], state.tables[name], symbols[name]),
  );
  out.u8(chosen.reduce((modes, { mode }, i) => modes | (mode << (6 - 2 * i)), 0));
  for (const { description } of chosen) out.bytes(description);
  const [literalLengths, offsets, matchLengths] = chosen.map(({ table }) => table) as [FseTable, FseTable, FseTable];
  state.tables = { literalLengths, offsets, matchLengths };

  // The decoder goes through all this from the end.
  const bits = new BitWriter();
  const states = { literalLengths: 0, offsets: 0, matchLengths: 0 };
  for (let i = count - 1; i >= 0; i--) {
    const [l, o, m] = [symbols.literalLengths[i]!, symbols.offsets[i]!, symbols.matchLengths[i]!];
    if (i === count - 1) {
      states.literalLengths = literalLengths.last(l);
      states.offsets = offsets.last(o);
      states.matchLengths = matchLengths.last(m);
    } else {
      states.offsets = offsets.encode(bits, o, states.offsets);
      states.matchLengths = matchLengths.encode(bits, m, states.matchLengths);
      states.literalLengths = literalLengths.encode(bits, l, states.literalLengths);
    }
    const { literals, match, offsetValue: value } = sequences[i]!;
    bits.add(literals - LITERAL_LENGTHS.base[l]!, LITERAL_LENGTHS.bits[l]!);
    bits.add(match - MATCH_LENGTHS.base[m]!, MATCH_LENGTHS.bits[m]!);
    bits.add(value - 2 ** o, o);
  }
  bits.add(states.matchLengths, matchLengths.log);
  bits.add(states.offsets, offsets.log);
  bits.add(states.literalLengths, literalLengths.log);
  out.bytes(bits.close());
}

function codesOf(sequences: readonly Sequence[]): Record<TableName, number[]> {
  return {
    literalLengths: sequences.map(({ literals }) => codeOf(LITERAL_LENGTHS, literals)),
    offsets: sequences.map(({ offsetValue: value }) => highBit(value)),
    matchLengths: sequences.map(({ match }) => codeOf(MATCH_LENGTHS, match)),
  };
}

/** A dictionary in the standard format, and what frames that use it begin with. */
export interface ZstdDictionary {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly content: Uint8Array;
  readonly state: State;
}

export interface ZstdOptions {
  /** what `writeZstdDictionary` gave, or bytes that are taken as they are: a raw content dictionary */
  dictionary?: ZstdDictionary | Uint8Array;
  /** writes the checksum of the content; default false, as in the games' files */
  checksum?: boolean;
  /** writes the content size; default true, as the games need */
  contentSize?: boolean;
  /** window of `2 ** windowLog` bytes; without it, and with the content size, the frame is a single segment */
  windowLog?: number;
  /** bytes of a block, at most the window and 128 KiB */
  blockSize?: number;
  /** leaves the id of the dictionary out of the header */
  omitDictionaryId?: boolean;
}

/** What a frame starts from: a dictionary, raw content, or nothing. */
function startOf(dictionary: ZstdOptions['dictionary']): Omit<ZstdDictionary, 'bytes'> {
  if (dictionary && !(dictionary instanceof Uint8Array)) return dictionary;
  return {
    id: 0,
    content: dictionary ?? new Uint8Array(0),
    state: { repeats: [1, 4, 8], tables: {}, huffman: undefined },
  };
}

function writeHeader(out: ByteWriter, size: number, id: number, options: ZstdOptions): number {
  const { contentSize = true, checksum = false } = options;
  const singleSegment = contentSize && options.windowLog === undefined;
  const windowLog = options.windowLog ?? Math.max(MIN_WINDOW_LOG, Math.ceil(Math.log2(Math.max(1, size))));
  // Without the single-segment flag one byte of content size cannot be said.
  const field = !contentSize
    ? 0
    : size < 256
      ? singleSegment
        ? 0
        : 2
      : size < 65536 + 256
        ? 1
        : size < 2 ** 32
          ? 2
          : 3;
  const idField = id === 0 ? 0 : id < 256 ? 1 : id < 65536 ? 2 : 3;
  out.le(MAGIC, 4);
  out.u8((field << 6) | (singleSegment ? 0x20 : 0) | (checksum ? 4 : 0) | idField);
  if (!singleSegment) out.u8((windowLog - MIN_WINDOW_LOG) << 3);
  out.le(id, [0, 1, 2, 4][idField]!);
  if (contentSize) out.le(field === 1 ? size - 256 : size, [1, 2, 4, 8][field]!);
  return singleSegment ? size : 2 ** windowLog;
}

/** One block; `state` moves on only when the block is compressed. */
function writeBlock(out: ByteWriter, search: Search, start: number, end: number, last: boolean, state: State): void {
  const raw = search.bytes.subarray(start, end);
  const header = (type: number, size: number): void => out.le((last ? 1 : 0) | (type << 1) | (size << 3), 3);
  if (raw.length > 1 && raw.every((byte) => byte === raw[0])) {
    header(1, raw.length);
    out.u8(raw[0]!);
    return;
  }
  const next: State = { ...state, repeats: [...state.repeats] };
  const { sequences, literals } = parse(search, start, end, next.repeats);
  const body = new ByteWriter();
  writeLiterals(body, literals, next);
  writeSequences(body, sequences, next);
  if (body.length >= raw.length) {
    header(0, raw.length);
    out.bytes(raw);
    return;
  }
  header(2, body.length);
  out.bytes(body.take());
  Object.assign(state, next);
}

/** Compresses `data` to one frame. */
export function writeZstd(data: Uint8Array, options: ZstdOptions = {}): Uint8Array {
  const { id, content, state: initial } = startOf(options.dictionary);
  const out = new ByteWriter();
  const window = writeHeader(out, data.length, options.omitDictionaryId ? 0 : id, options);
  const dictionarySize = content.length;
  const bytes = new Uint8Array(dictionarySize + data.length);
  bytes.set(content);
  bytes.set(data, dictionarySize);
  const search: Search = { finder: new MatchFinder(bytes, MIN_MATCH, SEARCH_DEPTH), bytes, dictionarySize, window };
  const state: State = { ...initial, repeats: [...initial.repeats] };
  const blockSize = Math.max(1, Math.min(options.blockSize ?? MAX_BLOCK, MAX_BLOCK, window));
  let start = dictionarySize;
  do {
    const end = Math.min(start + blockSize, bytes.length);
    writeBlock(out, search, start, end, end === bytes.length, state);
    start = end;
  } while (start < bytes.length);
  if (options.checksum) out.le(Number(hash.xxh64(data, 0n) & 0xffffffffn), 4);
  return out.take();
}

/** Longest content of a dictionary. */
const MAX_DICTIONARY_CONTENT = 112 * 1024;
const MIN_DICTIONARY_CONTENT = 8;

/**
 * Makes a dictionary with this id out of samples: the content is the end of them all, the tables say how often they have
 * which literals and codes, and every literal and code that could occur has one.
 */
export function writeZstdDictionary(samples: readonly Uint8Array[], id: number): ZstdDictionary {
  if (!Number.isInteger(id) || id < 1 || id > 0xffffffff) throw new RangeError(`not a dictionary id: ${id}`);
  const all = new ByteWriter();
  for (const sample of samples) all.bytes(sample);
  const bytes = all.take();
  const content = bytes.slice(-MAX_DICTIONARY_CONTENT);
  if (content.length < MIN_DICTIONARY_CONTENT) throw new RangeError('the samples must have at least 8 bytes');

  const literalCounts = ones(256);
  const counts = Object.fromEntries(TABLE_ORDER.map((name) => [name, ones(TABLES[name].symbols)])) as Record<
    TableName,
    number[]
  >;
  const distances = new Map<number, number>();
  // Each sample finds matches in those before it, as frames will in the dictionary.
  const finder = new MatchFinder(bytes, MIN_MATCH, SEARCH_DEPTH);
  const search: Search = { finder, bytes, dictionarySize: 0, window: bytes.length };
  let end = 0;
  for (const sample of samples) {
    const start = end;
    end += sample.length;
    const { sequences, literals } = parse(search, start, end, [1, 4, 8]);
    for (const literal of literals) literalCounts[literal]!++;
    const codes = codesOf(sequences);
    for (const name of TABLE_ORDER) for (const code of codes[name]) counts[name][code]!++;
    for (const { offsetValue: value } of sequences) {
      if (value > 3) distances.set(value - 3, (distances.get(value - 3) ?? 0) + 1);
    }
  }
  let huffman = new HuffmanCode(literalCounts);
  let tree = huffman.describe();
  if (!tree) {
    // Codes of one length, which about equal counts give, cannot be described: make one of them shorter.
    literalCounts[0]! *= 256;
    huffman = new HuffmanCode(literalCounts);
    tree = huffman.describe()!;
  }
  const distributions = TABLE_ORDER.map((name) => normalize(counts[name], TABLES[name].maxLog));
  const [literalLengths, offsets, matchLengths] = distributions as [Distribution, Distribution, Distribution];
  const commonest = [...distances].sort((a, b) => b[1] - a[1]).map(([distance]) => distance);
  const repeats = [...new Set([...commonest, 1, 4, 8])].filter((distance) => distance <= content.length).slice(0, 3);

  const out = new ByteWriter();
  out.le(DICTIONARY_MAGIC, 4);
  out.le(id, 4);
  out.bytes(tree);
  for (const distribution of [offsets, matchLengths, literalLengths]) out.bytes(describe(distribution));
  for (const repeat of repeats) out.le(repeat, 4);
  out.bytes(content);
  const tables = {
    literalLengths: new FseTable(literalLengths),
    offsets: new FseTable(offsets),
    matchLengths: new FseTable(matchLengths),
  };
  return { id, bytes: out.take(), content, state: { repeats: repeats as State['repeats'], tables, huffman } };
}
