/** A dictionary, or 0: the reason is in `stream_error`. */
export function zstd_dictionary_open(src: usize, srcEnd: usize): usize {
  return 0;
}
export function zstd_dictionary_id(dictionary: usize): u32 {
  return 0;
}
export function zstd_dictionary_free(dictionary: usize): void {}
/** A decoder, or 0 when memory cannot be had. */
export function zstd_open(windowLimit: u32, defaultDictionary: usize): usize {
  return 0;
}
/** False when memory cannot be had. */
export function zstd_add_dictionary(decoder: usize, dictionary: usize): bool {
  return false;
}
/** Gives how many bytes lie at `zstd_output`, or -1: the reason is in `stream_error`. */
export function zstd_push(decoder: usize, src: usize, srcEnd: usize, final: bool): i32 {
  return -1;
}
export function zstd_output(decoder: usize): usize {
  return 0;
}
export function zstd_pending(decoder: usize): bool {
  return false;
}
export function zstd_free(decoder: usize): void {}
