// Half floats (IEEE 754 binary16), a vector of them at a time.

export const ONE: u64 = 0x3c00;

/** Static methods, since asc warns of vectors as parameters of exported functions. */
export class Half {
  /**
   * Four floats to halves in the low 16 bits of each lane, rounded to nearest even. NaN becomes 0x7e00 and the sign, what is
   * too large infinity.
   */
  static fromFloats(v: v128): v128 {
    const sign = v128.and(v, i32x4.splat(0x80000000));
    const size = v128.xor(v, sign);
    // Half of the last place is added, less a trace where the place before it is 0.
    const odd = v128.and(i32x4.shr_u(size, 13), i32x4.splat(1));
    const normal = i32x4.shr_u(i32x4.add(i32x4.add(size, i32x4.splat(0xfff - (112 << 23))), odd), 13);
    // A half below 2^-14 counts steps of 2^-24, which is the last place of 0.5.
    const magic = i32x4.splat(0x3f000000);
    const small = i32x4.sub(f32x4.add(size, magic), magic);
    const large = i32x4.add(i32x4.splat(0x7c00), v128.and(i32x4.gt_s(size, i32x4.splat(0x7f800000)), i32x4.splat(0x200)));
    const finite = v128.bitselect(small, normal, i32x4.lt_s(size, i32x4.splat(0x38800000)));
    const half = v128.bitselect(large, finite, i32x4.ge_s(size, i32x4.splat(0x47800000)));
    return v128.or(half, i32x4.shr_u(sign, 16));
  }

  /** Eight floats to halves. */
  static pack(low: v128, high: v128): v128 {
    return i16x8.narrow_i32x4_u(Half.fromFloats(low), Half.fromFloats(high));
  }

  /**
   * Four doubles to floats that `fromFloats` rounds as the doubles would be: the last place is set where the double
   * has more.
   */
  static floatsOf(low: v128, high: v128): v128 {
    return v128.shuffle<u64>(f32x4.demote_f64x2_zero(sticky(low)), f32x4.demote_f64x2_zero(sticky(high)), 0, 2);
  }

  /** Sixteen halves to bytes: floor(clamp(v, 0, 1) * 255 + 0.5), NaN to 0. */
  static toBytes(low: v128, high: v128): v128 {
    return i8x16.narrow_i16x8_u(scaled(low), scaled(high));
  }
}

function sticky(v: v128): v128 {
  const lost = i64x2.splat((1 << 29) - 1);
  const any = i64x2.ne(v128.and(v, lost), i64x2.splat(0));
  return v128.or(v128.andnot(v, lost), v128.and(any, i64x2.splat(1 << 29)));
}

function scaled(v: v128): v128 {
  const infinity = i16x8.splat(0x7c00);
  const one = i16x8.splat(0x3c00);
  const clamped = v128.andnot(
    i16x8.min_s(i16x8.max_s(v, i16x8.splat(0)), one),
    i16x8.gt_s(v, infinity),
  );
  return i16x8.narrow_i32x4_u(
    scaledFloats(i32x4.extend_low_i16x8_u(clamped)),
    scaledFloats(i32x4.extend_high_i16x8_u(clamped)),
  );
}

/** Halves from 0 to 1, one a lane. What is below 2^-14 comes out wrong as a float, but as little as that is 0 anyway. */
function scaledFloats(half: v128): v128 {
  const v = i32x4.add(i32x4.shl(half, 13), i32x4.splat(112 << 23));
  return i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(v, f32x4.splat(255)), f32x4.splat(0.5)));
}
