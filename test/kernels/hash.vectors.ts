import type { Vector } from './vectors.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

const PRIME32 = 2654435761n;

/** The buffer of xxHash's own sanity test (tests/sanity_test.c of Cyan4973/xxHash). */
function sanityBytes(size: number): Uint8Array {
  let generator = PRIME32;
  return Uint8Array.from({ length: size }, () => {
    const byte = Number(generator >> 56n);
    generator = BigInt.asUintN(64, generator * 11400714785074694797n);
    return byte;
  });
}

/** Size, seed and hash out of the same test. */
const SANITY: [number, bigint, bigint][] = [
  [0, PRIME32, 0xac75fda2929b17efn],
  [1, 0n, 0xe934a84adb052768n],
  [1, PRIME32, 0x5014607643a9b4c3n],
  [14, 0n, 0x8282dcc4994e35c8n],
  [14, PRIME32, 0xc3bd6bf63deb6df0n],
  [222, 0n, 0xb641ae8cb691c174n],
  [222, PRIME32, 0x20cb8ab7ae10c14an],
];

/** crc32: the check value of the CRC catalogue and zlib.crc32; xxh64: the specification's and xxhsum's values. */
export const hashVectors: Vector[] = [
  { name: 'crc32 of nothing', run: (k) => k.hash.crc32(new Uint8Array(0), 0), expected: 0 },
  { name: 'crc32 check value', run: (k) => k.hash.crc32(ascii('123456789'), 0), expected: 0xcbf43926 },
  {
    name: 'crc32 continued',
    run: (k) => k.hash.crc32(ascii('6789'), k.hash.crc32(ascii('12345'), 0)),
    expected: 0xcbf43926,
  },
  {
    name: 'crc32 of 32 bytes of ff',
    run: (k) => k.hash.crc32(new Uint8Array(32).fill(255), 0),
    expected: 0xff6cab0b,
  },
  { name: 'xxh64 of nothing', run: (k) => k.hash.xxh64(new Uint8Array(0), 0n), expected: 0xef46db3751d8e999n },
  { name: 'xxh64 of "a"', run: (k) => k.hash.xxh64(ascii('a'), 0n), expected: 0xd24ec4f1a98c6e5bn },
  { name: 'xxh64 of "abc"', run: (k) => k.hash.xxh64(ascii('abc'), 0n), expected: 0x44bc2cf5ad770999n },
  {
    name: 'xxh64 of 39 bytes',
    run: (k) => k.hash.xxh64(ascii('Nobody inspects the spammish repetition'), 0n),
    expected: 0xfbcea83c8a378bf1n,
  },
  ...SANITY.map(([size, seed, expected]): Vector => ({
    name: `xxh64 of ${size} sanity bytes, seed ${seed}`,
    run: (k) => k.hash.xxh64(sanityBytes(size), seed),
    expected,
  })),
];
