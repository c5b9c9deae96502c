import type { ZstdKernels } from '../contract.ts';
import { Handles } from '../handles.ts';
import { Decoder } from './zstd/decoder.ts';
import { parseDictionary, type Dictionary } from './zstd/dictionary.ts';

/** Zstandard decompression (RFC 8878). */
export function createZstd(): ZstdKernels {
  const dictionaries = new Handles<Dictionary>();
  const decoders = new Handles<Decoder>();
  return {
    dictionaryOpen: (data) => dictionaries.add(parseDictionary(data)),
    dictionaryId: (dictionary) => dictionaries.get(dictionary).id,
    dictionaryFree: (dictionary) => void dictionaries.take(dictionary),
    decoderOpen: (windowLimit, dictionary) =>
      decoders.add(new Decoder(windowLimit, dictionary === 0 ? undefined : dictionaries.get(dictionary))),
    decoderAddDictionary: (decoder, dictionary) => decoders.get(decoder).addDictionary(dictionaries.get(dictionary)),
    decoderPush: (decoder, chunk, final) => decoders.get(decoder).push(chunk, final),
    decoderPending: (decoder) => decoders.get(decoder).pending,
    decoderFree: (decoder) => void decoders.take(decoder),
  };
}
