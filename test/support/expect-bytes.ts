import { expect } from 'vitest';

/** toEqual of many bytes, with the place of the first difference instead of all of them. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual.length).toBe(expected.length);
  if (Buffer.compare(actual, expected) === 0) return;
  const at = actual.findIndex((byte, i) => byte !== expected[i]);
  expect({ at, byte: actual[at] }).toEqual({ at, byte: expected[at] });
}

/** The left `width` texels of the first `height` rows of a picture of `pitch` texels a row. */
export function crop(rgba: Uint8Array, pitch: number, width: number, height: number): Uint8Array {
  const result = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++) result.set(rgba.subarray(4 * y * pitch, 4 * (y * pitch + width)), 4 * y * width);
  return result;
}
