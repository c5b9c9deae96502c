import { random } from './random.ts';

/** RGBA8 pictures made by code, one per kind of content that textures have. */
export interface Picture {
  kind: string;
  width: number;
  height: number;
  rgba: Uint8Array;
}

type Texel = (x: number, y: number) => [number, number, number, number];

/** Value noise: random values on a lattice of `cell` texels, smoothly joined; four octaves. Gives 0 to 1. */
function smoothNoise(cell: number, seed: number): (x: number, y: number) => number {
  const next = random(seed);
  const lattice = Float64Array.from({ length: 4096 }, () => next() / 2 ** 32);
  const at = (x: number, y: number, octave: number) =>
    lattice[(Math.imul(x, 73) ^ Math.imul(y, 1021) ^ Math.imul(octave, 577)) & 4095]!;
  const ease = (t: number) => t * t * (3 - 2 * t);
  return (x, y) => {
    let sum = 0;
    let weight = 0.5;
    for (let octave = 0, size = cell; octave < 4; octave++, size /= 2, weight /= 2) {
      const [cx, cy] = [Math.floor(x / size), Math.floor(y / size)];
      const [u, v] = [ease(x / size - cx), ease(y / size - cy)];
      const top = at(cx, cy, octave) * (1 - u) + at(cx + 1, cy, octave) * u;
      const bottom = at(cx, cy + 1, octave) * (1 - u) + at(cx + 1, cy + 1, octave) * u;
      sum += weight * (top * (1 - v) + bottom * v);
    }
    return sum;
  };
}

const KINDS: Record<string, (width: number, height: number) => Texel> = {
  gradient: (width, height) => (x, y) => [
    Math.floor((255 * x) / width),
    Math.floor((255 * y) / height),
    Math.floor((255 * (x + y)) / (width + height)),
    255,
  ],
  noise: () => {
    const next = random(1);
    return () => [next() >>> 24, next() >>> 24, next() >>> 24, next() >>> 24];
  },
  /** Flat panels with borders, small glyph-like marks, an alpha edge. */
  interface: () => (x, y) => {
    const panel = (Math.floor(x / 90) * 31 + Math.floor(y / 60) * 17) & 255;
    const border = x % 90 < 2 || y % 60 < 2;
    const glyph = y % 60 > 20 && y % 60 < 32 && ((x * 7 + Math.floor(y / 3) * 13) & 31) < 9;
    if (border) return [255, 255, 255, 255];
    if (glyph) return [20, 20, 20, 255];
    return [panel, 255 - panel, (panel * 3) & 255, x % 90 < 6 ? (x % 90) * 42 : 255];
  },
  /** What a BC1 decoder gives: four colours between two endpoints in every block of 4 x 4. */
  blocks: () => {
    const shade = smoothNoise(64, 2);
    const grain = smoothNoise(4, 3);
    const level = (v: number, bits: number) => Math.round(Math.round(v * (2 ** bits - 1)) * (255 / (2 ** bits - 1)));
    return (x, y) => {
      const [bx, by] = [x & ~3, y & ~3];
      const base = shade(bx, by);
      const spread = 0.25 * grain(bx * 5, by * 3);
      const step = Math.min(3, Math.floor(4 * grain(x * 2 + 1, y * 2 + 1))) / 3;
      const mix = (low: number, high: number) => Math.floor(low + (high - low) * step);
      const lows = [level(base, 5), level(base * 0.8, 6), level(base * 0.6, 5)] as const;
      const highs = [base + spread, base * 0.8 + spread, base * 0.6 + spread].map((v, i) =>
        level(Math.min(1, v), i === 1 ? 6 : 5),
      ) as [number, number, number];
      return [mix(lows[0], highs[0]), mix(lows[1], highs[1]), mix(lows[2], highs[2]), 255];
    };
  },
  /** Smooth colours with a little grain. */
  photo: () => {
    const [red, green, blue] = [smoothNoise(80, 4), smoothNoise(60, 5), smoothNoise(40, 6)];
    const next = random(7);
    const grain = () => (next() >>> 30) - 1.5;
    return (x, y) => [
      Math.floor(255 * red(x, y) + grain()),
      Math.floor(255 * green(x, y) + grain()),
      Math.floor(255 * blue(x, y) + grain()),
      255,
    ];
  },
};

/** One picture of each kind. */
export function pictures(width: number, height: number): Picture[] {
  return Object.entries(KINDS).map(([kind, make]) => {
    const texel = make(width, height);
    const rgba = new Uint8Array(4 * width * height);
    for (let y = 0, i = 0; y < height; y++) for (let x = 0; x < width; x++, i += 4) rgba.set(texel(x, y), i);
    return { kind, width, height, rgba };
  });
}
