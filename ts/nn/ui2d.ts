import { hex } from '../io/errors.ts';
import { Slice } from '../io/slice.ts';
import type { Source } from '../io/source.ts';

/** The standard nn::ui2d header (FLYT, FLAN, FFNT, FCPX). */
export interface Ui2dHeader {
  littleEndian: boolean;
  headerSize: number;
  /** such as `4.1.0.0` */
  version: string;
  fileSize: number;
  sectionCount: number;
}

/** A section: magic, size with these eight bytes, contents. */
export interface Ui2dSection {
  magic: string;
  /** offset in the source of its magic */
  offset: number;
  size: number;
}

const HEADER_SIZE = 0x14;

export function readUi2dHeader(source: Source, magic: string, format: string): Ui2dHeader {
  const slice = Slice.read(source, 0, HEADER_SIZE, { format, littleEndian: false });
  slice.expectMagic(0x00, magic);
  const bom = slice.u16(0x04);
  if (bom !== 0xfeff && bom !== 0xfffe) throw slice.error(0x04, 'byte order mark 0xfeff', hex(bom, 4));
  const header = slice.with({ littleEndian: bom === 0xfffe });
  const headerSize = header.u16(0x06);
  if (headerSize < HEADER_SIZE) throw header.error(0x06, `at least ${hex(HEADER_SIZE)}`, hex(headerSize));
  const version = header.u32(0x08);
  return {
    littleEndian: header.littleEndian,
    headerSize,
    version: `${version >>> 24}.${(version >>> 16) & 0xff}.${(version >>> 8) & 0xff}.${version & 0xff}`,
    fileSize: header.u32(0x0c),
    sectionCount: header.u16(0x10),
  };
}

/** The top-level sections, which lie one after the other. Throws FormatError when one does not fit into the file. */
export function readUi2dSections(source: Source, header: Ui2dHeader, format: string): Ui2dSection[] {
  const sections: Ui2dSection[] = [];
  let offset = header.headerSize;
  for (let i = 0; i < header.sectionCount; i++) {
    const slice = Slice.read(source, offset, 8, { format, littleEndian: header.littleEndian });
    const size = slice.u32(offset + 0x04);
    if (size < 8 || offset + size > source.size) {
      throw slice.error(offset + 0x04, `a section size of 8 to ${source.size - offset}`, String(size));
    }
    sections.push({ magic: slice.ascii(offset, 4), offset, size });
    offset += size;
  }
  return sections;
}
