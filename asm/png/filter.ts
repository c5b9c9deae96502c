/** Filters rows of RGBA8. `previous` is the address of the row above the first, or 0. Gives the bytes written or -1. */
export function png_filter(dst: usize, dstEnd: usize, src: usize, srcEnd: usize, previous: usize, rowSize: u32): i32 {
  return -1;
}
