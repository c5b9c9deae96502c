import {
  encodeBc1,
  encodeBc1Alpha,
  encodeBc2,
  encodeBc3,
  encodeBc4,
  encodeBc4Snorm,
  encodeBc5,
  encodeBc5Snorm,
  encodeBc7,
  encodeBlocks,
} from './bc-encode.ts';
import type { BlockEncoder } from './bc-encode.ts';
import type { Picture } from './picture.ts';

/** How a format stores texels. */
export interface Format {
  /** channel format in the high byte, type in the low one, as BNTX has it */
  code: number;
  /** texels along each side of an element */
  extent: 1 | 4;
  bytesPerElement: number;
  /** how many of red, green, blue, alpha it keeps */
  channels: 1 | 2 | 4;
  signed: boolean;
  /** the elements of a picture in rows */
  encode(picture: Picture): Uint8Array;
}

const UNORM = 1;
const SNORM = 2;
const SRGB = 6;

/** A plain format whose bytes are these channels of each texel. */
function plain(channel: number, type: number, order: readonly number[]): Format {
  return {
    code: (channel << 8) | type,
    extent: 1,
    bytesPerElement: order.length,
    channels: order.length as 1 | 2 | 4,
    signed: false,
    encode({ rgba }) {
      const out = new Uint8Array((rgba.length / 4) * order.length);
      for (let i = 0; i < out.length; i++) out[i] = rgba[4 * Math.floor(i / order.length) + order[i % order.length]!]!;
      return out;
    },
  };
}

function block(channel: number, type: number, blockSize: 8 | 16, channels: 1 | 2 | 4, encode: BlockEncoder): Format {
  return {
    code: (channel << 8) | type,
    extent: 4,
    bytesPerElement: blockSize,
    channels,
    signed: type === SNORM,
    encode: (picture) => encodeBlocks(picture, blockSize, encode),
  };
}

/** BC1 picks the encoder by whether the picture has holes. */
function bc1(type: number): Format {
  const [opaque, holes] = [block(0x1a, type, 8, 4, encodeBc1), block(0x1a, type, 8, 4, encodeBc1Alpha)];
  return { ...opaque, encode: (p) => (p.rgba.some((v, i) => i % 4 === 3 && v < 128) ? holes : opaque).encode(p) };
}

/** Every format the sample uses, by its name in nn::gfx. */
export const FORMATS = {
  R8_UNORM: plain(0x02, UNORM, [0]),
  R8G8_UNORM: plain(0x09, UNORM, [0, 1]),
  R8G8B8A8_UNORM: plain(0x0b, UNORM, [0, 1, 2, 3]),
  R8G8B8A8_SRGB: plain(0x0b, SRGB, [0, 1, 2, 3]),
  B8G8R8A8_UNORM: plain(0x0c, UNORM, [2, 1, 0, 3]),
  B8G8R8A8_SRGB: plain(0x0c, SRGB, [2, 1, 0, 3]),
  BC1_UNORM: bc1(UNORM),
  BC1_SRGB: bc1(SRGB),
  BC2_UNORM: block(0x1b, UNORM, 16, 4, encodeBc2),
  BC2_SRGB: block(0x1b, SRGB, 16, 4, encodeBc2),
  BC3_UNORM: block(0x1c, UNORM, 16, 4, encodeBc3),
  BC3_SRGB: block(0x1c, SRGB, 16, 4, encodeBc3),
  BC4_UNORM: block(0x1d, UNORM, 8, 1, encodeBc4),
  BC4_SNORM: block(0x1d, SNORM, 8, 1, encodeBc4Snorm),
  BC5_UNORM: block(0x1e, UNORM, 16, 2, encodeBc5),
  BC5_SNORM: block(0x1e, SNORM, 16, 2, encodeBc5Snorm),
  BC7_UNORM: block(0x20, UNORM, 16, 4, encodeBc7),
  BC7_SRGB: block(0x20, SRGB, 16, 4, encodeBc7),
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
