import { describe, expect, it } from 'vitest';
import { Thumbnail, thumbnailExtent } from '../../ts/textures/thumbnail.ts';

/** The thumbnail of rows of RGBA texels. */
function reduce(rows: number[][][], limit: number): number[] {
  const thumbnail = new Thumbnail({ width: rows[0]!.length, height: rows.length }, limit);
  // A row, then the others at once.
  thumbnail.rows(Uint8Array.from(rows[0]!.flat()));
  thumbnail.rows(Uint8Array.from(rows.slice(1).flat(2)));
  return [...thumbnail.rgba];
}

describe('a thumbnail', () => {
  it.each([
    [128, 128, 128, 128],
    [256, 64, 128, 32],
    [3, 4096, 1, 128],
    [129, 100, 128, 99],
    [50, 38, 50, 38],
  ])('of %i x %i is %i x %i', (width, height, w, h) => {
    expect(thumbnailExtent({ width, height }, 128)).toEqual({ width: w, height: h });
  });

  it('is the means of boxes, which differ by one where they must', () => {
    const grey = (v: number): number[] => [v, 0, 0, 255];
    const rows = [
      [grey(10), grey(20), grey(60), grey(1), grey(5)],
      [grey(30), grey(40), grey(80), grey(3), grey(7)],
      [grey(0), grey(100), grey(9), grey(4), grey(4)],
    ];
    // Columns 0 to 2 and 3 to 4, rows 0 to 1 and 2: (10 + 20 + 60 + 30 + 40 + 80) / 6, 16 / 4, 109 / 3, 8 / 2.
    expect(thumbnailExtent({ width: 5, height: 3 }, 2)).toEqual({ width: 2, height: 1 });
    // To 1 x 2 of 2 x 3: rows 0 to 1, and 2.
    expect(
      reduce(
        rows.map((row) => row.slice(0, 2)),
        2,
      ),
    ).toEqual([25, 0, 0, 255, 50, 0, 0, 255]);
    // To 2 x 1 of 5 x 3: (240 + 109) / 9 and (16 + 8) / 6.
    expect(reduce(rows, 2)).toEqual([39, 0, 0, 255, 4, 0, 0, 255]);
  });

  it('multiplies colours by alpha', () => {
    // (200 * 255 + 100 * 0) / 2 and 255 / 2, in steps of 255; 51 is a fifth.
    expect(
      reduce(
        [
          [
            [200, 0, 0, 255],
            [100, 9, 9, 0],
          ],
        ],
        1,
      ),
    ).toEqual([100, 0, 0, 128]);
    expect(reduce([[[200, 100, 50, 51]]], 1)).toEqual([40, 20, 10, 51]);
  });
});
