import type { Picture } from './picture.ts';
import { smallFloat } from './plain-encode.ts';

/** Encodes the texels of a block, 16 but for ASTC (RGBA bytes, rows from the top), to `out` at `o`. */
export type BlockEncoder = (texels: Uint8Array, out: Uint8Array, o: number) => void;

/** Blocks of a picture in rows; texels past the right and bottom edge repeat the last ones. */
export function encodeBlocks(
  picture: Picture,
  [columns, rows]: readonly [number, number],
  blockSize: 8 | 16,
  encode: BlockEncoder,
): Uint8Array {
  const { width, height, rgba } = picture;
  const [across, down] = [Math.ceil(width / columns), Math.ceil(height / rows)];
  const out = new Uint8Array(across * down * blockSize);
  const texels = new Uint8Array(4 * columns * rows);
  for (let by = 0, o = 0; by < down; by++) {
    for (let bx = 0; bx < across; bx++, o += blockSize) {
      for (let i = 0; i < columns * rows; i++) {
        const x = Math.min(columns * bx + (i % columns), width - 1);
        const y = Math.min(rows * by + Math.floor(i / columns), height - 1);
        texels.set(rgba.subarray(4 * (y * width + x), 4 * (y * width + x) + 4), 4 * i);
      }
      encode(texels, out, o);
    }
  }
  return out;
}

// Endpoint fitting, the same for every format: a line through the points, then indices and endpoints by turns.

/** Points of `dim` coordinates, one after the other. */
interface Points {
  dim: number;
  at: Float64Array;
}

type Endpoint = readonly number[];

/** What endpoints a format can hold and which values lie between them. */
interface Scheme {
  /** how far from endpoint 0 to endpoint 1 each palette entry lies */
  weights: readonly number[];
  /** the nearest endpoint the format can hold */
  quantize(endpoint: Endpoint): Endpoint;
  /** a palette value; exact enough to choose the nearest */
  blend(a: number, b: number, weight: number): number;
}

interface Fit {
  endpoints: [Endpoint, Endpoint];
  /** palette entry of each point */
  indices: number[];
  error: number;
}

// Scratch of the two functions that run most.
const mean = new Float64Array(4);
const covariance = new Float64Array(16);
const axis = new Float64Array(4);
const turned = new Float64Array(4);
const palette = new Float64Array(16 * 4);

/** The two ends of the points along their principal axis, and the squared distance the line leaves. */
function principalLine({ dim, at }: Points): { ends: [Endpoint, Endpoint]; residual: number } {
  const count = at.length / dim;
  mean.fill(0);
  for (let o = 0; o < at.length; o += dim) for (let c = 0; c < dim; c++) mean[c]! += at[o + c]! / count;
  covariance.fill(0);
  for (let o = 0; o < at.length; o += dim) {
    for (let i = 0; i < dim; i++) {
      const d = at[o + i]! - mean[i]!;
      for (let j = 0; j < dim; j++) covariance[4 * i + j]! += d * (at[o + j]! - mean[j]!);
    }
  }
  // Power iteration from near the coordinate that varies most, off it so as not to start at right angles to the axis.
  let widest = 0;
  let variance = 0;
  for (let i = 0; i < dim; i++) {
    variance += covariance[5 * i]!;
    if (covariance[5 * i]! > covariance[5 * widest]!) widest = i;
  }
  for (let i = 0; i < dim; i++) axis[i] = i === widest ? 1 : 0.1 + 0.05 * i;
  const rounds = dim > 1 && variance > 1e-9 ? 6 : 0;
  for (let round = 0; round < rounds; round++) {
    let square = 0;
    for (let i = 0; i < dim; i++) {
      let sum = 0;
      for (let j = 0; j < dim; j++) sum += covariance[4 * i + j]! * axis[j]!;
      turned[i] = sum;
      square += sum * sum;
    }
    const length = Math.sqrt(square);
    for (let i = 0; i < dim; i++) axis[i] = turned[i]! / length;
  }
  let low = Infinity;
  let high = -Infinity;
  let explained = 0;
  for (let o = 0; o < at.length; o += dim) {
    let t = 0;
    for (let c = 0; c < dim; c++) t += (at[o + c]! - mean[c]!) * axis[c]!;
    low = Math.min(low, t);
    high = Math.max(high, t);
    explained += t * t;
  }
  const end = (t: number): Endpoint => Array.from({ length: dim }, (_, c) => mean[c]! + t * axis[c]!);
  return { ends: [end(low), end(high)], residual: variance - explained };
}

/** The nearest palette entry of every point. */
function assign({ dim, at }: Points, [a, b]: [Endpoint, Endpoint], scheme: Scheme): Fit {
  const size = scheme.weights.length;
  for (let i = 0, o = 0; i < size; i++) {
    for (let c = 0; c < dim; c++) palette[o++] = scheme.blend(a[c]!, b[c]!, scheme.weights[i]!);
  }
  const indices: number[] = [];
  let error = 0;
  for (let o = 0; o < at.length; o += dim) {
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < size; i++) {
      let distance = 0;
      for (let c = 0; c < dim; c++) {
        const d = at[o + c]! - palette[dim * i + c]!;
        distance += d * d;
      }
      if (distance < least) {
        best = i;
        least = distance;
      }
    }
    indices.push(best);
    error += least;
  }
  return { endpoints: [a, b], indices, error };
}

/** Least-squares endpoints for given indices, or undefined when they do not fix both. */
function solve({ dim, at }: Points, { indices }: Fit, { weights }: Scheme): [Endpoint, Endpoint] | undefined {
  let [aa, ab, bb] = [0, 0, 0];
  const ax = new Array<number>(dim).fill(0);
  const bx = new Array<number>(dim).fill(0);
  for (let i = 0; i < indices.length; i++) {
    const b = weights[indices[i]!]!;
    const a = 1 - b;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    for (let c = 0; c < dim; c++) {
      ax[c]! += a * at[dim * i + c]!;
      bx[c]! += b * at[dim * i + c]!;
    }
  }
  const det = aa * bb - ab * ab;
  if (Math.abs(det) < 1e-6) return undefined;
  return [ax.map((v, c) => (v * bb - bx[c]! * ab) / det), bx.map((v, c) => (v * aa - ax[c]! * ab) / det)];
}

function fitEndpoints(points: Points, scheme: Scheme): Fit {
  const quantized = ([a, b]: [Endpoint, Endpoint]): [Endpoint, Endpoint] => [scheme.quantize(a), scheme.quantize(b)];
  let best = assign(points, quantized(principalLine(points).ends), scheme);
  for (let round = 0; round < 2 && best.error > 0; round++) {
    const ends = solve(points, best, scheme);
    const next = ends && assign(points, quantized(ends), scheme);
    if (!next || next.error >= best.error) break;
    best = next;
  }
  return best;
}

/** Some channels of some texels as points. */
function pick(texels: Uint8Array, channels: readonly number[], members: readonly number[] = ALL): Points {
  const at = new Float64Array(channels.length * members.length);
  let o = 0;
  for (const i of members) for (const c of channels) at[o++] = texels[4 * i + c]!;
  return { dim: channels.length, at };
}

const ALL = Array.from({ length: 16 }, (_, i) => i);
const RGB = [0, 1, 2];
const RGBA = [0, 1, 2, 3];

/** `v` (0 to 255) to the nearest of `bits` bits, expanded back to 8 by repeating its high bits. */
function nearest(v: number, bits: number): number {
  const top = (1 << bits) - 1;
  const q = Math.min(top, Math.max(0, Math.round((v * top) / 255)));
  return (q << (8 - bits)) | (q >> (2 * bits - 8));
}

const clampInt = (v: number, top: number): number => Math.min(top, Math.max(0, Math.round(v)));

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
const rgb565 = (p: Endpoint): Endpoint => [nearest(p[0]!, 5), nearest(p[1]!, 6), nearest(p[2]!, 5)];
const pack565 = ([r, g, b]: Endpoint): number => ((r! >> 3) << 11) | ((g! >> 2) << 5) | (b! >> 3);

const FOUR_COLORS: Scheme = { weights: [0, 1 / 3, 2 / 3, 1], quantize: rgb565, blend: between };
const THREE_COLORS: Scheme = { weights: [0, 1 / 2, 1], quantize: rgb565, blend: between };

/** Colours with four palette entries; `c0 > c1` unless all texels are alike. */
function encodeColors(texels: Uint8Array, out: Uint8Array, o: number): void {
  const { endpoints, indices } = fitEndpoints(pick(texels, RGB), FOUR_COLORS);
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
  const opaque = ALL.filter((i) => texels[4 * i + 3]! >= 128);
  if (opaque.length === 16) return encodeColors(texels, out, o);
  const codes = new Array<number>(16).fill(3);
  let [c0, c1] = [0, 0];
  if (opaque.length > 0) {
    const fit = fitEndpoints(pick(texels, RGB, opaque), THREE_COLORS);
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
  encodeChannel(pick(texels, [3]).at, false, out, o);
  encodeColors(texels, out, o + 8);
};

// BC4 and BC5

const channelScheme = (steps: number, signed: boolean): Scheme => ({
  weights: Array.from({ length: steps + 1 }, (_, i) => i / steps),
  quantize: ([v]) => [signed ? Math.min(127, Math.max(-127, Math.round(v!))) : clampInt(v!, 255)],
  blend: between,
});
const EIGHT_VALUES = [channelScheme(7, false), channelScheme(7, true)] as const;
const SIX_VALUES = [channelScheme(5, false), channelScheme(5, true)] as const;

/** One channel of 16 values, 0 to 255 or -127 to 127, in the better of the two modes of BC4. */
function encodeChannel(values: Float64Array, signed: boolean, out: Uint8Array, o: number): void {
  const [low, high] = signed ? [-127, 127] : [0, 255];
  const eight = fitEndpoints({ dim: 1, at: values }, EIGHT_VALUES[signed ? 1 : 0]);
  let [a, b] = [eight.endpoints[0][0]!, eight.endpoints[1][0]!];
  const order = a > b ? [0, 2, 3, 4, 5, 6, 7, 1] : [1, 7, 6, 5, 4, 3, 2, 0];
  let codes = eight.indices.map((i) => (a === b ? 0 : order[i]!));
  if (a < b) [a, b] = [b, a];

  // Six values between the endpoints, and both extremes besides: good for masks.
  const inner = values.filter((v) => v > low && v < high);
  if (inner.length < 16 && eight.error > 0) {
    const scheme = SIX_VALUES[signed ? 1 : 0];
    const ends = inner.length > 0 ? fitEndpoints({ dim: 1, at: inner }, scheme).endpoints.flat() : [low];
    const [c, d] = [Math.min(...ends), Math.max(...ends)];
    const sixValues = [c, d, ...[1, 2, 3, 4].map((i) => between(c, d, i / 5)), low, high];
    let error = 0;
    const nearestCodes = Array.from(values, (v) => {
      const distances = sixValues.map((p) => Math.abs(p - v));
      const least = Math.min(...distances);
      error += least * least;
      return distances.indexOf(least);
    });
    if (error < eight.error) [a, b, codes] = [c, d, nearestCodes];
  }
  const bits = new BitWriter(out, o).put(a & 255, 8).put(b & 255, 8);
  for (const code of codes) bits.put(code, 3);
}

/** What int8 stands for an 8-bit value when 0 to 255 are spread over -1 to 1. */
const toSnorm = (v: number): number => Math.round((v / 255) * 254 - 127);

function channelEncoder(channels: readonly number[], signed: boolean): BlockEncoder {
  return (texels, out, o) => {
    channels.forEach((c, half) => {
      const values = pick(texels, [c]).at;
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

/** Endpoints of seven bits and a common last bit; opaque ones stay exactly opaque. */
const MODE6 = bptcScheme(4, (p) => {
  const withLast = (last: number): number[] => p.map((v) => (clampInt((v - last) / 2, 127) << 1) | last);
  const [even, odd] = [withLast(0), withLast(1)];
  const error = (q: Endpoint): number => q.reduce((sum, v, c) => sum + (v - p[c]!) ** 2, 0);
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
function fitMode1(texels: Uint8Array): SplitFit {
  let [split, least] = [0, Infinity];
  PARTS.forEach((parts, i) => {
    const residual =
      principalLine(pick(texels, RGB, parts[0])).residual + principalLine(pick(texels, RGB, parts[1])).residual;
    if (residual < least) [split, least] = [i, residual];
  });
  const halves = PARTS[split]!.map((members) => {
    const points = pick(texels, RGB, members);
    const fits = MODE1.map((scheme) => fitEndpoints(points, scheme));
    const last = fits[1]!.error < fits[0]!.error ? 1 : 0;
    return { last, members, fit: fits[last]! };
  });
  return { split, halves, error: halves.reduce((sum, { fit }) => sum + fit.error, 0) };
}

function writeMode1({ split, halves }: SplitFit, out: Uint8Array, o: number): void {
  const placed = halves.map(({ members, fit }, half) => anchored(fit, members.indexOf(half === 0 ? 0 : 15), 7));
  const bits = new BitWriter(out, o).put(1 << 1, 2).put(split, 6);
  for (let c = 0; c < 3; c++) {
    for (const { endpoints } of placed) bits.put(endpoints[0][c]! >> 2, 6).put(endpoints[1][c]! >> 2, 6);
  }
  for (const { last } of halves) bits.put(last, 1);
  const indices = new Array<number>(16);
  halves.forEach(({ members }, half) => members.forEach((i, k) => (indices[i] = placed[half]!.indices[k]!)));
  putIndices(bits, indices, 3, [0, 15]);
}

/** BC7 in the best of modes 6 (one line), 5 (colour and alpha apart) and 1 (two lines, opaque). */
export const encodeBc7: BlockEncoder = (texels, out, o) => {
  const mode6 = fitEndpoints(pick(texels, RGBA), MODE6);
  let least = mode6.error;
  let write = (): void => writeMode6(mode6, out, o);
  if (least > 0) {
    const color = fitEndpoints(pick(texels, RGB), MODE5_COLOR);
    const alpha = fitEndpoints(pick(texels, [3]), MODE5_ALPHA);
    if (color.error + alpha.error < least) {
      least = color.error + alpha.error;
      write = () => writeMode5(color, alpha, out, o);
    }
  }
  // The search among splits takes the longest: only where the others do badly.
  if (least > 64 && ALL.every((i) => texels[4 * i + 3] === 255)) {
    const mode1 = fitMode1(texels);
    if (mode1.error < least) write = () => writeMode1(mode1, out, o);
  }
  write();
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

// BC6H

/** Endpoints of ten bits, in the order of the bits of half floats, which is nearly a logarithm of the value. */
const MODE11 = bptcScheme(4, (p) => p.map((v) => clampInt(v, 1023)));

/**
 * BC6H in the mode of one subset, whose endpoints are stored as they are. `toEnd` gives the endpoint whose half float is
 * nearest to the given one.
 */
function bc6hEncoder(toEnd: (half: number) => number): BlockEncoder {
  return (texels, out, o) => {
    const points = pick(texels, RGB);
    points.at.forEach((byte, i) => (points.at[i] = Math.max(0, toEnd(smallFloat(byte / 255, 10)))));
    const { endpoints, indices } = anchored(fitEndpoints(points, MODE11), 0, 15);
    const bits = new BitWriter(out, o).put(0b00011, 5);
    for (const end of endpoints) for (const v of end) bits.put(v, 10);
    putIndices(bits, indices, 4, [0]);
  };
}

/** Positive half floats: an endpoint e is unquantized to 64 e + 32, and times 31 / 64. */
export const encodeBc6hUnsigned = bc6hEncoder((half) => (half - 15.5) / 31);
/** As unsigned, but times 31 / 32. */
export const encodeBc6hSigned = bc6hEncoder((half) => (half - 31) / 62);
