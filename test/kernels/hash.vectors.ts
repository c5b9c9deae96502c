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

/** Wikipedia's test values of MurmurHash3 x86_32. */
const MURMUR3: [string, number, number][] = [
  ['', 0, 0],
  ['', 1, 0x514e28b7],
  ['', 0xffffffff, 0x81f16f39],
  ['test', 0, 0xba6bd213],
  ['test', 0x9747b28c, 0x704b81dc],
  ['Hello, world!', 0, 0xc0363e43],
  ['Hello, world!', 0x9747b28c, 0x24884cba],
  ['The quick brown fox jumps over the lazy dog', 0, 0x2e4ff723],
  ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
];

/** SMHasher's verification value: the hash of the hashes of 0, 0 1, 0 1 2, ... with seeds from 256 down. */
function verifyMurmur3(murmur3: (data: Uint8Array, seed: number) => number): number {
  const hashes = new DataView(new ArrayBuffer(4 * 256));
  const key = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0; i < 256; i++) hashes.setUint32(4 * i, murmur3(key.subarray(0, i), 256 - i), true);
  return murmur3(new Uint8Array(hashes.buffer), 0);
}

/** Out of the test suite of FNV (isthe.com/chongo/tech/comp/fnv, test_fnv.c). */
const FNV1A: [string, number][] = [
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['b', 0xe70c2de5],
  ['foo', 0xa9f37ed7],
  ['foobar', 0xbf9cf968],
  ['chongo was here!\n', 0xd49930d5],
];

/** Items end to end, and where each ends. */
function items(...texts: string[]): [data: Uint8Array, ends: Uint32Array] {
  const ends = new Uint32Array(texts.length);
  for (const [i, text] of texts.entries()) ends[i] = (ends[i - 1] ?? 0) + ascii(text).length;
  return [ascii(texts.join('')), ends];
}

const littleEndian = (...words: number[]): Uint8Array =>
  Uint8Array.from(words.flatMap((word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255)));

const batchVectors: Vector[] = [
  {
    name: 'a batch of crc32',
    run: (k) => k.hash.batch('crc32', ...items('123456789', ''), 0n),
    expected: littleEndian(0xcbf43926, 0),
  },
  {
    name: 'a batch of crc32 continued',
    run: (k) => k.hash.batch('crc32', ...items('6789', '6789'), BigInt(k.hash.crc32(ascii('12345'), 0))),
    expected: littleEndian(0xcbf43926, 0xcbf43926),
  },
  {
    name: 'a batch of murmur3',
    run: (k) => k.hash.batch('murmur3', ...items('test', '', 'Hello, world!'), 0x9747b28cn),
    expected: littleEndian(0x704b81dc, 0xebb6c228, 0x24884cba),
  },
  {
    name: 'a batch of sarc',
    run: (k) => k.hash.batch('sarc', ...items('', 'Test1.txt', 'ab'), 0x65n),
    expected: littleEndian(0, 0x029a7e7b, 97 * 0x65 + 98),
  },
  {
    name: 'a batch of xxh64',
    run: (k) => k.hash.batch('xxh64', ...items('', 'abc'), 0n),
    expected: littleEndian(0x51d8e999, 0xef46db37, 0xad770999, 0x44bc2cf5),
  },
  {
    name: 'a batch of fnv1a',
    run: (k) => k.hash.batch('fnv1a', ...items('foobar', '', 'a'), 0n),
    expected: littleEndian(0xbf9cf968, 0x811c9dc5, 0xe40c292c),
  },
  {
    name: 'a batch that leaves the end of its data out',
    run: (k) => k.hash.batch('fnv1a', ascii('foobar'), Uint32Array.of(3), 0n),
    expected: littleEndian(0xa9f37ed7),
  },
  {
    name: 'a batch of nothing',
    run: (k) => k.hash.batch('xxh64', ascii('abc'), new Uint32Array(0), 0n),
    expected: new Uint8Array(0),
  },
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
  { name: "murmur3: SMHasher's verification", run: (k) => verifyMurmur3(k.hash.murmur3), expected: 0xb0f57ee3 },
  ...MURMUR3.map(([text, seed, expected]): Vector => ({
    name: `murmur3 of "${text}", seed ${seed}`,
    run: (k) => k.hash.murmur3(ascii(text), seed),
    expected,
  })),
  // The entry of an archive that a game's tool wrote, and by hand: h * 0x65 + c, in which a byte from 0x80 on is negative.
  { name: 'sarc of an entry', run: (k) => k.hash.sarcName(ascii('Test1.txt'), 0x65), expected: 0x029a7e7b },
  { name: 'sarc of nothing', run: (k) => k.hash.sarcName(new Uint8Array(0), 0x65), expected: 0 },
  { name: 'sarc with another multiplier', run: (k) => k.hash.sarcName(ascii('ab'), 1000), expected: 97098 },
  {
    name: 'sarc of signed bytes',
    run: (k) => k.hash.sarcName(Uint8Array.of(0xc3, 0xa9), 0x65),
    expected: 2 ** 32 - 61 * 0x65 - 87,
  },
  ...FNV1A.map(([text, expected]): Vector => ({
    name: `fnv1a of ${JSON.stringify(text)}`,
    run: (k) => k.hash.fnv1a(ascii(text)),
    expected,
  })),
  ...batchVectors,
];
