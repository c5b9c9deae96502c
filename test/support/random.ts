/** A small seeded generator (mulberry32): the same numbers on every machine. Gives 32-bit unsigned integers. */
export function random(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

/** `size` seeded random bytes. */
export function randomBytes(size: number, seed: number): Uint8Array {
  const next = random(seed);
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = next() >>> 24;
  return bytes;
}
