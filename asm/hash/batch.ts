// The hashes of many items in one call.
import { crc32 } from './crc32';
import { murmur3 } from './murmur3';
import { fnv1a, sarc_name } from './names';
import { xxh64 } from './xxh64';

// In the order of `types.hash-algorithm` of the WIT.
const CRC32: u32 = 0;
const MURMUR3: u32 = 1;
const SARC: u32 = 2;
const XXH64: u32 = 3;
const FNV1A: u32 = 4;

/** Bytes of one hash; 0 for what is no algorithm. */
export function hashSize(algorithm: u32): u32 {
  return algorithm > FNV1A ? 0 : algorithm == XXH64 ? 8 : 4;
}

function seedLimit(algorithm: u32): u64 {
  return algorithm == XXH64 ? u64.MAX_VALUE : algorithm == FNV1A ? 0 : u32.MAX_VALUE;
}

function hash32(algorithm: u32, data: usize, size: usize, seed: u32): u32 {
  switch (algorithm) {
    case CRC32: return crc32(data, size, seed);
    case MURMUR3: return murmur3(data, size, seed);
    case SARC: return sarc_name(data, size, seed);
    default: return fnv1a(data, size);
  }
}

/**
 * Writes the hash of each item of `data..dataEnd`; `ends..endsEnd` are u32 offsets. Gives the bytes written, or 0 when an
 * argument is out of range.
 */
export function hash_batch(
  algorithm: u32, dst: usize, dstEnd: usize, data: usize, dataEnd: usize, ends: usize, endsEnd: usize, seed: u64,
): i32 {
  const width = hashSize(algorithm);
  const total = <u64>((endsEnd - ends) >>> 2) * width;
  if (!width || seed > seedLimit(algorithm) || total > <u64>(dstEnd - dst) || total > <u64>i32.MAX_VALUE) return 0;
  const size = <u32>(dataEnd - data);
  let start: u32 = 0;
  for (const stop = dst + <usize>total; dst < stop; dst += width, ends += 4) {
    const end = load<u32>(ends);
    if (end < start || end > size) return 0;
    const item = data + start;
    const length = <usize>(end - start);
    if (algorithm == XXH64) store<u64>(dst, xxh64(item, length, seed));
    else store<u32>(dst, hash32(algorithm, item, length, <u32>seed));
    start = end;
  }
  return <i32>total;
}
