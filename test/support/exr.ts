import parseExr from 'parse-exr';

/** The half floats of an EXR, RGBA from the top left on, and its extents. */
export function readExr(file: Uint8Array): { width: number; height: number; halves: number[] } {
  const { width, height, data } = parseExr(Uint8Array.from(file).buffer);
  // It gives the rows from the bottom up.
  const rows = Array.from({ length: height }, (_, y) => [...data.subarray(4 * width * y, 4 * width * (y + 1))]);
  return { width, height, halves: rows.toReversed().flat() };
}
