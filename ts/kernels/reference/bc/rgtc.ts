import { OPAQUE, type BlockDecoder } from './block.ts';

const values = new Uint8Array(8);

/** `x / divisor`, rounded (an odd divisor has no halves), for all sums of `divisor` bytes. */
function quotients(divisor: number): Uint8Array {
  return Uint8Array.from({ length: 255 * divisor + 1 }, (_, x) => Math.round(x / divisor));
}

const SEVENTHS = quotients(7);
const FIFTHS = quotients(5);

/** Fills `values` from two endpoints: six values between them, or four and then 0 and `greatest`. */
function interpolate(e0: number, e1: number, greatest: number): void {
  values[0] = e0;
  values[1] = e1;
  if (e0 > e1) {
    values[2] = SEVENTHS[6 * e0 + e1]!;
    values[3] = SEVENTHS[5 * e0 + 2 * e1]!;
    values[4] = SEVENTHS[4 * e0 + 3 * e1]!;
    values[5] = SEVENTHS[3 * e0 + 4 * e1]!;
    values[6] = SEVENTHS[2 * e0 + 5 * e1]!;
    values[7] = SEVENTHS[e0 + 6 * e1]!;
  } else {
    values[2] = FIFTHS[4 * e0 + e1]!;
    values[3] = FIFTHS[3 * e0 + 2 * e1]!;
    values[4] = FIFTHS[2 * e0 + 3 * e1]!;
    values[5] = FIFTHS[e0 + 4 * e1]!;
    values[6] = 0;
    values[7] = greatest;
  }
}

/** Sixteen of `values` by the 3-bit indices of the block at `s`: two groups of eight in three bytes. */
function select(texels: Uint8Array, src: Uint8Array, s: number): void {
  for (let i = 0; i < 16; i += 8, s += 3) {
    const bits = src[s + 2]! | (src[s + 3]! << 8) | (src[s + 4]! << 16);
    texels[i] = values[bits & 7]!;
    texels[i + 1] = values[(bits >> 3) & 7]!;
    texels[i + 2] = values[(bits >> 6) & 7]!;
    texels[i + 3] = values[(bits >> 9) & 7]!;
    texels[i + 4] = values[(bits >> 12) & 7]!;
    texels[i + 5] = values[(bits >> 15) & 7]!;
    texels[i + 6] = values[(bits >> 18) & 7]!;
    texels[i + 7] = values[bits >> 21]!;
  }
}

/** The sixteen bytes of the 8-byte UNORM block at `s`. */
export function unormChannel(texels: Uint8Array, src: Uint8Array, s: number): void {
  interpolate(src[s]!, src[s + 1]!, 255);
  select(texels, src, s);
}

/** An int8 plus 127; -128 counts as -127. */
function biased(byte: number): number {
  return Math.max((byte ^ 0x80) - 1, 0);
}

/**
 * The sixteen bytes of a SNORM block. Interpolates v + 127, which rounds as v does; then
 * floor((v / 127 * 0.5 + 0.5) * 255 + 0.5) = v + 127 + (v >= 0).
 */
export function snormChannel(texels: Uint8Array, src: Uint8Array, s: number): void {
  interpolate(biased(src[s]!), biased(src[s + 1]!), 254);
  for (let i = 0; i < 8; i++) if (values[i]! >= 127) values[i]!++;
  select(texels, src, s);
}

type Channel = typeof unormChannel;

const red = new Uint8Array(16);
const green = new Uint8Array(16);

function bc4(channel: Channel): BlockDecoder {
  return (src, s, out, o, stride) => {
    channel(red, src, s);
    for (let i = 0; i < 16; i += 4, o += stride) {
      out[o] = red[i]! | OPAQUE;
      out[o + 1] = red[i + 1]! | OPAQUE;
      out[o + 2] = red[i + 2]! | OPAQUE;
      out[o + 3] = red[i + 3]! | OPAQUE;
    }
  };
}

function bc5(channel: Channel): BlockDecoder {
  return (src, s, out, o, stride) => {
    channel(red, src, s);
    channel(green, src, s + 8);
    for (let i = 0; i < 16; i += 4, o += stride) {
      out[o] = red[i]! | (green[i]! << 8) | OPAQUE;
      out[o + 1] = red[i + 1]! | (green[i + 1]! << 8) | OPAQUE;
      out[o + 2] = red[i + 2]! | (green[i + 2]! << 8) | OPAQUE;
      out[o + 3] = red[i + 3]! | (green[i + 3]! << 8) | OPAQUE;
    }
  };
}

export const bc4Unorm = bc4(unormChannel);
export const bc4Snorm = bc4(snormChannel);
export const bc5Unorm = bc5(unormChannel);
export const bc5Snorm = bc5(snormChannel);
