/** A zlib stream, or 0 when memory cannot be had. */
export function deflate_open(): usize {
  return 0;
}
/** Gives how many bytes lie at `deflate_output`, or -1 when memory cannot be had. */
export function deflate_push(handle: usize, src: usize, srcEnd: usize, final: bool): i32 {
  return -1;
}
export function deflate_output(handle: usize): usize {
  return 0;
}
export function deflate_free(handle: usize): void {}
