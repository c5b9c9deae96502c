import { alphaBlock, bc7Block, bc7Texels, colourBlock, randomBlocks, type Bc7Fields } from '../support/bc-blocks.ts';
import { random } from '../support/random.ts';
import type { TexelFormat } from '../../ts/kernels/contract.ts';
import type { Vector } from './vectors.ts';

const COLUMNS = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3];
const EIGHTS = [0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0];
const GREENS = [3, 1, 4, 1, 5, 0, 2, 6, 5, 3, 5, 7, 7, 7, 3, 2];
const STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

type Rgba = [number, number, number, number];

function one(name: string, format: TexelFormat, block: Uint8Array, texels: number[][]): Vector {
  return { name, run: (k) => k.bc.decode(format, block, 4, 4), expected: Uint8Array.from(texels.flat()) };
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const rgb565 = (r: number, g: number, b: number): number => (r << 11) | (g << 5) | b;

// Endpoints (16, 42, 8) and (5, 21, 3), in 31sts and 63rds.
// red:   16 * 255/31 = 131.6, 5 * 255/31 = 41.1, 37 * 255/93 = 101.5 (101.45), 26 * 255/93 = 71.3
// green: 42 * 255/63 = 170, 21 * 255/63 = 85, 105 * 255/189 = 141.7, 84 * 255/189 = 113.3
// blue:  8 * 255/31 = 65.8, 3 * 255/31 = 24.7, 19 * 255/93 = 52.1, 14 * 255/93 = 38.4
const HIGH = rgb565(16, 42, 8);
const LOW = rgb565(5, 21, 3);
const FOUR: Rgba[] = [
  [132, 170, 66, 255],
  [41, 85, 25, 255],
  [101, 142, 52, 255],
  [71, 113, 38, 255],
];
// The other way round, three colours: 21 * 255/62 = 86.4, 63 * 255/126 = 127.5, 11 * 255/62 = 45.2.
const THREE: Rgba[] = [FOUR[1]!, FOUR[0]!, [86, 128, 45, 255], [0, 0, 0, 0]];
// The other way round, four colours.
const SWAPPED: Rgba[] = [FOUR[1]!, FOUR[0]!, FOUR[3]!, FOUR[2]!];

// 255 and 0 in sevenths: 218.6, 182.1, 145.7, 109.3, 72.9, 36.4.
const SEVENTHS = [255, 0, 219, 182, 146, 109, 73, 36];
// 11 and 200 in fifths: 244/5 = 48.8, 433/5 = 86.6, 622/5 = 124.4, 811/5 = 162.2, then the bounds.
const FIFTHS = [11, 200, 49, 87, 124, 162, 0, 255];
// 127 and -127 in sevenths: 90.7, 54.4, 18.1 and their opposites, so 91, 54, 18; v >= 0 maps to v + 128, v < 0 to
// v + 127 (0 itself: floor(127.5 + 0.5) = 128).
const SNORM_SEVENTHS = [255, 0, 219, 182, 146, 109, 73, 36];
// -100 and 33 in fifths: -367/5 = -73.4, -234/5 = -46.8, -101/5 = -20.2, 32/5 = 6.4; so -100, 33, -73, -47, -20, 6,
// then -127 and 127.
const SNORM_FIFTHS = [27, 161, 54, 80, 107, 134, 0, 255];

const grey = (values: number[]) => EIGHTS.map((i): Rgba => [values[i]!, 0, 0, 255]);
const pair = (r: number[], g: number[]) => EIGHTS.map((i, t): Rgba => [r[i]!, g[GREENS[t]!]!, 0, 255]);

/** Fields of a BC7 block whose endpoints, P-bits and indices are seeded; the anchors' indices lack their top bit. */
function seeded(
  seed: number,
  fields: Pick<Bc7Fields, 'mode' | 'partition' | 'subsets' | 'anchors' | 'rotation' | 'selection'>,
  sizes: { subsets: number; colour: number; alpha: number; p: number; index: number; index2?: number },
): Bc7Fields {
  const next = random(seed);
  const bits = (count: number): number => next() >>> (32 - count);
  const list = (length: number, make: (i: number) => number): number[] => Array.from({ length }, (_, i) => make(i));
  const { index2 } = sizes;
  return {
    ...fields,
    ends: Array.from({ length: 2 * sizes.subsets }, () =>
      [0, 1, 2, 3].slice(0, sizes.alpha ? 4 : 3).map((c) => bits(c === 3 ? sizes.alpha : sizes.colour)),
    ),
    pBits: list(sizes.p, () => bits(1)),
    indices: list(16, (i) => bits(fields.anchors.includes(i) ? sizes.index - 1 : sizes.index)),
    ...(index2 && { indices2: list(16, (i) => bits(i ? index2 : index2 - 1)) }),
  };
}

const M0 = { subsets: 3, colour: 4, alpha: 0, p: 6, index: 3 };
const M1 = { subsets: 2, colour: 6, alpha: 0, p: 2, index: 3 };
const M2 = { subsets: 3, colour: 5, alpha: 0, p: 0, index: 2 };
const M3 = { subsets: 2, colour: 7, alpha: 0, p: 4, index: 2 };
const M4 = { subsets: 1, colour: 5, alpha: 6, p: 0, index: 2, index2: 3 };
const M5 = { subsets: 1, colour: 7, alpha: 8, p: 0, index: 2, index2: 2 };
const M6 = { subsets: 1, colour: 7, alpha: 7, p: 2, index: 4 };
const M7 = { subsets: 2, colour: 5, alpha: 5, p: 4, index: 2 };

/** Partitions and anchors as ARB_texture_compression_bptc prints them. */
const BC7: Bc7Fields[] = [
  seeded(1, { mode: 0, partition: 2, subsets: '0000200122112211', anchors: [0, 15, 8] }, M0),
  seeded(2, { mode: 0, partition: 13, subsets: '0122012201220122', anchors: [0, 5, 15] }, M0),
  seeded(3, { mode: 1, partition: 0, subsets: '0011001100110011', anchors: [0, 15] }, M1),
  seeded(4, { mode: 1, partition: 34, subsets: '0101101001011010', anchors: [0, 6] }, M1),
  seeded(5, { mode: 2, partition: 38, subsets: '0120201212010120', anchors: [0, 8, 9] }, M2),
  seeded(6, { mode: 2, partition: 63, subsets: '0111201122012220', anchors: [0, 3, 8] }, M2),
  seeded(7, { mode: 3, partition: 17, subsets: '0111000100000000', anchors: [0, 2] }, M3),
  seeded(8, { mode: 3, partition: 47, subsets: '0000011001100000', anchors: [0, 6] }, M3),
  ...[0, 1, 2, 3].flatMap((rotation) => [
    seeded(10 + rotation, { mode: 4, rotation, selection: 0, anchors: [0] }, M4),
    seeded(20 + rotation, { mode: 4, rotation, selection: 1, anchors: [0] }, M4),
    seeded(30 + rotation, { mode: 5, rotation, anchors: [0] }, M5),
  ]),
  seeded(40, { mode: 6, anchors: [0] }, M6),
  seeded(50, { mode: 7, partition: 52, subsets: '0110110010010011', anchors: [0, 15] }, M7),
  seeded(51, { mode: 7, partition: 62, subsets: '0010001011101110', anchors: [0, 2] }, M7),
];

const FULL_ALPHA = new Uint8Array(8).fill(255);
const BC7_FULL = bc7Block({
  mode: 6,
  anchors: [0],
  ends: [
    [0, 127, 64, 127],
    [127, 0, 64, 127],
  ],
  pBits: [0, 1],
  indices: STEPS,
});

/** Blocks worked out by hand, and BC7 blocks written field by field. */
export const bcVectors: Vector[] = [
  one(
    'bc1, four colours',
    'bc1',
    colourBlock(HIGH, LOW, COLUMNS),
    COLUMNS.map((i) => FOUR[i]!),
  ),
  one(
    'bc1, three colours and transparent black',
    'bc1',
    colourBlock(LOW, HIGH, COLUMNS),
    COLUMNS.map((i) => THREE[i]!),
  ),
  one(
    'bc1, equal endpoints',
    'bc1',
    colourBlock(0xffff, 0xffff, COLUMNS),
    COLUMNS.map((i) => (i < 3 ? [255, 255, 255, 255] : [0, 0, 0, 0])),
  ),
  one(
    'bc2, sixteen alphas, four colours in any order',
    'bc2',
    concat(Uint8Array.of(0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe), colourBlock(LOW, HIGH, COLUMNS)),
    STEPS.map((i) => [...SWAPPED[i % 4]!.slice(0, 3), 17 * i]),
  ),
  one(
    'bc3, alphas in sevenths',
    'bc3',
    concat(alphaBlock(255, 0, EIGHTS), colourBlock(HIGH, LOW, COLUMNS)),
    EIGHTS.map((a, i) => [...FOUR[i % 4]!.slice(0, 3), SEVENTHS[a]!]),
  ),
  one(
    'bc3, alphas in fifths, four colours in any order',
    'bc3',
    concat(alphaBlock(11, 200, EIGHTS), colourBlock(LOW, HIGH, COLUMNS)),
    EIGHTS.map((a, i) => [...SWAPPED[i % 4]!.slice(0, 3), FIFTHS[a]!]),
  ),
  one(
    'bc3, no three colours for equal endpoints',
    'bc3',
    concat(FULL_ALPHA, colourBlock(HIGH, HIGH, COLUMNS)),
    COLUMNS.map(() => FOUR[0]!),
  ),
  one('bc4 unorm, sevenths', 'bc4-unorm', alphaBlock(255, 0, EIGHTS), grey(SEVENTHS)),
  one('bc4 unorm, fifths', 'bc4-unorm', alphaBlock(11, 200, EIGHTS), grey(FIFTHS)),
  one('bc4 snorm, sevenths', 'bc4-snorm', alphaBlock(127, -127, EIGHTS), grey(SNORM_SEVENTHS)),
  one('bc4 snorm, -128 is -127', 'bc4-snorm', alphaBlock(127, -128, EIGHTS), grey(SNORM_SEVENTHS)),
  one('bc4 snorm, fifths', 'bc4-snorm', alphaBlock(-100, 33, EIGHTS), grey(SNORM_FIFTHS)),
  one(
    'bc4 snorm, -127 is not above -128',
    'bc4-snorm',
    alphaBlock(-127, -128, EIGHTS),
    grey([0, 0, 0, 0, 0, 0, 0, 255]),
  ),
  one('bc4 snorm, zero', 'bc4-snorm', alphaBlock(0, 0, EIGHTS), grey([128, 128, 128, 128, 128, 128, 0, 255])),
  one(
    'bc5 unorm',
    'bc5-unorm',
    concat(alphaBlock(255, 0, EIGHTS), alphaBlock(11, 200, GREENS)),
    pair(SEVENTHS, FIFTHS),
  ),
  one(
    'bc5 snorm',
    'bc5-snorm',
    concat(alphaBlock(-100, 33, EIGHTS), alphaBlock(127, -128, GREENS)),
    pair(SNORM_FIFTHS, SNORM_SEVENTHS),
  ),
  // Endpoints (0, 254, 128, 254) and (255, 1, 129, 255); red of texel 1: (255 * 4 + 32) >> 6 = 16.
  one('bc7 mode 6, all sixteen weights', 'bc7', BC7_FULL, [
    [0, 254, 128, 254],
    [16, 238, 128, 254],
    [36, 218, 128, 254],
    [52, 203, 128, 254],
    [68, 187, 128, 254],
    [84, 171, 128, 254],
    [104, 151, 128, 254],
    [120, 135, 128, 254],
    [135, 120, 129, 255],
    [151, 104, 129, 255],
    [171, 84, 129, 255],
    [187, 68, 129, 255],
    [203, 52, 129, 255],
    [219, 37, 129, 255],
    [239, 17, 129, 255],
    [255, 1, 129, 255],
  ]),
  ...BC7.map((fields, i): Vector => ({
    name: `bc7 mode ${fields.mode}, block ${i}`,
    run: (k) => k.bc.decode('bc7', bc7Block(fields), 4, 4),
    expected: bc7Texels(fields),
  })),
  {
    name: 'bc7, 4096 random blocks',
    run: (k) => k.bc.decode('bc7', randomBlocks('bc7', 4096, 7), 256, 256),
    // What decodeBc7 of @arkntools/unity-js-tools-wasm 3.2.0 gives, with red and blue swapped.
    expected: { sha256: '6152c634bd5147cf9a6a32cdbdcc08d79a4d9fdafa63389c81f005a291705943' },
  },
  one(
    'bc7 without a mode',
    'bc7',
    Uint8Array.of(0, ...new Uint8Array(15).fill(255)),
    STEPS.map(() => [0, 0, 0, 0]),
  ),
  {
    name: 'bc1, one texel',
    run: (k) => k.bc.decode('bc1', colourBlock(HIGH, LOW, [2, ...COLUMNS.slice(1)]), 1, 1),
    expected: Uint8Array.of(...FOUR[2]!),
  },
  {
    name: 'bc1, 5 x 2 texels of which the second block is missing',
    run: (k) => k.bc.decode('bc1', colourBlock(HIGH, LOW, COLUMNS), 5, 2),
    expected: Uint8Array.from([...FOUR, [0, 0, 0, 255], ...FOUR, [0, 0, 0, 255]].flat()),
  },
  {
    name: 'bc7, half a block is missing',
    run: (k) => k.bc.decode('bc7', BC7_FULL.subarray(0, 8), 1, 1),
    // What is left ends with the first endpoint's P-bit; index 0 gives that endpoint.
    expected: Uint8Array.of(0, 254, 128, 254),
  },
  { name: 'bc1, no texels', run: (k) => k.bc.decode('bc1', new Uint8Array(0), 0, 9), expected: new Uint8Array(0) },
];
