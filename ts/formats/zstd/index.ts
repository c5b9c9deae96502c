import type { Source } from '../../io/source.ts';
import { hasMagic, type Format } from '../format.ts';
import { MAX_FRAME_HEADER_SIZE, readZstdFrameHeader, ZSTD_MAGIC, type ZstdFrameHeader } from './frame-header.ts';

export { createZstdDecoder, ZSTD_DECODER_DEFAULTS, type ZstdDecoderOptions } from './decoder.ts';
export { ZstdDictionaries } from './dictionaries.ts';
export { readZstdFrameHeader, type ZstdFrameHeader } from './frame-header.ts';

/** Zstandard (RFC 8878); `read` gives the first frame's header, undefined when it cannot be read. */
export const zstd: Format<ZstdFrameHeader | undefined> = {
  id: 'zstd',
  extensions: ['zs', 'zst'],
  magic: ZSTD_MAGIC,
  detect: (head) => hasMagic(head, ZSTD_MAGIC),
  read: (source: Source) => readZstdFrameHeader(source.read(0, Math.min(source.size, MAX_FRAME_HEADER_SIZE))),
};
