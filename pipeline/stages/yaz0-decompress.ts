import type { Transform } from 'node:stream';
import { createYaz0Decoder } from '../../ts/formats/yaz0/index.ts';
import type { Kernels } from '../../ts/kernels/contract.ts';
import { HIGH_WATER_MARK, pushTransform } from './push-transform.ts';

export interface Yaz0DecompressOptions {
  kernels: Kernels;
  /** how errors name the stream */
  path?: string;
  /** bytes that may wait at the input */
  highWaterMark?: number;
  signal?: AbortSignal;
}

export const YAZ0_DECOMPRESS_DEFAULTS = { path: 'stream', highWaterMark: HIGH_WATER_MARK } as const;

/**
 * Decompresses Yaz0. Errors are FormatErrors.
 *
 * @example
 * createReadStream('A.szs').pipe(yaz0Decompress({ kernels: createKernels() })).pipe(createWriteStream('A.sarc'));
 */
export function yaz0Decompress(options: Yaz0DecompressOptions): Transform {
  const { kernels, path, highWaterMark, signal } = { ...YAZ0_DECOMPRESS_DEFAULTS, ...options };
  return pushTransform(() => createYaz0Decoder(kernels, path), { highWaterMark, objectMode: false, signal });
}
