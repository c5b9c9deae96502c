const scramble = (k: number): number => {
  const product = Math.imul(k, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
};

/** MurmurHash3 x86_32. */
export function murmur3(data: Uint8Array, seed: number): number {
  let h = seed | 0;
  let i = 0;
  for (const end = data.length - 3; i < end; i += 4) {
    h ^= scramble(data[i]! | (data[i + 1]! << 8) | (data[i + 2]! << 16) | (data[i + 3]! << 24));
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  if (i < data.length) h ^= scramble(data[i]! | ((data[i + 1] ?? 0) << 8) | ((data[i + 2] ?? 0) << 16));
  h ^= data.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The name hash of SARC, in which bytes are signed. */
export function sarcName(name: Uint8Array, multiplier: number): number {
  let h = 0;
  for (let i = 0; i < name.length; i++) h = (Math.imul(h, multiplier) + ((name[i]! << 24) >> 24)) | 0;
  return h >>> 0;
}

/** FNV-1a with 32 bits. */
export function fnv1a(data: Uint8Array): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < data.length; i++) h = Math.imul(h ^ data[i]!, 0x01000193);
  return h >>> 0;
}
