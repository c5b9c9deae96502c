/** Colour endpoints. */

type Rgba = readonly [r: number, g: number, b: number, a: number];
export type Endpoints = readonly [first: Rgba, second: Rgba];

const clamp = (value: number): number => Math.min(Math.max(value, 0), 255);
const clamped = ([r, g, b, a]: Rgba): Rgba => [clamp(r), clamp(g), clamp(b), clamp(a)];
const plus = (x: Rgba, y: Rgba): Rgba => [x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3]];
const rgbSum = ([r, g, b]: Rgba): number => r + g + b;
const contracted = ([r, g, b, a]: Rgba): Rgba => [(r + b) >> 1, (g + b) >> 1, b, a];

/** The top bit of an offset belongs to its base; the six bits below, signed, are the offset. */
function transferred(base: number, offset: number): [base: number, offset: number] {
  const six = (offset >> 1) & 63;
  return [(base >> 1) | (offset & 128), six < 32 ? six : six - 64];
}

function direct(first: Rgba, second: Rgba): Endpoints {
  return rgbSum(second) >= rgbSum(first) ? [first, second] : [contracted(second), contracted(first)];
}

function withOffset(base: Rgba, difference: Rgba): Endpoints {
  const second = plus(base, difference);
  const ends: Endpoints = rgbSum(difference) >= 0 ? [base, second] : [contracted(second), contracted(base)];
  return [clamped(ends[0]), clamped(ends[1])];
}

function scaled(r: number, g: number, b: number, scale: number, a0: number, a1: number): Endpoints {
  return [
    [(r * scale) >> 8, (g * scale) >> 8, (b * scale) >> 8, a0],
    [r, g, b, a1],
  ];
}

/** The endpoints of a partition, 8 bits a channel, from its values at `i`; undefined for the HDR modes. */
export function endpoints(mode: number, values: Uint8Array, i: number): Endpoints | undefined {
  const v = (k: number): number => values[i + k]!;
  switch (mode) {
    case 0: {
      const [l0, l1] = [v(0), v(1)];
      return [
        [l0, l0, l0, 255],
        [l1, l1, l1, 255],
      ];
    }
    case 1: {
      const l0 = (v(0) >> 2) | (v(1) & 0xc0);
      const l1 = Math.min(l0 + (v(1) & 0x3f), 255);
      return [
        [l0, l0, l0, 255],
        [l1, l1, l1, 255],
      ];
    }
    case 4: {
      const [l0, l1] = [v(0), v(1)];
      return [
        [l0, l0, l0, v(2)],
        [l1, l1, l1, v(3)],
      ];
    }
    case 5: {
      const [l, dl] = transferred(v(0), v(1));
      const [a, da] = transferred(v(2), v(3));
      return [[l, l, l, a], clamped([l + dl, l + dl, l + dl, a + da])];
    }
    case 6:
      return scaled(v(0), v(1), v(2), v(3), 255, 255);
    case 10:
      return scaled(v(0), v(1), v(2), v(3), v(4), v(5));
    case 8:
      return direct([v(0), v(2), v(4), 255], [v(1), v(3), v(5), 255]);
    case 12:
      return direct([v(0), v(2), v(4), v(6)], [v(1), v(3), v(5), v(7)]);
    case 9:
    case 13: {
      const [r, dr] = transferred(v(0), v(1));
      const [g, dg] = transferred(v(2), v(3));
      const [b, db] = transferred(v(4), v(5));
      const [a, da] = mode === 13 ? transferred(v(6), v(7)) : [255, 0];
      return withOffset([r, g, b, a], [dr, dg, db, da]);
    }
    default:
      return undefined;
  }
}
