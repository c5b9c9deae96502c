/** Integer sequence encoding. */
import { bitsAt, type Bits } from './bits.ts';
import type { Range } from './ranges.ts';

/** Bits of the packed trits or quints that follow the bits of each number of a group. */
const TRIT_PIECES = [2, 2, 1, 2, 1];
const QUINT_PIECES = [3, 2, 2];

const bit = (value: number, i: number): number => (value >> i) & 1;

function trits(t: number): number[] {
  const all = (t >> 2) % 8 === 7;
  const c = all ? ((t >> 5) << 2) | (t & 3) : t & 31;
  const [t4, t3] = all ? [2, 2] : ((t >> 5) & 3) === 3 ? [2, bit(t, 7)] : [bit(t, 7), (t >> 5) & 3];
  if ((c & 3) === 3) return [2 * bit(c, 3) + (bit(c, 2) & ~bit(c, 3)), bit(c, 4), 2, t3, t4];
  if ((c & 12) === 12) return [c & 3, 2, 2, t3, t4];
  return [2 * bit(c, 1) + (bit(c, 0) & ~bit(c, 1)), (c >> 2) & 3, bit(c, 4), t3, t4];
}

function quints(q: number): number[] {
  const full = (q & 6) === 6;
  if (full && q >> 5 === 0) {
    return [4, 4, bit(q, 0) ? 4 : (q >> 3) & 3];
  }
  const q2 = full ? 4 : q >> 5;
  const c = full ? (q & 24) | ((3 - (q >> 5)) << 1) | (q & 1) : q & 31;
  return (c & 7) === 5 ? [c >> 3, 4, q2] : [c & 7, c >> 3, q2];
}

const TRITS = Array.from({ length: 256 }, (_, t) => Uint8Array.from(trits(t)));
const QUINTS = Array.from({ length: 128 }, (_, q) => Uint8Array.from(quints(q)));

/** Reads `count` numbers of a range from bit `at` on. */
export function readSequence(out: Uint8Array, words: Bits, at: number, { bits, base }: Range, count: number): void {
  if (base === 1) {
    for (let i = 0; i < count; i++, at += bits) out[i] = bitsAt(words, at, bits);
    return;
  }
  const pieces = base === 3 ? TRIT_PIECES : QUINT_PIECES;
  const digits = base === 3 ? TRITS : QUINTS;
  for (let start = 0; start < count; start += pieces.length) {
    const end = Math.min(start + pieces.length, count);
    // A last group that is not full ends early; what it lacks is 0.
    let packed = 0;
    let have = 0;
    for (let i = start; i < end; i++) {
      out[i] = bitsAt(words, at, bits);
      at += bits;
      const size = pieces[i - start]!;
      packed |= bitsAt(words, at, size) << have;
      at += size;
      have += size;
    }
    const group = digits[packed]!;
    for (let i = start; i < end; i++) out[i]! |= group[i - start]! << bits;
  }
}
