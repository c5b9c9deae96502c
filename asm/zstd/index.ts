// Zstandard decompression (RFC 8878): the exports.
import { free } from '../memory/heap';
import { addDictionary, freeDecoder, openDecoder, push } from './decoder';
import { openDictionary } from './dictionary';
import { DICTIONARY_ID, GIVEN, PENDING } from './state';

/** A dictionary, or 0: the reason is in `stream_error`. */
export function zstd_dictionary_open(src: usize, srcEnd: usize): usize {
  return openDictionary(src, srcEnd);
}
export function zstd_dictionary_id(dictionary: usize): u32 {
  return load<u32>(dictionary, DICTIONARY_ID);
}
export function zstd_dictionary_free(dictionary: usize): void {
  free(dictionary);
}
/** A decoder, or 0 when memory cannot be had. */
export function zstd_open(windowLimit: u32, defaultDictionary: usize): usize {
  return openDecoder(windowLimit, defaultDictionary);
}
/** False when memory cannot be had. */
export function zstd_add_dictionary(decoder: usize, dictionary: usize): bool {
  return addDictionary(decoder, dictionary);
}
/** Gives how many bytes lie at `zstd_output`, or -1: the reason is in `stream_error`. */
export function zstd_push(decoder: usize, src: usize, srcEnd: usize, final: bool): i32 {
  return push(decoder, src, srcEnd, final);
}
export function zstd_output(decoder: usize): usize {
  return <usize>load<u32>(decoder, GIVEN);
}
export function zstd_pending(decoder: usize): bool {
  return load<u32>(decoder, PENDING) != 0;
}
export function zstd_free(decoder: usize): void {
  freeDecoder(decoder);
}
