import { expect, it } from 'vitest';
import { ExrWriter } from '../../ts/formats/exr/index.ts';
import { concat } from '../support/concat.ts';
import { readExr } from '../support/exr.ts';

/** Halves 0x0101, 0x0202 and so on. */
const halves = (count: number, first = 1): Uint8Array =>
  Uint8Array.from({ length: 2 * count }, (_, i) => first + (i >> 1));

it('is read by others, whatever the bands', () => {
  const rgba = halves(4 * 3 * 5);
  const whole = new ExrWriter(3, 5);
  const file = concat(whole.start(), whole.rows(rgba));
  const { width, height, halves: found } = readExr(file);
  expect([width, height]).toEqual([3, 5]);
  expect(found).toEqual([...new Uint16Array(rgba.buffer)]);
  const parts = new ExrWriter(3, 5);
  expect(concat(parts.start(), parts.rows(rgba.subarray(0, 24)), parts.rows(rgba.subarray(24)))).toEqual(file);
});

it('has each line where the table says, channels by alphabet', () => {
  const exr = new ExrWriter(2, 2);
  const start = exr.start();
  const lines = exr.rows(halves(16));
  const table = new DataView(start.buffer, start.length - 16);
  expect([table.getBigUint64(0, true), table.getBigUint64(8, true)]).toEqual([
    BigInt(start.length),
    BigInt(start.length + 24),
  ]);
  // y, size, then A, B, G, R of both texels of the second row
  expect([...lines.subarray(24)]).toEqual(
    [
      [1, 0, 0, 0],
      [16, 0, 0, 0],
      [12, 12],
      [16, 16],
      [11, 11],
      [15, 15],
      [10, 10],
      [14, 14],
      [9, 9],
      [13, 13],
    ].flat(),
  );
});

it('refuses what are not whole rows, and too many', () => {
  const exr = new ExrWriter(2, 2);
  expect(() => exr.rows(new Uint8Array(15))).toThrow('15 bytes: whole rows of 16 are needed');
  exr.rows(new Uint8Array(16));
  expect(() => exr.rows(new Uint8Array(32))).toThrow('2 rows are more than the 1 that are left');
});
