/** Enums of nn::gfx (spec common-nn-gfx; the values of open-ead/nnheaders gfx_Enum.h win). */
import type { TexelFormat } from '../kernels/contract.ts';

/** What one channel format is: name, size of an element in texels and bytes. */
interface ChannelFormat {
  name: string;
  blockWidth: number;
  blockHeight: number;
  bytes: number;
}

const plain = (name: string, bytes: number): ChannelFormat => ({ name, blockWidth: 1, blockHeight: 1, bytes });
const block = (name: string, bytes: number, blockWidth = 4, blockHeight = 4): ChannelFormat => ({
  name,
  blockWidth,
  blockHeight,
  bytes,
});
const astc = (width: number, height: number): ChannelFormat => block(`ASTC${width}x${height}`, 16, width, height);

const CHANNEL_FORMATS: Readonly<Record<number, ChannelFormat>> = {
  0x01: plain('R4G4', 1),
  0x02: plain('R8', 1),
  0x03: plain('R4G4B4A4', 2),
  0x04: plain('A4B4G4R4', 2),
  0x05: plain('R5G5B5A1', 2),
  0x06: plain('A1B5G5R5', 2),
  0x07: plain('R5G6B5', 2),
  0x08: plain('B5G6R5', 2),
  0x09: plain('R8G8', 2),
  0x0a: plain('R16', 2),
  0x0b: plain('RGBA8', 4),
  0x0c: plain('BGRA8', 4),
  0x0d: plain('R9G9B9E5', 4),
  0x0e: plain('R10G10B10A2', 4),
  0x0f: plain('R11G11B10', 4),
  0x10: plain('B10G11R11', 4),
  0x11: plain('R10G11B11', 4),
  0x12: plain('R16G16', 4),
  0x13: plain('D24S8', 4),
  0x14: plain('R32', 4),
  0x15: plain('RGBA16', 8),
  0x16: plain('D32S8', 8),
  0x17: plain('R32G32', 8),
  0x18: plain('RGB32', 12),
  0x19: plain('RGBA32', 16),
  0x1a: block('BC1', 8),
  0x1b: block('BC2', 16),
  0x1c: block('BC3', 16),
  0x1d: block('BC4', 8),
  0x1e: block('BC5', 16),
  0x1f: block('BC6', 16),
  0x20: block('BC7', 16),
  0x21: block('EAC_R11', 8),
  0x22: block('EAC_R11G11', 16),
  0x23: block('ETC1', 8),
  0x24: block('ETC2', 8),
  0x25: block('ETC2_MASK', 8),
  0x26: block('ETC2_ALPHA', 16),
  0x27: block('PVRTC1_2BPP', 8, 8, 4),
  0x28: block('PVRTC1_4BPP', 8),
  0x29: block('PVRTC1_ALPHA_2BPP', 8, 8, 4),
  0x2a: block('PVRTC1_ALPHA_4BPP', 8),
  0x2b: block('PVRTC2_ALPHA_2BPP', 8, 8, 4),
  0x2c: block('PVRTC2_ALPHA_4BPP', 8),
  0x2d: astc(4, 4),
  0x2e: astc(5, 4),
  0x2f: astc(5, 5),
  0x30: astc(6, 5),
  0x31: astc(6, 6),
  0x32: astc(8, 5),
  0x33: astc(8, 6),
  0x34: astc(8, 8),
  0x35: astc(10, 5),
  0x36: astc(10, 6),
  0x37: astc(10, 8),
  0x38: astc(10, 10),
  0x39: astc(12, 10),
  0x3a: astc(12, 12),
  0x3b: plain('B5G5R5A1', 2),
};

const TYPE_FORMATS: Readonly<Record<number, string>> = {
  1: 'UNORM',
  2: 'SNORM',
  3: 'UINT',
  4: 'SINT',
  5: 'FLOAT',
  6: 'SRGB',
  7: 'DEPTH',
  8: 'USCALED',
  9: 'SSCALED',
  10: 'UFLOAT',
};

type TypeOfTexels = 'unorm' | 'snorm' | 'uint' | 'sint' | 'float';

/** The formats of equal channels that have these types. */
function ofTypes<C extends string, T extends TypeOfTexels>(
  name: string,
  channels: C,
  types: Uppercase<T>[],
): Record<string, `${C}-${T}`> {
  return Object.fromEntries(types.map((type) => [`${name}_${type}`, `${channels}-${type.toLowerCase()}`] as never));
}

/** The kernels' names of the image formats they decode: all that the hardware has but ASTC. */
const TEXEL_FORMAT_OF: Readonly<Record<string, TexelFormat>> = {
  R8_UNORM: 'r8',
  R8G8_UNORM: 'r8g8',
  RGBA8_UNORM: 'rgba8',
  RGBA8_SRGB: 'rgba8',
  BGRA8_UNORM: 'bgra8',
  BGRA8_SRGB: 'bgra8',
  BC1_UNORM: 'bc1',
  BC1_SRGB: 'bc1',
  BC2_UNORM: 'bc2',
  BC2_SRGB: 'bc2',
  BC3_UNORM: 'bc3',
  BC3_SRGB: 'bc3',
  BC4_UNORM: 'bc4-unorm',
  BC4_SNORM: 'bc4-snorm',
  BC5_UNORM: 'bc5-unorm',
  BC5_SNORM: 'bc5-snorm',
  BC7_UNORM: 'bc7',
  BC7_SRGB: 'bc7',
  BC6_UFLOAT: 'bc6h-uf16',
  BC6_FLOAT: 'bc6h-sf16',
  ...ofTypes('R8', 'r8', ['SNORM', 'UINT', 'SINT']),
  ...ofTypes('R8G8', 'r8g8', ['SNORM', 'UINT', 'SINT']),
  ...ofTypes('RGBA8', 'rgba8', ['SNORM', 'UINT', 'SINT']),
  ...ofTypes('R16', 'r16', ['UNORM', 'SNORM', 'UINT', 'SINT', 'FLOAT']),
  ...ofTypes('R16G16', 'r16g16', ['UNORM', 'SNORM', 'UINT', 'SINT', 'FLOAT']),
  ...ofTypes('RGBA16', 'rgba16', ['UNORM', 'SNORM', 'UINT', 'SINT', 'FLOAT']),
  ...ofTypes('R32', 'r32', ['UINT', 'SINT', 'FLOAT']),
  ...ofTypes('R32G32', 'r32g32', ['UINT', 'SINT', 'FLOAT']),
  ...ofTypes('RGB32', 'rgb32', ['UINT', 'SINT', 'FLOAT']),
  ...ofTypes('RGBA32', 'rgba32', ['UINT', 'SINT', 'FLOAT']),
  R4G4B4A4_UNORM: 'rgba4',
  R5G5B5A1_UNORM: 'rgb5a1',
  A1B5G5R5_UNORM: 'a1bgr5',
  R5G6B5_UNORM: 'rgb565',
  B5G6R5_UNORM: 'bgr565',
  B5G5R5A1_UNORM: 'bgr5a1',
  R10G10B10A2_UNORM: 'rgb10a2',
  R10G10B10A2_UINT: 'rgb10a2-uint',
  R11G11B10_FLOAT: 'r11g11b10',
  R9G9B9E5_FLOAT: 'rgb9e5',
  R16_DEPTH: 'r16-unorm',
  R32_DEPTH: 'r32-float',
  D24S8_DEPTH: 'd24s8',
  D32S8_DEPTH: 'd32s8',
  ASTC4x4_UNORM: 'astc-4x4',
  ASTC5x4_UNORM: 'astc-5x4',
  ASTC5x5_UNORM: 'astc-5x5',
  ASTC6x5_UNORM: 'astc-6x5',
  ASTC6x6_UNORM: 'astc-6x6',
  ASTC8x5_UNORM: 'astc-8x5',
  ASTC8x6_UNORM: 'astc-8x6',
  ASTC8x8_UNORM: 'astc-8x8',
  ASTC10x5_UNORM: 'astc-10x5',
  ASTC10x6_UNORM: 'astc-10x6',
  ASTC10x8_UNORM: 'astc-10x8',
  ASTC10x10_UNORM: 'astc-10x10',
  ASTC12x10_UNORM: 'astc-12x10',
  ASTC12x12_UNORM: 'astc-12x12',
  ASTC4x4_SRGB: 'astc-4x4-srgb',
  ASTC5x4_SRGB: 'astc-5x4-srgb',
  ASTC5x5_SRGB: 'astc-5x5-srgb',
  ASTC6x5_SRGB: 'astc-6x5-srgb',
  ASTC6x6_SRGB: 'astc-6x6-srgb',
  ASTC8x5_SRGB: 'astc-8x5-srgb',
  ASTC8x6_SRGB: 'astc-8x6-srgb',
  ASTC8x8_SRGB: 'astc-8x8-srgb',
  ASTC10x5_SRGB: 'astc-10x5-srgb',
  ASTC10x6_SRGB: 'astc-10x6-srgb',
  ASTC10x8_SRGB: 'astc-10x8-srgb',
  ASTC10x10_SRGB: 'astc-10x10-srgb',
  ASTC12x10_SRGB: 'astc-12x10-srgb',
  ASTC12x12_SRGB: 'astc-12x12-srgb',
};

/** An nn::gfx::ImageFormat: channel format << 8 | type format. */
export interface ImageFormat {
  /** the number in the file */
  value: number;
  /** such as `BC7_SRGB`; `unknown(0x1234)` for numbers without a name */
  name: string;
  /** width and height, in texels, and size in bytes of one element; 0 for unknown formats */
  blockWidth: number;
  blockHeight: number;
  bytes: number;
  srgb: boolean;
  /** its channels are floats, which may be below 0 and above 1 */
  float: boolean;
  /** what the kernels call it; undefined when they do not decode it */
  texelFormat: TexelFormat | undefined;
}

/** Describes an image format by its number. Never throws: a number without a name has `bytes` 0. */
export function imageFormat(value: number): ImageFormat {
  const channel = CHANNEL_FORMATS[value >>> 8];
  const type = TYPE_FORMATS[value & 0xff];
  if (!channel || !type) {
    const name = `unknown(0x${value.toString(16).padStart(4, '0')})`;
    return { value, name, blockWidth: 0, blockHeight: 0, bytes: 0, srgb: false, float: false, texelFormat: undefined };
  }
  const name = `${channel.name}_${type}`;
  const { blockWidth, blockHeight, bytes } = channel;
  const [srgb, float] = [type === 'SRGB', type.endsWith('FLOAT')];
  return { value, name, blockWidth, blockHeight, bytes, srgb, float, texelFormat: TEXEL_FORMAT_OF[name] };
}

/** nn::gfx::ImageDimension, by number. */
export const IMAGE_DIMENSIONS = [
  '1D',
  '2D',
  '3D',
  'cube',
  '1D array',
  '2D array',
  '2D multisample',
  '2D multisample array',
  'cube array',
] as const;
export type ImageDimension = (typeof IMAGE_DIMENSIONS)[number];

/** nn::gfx::ChannelSource of R, G, B, A in the bytes of a u32, lowest first, that leave a texel as it is. */
export const IDENTITY_CHANNELS = 0x05040302;

/** Channel sources as text, such as `RGBA` or `111R`; `?` for a number without a meaning. */
export function channelNames(sources: number): string {
  return [0, 8, 16, 24].map((shift) => '01RGBA'[(sources >>> shift) & 0xff] ?? '?').join('');
}
