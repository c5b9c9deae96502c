import type { Transform } from 'node:stream';
import { createZstdDecoder, ZSTD_DECODER_DEFAULTS, type ZstdDictionaries } from '../../ts/formats/zstd/index.ts';
import type { Kernels } from '../../ts/kernels/contract.ts';
import { HIGH_WATER_MARK, pushTransform } from './push-transform.ts';

export interface ZstdDecompressOptions {
  kernels: Kernels;
  /** how errors name the stream */
  path?: string;
  /** for frames that name a dictionary */
  dictionaries?: ZstdDictionaries;
  /** frames with a larger window, in bytes, are refused */
  windowLimit?: number;
  /** bytes that may wait at the input */
  highWaterMark?: number;
  signal?: AbortSignal;
}

export const ZSTD_DECOMPRESS_DEFAULTS = {
  path: 'stream',
  windowLimit: ZSTD_DECODER_DEFAULTS.windowLimit,
  highWaterMark: HIGH_WATER_MARK,
} as const;

/**
 * Decompresses zstd: any number of frames, with dictionaries, checksums verified. Errors are FormatErrors.
 *
 * @example
 * createReadStream('A.pack.zs').pipe(zstdDecompress({ kernels: createKernels() })).pipe(createWriteStream('A.pack'));
 */
export function zstdDecompress(options: ZstdDecompressOptions): Transform {
  const { kernels, highWaterMark, signal, ...decoder } = { ...ZSTD_DECOMPRESS_DEFAULTS, ...options };
  return pushTransform(() => createZstdDecoder(kernels, decoder), { highWaterMark, objectMode: false, signal });
}
