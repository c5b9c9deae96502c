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

const ELEMENT_SIZE = memory.data<u8>([1, 2, 4, 4, 8, 16, 16, 8, 8, 16, 16, 16]);

/** Bytes of a texel or block; 0 for a number that is no format. */
export function elementSize(format: u32): u32 {
  return format <= BC7 ? <u32>load<u8>(ELEMENT_SIZE + <usize>format) : 0;
}

/** Width and height of an element in texels. */
export function blockExtent(format: u32): u32 {
  return format >= BC1 ? 4 : 1;
}
