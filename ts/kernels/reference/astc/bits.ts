/** The 128 bits of a block, which are numbered from the lowest of the first byte on, and zeros behind them. */
export type Bits = Int32Array;

/** The longest group of numbers that may begin in a block takes 38 bits. */
const ZERO_WORDS = 3;

/** Room for a block. */
export function newBits(): Bits {
  return new Int32Array(4 + ZERO_WORDS);
}

/** `count` bits (0 to 31) from bit `at` on. */
export function bitsAt(words: Bits, at: number, count: number): number {
  const word = at >>> 5;
  const shift = at & 31;
  let value = words[word]! >>> shift;
  // Not by 32, which shifts by 0.
  if (shift) value |= words[word + 1]! << (32 - shift);
  return value & ((1 << count) - 1);
}

/** Fills `words` with the block at `s`. */
export function readBlock(words: Bits, src: Uint8Array, s: number): void {
  for (let i = 0; i < 4; i++, s += 4) {
    words[i] = src[s]! | (src[s + 1]! << 8) | (src[s + 2]! << 16) | (src[s + 3]! << 24);
  }
}

function reversedWord(v: number): number {
  v = ((v >>> 1) & 0x55555555) | ((v & 0x55555555) << 1);
  v = ((v >>> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >>> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  v = ((v >>> 8) & 0x00ff00ff) | ((v & 0x00ff00ff) << 8);
  return (v >>> 16) | (v << 16);
}

/** Fills `target` with the bits of `words` in reverse order. */
export function reverse(target: Bits, words: Bits): void {
  for (let i = 0; i < 4; i++) target[i] = reversedWord(words[3 - i]!);
}
