// Formats whose channels differ: several to a word, shared exponents, depth with stencil.

import { RGB10A2, RGB10A2_UINT, RGBA4 } from './formats';
import { Half, ONE } from './half';

// A row per format from RGBA4 on: for R, G, B, A the lowest bit, and the number of bits; no bits where there is no channel.
const FIELDS = memory.data<u8>([
  0, 4, 4, 4, 8, 4, 12, 4,
  0, 5, 5, 5, 10, 5, 15, 1,
  11, 5, 6, 5, 1, 5, 0, 1,
  0, 5, 5, 6, 11, 5, 0, 0,
  11, 5, 5, 6, 0, 5, 0, 0,
  10, 5, 5, 5, 0, 5, 15, 1,
  0, 10, 10, 10, 20, 10, 30, 2,
  0, 10, 10, 10, 20, 10, 30, 2,
]);

/** Whether a format is one of fields in a word of 16 or 32 bits. */
export function isPacked(format: u32): bool {
  return format >= RGBA4 && format <= RGB10A2_UINT;
}

/** Four texels of which not all are there, and what becomes of them. */
const PART: usize = memory.data(16, 16);
const PART_OUT: usize = memory.data(32, 16);

/** Four words of a packed format, one a lane. */
function words(format: u32, src: usize): v128 {
  return format >= RGB10A2 ? v128.load(src) : i32x4.extend_low_i16x8_u(v128.load64_zero(src));
}

function field(v: v128, row: usize): v128 {
  const bits = <u32>load<u8>(row, 1);
  return v128.and(i32x4.shr_u(v, <i32>load<u8>(row)), i32x4.splat((1 << bits) - 1));
}

/** `count` texels of a packed format to RGBA8. */
export function packedToBytes(format: u32, dst: usize, src: usize, count: usize): void {
  const size: usize = format >= RGB10A2 ? 4 : 2;
  const whole = count & ~3;
  fourToBytes(format, dst, src, size, dst + (whole << 2));
  if (whole == count) return;
  memory.copy(PART, src + whole * size, (count - whole) * size);
  fourToBytes(format, PART_OUT, PART, size, PART_OUT + 16);
  memory.copy(dst + (whole << 2), PART_OUT, (count - whole) << 2);
}

function fourToBytes(format: u32, dst: usize, src: usize, size: usize, end: usize): void {
  const fields = FIELDS + (<usize>(format - RGBA4) << 3);
  const r = factor(format, fields);
  const g = factor(format, fields + 2);
  const b = factor(format, fields + 4);
  const a = factor(format, fields + 6);
  const opaque = i32x4.splat(load<u8>(fields, 7) ? 0 : 0xff000000);
  for (; dst < end; dst += 16, src += 4 * size) {
    const v = words(format, src);
    const rg = v128.or(scaled(field(v, fields), r), i32x4.shl(scaled(field(v, fields + 2), g), 8));
    const ba = v128.or(
      i32x4.shl(scaled(field(v, fields + 4), b), 16), i32x4.shl(scaled(field(v, fields + 6), a), 24),
    );
    v128.store(dst, v128.or(v128.or(rg, ba), opaque));
  }
}

/** What a field is multiplied with to be 0 to 255 in 22 bits more; an integer is itself. */
function factor(format: u32, row: usize): v128 {
  const most = (1 << <u32>load<u8>(row, 1)) - 1;
  if (format == RGB10A2_UINT || !most) return i32x4.splat(1 << 22);
  return i32x4.splat(((255 << 22) + (most >>> 1)) / most);
}

function scaled(v: v128, by: v128): v128 {
  return i32x4.min_u(i32x4.shr_u(i32x4.add(i32x4.mul(v, by), i32x4.splat(1 << 21)), 22), i32x4.splat(255));
}

/** `count` texels of a packed format to RGBA16F. */
export function packedToHalves(format: u32, dst: usize, src: usize, count: usize): void {
  const size: usize = format >= RGB10A2 ? 4 : 2;
  const whole = count & ~3;
  fourToHalves(format, dst, src, size, dst + (whole << 3));
  if (whole == count) return;
  memory.copy(PART, src + whole * size, (count - whole) * size);
  fourToHalves(format, PART_OUT, PART, size, PART_OUT + 32);
  memory.copy(dst + (whole << 3), PART_OUT, (count - whole) << 3);
}

function fourToHalves(format: u32, dst: usize, src: usize, size: usize, end: usize): void {
  const fields = FIELDS + (<usize>(format - RGBA4) << 3);
  const opaque = i32x4.splat(load<u8>(fields, 7) ? 0 : <i32>ONE);
  for (; dst < end; dst += 32, src += 4 * size) {
    const v = words(format, src);
    const rg = v128.or(quotient(format, v, fields), i32x4.shl(quotient(format, v, fields + 2), 16));
    const a = v128.or(quotient(format, v, fields + 6), opaque);
    const ba = v128.or(quotient(format, v, fields + 4), i32x4.shl(a, 16));
    v128.store(dst, v128.shuffle<u32>(rg, ba, 0, 4, 1, 5));
    v128.store(dst, v128.shuffle<u32>(rg, ba, 2, 6, 3, 7), 16);
  }
}

/** A field as the half it stands for. */
function quotient(format: u32, v: v128, row: usize): v128 {
  const most = (1 << <u32>load<u8>(row, 1)) - 1;
  const by: f32 = format == RGB10A2_UINT || !most ? 1 : <f32>most;
  return Half.fromFloats(f32x4.div(f32x4.convert_i32x4_s(field(v, row)), f32x4.splat(by)));
}

/** R11G11B10: floats without a sign, which lack the last 4 or 5 bits of a half. */
export function r11g11b10ToHalves(dst: usize, src: usize, count: usize): void {
  for (const end = dst + (count << 3); dst < end; dst += 8, src += 4) {
    const v = <u64>load<u32>(src);
    store<u64>(dst, v << 4 & 0x7ff0 | v << 9 & 0x7ff00000 | v << 15 & 0x7fe000000000 | ONE << 48);
  }
}

/** RGB9E5: nine bits times 2^(exponent - 24), which halves always hold exactly. */
export function rgb9e5ToHalves(dst: usize, src: usize, count: usize): void {
  const fields = i32x4(0x1ff, 0x1ff << 9, 0x1ff << 18, 0);
  const down = f32x4(1, 1.0 / 512, 1.0 / 262144, 0);
  for (const end = dst + (count << 3); dst < end; dst += 8, src += 4) {
    const v = load<u32>(src);
    const scale = f32x4.splat(reinterpret<f32>(((v >>> 27) + 103) << 23));
    const floats = f32x4.mul(f32x4.convert_i32x4_s(v128.and(i32x4.splat(v), fields)), f32x4.mul(down, scale));
    const halves = Half.fromFloats(floats);
    store<u64>(dst, i64x2.extract_lane(i16x8.narrow_i32x4_u(halves, halves), 0) | ONE << 48);
  }
}

const DEPTH24: u32 = 0xffffff;

/** D24S8: depth in the low 24 bits becomes R, stencil G. */
export function d24s8ToBytes(dst: usize, src: usize, count: usize): void {
  for (const end = dst + (count << 2); dst < end; dst += 4, src += 4) {
    const v = load<u32>(src);
    const depth = ((v & DEPTH24) * 255 + (DEPTH24 >>> 1)) / DEPTH24;
    store<u32>(dst, depth | v >>> 24 << 8 | 0xff000000);
  }
}

export function d24s8ToHalves(dst: usize, src: usize, count: usize): void {
  for (const end = dst + (count << 3); dst < end; dst += 8, src += 4) {
    const v = load<u32>(src);
    const depth = f64x2.replace_lane(f64x2.splat(<f64>(v >>> 24)), 0, <f64>(v & DEPTH24) / <f64>DEPTH24);
    const halves = Half.fromFloats(Half.floatsOf(depth, depth));
    store<u64>(dst, <u64>i32x4.extract_lane(i16x8.narrow_i32x4_u(halves, halves), 0) & 0xffffffff | ONE << 48);
  }
}

/** The stencils of D32S8 as G of RGBA8. */
export function stencilBytes(dst: usize, src: usize, count: usize): void {
  for (const end = dst + (count << 2); dst < end; dst += 4, src += 8) store<u8>(dst, load<u8>(src, 4), 1);
}

/** The stencils of D32S8 as G of RGBA16F. */
export function stencilHalves(dst: usize, src: usize, count: usize): void {
  for (const end = dst + (count << 3); dst < end; dst += 8, src += 8) {
    const half = Half.fromFloats(f32x4.splat(<f32>load<u8>(src, 4)));
    store<u16>(dst, <u16>i32x4.extract_lane(half, 0), 2);
  }
}
