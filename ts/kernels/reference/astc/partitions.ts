/** Which partition a texel belongs to. */
import type { Extent } from '../../contract.ts';

/** Blocks of fewer texels have their coordinates doubled. */
const SMALL_BLOCK = 31;

function hash52(p: number): number {
  p ^= p >>> 15;
  p = Math.imul(p, 0xeede0891);
  p ^= p >>> 5;
  p += p << 16;
  p ^= p >>> 7;
  p ^= p >>> 3;
  p ^= p << 6;
  return p ^ (p >>> 17);
}

/** Fills `out` with the partitions, 0 to `count` - 1, of a block's texels. */
export function partitions(out: Uint8Array, { width, height }: Extent, index: number, count: number): void {
  const seed = index + (count - 1) * 1024;
  const hash = hash52(seed);
  const byBit1 = seed & 2 ? 4 : 5;
  const byCount = count === 3 ? 6 : 5;
  const [shiftX, shiftY] = seed & 1 ? [byBit1, byCount] : [byCount, byBit1];
  const scale = width * height < SMALL_BLOCK ? 2 : 1;
  const factor = (at: number, shift: number): number => scale * ((((hash >>> at) & 15) ** 2) >> shift);
  const [ax, bx, cx, dx] = [factor(0, shiftX), factor(8, shiftX), factor(16, shiftX), factor(24, shiftX)] as const;
  const [ay, by, cy, dy] = [factor(4, shiftY), factor(12, shiftY), factor(20, shiftY), factor(28, shiftY)] as const;
  for (let y = 0, t = 0; y < height; y++) {
    for (let x = 0; x < width; x++, t++) {
      const a = (ax * x + ay * y + (hash >>> 14)) & 63;
      const b = (bx * x + by * y + (hash >>> 10)) & 63;
      const c = count > 2 ? (cx * x + cy * y + (hash >>> 6)) & 63 : 0;
      const d = count > 3 ? (dx * x + dy * y + (hash >>> 2)) & 63 : 0;
      if (a >= b && a >= c && a >= d) out[t] = 0;
      else if (b >= c && b >= d) out[t] = 1;
      else out[t] = c >= d ? 2 : 3;
    }
  }
}
