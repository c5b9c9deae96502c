import { FOOTPRINTS, astcBlock, randomAstcBlocks } from '../support/astc-blocks.ts';
import { concat } from '../support/concat.ts';
import type { TexelFormat } from '../../ts/kernels/contract.ts';
import type { Vector } from './vectors.ts';

type Rgba = readonly [number, number, number, number];
type Fields = [value: number, size: number][];

const MAGENTA: Rgba = [255, 0, 255, 255];

function texels(
  name: string,
  format: TexelFormat,
  blocks: Uint8Array,
  size: [number, number],
  expected: Rgba[],
): Vector {
  return { name, run: (k) => k.astc.decode(format, blocks, ...size), expected: Uint8Array.from(expected.flat()) };
}

const repeat = (count: number, texel: Rgba): Rgba[] => Array.from({ length: count }, () => texel);
const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g)!, (byte) => Number.parseInt(byte, 16));

// A mode from bit 10 down: D (two planes), H, B and A (two bits each), R0, the layout (two bits), R2 and R1. This one has
// 4 x 4 weights of 4 values: B 0, A 2, layout 0, R 4.
const MODE_4X4 = 0b00_00_10_0_00_10;
const DUAL = 1 << 10;

/** The fields of a 4 x 4 block of one partition with colours of 8 bits, which fit as long as they are at most nine. */
function onePartition(endpointMode: number, colours: number[], mode = MODE_4X4): Fields {
  return [[mode, 11], [0, 2], [endpointMode, 4], ...colours.map((c): [number, number] => [c, 8])];
}

// Weights of 2 bits stand for 0, 21, 43 and 64 (repeated to 6 bits 0, 21, 42, 63; one more above 32).
const COLUMNS = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3];
/** Both endpoints in turn. */
const ENDS = [0, 3, 0, 3, 3, 0, 3, 0, 0, 0, 3, 3, 0, 3, 3, 0];

/** A block whose texels are the endpoints, as the table of endpoint modes has them. */
function ends(name: string, endpointMode: number, colours: number[], first: Rgba, second: Rgba): Vector[] {
  const block = astcBlock(onePartition(endpointMode, colours), ENDS, 2);
  const expected = ENDS.map((weight) => (weight ? second : first));
  return ['astc-4x4', 'astc-4x4-srgb'].map((format) =>
    texels(`${name}, ${format}`, format as TexelFormat, block, [4, 4], expected),
  );
}

// By hand from the specification's table; an offset is bits 6 to 1 of its value, signed, and bit 7 goes to its base,
// which is halved.
const ENDPOINTS = [
  ...ends('luminance', 0, [17, 203], [17, 17, 17, 255], [203, 203, 203, 255]),
  // 0x58 >> 2 = 22, with the top bits of 0x9b 150; 150 + 27 = 177.
  ...ends('luminance and offset', 1, [0x58, 0x9b], [150, 150, 150, 255], [177, 177, 177, 255]),
  // 0xff >> 2 = 63, with those of 0xf0 255, and 255 + 48 is cut.
  ...ends('luminance and offset, clamped', 1, [0xff, 0xf0], [255, 255, 255, 255], [255, 255, 255, 255]),
  ...ends('luminance and alpha', 4, [9, 250, 100, 30], [9, 9, 9, 100], [250, 250, 250, 30]),
  // 0x60 / 2 + 128 = 176, plus 8; 0x51 / 2 = 40, minus 2.
  ...ends('luminance and alpha, offsets', 5, [0x60, 0x90, 0x51, 0x7c], [176, 176, 176, 40], [184, 184, 184, 38]),
  // 4 / 2 = 2, minus 32, is cut to 0; 254 / 2 + 128 = 255, plus 31, to 255.
  ...ends('luminance and alpha, clamped', 5, [4, 0x40, 254, 0xbe], [2, 2, 2, 255], [0, 0, 0, 255]),
  // 200 * 100 / 256 = 78.1, 50 * 100 / 256 = 19.5, 255 * 100 / 256 = 99.6.
  ...ends('RGB and scale', 6, [200, 50, 255, 100], [78, 19, 99, 255], [200, 50, 255, 255]),
  ...ends('RGB', 8, [10, 60, 20, 50, 30, 40], [10, 20, 30, 255], [60, 50, 40, 255]),
  // The second is darker: they change places, and red and green are halfway to blue.
  ...ends('RGB, blue-contracted', 8, [60, 10, 51, 21, 40, 30], [20, 25, 30, 255], [50, 45, 40, 255]),
  // Bases 50, 60 + 128, 70; offsets 5, -3, 1: their sum is not negative.
  ...ends('RGB and offset', 9, [100, 10, 120, 0xfa, 140, 2], [50, 188, 70, 255], [55, 185, 71, 255]),
  // Offsets 5, -7, 1: (55 + 71) / 2 = 63, (181 + 71) / 2 = 126, 71; then (50 + 70) / 2 = 60, (188 + 70) / 2 = 129, 70.
  ...ends('RGB and offset, blue-contracted', 9, [100, 10, 120, 0xf2, 140, 2], [63, 126, 71, 255], [60, 129, 70, 255]),
  // Bases 0, 255, 1; offsets -1, 31, -32: -1, 286, -31 are contracted first, (-1 - 31) / 2 and (286 - 31) / 2 = 127.
  ...ends('RGB and offset, clamped', 9, [0, 0x7e, 255, 0xbe, 2, 0x40], [0, 127, 0, 255], [0, 128, 1, 255]),
  ...ends('RGB and scale with alpha', 10, [200, 50, 255, 100, 7, 80], [78, 19, 99, 7], [200, 50, 255, 80]),
  // 20 + 40 + 60 and 30 + 50 + 70; alpha is as it is.
  ...ends('RGBA', 12, [20, 30, 40, 50, 60, 70, 80, 5], [20, 40, 60, 80], [30, 50, 70, 5]),
  // (30 + 60) / 2, (50 + 60) / 2, 60; (40 + 71) / 2, (50 + 71) / 2, 71. The alphas change places, too.
  ...ends('RGBA, blue-contracted', 12, [40, 30, 50, 50, 71, 60, 80, 5], [45, 55, 60, 5], [55, 60, 71, 80]),
  // As above, and 90 / 2 + 128 = 173, minus 4; 173 stays the first alpha as long as the colours do not change places.
  ...ends('RGBA and offset', 13, [100, 10, 120, 0xfa, 140, 2, 90, 0xf8], [50, 188, 70, 173], [55, 185, 71, 169]),
  ...ends(
    'RGBA and offset, blue-contracted',
    13,
    [100, 10, 120, 0xf2, 140, 2, 90, 0xf8],
    [63, 126, 71, 169],
    [60, 129, 70, 173],
  ),
  ...ends('HDR RGB and scale', 7, [1, 2, 3, 4], MAGENTA, MAGENTA),
  ...ends('HDR luminance', 2, [1, 2], MAGENTA, MAGENTA),
];

/** What luminances of 0 and 255 and weights 0, 9, 18, 28, 36, 46, 55, 64 give: see below. */
const ACROSS = [0, 36, 72, 112, 143, 183, 219, 255];
/** And weights of 0, 16, 32, 48, 64. */
const DOWN = [0, 64, 128, 191, 255];
const grey = (l: number): Rgba => [l, l, l, 255];

const BLACK_TO_WHITE = onePartition(0, [0, 255]);
const ROWS = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3];

// 4 weights over 8 texels: the specification's scale is (1024 + 4) / 7 = 146, so that texels lie at (438 i + 32) / 64 =
// 0, 7, 14, 21, 27, 34, 41, 48 sixteenths. Between 0, 21, 43, 64 that is (147 + 8) / 16 = 9, (294 + 8) / 16 = 18,
// (21 * 11 + 43 * 5 + 8) / 16 = 28, (21 * 5 + 43 * 11 + 8) / 16 = 36, (43 * 14 + 64 * 2 + 8) / 16 = 46 and
// (43 * 7 + 64 * 9 + 8) / 16 = 55. Over 5 texels: scale 256, places 0, 12, 24, 36, 48; (252 + 8) / 16 = 16, 32 and 48.
// Linear: (65535 w + 32) / 2^14 is 36.001, 72.001, 112.0002, 143.9998, 183.999, 219.998, 255.998; 64.001, 128, 191.999.
// sRGB: (128 (64 - w) + 65408 w + 32) / 2^14 is 36.4, 72.2, 112.1, 143.9, 183.8, 219.6; 64.3, 128.002, 191.8.
const INFILL = ['', '-srgb'].flatMap((suffix) => [
  texels(
    `weights between columns, 8x5${suffix}`,
    `astc-8x5${suffix}` as TexelFormat,
    astcBlock(BLACK_TO_WHITE, COLUMNS, 2),
    [8, 5],
    DOWN.flatMap(() => ACROSS.map(grey)),
  ),
  texels(
    `weights between rows, 8x5${suffix}`,
    `astc-8x5${suffix}` as TexelFormat,
    astcBlock(BLACK_TO_WHITE, ROWS, 2),
    [8, 5],
    DOWN.flatMap((l) => repeat(8, grey(l))),
  ),
  texels(
    `weights between columns, cut to 3 x 2, 8x8${suffix}`,
    `astc-8x8${suffix}` as TexelFormat,
    astcBlock(BLACK_TO_WHITE, COLUMNS, 2),
    [3, 2],
    [0, 36, 72, 0, 36, 72].map(grey),
  ),
]);

// Luminances of 16 and 240. At weight 21: 16 * 43 + 240 * 21 = 5728; (5728 * 257 + 32) / 2^14 = 89.9, in sRGB
// (5728 * 256 + 128 * 64 + 32) / 2^14 = 90.002. At 43: 10656; 167.2 and 167.002.
const ROUNDING = [
  texels(
    'rounds linear values down',
    'astc-4x4',
    astcBlock(onePartition(0, [16, 240]), COLUMNS, 2),
    [4, 4],
    COLUMNS.map((w) => grey([16, 89, 167, 240][w]!)),
  ),
  texels(
    'rounds sRGB values from halfway',
    'astc-4x4-srgb',
    astcBlock(onePartition(0, [16, 240]), COLUMNS, 2),
    [4, 4],
    COLUMNS.map((w) => grey([16, 90, 167, 240][w]!)),
  ),
];

// Two planes: 32 weights of 2 bits, below them the channel of the second. Each texel has a weight of each plane.
const DUAL_PLANE = [0, 1, 2, 3].map((channel) => {
  const block = astcBlock(
    [...onePartition(4, [0, 255, 255, 0], MODE_4X4 | DUAL), [0, 13], [channel, 2]],
    COLUMNS.flatMap((w, i) => [w && 3, ENDS[i]!]),
    2,
  );
  const expected = COLUMNS.map((w, i): Rgba => {
    const [one, other] = [w ? 255 : 0, ENDS[i] ? 255 : 0];
    const weight = [0, 1, 2, 3].map((c) => (c === channel ? other : one));
    return [weight[0]!, weight[1]!, weight[2]!, 255 - weight[3]!];
  });
  return texels(`two planes, the second of channel ${channel}`, 'astc-4x4', block, [4, 4], expected);
});

// Bits of a void extent: 9 ones and zeros of the mode, HDR, two reserved ones, four extents of 13 bits, four channels.
function voidExtent(hdr: number, reserved: number, extent: [number, number, number, number]): Uint8Array {
  const channels: Fields = [0x2bff, 0xad00, 0x00ff, 0xff80].map((c) => [c, 16]);
  return astcBlock([[0x1fc, 9], [hdr, 1], [reserved, 2], ...extent.map((e): [number, number] => [e, 13]), ...channels]);
}
const ONES = 0x1fff;
const VOID: Rgba = [0x2b, 0xad, 0, 0xff];
const VOID_EXTENTS = (
  [
    ['without an extent', 0, 3, [ONES, ONES, ONES, ONES], VOID],
    ['with an extent', 0, 3, [1, 2, 0, ONES], VOID],
    ['of no width', 0, 3, [2, 2, 0, ONES], MAGENTA],
    ['of no height', 0, 3, [0, 2, 9, 8], MAGENTA],
    ['with three bounds of ones', 0, 3, [ONES, ONES, 0, ONES], MAGENTA],
    ['with a reserved bit', 0, 1, [ONES, ONES, ONES, ONES], MAGENTA],
    ['in HDR', 1, 3, [ONES, ONES, ONES, ONES], MAGENTA],
  ] as const
).flatMap(([name, hdr, reserved, extent, colour]) =>
  (['astc-5x4', 'astc-5x4-srgb'] as const).map((format) =>
    texels(
      `void extent ${name}, ${format}`,
      format,
      voidExtent(hdr, reserved, [...extent]),
      [5, 4],
      repeat(20, colour),
    ),
  ),
);

const ILLEGAL = (
  [
    ['an unused mode', 'astc-4x4', [[0, 11]]],
    ['the other unused mode', 'astc-12x12', [[0b00_11_10_0_01_00, 11]]],
    // Layout 0, B 1, A 2: 5 x 4 weights; R 4.
    ['a grid that is too wide', 'astc-4x4', [[0b00_01_10_0_00_10, 11]]],
    // Layout 0, B 0, A 3: 4 x 5.
    ['a grid that is too high', 'astc-5x4', [[0b00_00_11_0_00_10, 11]]],
    // Layout 1, B 1, A 3: 9 x 5, twice.
    ['more than 64 weights', 'astc-12x12', [[0b10_01_11_0_01_10, 11]]],
    // 4 x 4 weights of 2 values (R 2) have 16 bits.
    ['less than 24 bits of weights', 'astc-4x4', [[0b00_00_10_0_00_01, 11]]],
    // 4 x 4 weights of 32 values (H, R 7) in two planes have 160.
    ['more than 96 bits of weights', 'astc-4x4', [[0b11_00_10_1_00_11, 11]]],
    [
      'two planes and four partitions',
      'astc-4x4',
      [
        [MODE_4X4 | DUAL, 11],
        [3, 2],
      ],
    ],
    // Three times mode 12 has 24 colours.
    [
      'more than 18 colours',
      'astc-4x4',
      [
        [MODE_4X4, 11],
        [2, 2],
        [0, 10],
        [0, 2],
        [12, 4],
      ],
    ],
    // 4 x 4 weights of 24 values (H, R 6) leave 25 bits; twice eight colours need 16 * 13 / 5.
    [
      'colours without room',
      'astc-4x4',
      [
        [0b01_00_10_0_00_11, 11],
        [1, 2],
        [0, 10],
        [0, 2],
        [12, 4],
      ],
    ],
  ] as [string, TexelFormat, Fields][]
).map(([name, format, fields]): Vector => {
  const [width, height] = format.slice(5).split('x').map(Number) as [number, number];
  return texels(name, format, astcBlock(fields), [width, height], repeat(width * height, MAGENTA));
});

// Published: ARM-software/astc-encoder, Test/Data/LDR-A-1x1.astc and HDR-A-1x1.astc, and the four blocks of Tiles/ldr.astc,
// whose colours are black, red, white and (64, 192, 0, 221).
// google/astc-codec, src/decoder/testdata/checkerboard.astc: a block of 8 x 8 weights of one bit, black and white.
const PUBLISHED = [
  texels('LDR-A-1x1.astc', 'astc-6x6', hex('fcfdffffffffffff2b2badad0000ffff'), [1, 1], [[0x2b, 0xad, 0, 255]]),
  texels('HDR-A-1x1.astc', 'astc-6x6', hex('fcffffffffffffff803e603f4040003c'), [1, 1], [MAGENTA]),
  texels(
    'Tiles/ldr.astc',
    'astc-4x4',
    hex(
      'fcfdffffffffffff000000000000ffff' +
        'fcfdffffffffffffffff00000000ffff' +
        'fcfdffffffffffffffffffffffffffff' +
        'fcfdffffffffffff4040c0c00000dddd',
    ),
    [8, 8],
    [
      ...[0, 1, 2, 3].flatMap(() => [...repeat(4, [0, 0, 0, 255]), ...repeat(4, [255, 0, 0, 255])]),
      ...[0, 1, 2, 3].flatMap(() => [...repeat(4, [255, 255, 255, 255]), ...repeat(4, [64, 192, 0, 221])]),
    ],
  ),
  texels(
    'checkerboard.astc',
    'astc-8x8',
    hex('440500fe0100000055aa55aa55aa55aa'),
    [8, 8],
    Array.from({ length: 64 }, (_, i) => grey((i + (i >> 3)) % 2 ? 0 : 255)),
  ),
];

// Two partitions with index 37, luminance and HDR luminance. The modes are 0 and 2 of group 0: the kind 1, a bit of
// group each, then two bits of mode each, the last of which lie below the weights. Which texel is in which partition
// is from astcenc 4.2.0 -ds.
const PARTITION_MAP = [1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0];
const ONE_IS_HDR = texels(
  'HDR in one of two partitions',
  'astc-4x4-srgb',
  astcBlock(
    [
      [MODE_4X4, 11],
      [1, 2],
      [37, 10],
      [1, 2],
      [0, 4],
      ...[16, 240, 1, 2].map((c): [number, number] => [c, 8]),
      [0, 33],
      [2, 2],
    ],
    COLUMNS,
    2,
  ),
  [4, 4],
  COLUMNS.map((w, i) => (PARTITION_MAP[i] ? MAGENTA : grey([16, 90, 167, 240][w]!))),
);

// Where elements lie: void extents of four colours, a row of two blocks of 8 x 5 at a time, 40 bytes apart.
const COLOURS: Rgba[] = [
  [1, 2, 3, 4],
  [5, 6, 7, 8],
  [9, 10, 11, 12],
  [13, 14, 15, 16],
];
const [TOP_LEFT, TOP_RIGHT, LEFT, RIGHT] = COLOURS.map((colour) =>
  astcBlock([[0xdfc, 12], [2 ** 52 - 1, 52], ...colour.map((c): [number, number] => [256 * c, 16])]),
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
const SURFACE = concat(TOP_LEFT, TOP_RIGHT, new Uint8Array(8), LEFT, RIGHT, new Uint8Array(8));
const [LAST_ROW, ALL_ROWS] = [
  [1, 2],
  [0, 9],
] as const;
const DECODED_ROWS = (['astc-8x5', 'astc-8x5-srgb'] as const).flatMap((format) =>
  [LAST_ROW, ALL_ROWS].map(([start, end]): Vector => {
    const row = (left: Rgba, right: Rgba): Rgba[] => [...repeat(8, left), ...repeat(2, right)];
    const top = Array.from({ length: 5 }, () => row(COLOURS[0]!, COLOURS[1]!)).flat();
    const bottom = [...row(COLOURS[2]!, COLOURS[3]!), ...row(COLOURS[2]!, COLOURS[3]!)];
    return {
      name: `rows ${start} to ${end} of a surface of 10 x 7, ${format}`,
      run: (k) =>
        k.tegra.decodeRows(
          format,
          SURFACE,
          0,
          10,
          7,
          { blockHeightLog2: 0, blockDepthLog2: 0, pitch: 40 },
          0,
          start,
          end,
        ),
      expected: Uint8Array.from([...(start ? [] : top), ...bottom].flat()),
    };
  }),
);

// Random blocks, 16 x 16 of them, the last column and row cut. SHA-256 of what astcenc gives: linear 4.7.0 (SSE 4.1) -dl,
// sRGB 4.2.0 -ds.
const RANDOM_SHA256 = [
  [
    '1f870b90723ef56541ed3d0f7a50d4731ec4ef2c3e62a187a48224e6632aa402',
    'dd01d739e0635e3e9e3bb976e401bde98976d324e4eb2297e8e4784bb363ee9a',
  ],
  [
    '720d4226a600f1765badac647ebaf8553c04c3e48d3c45012c1bd5357a3841ef',
    '6eba040bcebfc7a537a82a2c8b17873d73a8f278317b340880332a19e0fda7a1',
  ],
  [
    'eae963de01cb9b27b681921ee99eb5074b5eca7d1792138e24884b0026edd860',
    'b37980ae45fa4b3afec51316ffb2e5ce76df93a2f70f3231fb7ecab00edb118d',
  ],
  [
    '3d18be9919d0967c88e4af4944453a2e46ca0ea31970f160a673496f0eb1ffe1',
    '0bc17ef94e6189e2f380e293c774836dd354a35a0c53fb22182511987f12b610',
  ],
  [
    'd4b21cbebc888029cc05f74aca0d9dea58f8f0def7aff6170a2ec2a8d07a5c7f',
    '911ad3b579339b36ccdd2c2efc1d0e606d493623b1f45c4d0074a25c2b88ba56',
  ],
  [
    '971413c60d93e4c44963b39463b9fc35ef470cf960332f06ada6c26ba79d2dcf',
    'f93aadcad4801412caee1c2e021d8bc51ceaecfdf99874f57740d645e79a2b19',
  ],
  [
    '10c4d353fe574dcb207a77690ff174bedef8c7669328f602b55f4f5b6a04d547',
    'ccf5b0b7e2a85854773936f6609b386779954c5ff590fd08e164466f93c2b7ef',
  ],
  [
    'b3ba160e61f613fa11d9f78209a90e0e2a2f44c79a4762751663455ed212364f',
    '985dd7586a491404a5a3f562ae827c937fa5d1a2c7f90b98880ce9ae59d3669b',
  ],
  [
    '113a709e50afd4104fe106d52624923c1157dd34de51f2f4dad2641df9451706',
    'ec71bdbad171dcbd8824f2a8cac8bcea7261b4fbb07a900ff93e04101aab06b6',
  ],
  [
    '5c6d9dbe601141121f47f41986e031f40c8661e8eb0b358042a206318fdddaf1',
    'c39936deb1b784464c3b9022842d0aaee01ffc22ef5f6f1d3ff4fabdc96261bd',
  ],
  [
    '57567cc628086e40de21d9071fecef6ca1f86b80732a2210195057b1e443ccf5',
    '40773c67544b6aab56ba0f9bedd07dc158f7dd3cab3b3c5679b015bd16d3eef4',
  ],
  [
    '3f557a30fa80d7cc0e4858054559b32210ed48e441f62ee5968303e692d7f164',
    'bfcb0ac556ad120afbe004cc60eccc45d669bcb335fae53867a98d874f2e985f',
  ],
  [
    '1ca8e25443bcffc9f994d4485a366098e66d3bbbd23733e8a1af9979cdc77400',
    '635ab885e89f04e3a40fe74605d6c6c23fc1598ced51b0f2de65aa498d8de62b',
  ],
  [
    '9044572072c7f988ff1f272a989bf742a864ddbeed7a1f7867fae2ed7f911c83',
    'c09065d289895a8d40460501ad2a77009b42b55d0b13f8d2befaf32a98183923',
  ],
] as const;
const RANDOM = FOOTPRINTS.flatMap(([columns, rows], i) =>
  ['', '-srgb'].map((suffix, srgb): Vector => {
    const format = `astc-${columns}x${rows}${suffix}` as TexelFormat;
    return {
      name: `random blocks of ${format}`,
      run: (k) => k.astc.decode(format, randomAstcBlocks(256, i + 1), 16 * columns - 1, 16 * rows - 2),
      expected: { sha256: RANDOM_SHA256[i]![srgb]! },
    };
  }),
);

export const astcVectors: Vector[] = [
  ...PUBLISHED,
  ...ENDPOINTS,
  ...ROUNDING,
  ...INFILL,
  ...DUAL_PLANE,
  ...VOID_EXTENTS,
  ...ILLEGAL,
  ONE_IS_HDR,
  ...DECODED_ROWS,
  texels('no blocks are blocks of zeros, which are illegal', 'astc-4x4', new Uint8Array(0), [2, 1], repeat(2, MAGENTA)),
  ...RANDOM,
];
