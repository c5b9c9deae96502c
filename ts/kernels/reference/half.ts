/** 1.0 as a half float. */
export const HALF_ONE = 0x3c00;

const double = new Float64Array(1);
const doubleWords = new Uint32Array(double.buffer);

/** The half float nearest to `value`, of two as near the even one; 0x7e00 for NaN. */
export function halfOf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  double[0] = value;
  const high = doubleWords[1]!;
  const sign = (high >>> 16) & 0x8000;
  const size = Math.abs(value);
  // Half a step above 65504, which would be even.
  if (size >= 65520) return sign | 0x7c00;
  // The exponent of the value, or of the smallest normal half float; there are 1024 steps to the next power of two.
  const exponent = Math.max(((high >>> 20) & 0x7ff) - 1023, -14);
  const steps = size * 2 ** (10 - exponent);
  let count = Math.floor(steps);
  const rest = steps - count;
  if (rest > 0.5 || (rest === 0.5 && count % 2 === 1)) count++;
  // A normal one has 1024 steps too many, which is one more in the exponent; so has what was rounded up to one.
  return sign | (1024 * (exponent + 14) + count);
}

/** What a half float is. */
export function valueOfHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 0x3ff;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}

/** A float to a byte. */
export function byteOfFloat(value: number): number {
  return value > 0 ? Math.floor(255 * Math.min(value, 1) + 0.5) : 0;
}

let halfBytes: Uint8Array | undefined;

/** The byte of every half float. */
export function bytesOfHalves(): Uint8Array {
  halfBytes ??= Uint8Array.from({ length: 65536 }, (_, half) => byteOfFloat(valueOfHalf(half)));
  return halfBytes;
}
