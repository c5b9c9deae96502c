import type { Picture } from './picture.ts';

/** Encodes the 16 texels of a block (RGBA bytes, rows from the top) to `out` at `o`. */
export type BlockEncoder = (texels: Uint8Array, out: Uint8Array, o: number) => void;

/** Blocks of a picture in rows; texels past the right and bottom edge repeat the last ones. */
export function encodeBlocks(picture: Picture, blockSize: 8 | 16, encode: BlockEncoder): Uint8Array {
  const { width, height, rgba } = picture;
  const [across, down] = [Math.ceil(width / 4), Math.ceil(height / 4)];
  const out = new Uint8Array(across * down * blockSize);
  const texels = new Uint8Array(64);
  for (let by = 0, o = 0; by < down; by++) {
    for (let bx = 0; bx < across; bx++, o += blockSize) {
      for (let i = 0; i < 16; i++) {
        const x = Math.min(4 * bx + (i % 4), width - 1);
        const y = Math.min(4 * by + (i >> 2), height - 1);
        texels.set(rgba.subarray(4 * (y * width + x), 4 * (y * width + x) + 4), 4 * i);
      }
      encode(texels, out, o);
    }
  }
  return out;
}

// Endpoint fitting, the same for every format: a line through the points, then indices and endpoints by turns.

type Point = readonly number[];

/** What endpoints a format can hold and which values lie between them. */
interface Scheme {
  /** how far from endpoint 0 to endpoint 1 each palette entry lies */
  weights: readonly number[];
  /** the nearest endpoint the format can hold */
  quantize(point: Point): number[];
  /** a palette value; exact enough to choose the nearest */
  blend(a: number, b: number, weight: number): number;
}

interface Fit {
  endpoints: [number[], number[]];
  /** palette entry of each point */
  indices: number[];
  error: number;
}

/** The two ends of the points along their principal axis, and what the line leaves unexplained. */
function principalLine(points: readonly Point[]): { ends: [number[], number[]]; residual: number } {
  const dim = points[0]!.length;
  const mean = Array.from({ length: dim }, (_, c) => points.reduce((sum, p) => sum + p[c]!, 0) / points.length);
  const covariance = mean.map((_, i) =>
    mean.map((__, j) => points.reduce((sum, p) => sum + (p[i]! - mean[i]!) * (p[j]! - mean[j]!), 0)),
  );
  const variance = covariance.reduce((sum, row, i) => sum + row[i]!, 0);
  // Start at the row with the largest variance: never at right angles to the axis sought.
  let axis = covariance.reduce((best, row, i) => (row[i]! > best[covariance.indexOf(best)]! ? row : best));
  let length = 0;
  for (let round = 0; round < 8; round++) {
    length = Math.hypot(...axis);
    if (length < 1e-9) return { ends: [mean, mean], residual: 0 };
    axis = axis.map((v) => v / length);
    if (round < 7) axis = covariance.map((row) => row.reduce((sum, v, i) => sum + v * axis[i]!, 0));
  }
  const along = points.map((p) => p.reduce((sum, v, c) => sum + (v - mean[c]!) * axis[c]!, 0));
  const [low, high] = [Math.min(...along), Math.max(...along)];
  return {
    ends: [mean.map((v, c) => v + low * axis[c]!), mean.map((v, c) => v + high * axis[c]!)],
    residual: variance - along.reduce((sum, t) => sum + t * t, 0),
  };
}

/** The nearest palette entry of every point. */
function assign(points: readonly Point[], endpoints: [number[], number[]], scheme: Scheme): Fit {
  const [a, b] = endpoints;
  const palette = scheme.weights.map((w) => a.map((v, c) => scheme.blend(v, b[c]!, w)));
  let error = 0;
  const indices = points.map((p) => {
    let [best, least] = [0, Infinity];
    for (let i = 0; i < palette.length; i++) {
      let d = 0;
      for (let c = 0; c < p.length; c++) d += (p[c]! - palette[i]![c]!) ** 2;
      if (d < least) [best, least] = [i, d];
    }
    error += least;
    return best;
  });
  return { endpoints, indices, error };
}

/** Least-squares endpoints for given indices, or undefined when they do not fix both. */
function solve(points: readonly Point[], { indices }: Fit, { weights }: Scheme): [number[], number[]] | undefined {
  let [aa, ab, bb] = [0, 0, 0];
  const ax = points[0]!.map(() => 0);
  const bx = points[0]!.map(() => 0);
  points.forEach((p, i) => {
    const b = weights[indices[i]!]!;
    const a = 1 - b;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    p.forEach((v, c) => {
      ax[c]! += a * v;
      bx[c]! += b * v;
    });
  });
  const det = aa * bb - ab * ab;
  if (Math.abs(det) < 1e-6) return undefined;
  return [ax.map((v, c) => (v * bb - bx[c]! * ab) / det), bx.map((v, c) => (v * aa - ax[c]! * ab) / det)];
}

function fitEndpoints(points: readonly Point[], scheme: Scheme, rounds = 2): Fit {
  const quantized = ([a, b]: [number[], number[]]): [number[], number[]] => [scheme.quantize(a), scheme.quantize(b)];
  let best = assign(points, quantized(principalLine(points).ends), scheme);
  for (let round = 0; round < rounds && best.error > 0; round++) {
    const ends = solve(points, best, scheme);
    const next = ends && assign(points, quantized(ends), scheme);
    if (!next || next.error >= best.error) break;
    best = next;
  }
  return best;
}

/** `v` (0 to 255) to the nearest of `bits` bits, expanded back to 8 by repeating its high bits. */
function nearest(v: number, bits: number): number {
  const top = (1 << bits) - 1;
  const q = Math.min(top, Math.max(0, Math.round((v * top) / 255)));
  return (q << (8 - bits)) | (q >> (2 * bits - 8));
}

const colorOf = (texels: Uint8Array, i: number): Point => [texels[4 * i]!, texels[4 * i + 1]!, texels[4 * i + 2]!];
const texelsOf = (texels: Uint8Array): Point[] => Array.from({ length: 16 }, (_, i) => [...texels.subarray(4 * i, 4 * i + 4)]);

/** Bits from the lowest of the first byte upwards. */
class BitWriter {
  #bit = 0;
  readonly #out: Uint8Array;
  readonly #o: number;

  constructor(out: Uint8Array, o: number) {
    this.#out = out;
    this.#o = o;
  }

  put(value: number, bits: number): this {
    for (let i = 0; i < bits; i++, this.#bit++) {
      if ((value >> i) & 1) this.#out[this.#o + (this.#bit >> 3)]! |= 1 << (this.#bit & 7);
    }
    return this;
  }
}

// BC1 to BC3

const between = (a: number, b: number, weight: number): number => Math.round(a + (b - a) * weight);
const rgb565 = (p: Point): number[] => [nearest(p[0]!, 5), nearest(p[1]!, 6), nearest(p[2]!, 5)];
const pack565 = ([r, g, b]: number[]): number => ((r! >> 3) << 11) | ((g! >> 2) << 5) | (b! >> 3);

const FOUR_COLORS: Scheme = { weights: [0, 1 / 3, 2 / 3, 1], quantize: rgb565, blend: between };
const THREE_COLORS: Scheme = { weights: [0, 1 / 2, 1], quantize: rgb565, blend: between };

/** Colours with four palette entries; `c0 > c1` unless all texels are alike. */
function encodeColors(texels: Uint8Array, out: Uint8Array, o: number): void {
  const { endpoints, indices } = fitEndpoints(
    Array.from({ length: 16 }, (_, i) => colorOf(texels, i)),
    FOUR_COLORS,
  );
  let [c0, c1] = [pack565(endpoints[0]), pack565(endpoints[1])];
  let codes = [0, 2, 3, 1];
  if (c0 < c1) [c0, c1, codes] = [c1, c0, [1, 3, 2, 0]];
  if (c0 === c1) codes = [0, 0, 0, 0];
  const bits = new BitWriter(out, o).put(c0, 16).put(c1, 16);
  for (const index of indices) bits.put(codes[index]!, 2);
}

/** BC1 without transparent texels. */
export const encodeBc1: BlockEncoder = encodeColors;

/** BC1 where texels with an alpha below 128 become transparent black. */
export const encodeBc1Alpha: BlockEncoder = (texels, out, o) => {
  const opaque = Array.from({ length: 16 }, (_, i) => i).filter((i) => texels[4 * i + 3]! >= 128);
  if (opaque.length === 16) return encodeColors(texels, out, o);
  const codes = new Array<number>(16).fill(3);
  let [c0, c1] = [0, 0];
  if (opaque.length > 0) {
    const fit = fitEndpoints(opaque.map((i) => colorOf(texels, i)), THREE_COLORS);
    [c0, c1] = [pack565(fit.endpoints[0]), pack565(fit.endpoints[1])];
    let order = [0, 2, 1];
    if (c0 > c1) [c0, c1, order] = [c1, c0, [1, 2, 0]];
    opaque.forEach((i, k) => (codes[i] = order[fit.indices[k]!]!));
  }
  const bits = new BitWriter(out, o).put(c0, 16).put(c1, 16);
  for (const code of codes) bits.put(code, 2);
};

/** BC2: four bits of alpha a texel, then colours. */
export const encodeBc2: BlockEncoder = (texels, out, o) => {
  const bits = new BitWriter(out, o);
  for (let i = 0; i < 16; i++) bits.put(Math.round(texels[4 * i + 3]! / 17), 4);
  encodeColors(texels, out, o + 8);
};

/** BC3: interpolated alpha, then colours. */
export const encodeBc3: BlockEncoder = (texels, out, o) => {
  encodeChannel(Array.from({ length: 16 }, (_, i) => texels[4 * i + 3]!), false, out, o);
  encodeColors(texels, out, o + 8);
};

// BC4 and BC5

/** One channel of 16 values, 0 to 255 or -127 to 127, in the better of the two modes of BC4. */
function encodeChannel(values: readonly number[], signed: boolean, out: Uint8Array, o: number): void {
  const [low, high] = signed ? [-127, 127] : [0, 255];
  const points = values.map((v) => [v]);
  const scheme = (steps: number): Scheme => ({
    weights: Array.from({ length: steps + 1 }, (_, i) => i / steps),
    quantize: ([v]) => [Math.min(high, Math.max(low, Math.round(v!)))],
    blend: between,
  });

  const eight = fitEndpoints(points, scheme(7));
  let [a, b] = [eight.endpoints[0][0]!, eight.endpoints[1][0]!];
  let order = a > b ? [0, 2, 3, 4, 5, 6, 7, 1] : [1, 7, 6, 5, 4, 3, 2, 0];
  let codes = eight.indices.map((i) => (a === b ? 0 : order[i]!));
  if (a < b) [a, b] = [b, a];

  // Six values between the endpoints, and both extremes besides: good for masks.
  const inner = points.filter(([v]) => v! > low && v! < high);
  if (inner.length < 16) {
    const six = inner.length > 0 ? fitEndpoints(inner, scheme(5)) : undefined;
    const ends = [six?.endpoints[0][0] ?? low, six?.endpoints[1][0] ?? low].sort((p, q) => p - q) as [number, number];
    const palette = [...scheme(5).weights.map((w) => between(ends[0], ends[1], w)), low, high];
    order = [0, 2, 3, 4, 5, 1, 6, 7];
    let error = 0;
    const nearestCode = values.map((v) => {
      const distances = palette.map((p) => Math.abs(p - v));
      const least = Math.min(...distances);
      error += least * least;
      return order[distances.indexOf(least)]!;
    });
    if (error < eight.error) [a, b, codes] = [ends[0], ends[1], nearestCode];
  }
  const bits = new BitWriter(out, o).put(a & 255, 8).put(b & 255, 8);
  for (const code of codes) bits.put(code, 3);
}

/** What int8 stands for an 8-bit value when 0 to 255 are spread over -1 to 1. */
export const toSnorm = (v: number): number => Math.round((v / 255) * 254 - 127);

function channelEncoder(channels: readonly number[], signed: boolean): BlockEncoder {
  return (texels, out, o) => {
    channels.forEach((c, half) => {
      const values = Array.from({ length: 16 }, (_, i) => texels[4 * i + c]!);
      encodeChannel(signed ? values.map(toSnorm) : values, signed, out, o + 8 * half);
    });
  };
}

/** Red only. */
export const encodeBc4 = channelEncoder([0], false);
/** Red only, signed: 0 to 255 stand for -1 to 1. */
export const encodeBc4Snorm = channelEncoder([0], true);
/** Red and green. */
export const encodeBc5 = channelEncoder([0, 1], false);
/** Red and green, signed: 0 to 255 stand for -1 to 1. */
export const encodeBc5Snorm = channelEncoder([0, 1], true);

// BC7

const BC7_WEIGHTS: Readonly<Record<2 | 3 | 4, readonly number[]>> = {
  2: [0, 21, 43, 64],
  3: [0, 9, 18, 27, 37, 46, 55, 64],
  4: [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64],
};

const bptcBlend = (a: number, b: number, weight: number): number => {
  const w = Math.round(64 * weight);
  return ((64 - w) * a + w * b + 32) >> 6;
};

const bptcScheme = (indexBits: 2 | 3 | 4, quantize: Scheme['quantize']): Scheme => ({
  weights: BC7_WEIGHTS[indexBits].map((w) => w / 64),
  quantize,
  blend: bptcBlend,
});

const clampInt = (v: number, top: number): number => Math.min(top, Math.max(0, Math.round(v)));

/** Endpoints of seven bits and a common last bit; opaque ones stay exactly opaque. */
const MODE6 = bptcScheme(4, (p) => {
  const withLast = (last: number): number[] => p.map((v) => (clampInt((v - last) / 2, 127) << 1) | last);
  const [even, odd] = [withLast(0), withLast(1)];
  const error = (q: number[]): number => q.reduce((sum, v, c) => sum + (v - p[c]!) ** 2, 0);
  return p[3]! > 254.5 || error(odd) < error(even) ? odd : even;
});
const MODE5_COLOR = bptcScheme(2, (p) => p.map((v) => nearest(v, 7)));
const MODE5_ALPHA = bptcScheme(2, (p) => [clampInt(p[0]!, 255)]);
/** Endpoints of six bits and a last bit common to both. */
const MODE1 = [0, 1].map((last) =>
  bptcScheme(3, (p) =>
    p.map((v) => {
      const seven = (clampInt((v * (127 / 255) - last) / 2, 63) << 1) | last;
      return (seven << 1) | (seven >> 6);
    }),
  ),
) as [Scheme, Scheme];

/** The first sixteen ways to split a block in two (a bit a texel); all have their second anchor at texel 15. */
const SPLITS = [
  0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00,
  0xfff0, 0xf000,
];

/** A fit turned round, where the index at `anchor` would need its highest bit. */
function anchored(fit: Fit, anchor: number, top: number): Fit {
  if (fit.indices[anchor]! <= top >> 1) return fit;
  return {
    endpoints: [fit.endpoints[1], fit.endpoints[0]],
    indices: fit.indices.map((i) => top - i),
    error: fit.error,
  };
}

function putIndices(bits: BitWriter, indices: readonly number[], width: number, anchors: readonly number[]): void {
  indices.forEach((index, i) => bits.put(index, anchors.includes(i) ? width - 1 : width));
}

function writeMode6(fit: Fit, out: Uint8Array, o: number): void {
  const { endpoints, indices } = anchored(fit, 0, 15);
  const bits = new BitWriter(out, o).put(1 << 6, 7);
  for (let c = 0; c < 4; c++) bits.put(endpoints[0][c]! >> 1, 7).put(endpoints[1][c]! >> 1, 7);
  bits.put(endpoints[0][0]! & 1, 1).put(endpoints[1][0]! & 1, 1);
  putIndices(bits, indices, 4, [0]);
}

function writeMode5(colorFit: Fit, alphaFit: Fit, out: Uint8Array, o: number): void {
  const color = anchored(colorFit, 0, 3);
  const alpha = anchored(alphaFit, 0, 3);
  const bits = new BitWriter(out, o).put(1 << 5, 6).put(0, 2);
  for (let c = 0; c < 3; c++) bits.put(color.endpoints[0][c]! >> 1, 7).put(color.endpoints[1][c]! >> 1, 7);
  bits.put(alpha.endpoints[0][0]!, 8).put(alpha.endpoints[1][0]!, 8);
  putIndices(bits, color.indices, 2, [0]);
  putIndices(bits, alpha.indices, 2, [0]);
}

interface SplitFit {
  split: number;
  halves: { last: number; members: number[]; fit: Fit }[];
  error: number;
}

/** The two parts of a block, as texel numbers. */
const partsOf = (split: number): [number[], number[]] => {
  const parts: [number[], number[]] = [[], []];
  for (let i = 0; i < 16; i++) parts[(SPLITS[split]! >> i) & 1]!.push(i);
  return parts;
};
const PARTS = SPLITS.map((_, split) => partsOf(split));

/** Mode 1 with the split that leaves least beside its two lines. */
function fitMode1(colors: readonly Point[]): SplitFit {
  const pick = (members: readonly number[]): Point[] => members.map((i) => colors[i]!);
  const residuals = PARTS.map((parts) => parts.reduce((sum, part) => sum + principalLine(pick(part)).residual, 0));
  const split = residuals.indexOf(Math.min(...residuals));
  const halves = PARTS[split]!.map((members) => {
    const fits = MODE1.map((scheme) => fitEndpoints(pick(members), scheme));
    const last = fits[1]!.error < fits[0]!.error ? 1 : 0;
    return { last, members, fit: fits[last]! };
  });
  return { split, halves, error: halves.reduce((sum, { fit }) => sum + fit.error, 0) };
}

function writeMode1({ split, halves }: SplitFit, out: Uint8Array, o: number): void {
  const turned = halves.map(({ members, fit }, half) => anchored(fit, members.indexOf(half === 0 ? 0 : 15), 7));
  const bits = new BitWriter(out, o).put(1 << 1, 2).put(split, 6);
  for (let c = 0; c < 3; c++) {
    for (const { endpoints } of turned) bits.put(endpoints[0][c]! >> 2, 6).put(endpoints[1][c]! >> 2, 6);
  }
  for (const { last } of halves) bits.put(last, 1);
  const indices = new Array<number>(16);
  halves.forEach(({ members }, half) => members.forEach((i, k) => (indices[i] = turned[half]!.indices[k]!)));
  putIndices(bits, indices, 3, [0, 15]);
}

/** BC7 in the best of modes 6 (one line), 1 (two lines, opaque) and 5 (colour and alpha apart). */
export const encodeBc7: BlockEncoder = (texels, out, o) => {
  const points = texelsOf(texels);
  const colors = points.map((p) => p.slice(0, 3));
  const opaque = points.every((p) => p[3] === 255);
  const mode6 = fitEndpoints(points, MODE6);
  if (mode6.error > 16) {
    if (opaque) {
      const mode1 = fitMode1(colors);
      if (mode1.error < mode6.error) return writeMode1(mode1, out, o);
    } else {
      const color = fitEndpoints(colors, MODE5_COLOR);
      const alpha = fitEndpoints(points.map((p) => [p[3]!]), MODE5_ALPHA);
      if (color.error + alpha.error < mode6.error) return writeMode5(color, alpha, out, o);
    }
  }
  writeMode6(mode6, out, o);
};

/**
 * BC7 blocks of random bits, whose modes come as often as `shares` says (by mode 0 to 7; 8 is the reserved mode, all of
 * whose first byte is zero). Every such block is valid. `next` gives random 32-bit numbers.
 */
export function randomBc7Blocks(count: number, shares: readonly number[], next: () => number): Uint8Array {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const out = new Uint8Array(16 * count);
  for (let block = 0; block < count; block++) {
    for (let i = 0; i < 16; i++) out[16 * block + i] = next() >>> 24;
    let at = ((next() >>> 0) / 2 ** 32) * total;
    let mode = 0;
    while (mode < shares.length - 1 && at >= shares[mode]!) at -= shares[mode++]!;
    out[16 * block] = mode === 8 ? 0 : (out[16 * block]! & ~((2 << mode) - 1)) | (1 << mode);
  }
  return out;
}
