import type { BlockEncoder } from './bc-encode.ts';
import { BitWriter } from './entropy.ts';

/** One plane of 4 x 4 weights of two bits. */
const MODE = 0x42;
const GRID = 4;
const LEVELS = 3;
/** Colours of two RGBA endpoints, each value a byte in this mode. */
const RGBA_ENDPOINTS = 12;
/** A void extent that says nothing of its neighbours, not HDR. */
const VOID_EXTENT = 0xdfc;

type Rgba = readonly number[];

const distance = (a: Rgba, b: Rgba): number => a.reduce((sum, v, c) => sum + (v - b[c]!) ** 2, 0);
const brightness = ([r, g, b]: Rgba): number => r! + g! + b!;

/**
 * ASTC of blocks of so many texels: those of one colour as void extents, all others with one partition whose endpoints
 * are the two texels that differ most.
 */
export function astcEncoder(columns: number, rows: number): BlockEncoder {
  return (texels, out, o) => {
    const colors = Array.from({ length: columns * rows }, (_, i): Rgba => [...texels.subarray(4 * i, 4 * i + 4)]);
    const [low, high] = furthest(colors);
    const bits = new BitWriter();
    if (distance(low, high) === 0) {
      bits.add(VOID_EXTENT, 12);
      for (let i = 0; i < 4; i++) bits.add(2 ** 13 - 1, 13);
      for (const value of low) bits.add(257 * value, 16);
      out.set(bits.finish(), o);
      return;
    }
    bits.add(MODE, 11);
    bits.add(0, 2); // one partition
    bits.add(RGBA_ENDPOINTS, 4);
    low.forEach((value, c) => {
      bits.add(value, 8);
      bits.add(high[c]!, 8);
    });
    out.set(bits.finish(), o);
    // From the last bit on backwards, the lowest bit of each weight first.
    for (let i = 0, at = 8 * o + 127; i < GRID * GRID; i++, at -= 2) {
      const color = meanAround(colors, columns, rows, i % GRID, Math.floor(i / GRID));
      const along = color.reduce((sum, v, c) => sum + (v - low[c]!) * (high[c]! - low[c]!), 0) / distance(low, high);
      const weight = Math.round(LEVELS * Math.min(Math.max(along, 0), 1));
      out[at >> 3]! |= (weight & 1) << (at & 7);
      out[(at - 1) >> 3]! |= (weight >> 1) << ((at - 1) & 7);
    }
  };
}

/** The two colours that differ most, the brighter one last: in the other order they would stand for other colours. */
function furthest(colors: readonly Rgba[]): [Rgba, Rgba] {
  let [a, b] = [colors[0]!, colors[0]!];
  let most = 0;
  colors.forEach((one, i) => {
    for (const other of colors.slice(i + 1)) {
      const apart = distance(one, other);
      if (apart > most) [a, b, most] = [one, other, apart];
    }
  });
  return brightness(a) <= brightness(b) ? [a, b] : [b, a];
}

/** The mean of the texels that are nearest to a weight of the grid. */
function meanAround(colors: readonly Rgba[], columns: number, rows: number, gx: number, gy: number): Rgba {
  const step = (count: number): number => (count - 1) / (GRID - 1);
  const near = colors.filter((_, i) => {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    return Math.round(x / step(columns)) === gx && Math.round(y / step(rows)) === gy;
  });
  return [0, 1, 2, 3].map((c) => near.reduce((sum, color) => sum + color[c]!, 0) / near.length);
}
