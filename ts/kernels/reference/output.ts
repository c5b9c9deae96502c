/** The first `size` bytes of `out`, or a fresh array. */
export function output(size: number, out: Uint8Array | undefined): Uint8Array {
  if (!out) return new Uint8Array(size);
  if (out.length < size) throw new RangeError(`out has ${out.length} bytes, ${size} are needed`);
  return out.subarray(0, size);
}
