import type { Kernels } from '../../kernels/contract.ts';
import { PushDecoder } from '../push-decoder.ts';
import type { ZstdDictionaries } from './dictionaries.ts';

export interface ZstdDecoderOptions {
  /** how errors name the stream */
  path: string;
  /** for frames that name a dictionary */
  dictionaries?: ZstdDictionaries | undefined;
  /** handle of an open dictionary for frames that name none; 0: they are decoded without one */
  defaultDictionary?: number;
  /** frames with a larger window, in bytes, are refused */
  windowLimit?: number;
}

export const ZSTD_DECODER_DEFAULTS = { defaultDictionary: 0, windowLimit: 256 * 1024 * 1024 } as const;

/** A push decoder for zstd. Throws RangeError when the kernels cannot have memory. */
export function createZstdDecoder(kernels: Kernels, options: ZstdDecoderOptions): PushDecoder {
  const { path, dictionaries, defaultDictionary, windowLimit } = { ...ZSTD_DECODER_DEFAULTS, ...options };
  const opened = dictionaries?.open(kernels) ?? [];
  const handle = kernels.zstd.decoderOpen(windowLimit, defaultDictionary);
  for (const dictionary of opened) kernels.zstd.decoderAddDictionary(handle, dictionary.handle);
  return new PushDecoder(kernels.zstd, handle, 'zstd', path);
}
