/** BFRES of the Switch as a container (facts models 2.1: 221 real files, BfresLibrary, noclip): versions 5 to 10. */
import { counted, FormatError, hex } from '../../io/errors.ts';
import { Slice } from '../../io/slice.ts';
import type { Source } from '../../io/source.ts';
import { BINARY_FILE_HEADER_SIZE, readBinaryFileHeader } from '../../nn/binary-file.ts';
import { readResDicKeys } from '../../nn/res-dic.ts';
import { StringPool } from '../../nn/string-pool.ts';
import type { EmbeddedFile } from '../format.ts';

const FORMAT = 'BFRES';
export const BFRES_MAGIC = 'FRES    ';
const EMBEDDED_FILE_SIZE = 0x10;
/** The embedded-file slot of such a file holds the strings of others instead. */
const HOLDS_EXTERNAL_STRINGS = 4;

/** A BFRES, as far as it holds other files. */
export interface Bfres {
  /** such as `5.0.3` */
  version: string;
  name: string;
  embeddedFiles: EmbeddedFile[];
}

/** Reads the header and the table of embedded files. Throws FormatError, among others for versions outside 5 to 10. */
export function readBfres(source: Source): Bfres {
  const { version, major, littleEndian, nameOffset } = readBinaryFileHeader(source, 0, BFRES_MAGIC, FORMAT);
  const at = (offset: number, size: number): Slice =>
    Slice.read(source, offset, size, { format: FORMAT, littleEndian });
  if (major < 5 || major > 10) {
    throw new FormatError({
      code: 'unsupported',
      format: FORMAT,
      offset: 0x08,
      expected: 'version 5 to 10',
      found: version,
      path: source.path,
    });
  }
  const wide = major >= 9;
  const headerSize = wide ? 0xf0 : 0xd0;
  const head = at(BINARY_FILE_HEADER_SIZE, headerSize - BINARY_FILE_HEADER_SIZE);
  const [arrayField, dictionaryField, countField] = wide ? [0xb8, 0xc0, 0xec] : [0x98, 0xa0, 0xc8];
  const array = head.offset64(arrayField, source.size, 'an embedded-file array offset');
  const dictionary = head.offset64(dictionaryField, source.size, 'an embedded-file dictionary offset');
  const count = head.u16(countField);
  const flags = wide ? head.u8(0xee) : 0;
  const strings = new StringPool(source, { format: FORMAT, littleEndian });
  const embeddedFiles: EmbeddedFile[] = [];
  if (count && !(flags & HOLDS_EXTERNAL_STRINGS)) {
    const keys = readResDicKeys(source, dictionary, 0, { format: FORMAT, littleEndian });
    if (keys.length !== count) {
      throw at(dictionary, 8).error(dictionary + 0x04, counted(count, 'name'), String(keys.length));
    }
    const records = at(array, count * EMBEDDED_FILE_SIZE);
    for (const [i, key] of keys.entries()) {
      const o = array + i * EMBEDDED_FILE_SIZE;
      const offset = records.offset64(o, source.size, 'a file offset');
      if (offset < headerSize) throw records.error(o, 'a file offset after the header', hex(offset));
      const size = records.u32(o + 0x08);
      embeddedFiles.push({ name: strings.read(key), recordOffset: o, offset, size });
    }
  }
  return { version, name: nameOffset >= 2 ? strings.read(nameOffset - 2) : '', embeddedFiles };
}
