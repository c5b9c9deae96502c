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

/** The first of the 14 linear ASTC formats, after which come as many in sRGB. */
export const ASTC: u32 = 12;
const ASTC_FOOTPRINTS: u32 = 14;
const COUNT: u32 = ASTC + 2 * ASTC_FOOTPRINTS;

/** Of each format: bytes of an element, its width and its height in texels. */
const ELEMENTS = memory.data<u8>([
  1, 1, 1,
  2, 1, 1,
  4, 1, 1,
  4, 1, 1,
  8, 4, 4,
  16, 4, 4,
  16, 4, 4,
  8, 4, 4,
  8, 4, 4,
  16, 4, 4,
  16, 4, 4,
  16, 4, 4,
  // ASTC
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
