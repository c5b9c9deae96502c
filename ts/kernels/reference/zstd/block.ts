import type { Dictionary, Tables } from './dictionary.ts';
import {
  LITERAL_LENGTHS,
  MATCH_LENGTHS,
  OFFSETS,
  PREDEFINED_LITERAL_LENGTHS,
  PREDEFINED_MATCH_LENGTHS,
  PREDEFINED_OFFSETS,
  readTable,
  singleTable,
  type Codes,
  type FseTable,
} from './fse.ts';
import { decodeStream, MAX_BITS, readTree } from './huffman.ts';
import { backwardSize, bitsAt, type Source } from './source.ts';

const RAW = 0;
const RLE = 1;
const TREELESS = 3;

/** From here on, the engine's own copies beat a loop over bytes. */
const LONG = 48;

/** What decoding the blocks of a frame has to go on. */
export interface Frame {
  readonly window: number;
  readonly blockLimit: number;
  readonly dictionary: Dictionary;
  readonly tables: Partial<Tables>;
  repeats: [number, number, number];
  /** Bytes decoded before the block. */
  total: number;
  /** Most bytes that the block may give. */
  room: number;
}

/** Room for the literals of the block at hand. */
let literalsBuffer = new Uint8Array(0);

/**
 * Decodes a compressed block, whose header lies just before the start of `source`, to `out` from `at` on, where the
 * window ends. Gives where the content ends.
 */
export function decodeBlock(source: Source, frame: Frame, out: Uint8Array, at: number): number {
  const [literals, sequences] = readLiterals(source, frame);
  return decodeSequences(source, frame, literals, sequences, out, at);
}

/** The literals and where their section ends. */
function readLiterals(source: Source, { blockLimit, tables }: Frame): [Uint8Array, number] {
  const { bytes, view, start, end } = source;
  const size = end - start;
  const first = size ? bytes[start]! : 0;
  const type = first & 3;
  const format = (first >> 2) & 3;
  const compressed = type > RLE;
  const headerSize = compressed ? [3, 3, 4, 5][format]! : [1, 2, 1, 3][format]!;
  if (size < headerSize) source.fail('bad-literals', start, headerSize, size);

  let regenerated: number;
  let stored: number;
  if (compressed) {
    const width = [10, 10, 14, 18][format]!;
    regenerated = bitsAt(view, start, 4, width);
    stored = bitsAt(view, start, 4 + width, width);
  } else {
    regenerated = format & 1 ? bitsAt(view, start, 4, 8 * headerSize - 4) : first >> 3;
    stored = type === RAW ? regenerated : 1;
  }
  if (regenerated > blockLimit) source.fail('bad-literals', start, blockLimit, regenerated);
  const at = start + headerSize;
  const next = at + stored;
  if (next > end) source.fail('bad-literals', start, end - at, stored);

  if (type === RAW) return [bytes.subarray(at, next), next];
  if (literalsBuffer.length < regenerated) literalsBuffer = new Uint8Array(blockLimit);
  const literals = literalsBuffer.subarray(0, regenerated);
  if (type === RLE) literals.fill(bytes[at]!);
  else decodeHuffman(source, at, next, literals, tables, type === TREELESS, format !== 0);
  return [literals, next];
}

function decodeHuffman(
  source: Source,
  at: number,
  end: number,
  literals: Uint8Array,
  tables: Partial<Tables>,
  treeless: boolean,
  fourStreams: boolean,
): void {
  if (fourStreams && literals.length < 6) source.fail('bad-literals', source.start, 6, literals.length);
  if (!treeless) {
    const tree = readTree(source, at, end, MAX_BITS) ?? source.fail('bad-huffman', at);
    [tables.huffman, at] = tree;
  }
  const table = tables.huffman ?? source.fail('bad-literals', source.start);
  if (!fourStreams) {
    if (!decodeStream(table, source, at, end, literals)) source.fail('bad-huffman', at);
    return;
  }
  if (end - at < 6) source.fail('bad-huffman', at);
  const starts = [at + 6];
  for (let i = 0; i < 3; i++) starts.push(starts[i]! + source.view.getUint16(at + 2 * i, true));
  if (starts[3]! > end) source.fail('bad-huffman', at);
  const quarter = (literals.length + 3) >> 2;
  for (const [i, start] of starts.entries()) {
    const part = literals.subarray(i * quarter, i < 3 ? (i + 1) * quarter : undefined);
    if (!decodeStream(table, source, start, starts[i + 1] ?? end, part)) source.fail('bad-huffman', start);
  }
}

/** Reads the head of the sequences section from `at` on: gives how many sequences follow and where their bits start. */
function readSequencesHead(source: Source, at: number, tables: Partial<Tables>): [number, number] {
  const { bytes, view, end } = source;
  const section = at;
  const first = at < end ? bytes[at]! : 0;
  const size = first < 128 ? 1 : first < 255 ? 2 : 3;
  if (at + size > end) source.fail('bad-sequences', section);
  const count =
    first < 128 ? first : first < 255 ? ((first - 128) << 8) | bytes[at + 1]! : view.getUint16(at + 1, true) + 0x7f00;
  at += size;
  if (!count) {
    if (at < end) source.fail('bad-sequences', section, 0, end - at);
    return [0, at];
  }
  if (at === end) source.fail('bad-sequences', section);
  const modesAt = at++;
  const modes = bytes[modesAt]!;
  if (modes & 3) source.fail('reserved', modesAt, 0, modes & 3);

  const read = (mode: number, codes: Codes, predefined: FseTable, current: FseTable | undefined): FseTable => {
    if (mode === 0) return predefined;
    if (mode === 3) return current ?? source.fail('bad-fse', modesAt);
    if (mode === 1) {
      if (at >= end || bytes[at]! >= codes.values.length) source.fail('bad-fse', at);
      return singleTable(codes, bytes[at++]!);
    }
    const described = readTable(source, at, end, codes) ?? source.fail('bad-fse', at);
    at = described[1];
    return described[0];
  };
  tables.literalLengths = read(modes >> 6, LITERAL_LENGTHS, PREDEFINED_LITERAL_LENGTHS, tables.literalLengths);
  tables.offsets = read((modes >> 4) & 3, OFFSETS, PREDEFINED_OFFSETS, tables.offsets);
  tables.matchLengths = read((modes >> 2) & 3, MATCH_LENGTHS, PREDEFINED_MATCH_LENGTHS, tables.matchLengths);
  return [count, at];
}

function decodeSequences(
  source: Source,
  frame: Frame,
  literals: Uint8Array,
  at: number,
  out: Uint8Array,
  dst: number,
): number {
  const { view } = source;
  const { tables, window, dictionary, total, room } = frame;
  const [count, stream] = readSequencesHead(source, at, tables);
  const dstStart = dst;
  const dstEnd = dst + room;
  const blockHeader = source.start - 3;
  let literal = 0;

  if (count) {
    const { literalLengths, offsets, matchLengths } = tables as Tables;
    let left = backwardSize(source, stream, source.end);
    if (left < 0) source.fail('bad-sequences', stream);
    let literalLengthState = bitsAt(view, stream, (left -= literalLengths.log), literalLengths.log);
    let offsetState = bitsAt(view, stream, (left -= offsets.log), offsets.log);
    let matchLengthState = bitsAt(view, stream, (left -= matchLengths.log), matchLengths.log);
    let [repeat1, repeat2, repeat3] = frame.repeats;

    for (let i = count; i > 0; i--) {
      const literalLengthStep = literalLengths.steps[literalLengthState]!;
      const offsetStep = offsets.steps[offsetState]!;
      const matchLengthStep = matchLengths.steps[matchLengthState]!;
      let offset = offsets.values[offsetState]!;
      let matchLength = matchLengths.values[matchLengthState]!;
      let literalLength = literalLengths.values[literalLengthState]!;

      const offsetBits = (offsetStep >> 8) & 0xff;
      if (offsetBits > 25) {
        left -= offsetBits - 16;
        offset += bitsAt(view, stream, left, offsetBits - 16) * 0x10000 + bitsAt(view, stream, (left -= 16), 16);
      } else {
        offset += bitsAt(view, stream, (left -= offsetBits), offsetBits);
      }
      const matchLengthBits = (matchLengthStep >> 8) & 0xff;
      if (matchLengthBits) matchLength += bitsAt(view, stream, (left -= matchLengthBits), matchLengthBits);
      const literalLengthBits = (literalLengthStep >> 8) & 0xff;
      if (literalLengthBits) literalLength += bitsAt(view, stream, (left -= literalLengthBits), literalLengthBits);
      if (i > 1) {
        left -= literalLengthStep & 0xff;
        literalLengthState = (literalLengthStep >>> 16) + bitsAt(view, stream, left, literalLengthStep & 0xff);
        left -= matchLengthStep & 0xff;
        matchLengthState = (matchLengthStep >>> 16) + bitsAt(view, stream, left, matchLengthStep & 0xff);
        left -= offsetStep & 0xff;
        offsetState = (offsetStep >>> 16) + bitsAt(view, stream, left, offsetStep & 0xff);
      }
      if (left < 0) break;

      if (offsetBits > 1) {
        repeat3 = repeat2;
        repeat2 = repeat1;
        repeat1 = offset;
      } else {
        // 1 to 3 are the repeat offsets; without literals 2 to 4, where 4 is one less than the first.
        const which = literalLength ? offset : offset + 1;
        offset = which === 1 ? repeat1 : which === 2 ? repeat2 : which === 3 ? repeat3 : repeat1 - 1;
        if (which > 2) repeat3 = repeat2;
        if (which > 1) repeat2 = repeat1;
        repeat1 = offset;
      }

      if (literalLength > literals.length - literal) {
        source.fail('bad-sequences', stream, literals.length - literal, literalLength);
      }
      if (literalLength + matchLength > dstEnd - dst) {
        source.fail('bad-block-size', blockHeader, room, dst - dstStart + literalLength + matchLength);
      }
      if (literalLength < LONG) for (let n = literalLength; n > 0; n--) out[dst++] = literals[literal++]!;
      else {
        out.set(literals.subarray(literal, literal + literalLength), dst);
        dst += literalLength;
        literal += literalLength;
      }

      const reached = total + dst - dstStart;
      if (offset > reached || offset > window || offset === 0) {
        const reach = reached <= window ? reached + dictionary.content.length : window;
        if (offset === 0 || offset > reach) source.fail('bad-offset', stream, Math.min(reach, 0xffffffff), offset);
        // The match starts in the dictionary, and may go on at the start of the frame.
        const before = offset - reached;
        const { content } = dictionary;
        let src = content.length - before;
        const size = Math.min(before, matchLength);
        for (const stop = src + size; src < stop;) out[dst++] = content[src++]!;
        matchLength -= size;
      }
      dst = copyMatch(out, dst, offset, matchLength);
    }
    if (left !== 0) source.fail('bad-sequences', stream);
    frame.repeats = [repeat1, repeat2, repeat3];
  }

  const rest = literals.length - literal;
  if (rest > dstEnd - dst) source.fail('bad-block-size', blockHeader, room, dst - dstStart + rest);
  out.set(literals.subarray(literal), dst);
  return dst + rest;
}

/** Repeats `length` bytes from `offset` back, which may overlap what they make. Gives where the copy ends. */
function copyMatch(out: Uint8Array, dst: number, offset: number, length: number): number {
  const end = dst + length;
  if (length < LONG) {
    for (let src = dst - offset; dst < end;) out[dst++] = out[src++]!;
    return end;
  }
  // The period doubles with each copy.
  const src = dst - offset;
  while (dst < end) {
    const size = Math.min(dst - src, end - dst);
    out.copyWithin(dst, src, src + size);
    dst += size;
  }
  return end;
}
