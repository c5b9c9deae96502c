// CRC-32 (IEEE 802.3, reflected), sixteen bytes a step over sixteen tables.

const POLYNOMIAL: u32 = 0xedb88320;
const TABLE: usize = memory.data(16 * 1024, 16);

function init(): void {
  for (let i: u32 = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = (c >>> 1) ^ (c & 1 ? POLYNOMIAL : 0);
    store<u32>(TABLE + (i << 2), c);
  }
  for (let i: u32 = 256; i < 16 * 256; i++) {
    const c = load<u32>(TABLE + ((i - 256) << 2));
    store<u32>(TABLE + (i << 2), (c >>> 8) ^ load<u32>(TABLE + ((c & 255) << 2)));
  }
}
init();

/** The entry of table `k` for byte `shift / 8` of `v`. */
function step(v: u32, shift: u32, k: usize): u32 {
  return load<u32>(TABLE + (k << 10) + (<usize>((v >>> shift) & 255) << 2));
}

export function crc32(data: usize, size: usize, seed: u32): u32 {
  let c = ~seed;
  const end = data + size;
  const wide = data + (size & ~15);
  while (data < wide) {
    const a = c ^ load<u32>(data);
    const b = load<u32>(data, 4);
    const d = load<u32>(data, 8);
    const e = load<u32>(data, 12);
    c =
      step(a, 0, 15) ^ step(a, 8, 14) ^ step(a, 16, 13) ^ step(a, 24, 12) ^
      step(b, 0, 11) ^ step(b, 8, 10) ^ step(b, 16, 9) ^ step(b, 24, 8) ^
      step(d, 0, 7) ^ step(d, 8, 6) ^ step(d, 16, 5) ^ step(d, 24, 4) ^
      step(e, 0, 3) ^ step(e, 8, 2) ^ step(e, 16, 1) ^ step(e, 24, 0);
    data += 16;
  }
  while (data < end) c = (c >>> 8) ^ step(c ^ <u32>load<u8>(data++), 0, 0);
  return ~c;
}
