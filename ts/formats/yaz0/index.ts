import { Slice } from '../../io/slice.ts';
import type { Source } from '../../io/source.ts';
import type { Kernels } from '../../kernels/contract.ts';
import { hasMagic, type Format } from '../format.ts';
import { PushDecoder } from '../push-decoder.ts';

/** The header of a Yaz0 file (facts archives 3.3); big-endian on every platform. */
export interface Yaz0Header {
  /** bytes it decompresses to */
  size: number;
  /** largest alignment inside, or 0 */
  alignment: number;
}

const HEADER_SIZE = 0x10;

function readYaz0Header(source: Source): Yaz0Header {
  const header = Slice.read(source, 0, HEADER_SIZE, { format: 'Yaz0', littleEndian: false });
  header.expectMagic(0x00, 'Yaz0');
  return { size: header.u32(0x04), alignment: header.u32(0x08) };
}

/** A push decoder for Yaz0; `path` is how errors name the stream. Throws RangeError when there is no memory. */
export function createYaz0Decoder(kernels: Kernels, path: string): PushDecoder {
  return new PushDecoder(kernels.yaz0, kernels.yaz0.decoderOpen(), 'Yaz0', path);
}

/** LZ compression of Nintendo; `read` gives the header. */
export const yaz0: Format<Yaz0Header> = {
  id: 'yaz0',
  extensions: ['szs', 'yaz0'],
  magic: 'Yaz0',
  detect: (head) => hasMagic(head, 'Yaz0'),
  read: readYaz0Header,
};
