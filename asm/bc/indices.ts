// Packed indices, lowest bits first, to one byte per texel.
//
// A lane of 16 bits gets the byte or bytes that hold its index; a multiplication moves the index to the lane's top.

/** Sixteen indices of 2 bits. */
export function unpack2(bits: u32): v128 {
  const v = i32x4.splat(bits);
  const up = i16x8(0x4000, 0x1000, 0x400, 0x100, 0x4000, 0x1000, 0x400, 0x100);
  const low = i8x16.swizzle(v, i8x16(0, -1, 0, -1, 0, -1, 0, -1, 1, -1, 1, -1, 1, -1, 1, -1));
  const high = i8x16.swizzle(v, i8x16(2, -1, 2, -1, 2, -1, 2, -1, 3, -1, 3, -1, 3, -1, 3, -1));
  return i8x16.narrow_i16x8_u(i16x8.shr_u(i16x8.mul(low, up), 14), i16x8.shr_u(i16x8.mul(high, up), 14));
}

/** Sixteen indices of 3 bits; the top 16 bits of `bits` do not matter. */
export function unpack3(bits: u64): v128 {
  const v = i64x2.splat(bits);
  const up = i16x8(0x2000, 0x400, 0x80, 0x1000, 0x200, 0x40, 0x800, 0x100);
  const low = i8x16.swizzle(v, i8x16(0, 1, 0, 1, 0, 1, 1, 2, 1, 2, 1, 2, 2, 3, 2, 3));
  const high = i8x16.swizzle(v, i8x16(3, 4, 3, 4, 3, 4, 4, 5, 4, 5, 4, 5, 5, 6, 5, 6));
  return i8x16.narrow_i16x8_u(i16x8.shr_u(i16x8.mul(low, up), 13), i16x8.shr_u(i16x8.mul(high, up), 13));
}

/** Sixteen indices of 4 bits. */
export function unpack4(bits: u64): v128 {
  const v = i64x2.splat(bits);
  const nibble = i8x16.splat(15);
  return v128.shuffle<u8>(
    v128.and(v, nibble), v128.and(i16x8.shr_u(v, 4), nibble),
    0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23,
  );
}

/** `bits` with a zero put in at bit `at`: the bit that an anchor's index leaves out. */
export function insertZero(bits: u64, at: u32): u64 {
  return bits + (bits & (<u64>-1 << at));
}

/** Indices of `size` bits with the zeros of two subsets' anchors, the first of which is texel 0. */
export function withAnchor(bits: u64, size: u32, anchor: u32): u64 {
  return insertZero(insertZero(bits, size - 1), size * anchor + size - 1);
}
