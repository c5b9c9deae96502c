import { astcEncoder } from './astc-encode.ts';
import {
  encodeBc1,
  encodeBc1Alpha,
  encodeBc2,
  encodeBc3,
  encodeBc4,
  encodeBc4Snorm,
  encodeBc5,
  encodeBc5Snorm,
  encodeBc6hSigned,
  encodeBc6hUnsigned,
  encodeBc7,
  encodeBlocks,
} from './bc-encode.ts';
import type { BlockEncoder } from './bc-encode.ts';
import type { Picture } from './picture.ts';
import { encodePlain, encodeSharedExponent, fieldsOf } from './plain-encode.ts';

export type Extent = readonly [columns: number, rows: number];

/** How a format stores texels. */
export interface Format {
  /** channel format in the high byte, type in the low one, as BNTX has it */
  code: number;
  /** texels across and down an element */
  extent: Extent;
  bytesPerElement: number;
  /** how many of red, green, blue, alpha it keeps */
  channels: 1 | 2 | 3 | 4;
  signed: boolean;
  /** whether the bytes of a picture come out of it as they went in */
  exact: boolean;
  /** the elements of a picture in rows */
  encode(picture: Picture): Uint8Array;
}

const UNORM = 1;
const SNORM = 2;
const UINT = 3;
const SINT = 4;
const FLOAT = 5;
const SRGB = 6;
const DEPTH = 7;
const UFLOAT = 10;

const TYPES: Readonly<Record<number, string>> = {
  [UNORM]: 'UNORM',
  [SNORM]: 'SNORM',
  [UINT]: 'UINT',
  [SINT]: 'SINT',
  [FLOAT]: 'FLOAT',
  [DEPTH]: 'DEPTH',
};

/** A plain format whose bytes are these channels of each texel. */
function plain(channel: number, type: number, order: readonly number[]): Format {
  return {
    code: (channel << 8) | type,
    extent: [1, 1],
    bytesPerElement: order.length,
    channels: order.length as 1 | 2 | 4,
    signed: false,
    exact: true,
    encode({ rgba }) {
      const out = new Uint8Array((rgba.length / 4) * order.length);
      for (let i = 0; i < out.length; i++) out[i] = rgba[4 * Math.floor(i / order.length) + order[i % order.length]!]!;
      return out;
    },
  };
}

/** A plain format by the fields of a texel, such as `R5G6B5`. */
function packed(channel: number, type: number, fields: string): Format {
  const list = fieldsOf(fields);
  return {
    code: (channel << 8) | type,
    extent: [1, 1],
    bytesPerElement: list.reduce((sum, { bits }) => sum + bits, 0) / 8,
    channels: list.filter(({ letter }) => letter !== 'X').length as 1 | 2 | 3 | 4,
    signed: type === SNORM,
    // SNORM has no value in the middle, a signed byte half the values, and a small float too few bits.
    exact: type !== SNORM && list.every(({ bits }) => bits >= (type === SINT || type === FLOAT ? 16 : 8)),
    encode: (picture) => encodePlain(picture, fields, TYPES[type]!),
  };
}

function block(
  channel: number,
  type: number,
  blockSize: 8 | 16,
  channels: 1 | 2 | 3 | 4,
  encode: BlockEncoder,
  extent: Extent = [4, 4],
): Format {
  return {
    code: (channel << 8) | type,
    extent,
    bytesPerElement: blockSize,
    channels,
    signed: type === SNORM,
    exact: false,
    encode: (picture) => encodeBlocks(picture, extent, blockSize, encode),
  };
}

const astc = (channel: number, type: number, columns: number, rows: number): Format =>
  block(channel, type, 16, 4, astcEncoder(columns, rows), [columns, rows]);

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
  BC6_UFLOAT: block(0x1f, UFLOAT, 16, 3, encodeBc6hUnsigned),
  BC6_FLOAT: block(0x1f, FLOAT, 16, 3, encodeBc6hSigned),
  R8_SNORM: packed(0x02, SNORM, 'R8'),
  R8_UINT: packed(0x02, UINT, 'R8'),
  R8_SINT: packed(0x02, SINT, 'R8'),
  R8G8_SNORM: packed(0x09, SNORM, 'R8G8'),
  R8G8_UINT: packed(0x09, UINT, 'R8G8'),
  R8G8_SINT: packed(0x09, SINT, 'R8G8'),
  R8G8B8A8_SNORM: packed(0x0b, SNORM, 'R8G8B8A8'),
  R8G8B8A8_UINT: packed(0x0b, UINT, 'R8G8B8A8'),
  R8G8B8A8_SINT: packed(0x0b, SINT, 'R8G8B8A8'),
  R16_UNORM: packed(0x0a, UNORM, 'R16'),
  R16_SNORM: packed(0x0a, SNORM, 'R16'),
  R16_UINT: packed(0x0a, UINT, 'R16'),
  R16_SINT: packed(0x0a, SINT, 'R16'),
  R16_FLOAT: packed(0x0a, FLOAT, 'R16'),
  R16G16_UNORM: packed(0x12, UNORM, 'R16G16'),
  R16G16_SNORM: packed(0x12, SNORM, 'R16G16'),
  R16G16_UINT: packed(0x12, UINT, 'R16G16'),
  R16G16_SINT: packed(0x12, SINT, 'R16G16'),
  R16G16_FLOAT: packed(0x12, FLOAT, 'R16G16'),
  R16G16B16A16_UNORM: packed(0x15, UNORM, 'R16G16B16A16'),
  R16G16B16A16_SNORM: packed(0x15, SNORM, 'R16G16B16A16'),
  R16G16B16A16_UINT: packed(0x15, UINT, 'R16G16B16A16'),
  R16G16B16A16_SINT: packed(0x15, SINT, 'R16G16B16A16'),
  R16G16B16A16_FLOAT: packed(0x15, FLOAT, 'R16G16B16A16'),
  R32_UINT: packed(0x14, UINT, 'R32'),
  R32_SINT: packed(0x14, SINT, 'R32'),
  R32_FLOAT: packed(0x14, FLOAT, 'R32'),
  R32G32_UINT: packed(0x17, UINT, 'R32G32'),
  R32G32_SINT: packed(0x17, SINT, 'R32G32'),
  R32G32_FLOAT: packed(0x17, FLOAT, 'R32G32'),
  R32G32B32_UINT: packed(0x18, UINT, 'R32G32B32'),
  R32G32B32_SINT: packed(0x18, SINT, 'R32G32B32'),
  R32G32B32_FLOAT: packed(0x18, FLOAT, 'R32G32B32'),
  R32G32B32A32_UINT: packed(0x19, UINT, 'R32G32B32A32'),
  R32G32B32A32_SINT: packed(0x19, SINT, 'R32G32B32A32'),
  R32G32B32A32_FLOAT: packed(0x19, FLOAT, 'R32G32B32A32'),
  R4G4B4A4_UNORM: packed(0x03, UNORM, 'R4G4B4A4'),
  R5G5B5A1_UNORM: packed(0x05, UNORM, 'R5G5B5A1'),
  A1B5G5R5_UNORM: packed(0x06, UNORM, 'A1B5G5R5'),
  R5G6B5_UNORM: packed(0x07, UNORM, 'R5G6B5'),
  B5G6R5_UNORM: packed(0x08, UNORM, 'B5G6R5'),
  B5G5R5A1_UNORM: packed(0x3b, UNORM, 'B5G5R5A1'),
  R10G10B10A2_UNORM: packed(0x0e, UNORM, 'R10G10B10A2'),
  R10G10B10A2_UINT: packed(0x0e, UINT, 'R10G10B10A2'),
  R11G11B10_FLOAT: packed(0x0f, FLOAT, 'R11G11B10'),
  R9G9B9E5_FLOAT: {
    code: (0x0d << 8) | FLOAT,
    extent: [1, 1],
    bytesPerElement: 4,
    channels: 3,
    signed: false,
    exact: false,
    encode: encodeSharedExponent,
  },
  D16_DEPTH: packed(0x0a, DEPTH, 'D16'),
  D24S8_DEPTH: packed(0x13, DEPTH, 'D24S8'),
  D32_DEPTH: packed(0x14, DEPTH, 'D32'),
  D32S8_DEPTH: packed(0x16, DEPTH, 'D32S8X24'),
  ASTC4x4_UNORM: astc(0x2d, UNORM, 4, 4),
  ASTC4x4_SRGB: astc(0x2d, SRGB, 4, 4),
  ASTC5x4_UNORM: astc(0x2e, UNORM, 5, 4),
  ASTC5x4_SRGB: astc(0x2e, SRGB, 5, 4),
  ASTC5x5_UNORM: astc(0x2f, UNORM, 5, 5),
  ASTC5x5_SRGB: astc(0x2f, SRGB, 5, 5),
  ASTC6x5_UNORM: astc(0x30, UNORM, 6, 5),
  ASTC6x5_SRGB: astc(0x30, SRGB, 6, 5),
  ASTC6x6_UNORM: astc(0x31, UNORM, 6, 6),
  ASTC6x6_SRGB: astc(0x31, SRGB, 6, 6),
  ASTC8x5_UNORM: astc(0x32, UNORM, 8, 5),
  ASTC8x5_SRGB: astc(0x32, SRGB, 8, 5),
  ASTC8x6_UNORM: astc(0x33, UNORM, 8, 6),
  ASTC8x6_SRGB: astc(0x33, SRGB, 8, 6),
  ASTC8x8_UNORM: astc(0x34, UNORM, 8, 8),
  ASTC8x8_SRGB: astc(0x34, SRGB, 8, 8),
  ASTC10x5_UNORM: astc(0x35, UNORM, 10, 5),
  ASTC10x5_SRGB: astc(0x35, SRGB, 10, 5),
  ASTC10x6_UNORM: astc(0x36, UNORM, 10, 6),
  ASTC10x6_SRGB: astc(0x36, SRGB, 10, 6),
  ASTC10x8_UNORM: astc(0x37, UNORM, 10, 8),
  ASTC10x8_SRGB: astc(0x37, SRGB, 10, 8),
  ASTC10x10_UNORM: astc(0x38, UNORM, 10, 10),
  ASTC10x10_SRGB: astc(0x38, SRGB, 10, 10),
  ASTC12x10_UNORM: astc(0x39, UNORM, 12, 10),
  ASTC12x10_SRGB: astc(0x39, SRGB, 12, 10),
  ASTC12x12_UNORM: astc(0x3a, UNORM, 12, 12),
  ASTC12x12_SRGB: astc(0x3a, SRGB, 12, 12),
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
