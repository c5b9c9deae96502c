/** SARC (spec sarc; facts archives 3.1: zeldamods/oead, Watertoon/Awn). */
import { hex } from '../../io/errors.ts';
import { Slice } from '../../io/slice.ts';
import type { Source } from '../../io/source.ts';
import { sarcName } from '../../kernels/reference/name-hashes.ts';
import type { Sarc, SarcEntry } from './types.ts';

const FORMAT = 'SARC';
export const SARC_HEADER_SIZE = 0x14;
const SFAT_HEADER_SIZE = 0x0c;
const ENTRY_SIZE = 0x10;
const SFNT_HEADER_SIZE = 0x08;
/** The engine refuses a count with either of the two highest bits set. */
const MAX_ENTRIES = 0x3fff;
/** Names begin in the first 64 MiB; what comes before the data must be read as a whole. */
const MAX_DATA_OFFSET = 0x5000000;
/** Far beyond what any file system takes. */
const LONGEST_NAME = 0x10000;

/** What the first 0x14 bytes say. */
export interface SarcHeader {
  littleEndian: boolean;
  version: number;
  fileSize: number;
  dataOffset: number;
}

/** Reads the header; `slice` starts at offset 0. */
export function readSarcHeader(slice: Slice): SarcHeader & { slice: Slice } {
  slice.expectMagic(0x00, 'SARC');
  const bom = slice.with({ littleEndian: false }).u16(0x06);
  if (bom !== 0xfeff && bom !== 0xfffe) throw slice.error(0x06, 'byte order mark 0xfeff', hex(bom, 4));
  const header = slice.with({ littleEndian: bom === 0xfffe });
  const headerSize = header.u16(0x04);
  if (headerSize !== SARC_HEADER_SIZE) throw header.error(0x04, hex(SARC_HEADER_SIZE), hex(headerSize));
  const fileSize = header.u32(0x08);
  const dataOffset = header.u32(0x0c);
  const version = header.u16(0x10);
  const least = SARC_HEADER_SIZE + SFAT_HEADER_SIZE + SFNT_HEADER_SIZE;
  if (dataOffset < least || dataOffset > MAX_DATA_OFFSET) {
    throw header.error(0x0c, `a data offset of ${hex(least)} to ${hex(MAX_DATA_OFFSET)}`, hex(dataOffset));
  }
  return { littleEndian: header.littleEndian, version, fileSize, dataOffset, slice: header };
}

/** Reads header and tables; `front` is at least the first `dataOffset` bytes. */
export function readSarcTables(front: Slice): Sarc {
  const { slice, ...header } = readSarcHeader(front);
  const sfat = SARC_HEADER_SIZE;
  slice.expectMagic(sfat, 'SFAT');
  const sfatSize = slice.u16(sfat + 0x04);
  if (sfatSize !== SFAT_HEADER_SIZE) throw slice.error(sfat + 0x04, hex(SFAT_HEADER_SIZE), hex(sfatSize));
  const count = slice.u16(sfat + 0x06);
  if (count > MAX_ENTRIES) throw slice.error(sfat + 0x06, `at most ${MAX_ENTRIES} entries`, String(count));
  const hashMultiplier = slice.u32(sfat + 0x08);
  const first = sfat + SFAT_HEADER_SIZE;
  const sfnt = first + count * ENTRY_SIZE;
  slice.expectMagic(sfnt, 'SFNT');
  const names = new Names(slice, sfnt + SFNT_HEADER_SIZE, header.dataOffset);
  const entries = Array.from({ length: count }, (_, i) =>
    readEntry(slice, first + i * ENTRY_SIZE, names, header.dataOffset),
  );
  return { ...header, hashMultiplier, entries };
}

/** The names between the tables and the data. Each is read once, so that all together are no longer than that. */
class Names {
  readonly #slice: Slice;
  readonly #start: number;
  readonly #end: number;
  readonly #known = new Map<number, string>();
  #left: number;

  constructor(slice: Slice, start: number, end: number) {
    this.#slice = slice;
    this.#start = start;
    this.#end = end;
    this.#left = end - start;
  }

  /** The name that the word at `field` is about. Throws FormatError. */
  read(word: number, field: number): string {
    const offset = this.#start + (word & 0xffffff) * 4;
    if (offset >= this.#end) throw this.#slice.error(field, `a name before ${hex(this.#end)}`, hex(offset));
    let name = this.#known.get(offset);
    if (name === undefined) {
      name = this.#slice.cString(offset, Math.min(offset + LONGEST_NAME, this.#end));
      this.#known.set(offset, name);
      this.#left -= name.length;
      if (this.#left < 0) throw this.#slice.error(field, 'names that do not overlap', 'names that do');
    }
    return name;
  }
}

function readEntry(slice: Slice, o: number, names: Names, dataOffset: number): SarcEntry {
  const hash = slice.u32(o);
  const nameWord = slice.u32(o + 0x04);
  const begin = slice.u32(o + 0x08);
  const end = slice.u32(o + 0x0c);
  const collisionIndex = nameWord >>> 24;
  if (begin > end) throw slice.error(o + 0x0c, `an end of at least ${hex(begin)}`, hex(end));
  return {
    name: collisionIndex ? names.read(nameWord, o + 0x04) : undefined,
    hash,
    collisionIndex,
    recordOffset: o,
    offset: dataOffset + begin,
    size: end - begin,
  };
}

/** Reads the table of a SARC. Throws FormatError when it is damaged; entries may still lie outside the file. */
export function readSarc(source: Source): Sarc {
  const head = Slice.read(source, 0, SARC_HEADER_SIZE, { format: FORMAT });
  const { dataOffset, slice } = readSarcHeader(head);
  if (dataOffset > source.size)
    throw slice.error(0x0c, `a data offset of at most ${hex(source.size)}`, hex(dataOffset), 'truncated');
  return readSarcTables(Slice.read(source, 0, dataOffset, { format: FORMAT }));
}

/** The entries by where their data lies; entries at the same place in table order. */
export function inDataOrder(entries: readonly SarcEntry[]): SarcEntry[] {
  return entries.toSorted((a, b) => a.offset - b.offset || a.recordOffset - b.recordOffset);
}

/** The name of an entry, or its hash in hex (`0x0123abcd`) where it has none. */
export function entryName({ name, hash }: SarcEntry): string {
  return name ?? hex(hash, 8);
}

/** The multiplier of name hashes in all archives that are known. */
export const SARC_HASH_MULTIPLIER = 0x65;

/** Hash of a name as UTF-8; its bytes count as signed. */
export function sarcHash(name: string, multiplier = SARC_HASH_MULTIPLIER): number {
  return sarcName(new TextEncoder().encode(name), multiplier);
}
