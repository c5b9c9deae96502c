// Which partition each texel of a block belongs to: the greatest of up to four linear functions of its place, modulo 64,
// whose coefficients come from a hash of the partition index.

/** Of 0 to 28: its multiples by 0 to 15, as bytes. */
const MULTIPLES: usize = memory.data(29 * 16, 16);

export function makeMultiples(): void {
  for (let i: u32 = 0; i < 29; i++) {
    for (let x: u32 = 0; x < 16; x++) store<u8>(MULTIPLES + (i << 4) + x, <u8>(i * x));
  }
}

function hash(p: u32): u32 {
  p ^= p >>> 15;
  p -= p << 17;
  p += p << 7;
  p += p << 4;
  p ^= p >>> 5;
  p += p << 16;
  p ^= p >>> 7;
  p ^= p >>> 3;
  p ^= p << 6;
  return p ^ (p >>> 17);
}

function squared(nibble: u32): u32 {
  nibble &= 15;
  return nibble * nibble;
}

function multiples(i: u32): v128 {
  return v128.load(MULTIPLES + (<usize>i << 4));
}

/** Stores the partitions of `height` rows of up to 16 texels, four times the number as a byte each. */
export function partitionRows(dst: usize, index: u32, count: u32, small: bool, height: u32): void {
  const seed = index + ((count - 1) << 10);
  const h = hash(seed);
  const quarter: u32 = seed & 2 ? 4 : 5;
  const third: u32 = count == 3 ? 6 : 5;
  const odd = (seed & 1) != 0;
  // Coordinates of blocks of less than 31 texels are doubled.
  const double: u32 = small ? 1 : 0;
  const toX = odd ? quarter : third;
  const toY = odd ? third : quarter;
  let a = i8x16.add(multiples((squared(h) >>> toX) << double), i8x16.splat(<i8>(h >>> 14)));
  let b = i8x16.add(multiples((squared(h >>> 8) >>> toX) << double), i8x16.splat(<i8>(h >>> 10)));
  let c = i8x16.splat(0), d = i8x16.splat(0), stepC = i8x16.splat(0), stepD = i8x16.splat(0);
  const stepA = i8x16.splat(<i8>((squared(h >>> 4) >>> toY) << double));
  const stepB = i8x16.splat(<i8>((squared(h >>> 12) >>> toY) << double));
  if (count > 2) {
    c = i8x16.add(multiples((squared(h >>> 16) >>> toX) << double), i8x16.splat(<i8>(h >>> 6)));
    stepC = i8x16.splat(<i8>((squared(h >>> 20) >>> toY) << double));
    if (count > 3) {
      d = i8x16.add(multiples((squared(h >>> 24) >>> toX) << double), i8x16.splat(<i8>(h >>> 2)));
      stepD = i8x16.splat(<i8>((squared(h >>> 28) >>> toY) << double));
    }
  }
  const mask = i8x16.splat(63);
  for (const end = dst + (<usize>height << 4); dst < end; dst += 16) {
    const va = v128.and(a, mask);
    const vb = v128.and(b, mask);
    const vc = v128.and(c, mask);
    const vd = v128.and(d, mask);
    const cd = i8x16.max_u(vc, vd);
    const last = v128.bitselect(i8x16.splat(8), i8x16.splat(12), i8x16.ge_s(vc, vd));
    const later = v128.bitselect(i8x16.splat(4), last, i8x16.ge_s(vb, cd));
    v128.store(dst, v128.andnot(later, i8x16.ge_s(va, i8x16.max_u(vb, cd))));
    a = i8x16.add(a, stepA);
    b = i8x16.add(b, stepB);
    c = i8x16.add(c, stepC);
    d = i8x16.add(d, stepD);
  }
}
