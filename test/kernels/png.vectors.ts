import { concat } from '../support/concat.ts';
import { pictures } from '../support/pictures.ts';
import { randomBytes } from '../support/random.ts';
import type { Vector, WitKernels } from './vectors.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const pixels = (...greys: number[]): Uint8Array => Uint8Array.from(greys.flatMap((grey) => [grey, grey, grey, grey]));

/** A whole zlib stream of `data`, pushed in pieces of `step` bytes. */
export function deflate(kernels: WitKernels, data: Uint8Array, step = data.length || 1): Uint8Array {
  const handle = kernels.png.deflateOpen();
  const parts: Uint8Array[] = [];
  for (let i = 0; i < data.length; i += step) {
    parts.push(kernels.png.deflatePush(handle, data.subarray(i, i + step), false));
  }
  parts.push(kernels.png.deflatePush(handle, new Uint8Array(0), true));
  kernels.png.deflateFree(handle);
  return concat(...parts);
}

/** Rows of RGBA8 with a `previous` row; worked out by hand. */
const FILTERED: [name: string, rows: Uint8Array, previous: Uint8Array, rowSize: number, expected: Uint8Array][] = [
  ['nothing', bytes(), bytes(), 0, bytes()],
  ['one pixel: Up, as all are the same', bytes(1, 2, 3, 4), bytes(), 4, bytes(2, 1, 2, 3, 4)],
  ['Sub', bytes(10, 20, 30, 40, 11, 22, 33, 44), bytes(), 8, bytes(1, 10, 20, 30, 40, 1, 2, 3, 4)],
  [
    'Up of the row before in the same call',
    bytes(10, 20, 30, 40, 11, 22, 33, 44, 10, 20, 30, 40, 12, 22, 33, 43),
    bytes(),
    8,
    bytes(1, 10, 20, 30, 40, 1, 2, 3, 4, 2, 0, 0, 0, 0, 1, 0, 0, 255),
  ],
  // The second pixel has 150 to the left, 110 above and 100 above left: 160 is nearest to 150.
  ['Paeth', pixels(150, 150), pixels(100, 110), 8, concat(bytes(4), pixels(50, 0))],
  ['None', pixels(50, 1), pixels(128, 128), 8, concat(bytes(0), pixels(50, 1))],
  ['128 counts as 128', bytes(128, 0, 0, 0), bytes(1, 0, 0, 0), 4, bytes(2, 127, 0, 0, 0)],
  ['127 - 255 counts as 128', bytes(127, 0, 0, 0), bytes(255, 0, 0, 0), 4, bytes(1, 127, 0, 0, 0)],
];

const NOISE = randomBytes(1000, 1);
/** Its Adler-32, by zlib. */
const NOISE_ADLER = 0xed53e9e5;

const PICTURES: Record<string, string> = {
  gradient: '604a77a4ddfab261b33bb592543eb44c2837286cea48a47f23535e1b115c7656',
  noise: 'ae765d24df957f72b98192561dbf1ff4c270abf6f3c72fcc7b53128267392a43',
  interface: '6ee1beb5f5a208ed38205143a6f210b1073e80f4f2de2832425ee0af050ae8ac',
  blocks: '2a3dc0c7994a4fe4a305d874b67123f880f4cc33213ca61300aeed564e539410',
  photo: '5985b2bf035c77c881c1f113f090277b080ebfc1fef604e61f2dd0a3f2b370dc',
};

/** What png.test.ts has zlib inflate to the same data; the digests pin the bytes for all bodies. */
export const DEFLATED: [name: string, data: Uint8Array, sha256: string][] = [
  ...pictures(64, 48).map(({ kind, rgba }): [string, Uint8Array, string] => [kind, rgba, PICTURES[kind]!]),
  ['300000 zeros', new Uint8Array(300_000), '3b6b013c5741ec78a2c94078ea236e976f58c51e3733990ae18b264352a0b1f3'],
  [
    'more than a chunk',
    concat(randomBytes(100_000, 2), new Uint8Array(90_000), randomBytes(100_000, 2)),
    '422580a2275180503a88d5639b306a437fd4e27a2ed40f03efbfe56255a37d54',
  ],
];

export const pngVectors: Vector[] = [
  ...FILTERED.map(([name, rows, previous, rowSize, expected]): Vector => ({
    name: `filter: ${name}`,
    run: (k) => k.png.filter(rows, previous, rowSize),
    expected,
  })),
  // A fixed block with the end of block only: 1 1 0, seven zeros; the Adler-32 is 1.
  { name: 'deflate nothing', run: (k) => deflate(k, bytes()), expected: bytes(0x78, 1, 3, 0, 0, 0, 0, 1) },
  // 1 1 0, 0x30 + 0x61 in eight bits, seven zeros; a = 1 + 97, b = 98.
  {
    name: 'deflate "a"',
    run: (k) => deflate(k, bytes(0x61)),
    expected: bytes(0x78, 1, 0x4b, 4, 0, 0, 0x62, 0, 0x62),
  },
  {
    name: 'deflate noise: one stored block',
    run: (k) => deflate(k, NOISE),
    expected: concat(
      bytes(0x78, 1, 1, 1000 & 255, 1000 >>> 8, ~1000 & 255, (~1000 >>> 8) & 255),
      NOISE,
      bytes(NOISE_ADLER >>> 24, (NOISE_ADLER >>> 16) & 255, (NOISE_ADLER >>> 8) & 255, NOISE_ADLER & 255),
    ),
  },
  ...DEFLATED.map(([name, data, sha256]): Vector => ({
    name: `deflate ${name}`,
    run: (k) => deflate(k, data, 10_007),
    expected: { sha256 },
  })),
];
