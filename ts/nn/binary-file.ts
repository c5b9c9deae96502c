import { hex } from '../io/errors.ts';
import { Slice } from '../io/slice.ts';
import type { Source } from '../io/source.ts';

/** nn::util::BinaryFileHeader, the first 0x20 bytes of every file of this family. */
export interface BinaryFileHeader {
  /** micro, minor and major as text, such as `5.0.3` */
  version: string;
  major: number;
  minor: number;
  micro: number;
  littleEndian: boolean;
  /** the file's alignment is 1 << alignmentLog2 */
  alignmentLog2: number;
  addressSize: number;
  /** of the name's characters; the u16 length stands before */
  nameOffset: number;
  relocated: boolean;
  firstBlockOffset: number;
  relocationTableOffset: number;
  fileSize: number;
}

export const BINARY_FILE_HEADER_SIZE = 0x20;

/** Reads the header at `offset`. Throws FormatError for a wrong magic or byte order mark, or when it is cut off. */
export function readBinaryFileHeader(source: Source, offset: number, magic: string, format: string): BinaryFileHeader {
  const slice = Slice.read(source, offset, BINARY_FILE_HEADER_SIZE, { format });
  slice.expectMagic(offset, magic);
  const bom = slice.u16(offset + 0x0c);
  if (bom !== 0xfeff && bom !== 0xfffe) {
    throw slice.error(offset + 0x0c, 'byte order mark 0xfeff', hex(bom, 4));
  }
  const header = slice.with({ littleEndian: bom === 0xfeff });
  const micro = header.u8(offset + 0x08);
  const minor = header.u8(offset + 0x09);
  const major = header.u16(offset + 0x0a);
  return {
    version: `${major}.${minor}.${micro}`,
    major,
    minor,
    micro,
    littleEndian: header.littleEndian,
    alignmentLog2: header.u8(offset + 0x0e),
    addressSize: header.u8(offset + 0x0f),
    nameOffset: header.u32(offset + 0x10),
    relocated: header.u16(offset + 0x14) !== 0,
    firstBlockOffset: header.u16(offset + 0x16),
    relocationTableOffset: header.u32(offset + 0x18),
    fileSize: header.u32(offset + 0x1c),
  };
}
