/** BFFNT as a container (spec bffnt; facts ui 2.7: eight Switch fonts): on the Switch its sheets are one BNTX. */
import { Slice } from '../../io/slice.ts';
import type { Source } from '../../io/source.ts';
import { readUi2dHeader, readUi2dSections } from '../../nn/ui2d.ts';
import { hasMagic, type EmbeddedFile } from '../format.ts';

const FORMAT = 'BFFNT';
const TGLP_SIZE = 0x20;

/** A BFFNT, as far as it holds textures. */
export interface Bffnt {
  /** such as `4.1.0.0` */
  version: string;
  littleEndian: boolean;
  sheetCount: number;
  /** the BNTX with the sheets; undefined where they are kept in another way, as on the Wii U */
  sheets: EmbeddedFile | undefined;
}

/** Reads the header and where the sheets are. Throws FormatError. */
export function readBffnt(source: Source): Bffnt {
  const header = readUi2dHeader(source, 'FFNT', FORMAT);
  const { version, littleEndian } = header;
  const section = readUi2dSections(source, header, FORMAT).find(({ magic }) => magic === 'TGLP');
  if (!section) return { version, littleEndian, sheetCount: 0, sheets: undefined };
  const o = section.offset;
  const tglp = Slice.read(source, o, TGLP_SIZE, { format: FORMAT, littleEndian });
  const sheetCount = tglp.u8(o + 0x0a);
  const bytesPerSheet = tglp.u32(o + 0x0c);
  const offset = tglp.u32(o + 0x1c);
  // The version does not tell which way it is: a 4.0 font of SMO has a BNTX too.
  const isBntx = offset + 4 <= source.size && hasMagic(source.read(offset, 4), 'BNTX');
  const sheets = { name: 'sheets.bntx', recordOffset: o + 0x1c, offset, size: sheetCount * bytesPerSheet };
  return { version, littleEndian, sheetCount, sheets: isBntx ? sheets : undefined };
}
