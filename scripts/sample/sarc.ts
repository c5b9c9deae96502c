/** Makes SARC archives. */
import { SARC_HASH_MULTIPLIER, sarcHash } from '../../ts/formats/sarc/index.ts';

export interface SarcFile {
  name: string;
  data: Uint8Array;
}

export interface SarcOptions {
  bigEndian?: boolean;
  /** leaves the names out: files are found by their hash alone */
  hashOnly?: boolean;
  /** of each file's data in the archive, a power of two; default 4 */
  alignment?: number | ((file: SarcFile) => number);
  /** order of the data: that of the hashes (default), or the order in which the files are given */
  dataOrder?: 'hash' | 'given';
}

const HEADER_SIZE = 0x14;
const SFAT_SIZE = 0xc;
const ENTRY_SIZE = 0x10;
const SFNT_SIZE = 8;
/** The two top bits of the count must be clear. */
const MAX_FILES = 0x3fff;
const MAX_NAME_OFFSET = 0xffffff * 4;

const align = (offset: number, alignment: number): number => Math.ceil(offset / alignment) * alignment;

/** Makes an archive of `files`. Files whose names have the same hash keep the order they are given in. */
export function writeSarc(files: readonly SarcFile[], options: SarcOptions = {}): Uint8Array {
  const { bigEndian = false, hashOnly = false, alignment = 4, dataOrder = 'hash' } = options;
  if (files.length > MAX_FILES) throw new RangeError(`${files.length} files: a SARC holds at most ${MAX_FILES}`);
  const entries = files.map((file) => ({
    file,
    hash: sarcHash(file.name),
    name: new TextEncoder().encode(file.name),
    alignment: typeof alignment === 'number' ? alignment : alignment(file),
    nameOffset: 0,
    begin: 0,
  }));
  const sorted = entries.toSorted((a, b) => a.hash - b.hash);

  let namesSize = 0;
  if (!hashOnly) {
    for (const entry of sorted) {
      entry.nameOffset = namesSize;
      namesSize = align(namesSize + entry.name.length + 1, 4);
    }
    if (namesSize > MAX_NAME_OFFSET) throw new RangeError('the names of a SARC have to fit 24 bits of words');
  }
  const namesStart = HEADER_SIZE + SFAT_SIZE + ENTRY_SIZE * entries.length + SFNT_SIZE;
  // With powers of two the least common multiple is the largest.
  const dataStart = align(namesStart + namesSize, Math.max(4, ...entries.map((entry) => entry.alignment)));
  let end = dataStart;
  for (const entry of dataOrder === 'hash' ? sorted : entries) {
    entry.begin = align(end, entry.alignment);
    end = entry.begin + entry.file.data.length;
  }

  const bytes = new Uint8Array(end);
  const view = new DataView(bytes.buffer);
  const u16 = (offset: number, value: number): void => view.setUint16(offset, value, !bigEndian);
  const u32 = (offset: number, value: number): void => view.setUint32(offset, value, !bigEndian);
  const magic = (offset: number, text: string): void => bytes.set(new TextEncoder().encode(text), offset);
  magic(0x0, 'SARC');
  u16(0x4, HEADER_SIZE);
  u16(0x6, 0xfeff);
  u32(0x8, end);
  u32(0xc, dataStart);
  u16(0x10, 0x100);
  magic(0x14, 'SFAT');
  u16(0x18, SFAT_SIZE);
  u16(0x1a, entries.length);
  u32(0x1c, SARC_HASH_MULTIPLIER);
  let previousHash = -1;
  let collision = 0;
  for (const [i, entry] of sorted.entries()) {
    const at = HEADER_SIZE + SFAT_SIZE + ENTRY_SIZE * i;
    collision = entry.hash === previousHash ? collision + 1 : 1;
    previousHash = entry.hash;
    if (collision > 0xff) throw new RangeError(`more than 255 names have the hash of ${entry.file.name}`);
    u32(at, entry.hash);
    u32(at + 0x4, hashOnly ? 0 : collision * 0x1000000 + entry.nameOffset / 4);
    u32(at + 0x8, entry.begin - dataStart);
    u32(at + 0xc, entry.begin - dataStart + entry.file.data.length);
    if (!hashOnly) bytes.set(entry.name, namesStart + entry.nameOffset);
    bytes.set(entry.file.data, entry.begin);
  }
  magic(namesStart - SFNT_SIZE, 'SFNT');
  u16(namesStart - SFNT_SIZE + 0x4, SFNT_SIZE);
  return bytes;
}
