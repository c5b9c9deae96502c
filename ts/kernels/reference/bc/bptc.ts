// What BC7 and BC6H share: the bits of a block, and the weights of its texels.

const WEIGHTS2 = Uint8Array.of(0, 21, 43, 64);
const WEIGHTS3 = Uint8Array.of(0, 9, 18, 27, 37, 46, 55, 64);
const WEIGHTS4 = Uint8Array.of(0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64);

/** The block as five words, the last one zero, and the bit that is read next. */
const words = new Int32Array(5);
let position = 0;

/** Starts to read at bit `bit` of the block at `s`. */
export function open(src: Uint8Array, s: number, bit: number): void {
  position = bit;
  for (let i = 0; i < 4; i++, s += 4) {
    words[i] = src[s]! | (src[s + 1]! << 8) | (src[s + 2]! << 16) | (src[s + 3]! << 24);
  }
}

/** The next `count` (0 to 16) bits. */
export function take(count: number): number {
  const p = position;
  const word = p >> 5;
  position += count;
  // Shifts count modulo 32, so ~p is 31 - p.
  return ((words[word]! >>> p) | ((words[word + 1]! << 1) << ~p)) & ((1 << count) - 1);
}

/** Reads sixteen indices, and gives their weights; those at the anchors have one bit less. */
export function readWeights(target: Uint8Array, bits: number, anchorA: number, anchorB: number): void {
  const table = bits === 2 ? WEIGHTS2 : bits === 3 ? WEIGHTS3 : WEIGHTS4;
  const mask = (1 << bits) - 1;
  target[0] = table[take(bits - 1)]!;
  let p = position;
  for (let i = 1; i < 16; i++) {
    // As `take`, which this loop would otherwise spend its time in.
    const word = p >> 5;
    let index = ((words[word]! >>> p) | ((words[word + 1]! << 1) << ~p)) & mask;
    if (i === anchorA || i === anchorB) {
      index &= mask >> 1;
      p--;
    }
    p += bits;
    target[i] = table[index]!;
  }
  position = p;
}
