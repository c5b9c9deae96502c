// The 8-bit channel that BC3's alpha, BC4 and BC5 share: two endpoints and 3-bit indices.

import { unpack3 } from './indices';

// Eight values: the endpoints and six between them, in sevenths. Six values: four between them, in fifths, then the
// least and the greatest value. Lanes of weights of the first endpoint, the second, the greatest value, and 2^15 / 7 or
// 2^15 / 5; an odd divisor leaves no halves to round.
const EIGHT = memory.data<i16>([
  7, 0, 6, 5, 4, 3, 2, 1,
  0, 7, 1, 2, 3, 4, 5, 6,
  0, 0, 0, 0, 0, 0, 0, 0,
  4681, 4681, 4681, 4681, 4681, 4681, 4681, 4681,
], 16);
const SIX = memory.data<i16>([
  5, 0, 4, 3, 2, 1, 0, 0,
  0, 5, 1, 2, 3, 4, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 5,
  6554, 6554, 6554, 6554, 6554, 6554, 6554, 6554,
], 16);

/** The eight values of a block, as lanes of 16 bits. */
function values(e0: i32, e1: i32, greatest: i16): v128 {
  const table = e0 > e1 ? EIGHT : SIX;
  const sum = i16x8.add(
    i16x8.add(
      i16x8.mul(i16x8.splat(<i16>e0), v128.load(table)),
      i16x8.mul(i16x8.splat(<i16>e1), v128.load(table, 16)),
    ),
    i16x8.mul(i16x8.splat(greatest), v128.load(table, 32)),
  );
  return i16x8.q15mulr_sat_s(sum, v128.load(table, 48));
}

function select(values: v128, src: usize): v128 {
  return i8x16.swizzle(i8x16.narrow_i16x8_u(values, values), unpack3(load<u64>(src) >>> 16));
}

/** The sixteen UNORM bytes of the 8-byte block at `src`. */
export function unormTexels(src: usize): v128 {
  return select(values(load<u8>(src), load<u8>(src, 1), 255), src);
}

/**
 * The sixteen SNORM values of a block, as UNORM bytes. Interpolated as v + 127, which rounds as v does; then
 * floor((v / 127 * 0.5 + 0.5) * 255 + 0.5) = v + 127 + (v >= 0).
 */
export function snormTexels(src: usize): v128 {
  const v = values(max<i32>(load<i8>(src), -127) + 127, max<i32>(load<i8>(src, 1), -127) + 127, 254);
  return select(i16x8.sub(v, i16x8.gt_s(v, i16x8.splat(126))), src);
}

