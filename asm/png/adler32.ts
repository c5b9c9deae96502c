/** Most bytes, a multiple of 16, that keep both sums below 2^32. */
const RUN: usize = 5552;
const BASE: u32 = 65521;

function total(v: v128): u32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

/** Adler-32 (RFC 1950), continuing from `adler` (1 to start). */
export function adler32(adler: u32, data: usize, size: usize): u32 {
  let a = adler & 0xffff;
  let b = adler >>> 16;
  const end = data + size;
  while (end - data >= 16) {
    const stop = data + (min<usize>(end - data, RUN) & ~15);
    b += a * <u32>(stop - data);
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0); // of the sums at the start of every step
    let weighted = i32x4.splat(0);
    for (; data < stop; data += 16) {
      const v = v128.load(data);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v)));
      const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(v), i16x8(16, 15, 14, 13, 12, 11, 10, 9));
      const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(v), i16x8(8, 7, 6, 5, 4, 3, 2, 1));
      weighted = i32x4.add(weighted, i32x4.add(low, high));
    }
    a = (a + total(sums)) % BASE;
    b = (b + 16 * total(before) + total(weighted)) % BASE;
  }
  for (; data < end; data++) {
    a += load<u8>(data);
    b += a;
  }
  return ((b % BASE) << 16) | (a % BASE);
}
