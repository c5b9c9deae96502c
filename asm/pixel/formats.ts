// The numbers of `types.texel-format` of the WIT.

export const R8: u32 = 0;
export const R8G8: u32 = 1;
export const RGBA8: u32 = 2;
export const BGRA8: u32 = 3;
export const BC1: u32 = 4;
export const BC2: u32 = 5;
export const BC3: u32 = 6;
export const BC4_UNORM: u32 = 7;
export const BC4_SNORM: u32 = 8;
export const BC5_UNORM: u32 = 9;
export const BC5_SNORM: u32 = 10;
export const BC7: u32 = 11;
export const BC6H_UF16: u32 = 12;
export const BC6H_SF16: u32 = 13;
/** From here to RGBA32_FLOAT: formats of equal channels, see CHANNELS. */
export const R8_SNORM: u32 = 14;
export const RGBA32_FLOAT: u32 = 49;
export const RGBA4: u32 = 50;
export const RGB5A1: u32 = 51;
export const A1BGR5: u32 = 52;
export const RGB565: u32 = 53;
export const BGR565: u32 = 54;
export const BGR5A1: u32 = 55;
export const RGB10A2: u32 = 56;
export const RGB10A2_UINT: u32 = 57;
export const R11G11B10: u32 = 58;
export const RGB9E5: u32 = 59;
export const D24S8: u32 = 60;
export const D32S8: u32 = 61;

/** The first of the 14 linear ASTC formats, after which come as many in sRGB. */
export const ASTC: u32 = 62;
const ASTC_FOOTPRINTS: u32 = 14;
const COUNT: u32 = ASTC + 2 * ASTC_FOOTPRINTS;

/** Of each format: bytes of an element, its width and its height in texels. */
const ELEMENTS = memory.data<u8>([
  // plain and bc
  1, 1, 1, 2, 1, 1, 4, 1, 1, 4, 1, 1,
  8, 4, 4, 16, 4, 4, 16, 4, 4, 8, 4, 4, 8, 4, 4, 16, 4, 4, 16, 4, 4, 16, 4, 4, 16, 4, 4, 16, 4, 4,
  1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 4, 1, 1, 4, 1, 1, 4, 1, 1,
  2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 4, 1, 1, 4, 1, 1, 4, 1, 1, 4, 1, 1,
  4, 1, 1, 8, 1, 1, 8, 1, 1, 8, 1, 1, 8, 1, 1, 8, 1, 1, 4, 1, 1, 4, 1, 1, 4, 1, 1,
  8, 1, 1, 8, 1, 1, 8, 1, 1, 12, 1, 1, 12, 1, 1, 12, 1, 1, 16, 1, 1, 16, 1, 1, 16, 1, 1,
  2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 4, 1, 1, 4, 1, 1, 4, 1, 1,
  4, 1, 1, 4, 1, 1, 8, 1, 1,
  // astc
  16, 4, 4, 16, 5, 4, 16, 5, 5, 16, 6, 5, 16, 6, 6, 16, 8, 5, 16, 8, 6,
  16, 8, 8, 16, 10, 5, 16, 10, 6, 16, 10, 8, 16, 10, 10, 16, 12, 10, 16, 12, 12,
  16, 4, 4, 16, 5, 4, 16, 5, 5, 16, 6, 5, 16, 6, 6, 16, 8, 5, 16, 8, 6,
  16, 8, 8, 16, 10, 5, 16, 10, 6, 16, 10, 8, 16, 10, 10, 16, 12, 10, 16, 12, 12,
]);

/** Bytes of a texel or block; 0 for a number that is no format. */
export function elementSize(format: u32): u32 {
  return format < COUNT ? <u32>load<u8>(ELEMENTS + 3 * <usize>format) : 0;
}

/** Width of an element in texels; 1 for a number that is no format. */
export function elementWidth(format: u32): u32 {
  return format < COUNT ? <u32>load<u8>(ELEMENTS + 3 * <usize>format, 1) : 1;
}

/** Height of an element in texels; 1 for a number that is no format. */
export function elementHeight(format: u32): u32 {
  return format < COUNT ? <u32>load<u8>(ELEMENTS + 3 * <usize>format, 2) : 1;
}

export function isAstc(format: u32): bool {
  return format - ASTC < 2 * ASTC_FOOTPRINTS;
}

export function isAstcSrgb(format: u32): bool {
  return format - ASTC - ASTC_FOOTPRINTS < ASTC_FOOTPRINTS;
}

// What a channel holds, in formats whose channels are all alike.
export const UNORM8: u32 = 0;
export const SNORM8: u32 = 1;
export const UINT8: u32 = 2;
export const SINT8: u32 = 3;
export const UNORM16: u32 = 4;
export const SNORM16: u32 = 5;
export const UINT16: u32 = 6;
export const SINT16: u32 = 7;
export const FLOAT16: u32 = 8;
export const UINT32: u32 = 9;
export const SINT32: u32 = 10;
export const FLOAT32: u32 = 11;

/** By format from R8_SNORM on: what a channel holds in the high nibble, the number of channels in the low one. */
const CHANNELS = memory.data<u8>([
  0x11, 0x21, 0x31, 0x12, 0x22, 0x32, 0x14, 0x24, 0x34,
  0x41, 0x51, 0x61, 0x71, 0x81, 0x42, 0x52, 0x62, 0x72, 0x82, 0x44, 0x54, 0x64, 0x74, 0x84,
  0x91, 0xa1, 0xb1, 0x92, 0xa2, 0xb2, 0x93, 0xa3, 0xb3, 0x94, 0xa4, 0xb4,
]);

/** Whether the channels of a plain format are all alike, in the order R, G, B, A. */
export function isEven(format: u32): bool {
  return format <= RGBA8 || (format >= R8_SNORM && format <= RGBA32_FLOAT);
}

/** What the channels of an even format hold. */
export function channelKind(format: u32): u32 {
  return format <= RGBA8 ? UNORM8 : <u32>load<u8>(CHANNELS + <usize>(format - R8_SNORM)) >>> 4;
}

/** How many channels an even format has. */
export function channelCount(format: u32): u32 {
  if (format <= RGBA8) return 1 << format; // R8, R8G8, RGBA8
  return <u32>load<u8>(CHANNELS + <usize>(format - R8_SNORM)) & 15;
}
