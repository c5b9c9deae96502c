// Channels of one kind after the other: to bytes, and to half floats. `asm/wit/kernels.wit` says what becomes of each kind.

import {
  FLOAT16, FLOAT32, SINT16, SINT32, SINT8, SNORM16, SNORM8, UINT16, UINT32, UINT8, UNORM16, UNORM8,
} from './formats';
import { Half } from './half';

/** Channels that are treated at once. */
const GROUP: usize = 8;

/** Bytes of a channel. */
export function channelSize(kind: u32): usize {
  return kind >= UINT32 ? 4 : kind >= UNORM16 ? 2 : 1;
}

/** A group that is not whole, and what becomes of it. */
const PART: usize = memory.data(32, 16);
const PART_OUT: usize = memory.data(16, 16);

/** `count` channels to bytes. */
export function channelsToBytes(kind: u32, dst: usize, src: usize, count: usize): void {
  if (kind == UNORM8 || kind == UINT8) {
    memory.copy(dst, src, count);
    return;
  }
  const whole = count & ~(GROUP - 1);
  const size = channelSize(kind);
  groupsToBytes(kind, dst, src, dst + whole);
  if (whole == count) return;
  memory.copy(PART, src + whole * size, (count - whole) * size);
  groupsToBytes(kind, PART_OUT, PART, PART_OUT + GROUP);
  memory.copy(dst + whole, PART_OUT, count - whole);
}

/** `count` channels to half floats. */
export function channelsToHalves(kind: u32, dst: usize, src: usize, count: usize): void {
  if (kind == FLOAT16) {
    memory.copy(dst, src, count << 1);
    return;
  }
  const whole = count & ~(GROUP - 1);
  const size = channelSize(kind);
  groupsToHalves(kind, dst, src, dst + (whole << 1));
  if (whole == count) return;
  memory.copy(PART, src + whole * size, (count - whole) * size);
  groupsToHalves(kind, PART_OUT, PART, PART_OUT + (GROUP << 1));
  memory.copy(dst + (whole << 1), PART_OUT, (count - whole) << 1);
}

/** The low eight bytes of the lanes, which are 0 to 255. */
function storeBytes(dst: usize, lanes: v128): void {
  v128.store64_lane(dst, i8x16.narrow_i16x8_u(lanes, lanes), 0);
}

function groupsToBytes(kind: u32, dst: usize, src: usize, end: usize): void {
  switch (kind) {
    case SNORM8:
      for (; dst < end; dst += GROUP, src += 8) {
        const v = v128.load64_zero(src);
        // v + 128, less 1 for those below 0; -128 would be less than 0.
        const bytes = i8x16.sub_sat_u(v128.xor(v, i8x16.splat(<i8>0x80)), i8x16.shr_u(v, 7));
        v128.store64_lane(dst, bytes, 0);
      }
      return;
    case SINT8:
      for (; dst < end; dst += GROUP, src += 8) {
        v128.store64_lane(dst, i8x16.max_s(v128.load64_zero(src), i8x16.splat(0)), 0);
      }
      return;
    case UNORM16:
      for (; dst < end; dst += GROUP, src += 16) {
        const v = v128.load(src);
        storeBytes(dst, i16x8.narrow_i32x4_u(
          unorm16(i32x4.extend_low_i16x8_u(v)), unorm16(i32x4.extend_high_i16x8_u(v)),
        ));
      }
      return;
    case SNORM16:
      for (; dst < end; dst += GROUP, src += 16) {
        const v = i16x8.max_s(v128.load(src), i16x8.splat(-32767));
        storeBytes(dst, i16x8.narrow_i32x4_u(
          snorm16(i32x4.extend_low_i16x8_s(v)), snorm16(i32x4.extend_high_i16x8_s(v)),
        ));
      }
      return;
    case UINT16:
      for (; dst < end; dst += GROUP, src += 16) storeBytes(dst, i16x8.min_u(v128.load(src), i16x8.splat(255)));
      return;
    case SINT16:
      for (; dst < end; dst += GROUP, src += 16) storeBytes(dst, v128.load(src)); // narrowing clamps
      return;
    case FLOAT16:
      for (; dst < end; dst += GROUP, src += 16) {
        const v = v128.load(src);
        v128.store64_lane(dst, Half.toBytes(v, v), 0);
      }
      return;
    case UINT32:
      for (; dst < end; dst += GROUP, src += 32) {
        const most = i32x4.splat(255);
        storeBytes(dst, i16x8.narrow_i32x4_u(
          i32x4.min_u(v128.load(src), most), i32x4.min_u(v128.load(src, 16), most),
        ));
      }
      return;
    case SINT32:
      for (; dst < end; dst += GROUP, src += 32) {
        storeBytes(dst, i16x8.narrow_i32x4_s(v128.load(src), v128.load(src, 16)));
      }
      return;
    case FLOAT32:
      for (; dst < end; dst += GROUP, src += 32) {
        storeBytes(dst, i16x8.narrow_i32x4_u(float32(v128.load(src)), float32(v128.load(src, 16))));
      }
  }
}

/** v * 255 / 65535, rounded */
function unorm16(v: v128): v128 {
  const scaled = i32x4.add(i32x4.mul(v, i32x4.splat(255)), i32x4.splat(32895));
  return i32x4.shr_u(scaled, 16);
}

/** (v + 32767) * 255 / 65534, rounded half up */
function snorm16(v: v128): v128 {
  const n = i32x4.add(i32x4.mul(i32x4.add(v, i32x4.splat(32767)), i32x4.splat(255)), i32x4.splat(32767));
  return i32x4.shr_u(i32x4.add(i32x4.add(n, i32x4.shr_u(n, 15)), i32x4.splat(1)), 16);
}

/** Doubles, in which v * 255 + 0.5 is exact. */
function float32(v: v128): v128 {
  const low = float64(f64x2.promote_low_f32x4(v));
  const high = float64(f64x2.promote_low_f32x4(v128.shuffle<u64>(v, v, 1, 1)));
  return i32x4.min_u(v128.shuffle<u64>(low, high, 0, 2), i32x4.splat(255));
}

/** What is below 0, and NaN, gives 0. */
function float64(v: v128): v128 {
  return i32x4.trunc_sat_f64x2_u_zero(f64x2.add(f64x2.mul(v, f64x2.splat(255)), f64x2.splat(0.5)));
}

function groupsToHalves(kind: u32, dst: usize, src: usize, end: usize): void {
  switch (kind) {
    case UNORM8:
      for (; dst < end; dst += 16, src += 8) {
        v128.store(dst, quotients8(i16x8.extend_low_i8x16_u(v128.load64_zero(src)), 255));
      }
      return;
    case SNORM8:
      for (; dst < end; dst += 16, src += 8) {
        const v = i8x16.max_s(v128.load64_zero(src), i8x16.splat(-127));
        v128.store(dst, quotients8(i16x8.extend_low_i8x16_s(v), 127));
      }
      return;
    case UINT8:
      for (; dst < end; dst += 16, src += 8) {
        v128.store(dst, quotients8(i16x8.extend_low_i8x16_u(v128.load64_zero(src)), 1));
      }
      return;
    case SINT8:
      for (; dst < end; dst += 16, src += 8) {
        v128.store(dst, quotients8(i16x8.extend_low_i8x16_s(v128.load64_zero(src)), 1));
      }
      return;
    case UNORM16:
      for (; dst < end; dst += 16, src += 16) {
        const v = v128.load(src);
        v128.store(dst, Half.pack(
          quotients16(i32x4.extend_low_i16x8_u(v), 65535), quotients16(i32x4.extend_high_i16x8_u(v), 65535),
        ));
      }
      return;
    case SNORM16:
      for (; dst < end; dst += 16, src += 16) {
        const v = i16x8.max_s(v128.load(src), i16x8.splat(-32767));
        v128.store(dst, Half.pack(
          quotients16(i32x4.extend_low_i16x8_s(v), 32767), quotients16(i32x4.extend_high_i16x8_s(v), 32767),
        ));
      }
      return;
    case UINT16:
      for (; dst < end; dst += 16, src += 16) {
        const v = v128.load(src);
        v128.store(dst, Half.pack(
          f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(v)), f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(v)),
        ));
      }
      return;
    case SINT16:
      for (; dst < end; dst += 16, src += 16) v128.store(dst, quotients8(v128.load(src), 1));
      return;
    // Integers whose floats are not exact are too large for a half anyway.
    case UINT32:
      for (; dst < end; dst += 16, src += 32) {
        v128.store(dst, Half.pack(
          f32x4.convert_i32x4_u(v128.load(src)), f32x4.convert_i32x4_u(v128.load(src, 16)),
        ));
      }
      return;
    case SINT32:
      for (; dst < end; dst += 16, src += 32) {
        v128.store(dst, Half.pack(
          f32x4.convert_i32x4_s(v128.load(src)), f32x4.convert_i32x4_s(v128.load(src, 16)),
        ));
      }
      return;
    case FLOAT32:
      for (; dst < end; dst += 16, src += 32) v128.store(dst, Half.pack(v128.load(src), v128.load(src, 16)));
  }
}

/** Signed numbers of 16 bits divided by `divisor`, as halves. A divisor of few bits never makes ties out of others. */
function quotients8(v: v128, divisor: f32): v128 {
  const by = f32x4.splat(divisor);
  return Half.pack(
    f32x4.div(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(v)), by),
    f32x4.div(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(v)), by),
  );
}

/** With a divisor of 16 bits, floats round some quotients to ties: 65519 / 65535, for one, to 4095 / 4096. */
function quotients16(v: v128, divisor: f64): v128 {
  const by = f64x2.splat(divisor);
  return Half.floatsOf(
    f64x2.div(f64x2.convert_low_i32x4_s(v), by),
    f64x2.div(f64x2.convert_low_i32x4_s(v128.shuffle<u64>(v, v, 1, 1)), by),
  );
}
