// MurmurHash3 x86_32 (github.com/aappleby/smhasher, MurmurHash3.cpp).

const C1: u32 = 0xcc9e2d51;
const C2: u32 = 0x1b873593;

function scramble(k: u32): u32 {
  return rotl<u32>(k * C1, 15) * C2;
}

export function murmur3(data: usize, size: usize, seed: u32): u32 {
  let h = seed;
  const blocks = data + (size & ~3);
  for (; data < blocks; data += 4) h = rotl<u32>(h ^ scramble(load<u32>(data)), 13) * 5 + 0xe6546b64;
  let k: u32 = 0;
  switch (<u32>size & 3) {
    case 3: k = <u32>load<u8>(data, 2) << 16;
    case 2: k |= <u32>load<u8>(data, 1) << 8;
    case 1: h ^= scramble(k | <u32>load<u8>(data));
  }
  h ^= <u32>size;
  h = (h ^ (h >>> 16)) * 0x85ebca6b;
  h = (h ^ (h >>> 13)) * 0xc2b2ae35;
  return h ^ (h >>> 16);
}
