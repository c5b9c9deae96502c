import { BGRA8, R8, R8G8, RGBA8, elementSize } from './formats';

/** `count` texels of a plain format to RGBA8. */
export function decodeTexels(format: u32, dst: usize, src: usize, count: usize): void {
  if (format == RGBA8) memory.copy(dst, src, count << 2);
  else if (format == BGRA8) bgra8(dst, src, count);
  else if (format == R8G8) r8g8(dst, src, count);
  else if (format == R8) r8(dst, src, count);
}

function bgra8(dst: usize, src: usize, count: usize): void {
  const wide = dst + ((count << 2) & ~15);
  const end = dst + (count << 2);
  for (; dst < wide; dst += 16, src += 16) {
    v128.store(dst, v128.shuffle<u8>(v128.load(src), i8x16.splat(0), 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15));
  }
  for (; dst < end; dst += 4, src += 4) {
    const v = load<u32>(src);
    store<u32>(dst, (v & 0xff00ff00) | ((v >>> 16) & 0xff) | ((v & 0xff) << 16));
  }
}

function r8g8(dst: usize, src: usize, count: usize): void {
  const alpha = i32x4.splat(0xff000000);
  const wide = dst + ((count << 2) & ~15);
  const end = dst + (count << 2);
  for (; dst < wide; dst += 16, src += 8) {
    v128.store(dst, v128.or(i32x4.extend_low_i16x8_u(v128.load64_zero(src)), alpha));
  }
  for (; dst < end; dst += 4, src += 2) store<u32>(dst, <u32>load<u16>(src) | 0xff000000);
}

function r8(dst: usize, src: usize, count: usize): void {
  const alpha = i32x4.splat(0xff000000);
  const wide = dst + ((count << 2) & ~15);
  const end = dst + (count << 2);
  for (; dst < wide; dst += 16, src += 4) {
    const v = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(src)));
    v128.store(dst, v128.or(v, alpha));
  }
  for (; dst < end; dst += 4, src++) store<u32>(dst, <u32>load<u8>(src) | 0xff000000);
}

/** RGBA8 of the whole texels between `src` and `srcEnd`; gives the bytes written or -1. */
export function pixel_decode(format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize): i32 {
  const size = elementSize(format);
  if (!size || size > 4) return -1;
  const count = (srcEnd - src) / size;
  if (<u64>count * 4 > <u64>(dstEnd - dst)) return -1;
  decodeTexels(format, dst, src, count);
  return <i32>(count << 2);
}

/** Byte of the `i`th texel of a vector that channel source `s` names; 0x80 gives zero, the or-mask adds ones. */
function lane(s: u32, i: u32): u8 {
  return s >= 2 && s <= 5 ? <u8>(s - 2 + (i << 2)) : 0x80;
}

const SHUFFLE: usize = memory.data(16, 16);

/** Chooses the channels of RGBA8 texels; `dst` may be `src`. Gives the bytes written or -1. */
export function pixel_select_channels(dst: usize, dstEnd: usize, src: usize, srcEnd: usize, sources: u32): i32 {
  const size = (srcEnd - src) & ~3;
  if (size > dstEnd - dst) return -1;
  let ones: u32 = 0;
  for (let c: u32 = 0; c < 4; c++) {
    const s = (sources >>> (c << 3)) & 0xff;
    if (s == 1) ones |= 0xff << (c << 3);
    for (let i: u32 = 0; i < 4; i++) store<u8>(SHUFFLE + c + (i << 2), lane(s, i));
  }
  const shuffle = v128.load(SHUFFLE);
  const or = i32x4.splat(ones);
  const wide = src + (size & ~15);
  const end = src + size;
  for (; src < wide; src += 16, dst += 16) v128.store(dst, v128.or(i8x16.swizzle(v128.load(src), shuffle), or));
  for (; src < end; src += 4, dst += 4) {
    store<u32>(dst, i32x4.extract_lane(v128.or(i8x16.swizzle(v128.load32_zero(src), shuffle), or), 0));
  }
  return <i32>size;
}
