export function yaz0_open(): usize {
  return 0;
}
export function yaz0_push(decoder: usize, src: usize, srcEnd: usize, final: bool): i32 {
  return -1;
}
export function yaz0_output(decoder: usize): usize {
  return 0;
}
export function yaz0_pending(decoder: usize): bool {
  return false;
}
export function yaz0_free(decoder: usize): void {}
