/** A picture drawn in code: rows from the top, four bytes a pixel. */
export interface Picture {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** Red, green, blue, alpha, each 0 to 1; alpha may be left out. */
export type Color = readonly [number, number, number, number?];

/** The colour at a point; x grows to the right, y downwards. Both are 0 to 1 over the picture. */
export type Shader = (x: number, y: number) => Color;

export const clamp = (v: number, low = 0, high = 1): number => (v < low ? low : v > high ? high : v);
export const lerp = (a: number, b: number, t: number): number => a + (b - a) * t;

/** 0 below `low`, 1 above `high`, and a soft S between. */
export function smoothstep(low: number, high: number, v: number): number {
  const t = clamp((v - low) / (high - low));
  return t * t * (3 - 2 * t);
}

const COLORS = new Map<string, Color>();

/** `#rrggbb` as a colour. */
export function hex(code: string): Color {
  let color = COLORS.get(code);
  if (!color) {
    const part = (i: number): number => Number.parseInt(code.slice(1 + 2 * i, 3 + 2 * i), 16) / 255;
    color = [part(0), part(1), part(2)];
    COLORS.set(code, color);
  }
  return color;
}

export function mix(a: Color, b: Color, t: number): Color {
  return [lerp(a[0], b[0], t), lerp(a[1], b[1], t), lerp(a[2], b[2], t), lerp(a[3] ?? 1, b[3] ?? 1, t)];
}

/** `color` made brighter or darker; its alpha stays. */
export function shade(color: Color, factor: number): Color {
  return [color[0] * factor, color[1] * factor, color[2] * factor, color[3] ?? 1];
}

/** `top` laid over `base`, as far as `coverage` (0 to 1) and its own alpha go. */
export function over(base: Color, top: Color, coverage = 1): Color {
  const a = (top[3] ?? 1) * clamp(coverage);
  const b = (base[3] ?? 1) * (1 - a);
  const alpha = a + b;
  if (alpha === 0) return [base[0], base[1], base[2], 0];
  return [
    (top[0] * a + base[0] * b) / alpha,
    (top[1] * a + base[1] * b) / alpha,
    (top[2] * a + base[2] * b) / alpha,
    alpha,
  ];
}

/** Colour at `t` on a line of evenly spaced `stops`. */
export function gradient(stops: readonly Color[], t: number): Color {
  const at = clamp(t) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  return mix(stops[i]!, stops[i + 1]!, at - i);
}

/** Pixels by their place: `color` gives four bytes for column x of row y. */
export function pixels(
  width: number,
  height: number,
  color: (x: number, y: number) => readonly [number, number, number, number],
): Picture {
  const rgba = new Uint8Array(4 * width * height);
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++, o += 4) rgba.set(color(x, y), o);
  }
  return { width, height, rgba };
}

/**
 * Draws with a shader, `samples` x `samples` points a pixel. Colours are weighted by their alpha, so that soft edges
 * keep the colour of what they are the edge of.
 */
export function paint(width: number, height: number, shader: Shader, samples = 2): Picture {
  const count = samples * samples;
  const rgba = new Uint8Array(4 * width * height);
  for (let o = 0; o < rgba.length; o += 4) {
    const left = (o / 4) % width;
    const top = Math.floor(o / 4 / width);
    let [r, g, b, alpha] = [0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      const x = (left + ((i % samples) + 0.5) / samples) / width;
      const y = (top + (Math.floor(i / samples) + 0.5) / samples) / height;
      const color = shader(x, y);
      // A trace of weight keeps the colour of a pixel that is wholly transparent.
      const a = (color[3] ?? 1) + 1e-9;
      r += clamp(color[0]) * a;
      g += clamp(color[1]) * a;
      b += clamp(color[2]) * a;
      alpha += a;
    }
    rgba[o] = Math.round((255 * r) / alpha);
    rgba[o + 1] = Math.round((255 * g) / alpha);
    rgba[o + 2] = Math.round((255 * b) / alpha);
    rgba[o + 3] = Math.round((255 * alpha) / count);
  }
  return { width, height, rgba };
}

/** One grey value as a colour. */
export const grey = (v: number): Color => [v, v, v, 1];

/** A number from 0 to 1 for a place on the integer grid, the same on every machine. */
export function hash2(x: number, y: number, seed = 0): number {
  let h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(seed + 1, 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967295;
}

/** Smooth noise, 0 to 1, that repeats every `period` units; `period` is a whole number. */
export function noise(x: number, y: number, period: number, seed = 0): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const tx = smoothstep(0, 1, x - ix);
  const ty = smoothstep(0, 1, y - iy);
  const x0 = ix - period * Math.floor(ix / period);
  const y0 = iy - period * Math.floor(iy / period);
  const x1 = x0 + 1 === period ? 0 : x0 + 1;
  const y1 = y0 + 1 === period ? 0 : y0 + 1;
  return lerp(
    lerp(hash2(x0, y0, seed), hash2(x1, y0, seed), tx),
    lerp(hash2(x0, y1, seed), hash2(x1, y1, seed), tx),
    ty,
  );
}

/** Layered noise, 0 to 1, that tiles over the unit square; `scale` features at the coarsest layer. */
export function fbm(x: number, y: number, scale: number, octaves: number, seed = 0): number {
  let sum = 0;
  let total = 0;
  for (let i = 0, s = scale, weight = 1; i < octaves; i++, s *= 2, weight /= 2) {
    sum += weight * noise(x * s, y * s, s, seed + i);
    total += weight;
  }
  return sum / total;
}

/** A tangent-space normal map (x in red, y in green, both 128 when flat) of a height field that tiles. */
export function normalMap(width: number, height: number, heightAt: (x: number, y: number) => number, strength: number) {
  const [dx, dy] = [0.5 / width, 0.5 / height];
  return paint(
    width,
    height,
    (x, y) => {
      const nx = ((heightAt(x - dx, y) - heightAt(x + dx, y)) * strength) / (2 * dx);
      const ny = ((heightAt(x, y - dy) - heightAt(x, y + dy)) * strength) / (2 * dy);
      const length = Math.hypot(nx, ny, 1);
      return [0.5 + nx / length / 2, 0.5 + ny / length / 2, 0.5 + 1 / length / 2];
    },
    1,
  );
}

/** The next smaller mip of a stack of slices (one for 2D): sizes halve, rounded down, to no less than 1. */
function halve(slices: readonly Picture[], halveDepth = false): Picture[] {
  const { width, height } = slices[0]!;
  const [w, h] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
  const depth = halveDepth ? Math.max(1, slices.length >> 1) : slices.length;
  const across = halveDepth && slices.length > 1 ? 2 : 1;
  return Array.from({ length: depth }, (_, z) => {
    const rgba = new Uint8Array(4 * w * h);
    for (let y = 0, o = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const [x0, x1] = [Math.min(2 * x, width - 1), Math.min(2 * x + 1, width - 1)];
        const [y0, y1] = [Math.min(2 * y, height - 1), Math.min(2 * y + 1, height - 1)];
        for (let c = 0; c < 4; c++, o++) {
          let sum = 0;
          for (let i = 0; i < across; i++) {
            const { rgba: from } = slices[across * z + i]!;
            const at = (px: number, py: number): number => from[4 * (py * width + px) + c]!;
            sum += at(x0, y0) + at(x1, y0) + at(x0, y1) + at(x1, y1);
          }
          rgba[o] = Math.round(sum / (4 * across));
        }
      }
    }
    return { width: w, height: h, rgba };
  });
}

/** `count` mips, the first being `slices` themselves: mips[level][slice]. */
export function mipChain(slices: readonly Picture[], count: number, halveDepth = false): Picture[][] {
  const mips: Picture[][] = [[...slices]];
  while (mips.length < count) mips.push(halve(mips.at(-1)!, halveDepth));
  return mips;
}

/** Mips down to 1 x 1 (x 1). */
export function fullMipCount(width: number, height: number, depth = 1): number {
  return 32 - Math.clz32(Math.max(width, height, depth));
}

/** A picture upside down. */
export function flipped({ width, height, rgba }: Picture): Picture {
  const out = new Uint8Array(rgba.length);
  for (let y = 0; y < height; y++)
    out.set(rgba.subarray(4 * width * y, 4 * width * (y + 1)), 4 * width * (height - 1 - y));
  return { width, height, rgba: out };
}
