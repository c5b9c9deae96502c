/** The first `size` bytes of `out`, or a fresh array. */
export function output(size: number, out: Uint8Array | undefined): Uint8Array {
  return out ? out.subarray(0, size) : new Uint8Array(size);
}
