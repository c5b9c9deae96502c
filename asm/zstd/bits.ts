// Bits of the two kinds of streams: FSE table descriptions run forward, all else runs backward from an end marker.

/** Index of the highest set bit of `v`, which must not be 0. */
export function highBit(v: u32): u32 {
  return 31 - clz<u32>(v);
}

/** At least 25 bits of `src..srcEnd` from bit `bit` on; bits past the end are 0. */
export function peekForward(src: usize, srcEnd: usize, bit: usize): u32 {
  let p = src + (bit >>> 3);
  let v: u32 = 0;
  if (p < srcEnd && srcEnd - p >= 4) v = load<u32>(p);
  else for (let shift: u32 = 0; p < srcEnd; p++, shift += 8) v |= <u32>load<u8>(p) << shift;
  return v >>> (<u32>bit & 7);
}

/** How many bits of a backward stream lie below its end marker; -1 when there is no marker. */
export function backwardSize(src: usize, srcEnd: usize): i32 {
  if (src >= srcEnd) return -1;
  const last = <u32>load<u8>(srcEnd - 1);
  return last ? ((<i32>(srcEnd - src) - 1) << 3) + <i32>highBit(last) : -1;
}

/** The first eight bytes of a backward stream, zeros where it is shorter. */
export function headOf(src: usize, srcEnd: usize): u64 {
  if (srcEnd - src >= 8) return load<u64>(src);
  let v: u64 = 0;
  for (let shift: u64 = 0; src < srcEnd; src++, shift += 8) v |= <u64>load<u8>(src) << shift;
  return v;
}

/**
 * The next bits of a backward stream with `left` unread ones, the next in the top bit; at least 57 of them, then zeros.
 * `head` is `headOf` the stream.
 */
export function peekBackward(src: usize, head: u64, left: i32): u64 {
  if (left > 56) return load<u64>(src - 8 + (<usize>(left + 7) >>> 3)) << <u64>(-left & 7);
  return left > 0 ? head << <u64>(64 - left) : 0;
}

/** The top `count` bits, 0 to 63, of `bits`. */
export function topBits(bits: u64, count: u32): u32 {
  return <u32>(bits >>> 1 >>> <u64>(63 - count));
}
