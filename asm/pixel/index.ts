import { channelSize, channelsToBytes, channelsToHalves } from './channels';
import {
  BGRA8, D24S8, D32S8, FLOAT16, FLOAT32, R11G11B10, RGB9E5, UINT8, UNORM8,
  channelCount, channelKind, elementSize, elementWidth, isEven,
} from './formats';
import { ONE } from './half';
import {
  d24s8ToBytes, d24s8ToHalves, isPacked, packedToBytes, packedToHalves, r11g11b10ToHalves, rgb9e5ToHalves,
  stencilBytes, stencilHalves,
} from './packed';

/** Texels that are decoded by way of a buffer at once. */
const CHUNK: usize = 128;
/** Bytes or half floats of a chunk on their way to what they become. */
const BETWEEN: usize = memory.data(128 * 8, 16);
/** The depths of a chunk. */
const DEPTHS: usize = memory.data(128 * 4, 16);

/** `count` texels of a plain format to RGBA8. */
export function decodeTexels(format: u32, dst: usize, src: usize, count: usize): void {
  if (format == BGRA8) bgra8(dst, src, count);
  else if (isPacked(format)) packedToBytes(format, dst, src, count);
  else if (format == D24S8) d24s8ToBytes(dst, src, count);
  else if (isEven(format)) evenToBytes(channelKind(format), channelCount(format), dst, src, count);
  else {
    const size: usize = elementSize(format);
    while (count) {
      const part = min(count, CHUNK);
      if (format == D32S8) {
        gatherDepths(src, part);
        evenToBytes(FLOAT32, 1, dst, DEPTHS, part);
        stencilBytes(dst, src, part);
      } else {
        if (format == RGB9E5) rgb9e5ToHalves(BETWEEN, src, part);
        else if (format == R11G11B10) r11g11b10ToHalves(BETWEEN, src, part);
        channelsToBytes(FLOAT16, dst, BETWEEN, part << 2);
      }
      dst += part << 2;
      src += part * size;
      count -= part;
    }
  }
}

/** `count` texels of a plain format to RGBA16F. */
export function decodeTexelsHalf(format: u32, dst: usize, src: usize, count: usize): void {
  if (isPacked(format)) packedToHalves(format, dst, src, count);
  else if (format == R11G11B10) r11g11b10ToHalves(dst, src, count);
  else if (format == RGB9E5) rgb9e5ToHalves(dst, src, count);
  else if (format == D24S8) d24s8ToHalves(dst, src, count);
  else if (isEven(format)) evenToHalves(channelKind(format), channelCount(format), dst, src, count);
  else {
    const size: usize = elementSize(format);
    while (count) {
      const part = min(count, CHUNK);
      if (format == D32S8) {
        gatherDepths(src, part);
        evenToHalves(FLOAT32, 1, dst, DEPTHS, part);
        stencilHalves(dst, src, part);
      } else {
        bgra8(DEPTHS, src, part);
        channelsToHalves(UNORM8, dst, DEPTHS, part << 2);
      }
      dst += part << 3;
      src += part * size;
      count -= part;
    }
  }
}

function gatherDepths(src: usize, count: usize): void {
  for (let i: usize = 0; i < count; i++) store<u32>(DEPTHS + (i << 2), load<u32>(src + (i << 3)));
}

/** Texels of `channels` channels of a kind to RGBA8. */
function evenToBytes(kind: u32, channels: usize, dst: usize, src: usize, count: usize): void {
  if (channels == 4) return channelsToBytes(kind, dst, src, count << 2);
  if (kind == UNORM8 || kind == UINT8) return spreadBytes(channels, dst, src, count);
  const size = channels * channelSize(kind);
  while (count) {
    const part = min(count, CHUNK);
    channelsToBytes(kind, BETWEEN, src, part * channels);
    spreadBytes(channels, dst, BETWEEN, part);
    dst += part << 2;
    src += part * size;
    count -= part;
  }
}

/** Texels of `channels` channels of a kind to RGBA16F. */
function evenToHalves(kind: u32, channels: usize, dst: usize, src: usize, count: usize): void {
  if (channels == 4) return channelsToHalves(kind, dst, src, count << 2);
  if (kind == FLOAT16) return spreadHalves(channels, dst, src, count);
  const size = channels * channelSize(kind);
  while (count) {
    const part = min(count, CHUNK);
    channelsToHalves(kind, BETWEEN, src, part * channels);
    spreadHalves(channels, dst, BETWEEN, part);
    dst += part << 3;
    src += part * size;
    count -= part;
  }
}

/** Texels of one to three bytes to RGBA8. */
function spreadBytes(channels: usize, dst: usize, src: usize, count: usize): void {
  if (channels == 1) return r8(dst, src, count);
  if (channels == 2) return r8g8(dst, src, count);
  for (const end = dst + (count << 2); dst < end; dst += 4, src += 3) {
    store<u32>(dst, <u32>load<u16>(src) | (<u32>load<u8>(src, 2) << 16) | 0xff000000);
  }
}

/** Texels of one to three half floats to RGBA16F. */
function spreadHalves(channels: usize, dst: usize, src: usize, count: usize): void {
  const end = dst + (count << 3);
  const opaque = ONE << 48;
  if (channels == 1) for (; dst < end; dst += 8, src += 2) store<u64>(dst, <u64>load<u16>(src) | opaque);
  else if (channels == 2) for (; dst < end; dst += 8, src += 4) store<u64>(dst, <u64>load<u32>(src) | opaque);
  else {
    for (; dst < end; dst += 8, src += 6) {
      store<u64>(dst, <u64>load<u32>(src) | (<u64>load<u16>(src, 4) << 32) | opaque);
    }
  }
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

/** How many whole texels of a plain format lie between `src` and `srcEnd`; -1 when `texelSize` bytes for each do not fit. */
function texelCount(format: u32, texelSize: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize): i64 {
  const size = elementSize(format);
  if (!size || elementWidth(format) != 1) return -1;
  const count = <u64>(srcEnd - src) / size;
  return count * texelSize > <u64>(dstEnd - dst) ? -1 : <i64>count;
}

/** RGBA8 of the whole texels between `src` and `srcEnd`; gives the bytes written or -1. */
export function pixel_decode(format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize): i32 {
  const count = texelCount(format, 4, dst, dstEnd, src, srcEnd);
  if (count < 0) return -1;
  decodeTexels(format, dst, src, <usize>count);
  return <i32>(count << 2);
}

/** RGBA16F of the whole texels between `src` and `srcEnd`; gives the bytes written or -1. */
export function pixel_decode_half(format: u32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize): i32 {
  const count = texelCount(format, 8, dst, dstEnd, src, srcEnd);
  if (count < 0) return -1;
  decodeTexelsHalf(format, dst, src, <usize>count);
  return <i32>(count << 3);
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

/** Chooses the channels of RGBA16F texels; `dst` may be `src`. Gives the bytes written or -1. */
export function pixel_select_channels_half(dst: usize, dstEnd: usize, src: usize, srcEnd: usize, sources: u32): i32 {
  const size = (srcEnd - src) & ~7;
  if (size > dstEnd - dst) return -1;
  let ones: u64 = 0;
  for (let c: u32 = 0; c < 4; c++) {
    const s = (sources >>> (c << 3)) & 0xff;
    if (s == 1) ones |= ONE << (c << 4);
    for (let i: u32 = 0; i < 4; i++) {
      const from = lane(s, i >>> 1);
      // Two bytes for each channel, of two texels.
      const byte: u8 = from == 0x80 ? from : (from << 1) + <u8>(i & 1);
      store<u8>(SHUFFLE + (c << 1) + ((i >>> 1) << 3) + (i & 1), byte);
    }
  }
  const shuffle = v128.load(SHUFFLE);
  const or = i64x2.splat(ones);
  const wide = src + (size & ~15);
  const end = src + size;
  for (; src < wide; src += 16, dst += 16) v128.store(dst, v128.or(i8x16.swizzle(v128.load(src), shuffle), or));
  if (src < end) store<u64>(dst, i64x2.extract_lane(v128.or(i8x16.swizzle(v128.load64_zero(src), shuffle), or), 0));
  return <i32>size;
}
