import { describe, expect, it } from 'vitest';
import { instantiate } from '../../ts/component/index.ts';
import {
  createKernels,
  TEXEL_FORMATS,
  type HashAlgorithm,
  type Kernels,
  type TexelFormat,
  type Tiling,
} from '../../ts/kernels/index.ts';
import { randomBytes } from '../support/random.ts';

const BACKENDS = ['wasm', 'ts'] as const;
const KERNELS = { wasm: createKernels({ backend: 'wasm' }), ts: createKernels({ backend: 'ts' }) };

const DATA = randomBytes(4096, 1);
const NOTHING = new Uint8Array(0);
const LINEAR: Tiling = { blockHeightLog2: 0, blockDepthLog2: 0, pitch: 64 };
const TILED: Tiling = { ...LINEAR, pitch: 0 };

/** How what is no u32 is refused. */
const u32 = (name: string, value: number): string =>
  `RangeError: ${name} is ${value}: a whole number from 0 to 4294967295 is needed`;

function outcome(run: () => unknown): string {
  try {
    const result = run();
    return result instanceof Uint8Array ? `${result.length} bytes` : String(result);
  } catch (error) {
    return String(error);
  }
}

interface Surface {
  data: Uint8Array;
  base: number;
  elementSize: number;
  width: number;
  height: number;
  tiling: Partial<Tiling>;
  slice: number;
  rowStart: number;
  rowEnd: number;
  out: Uint8Array;
  format: TexelFormat;
}

/** Deswizzles 16 x 8 elements of 4 bytes with some arguments changed. */
const deswizzle =
  (change: Partial<Surface>) =>
  ({ tegra }: Kernels): Uint8Array => {
    const s = {
      data: DATA,
      base: 0,
      elementSize: 4,
      width: 16,
      height: 8,
      slice: 0,
      rowStart: 0,
      rowEnd: 8,
      ...change,
    };
    const tiling = { ...TILED, ...change.tiling };
    const { data, base, elementSize, width, height, slice, rowStart, rowEnd, out } = s;
    return tegra.deswizzle(data, base, elementSize, width, height, tiling, slice, rowStart, rowEnd, out);
  };

const decodeRows =
  (change: Partial<Surface>) =>
  ({ tegra }: Kernels): Uint8Array => {
    const format: TexelFormat = 'bc1';
    const s = { format, data: DATA, base: 0, width: 16, height: 8, slice: 0, rowStart: 0, rowEnd: 2, ...change };
    const tiling = { ...TILED, ...change.tiling };
    const { data, base, width, height, slice, rowStart, rowEnd, out } = s;
    return tegra.decodeRows(s.format, data, base, width, height, tiling, slice, rowStart, rowEnd, out);
  };

const bc =
  (width: number, height: number, format = 'bc1', out?: Uint8Array) =>
  (k: Kernels): Uint8Array =>
    k.bc.decode(format as TexelFormat, DATA, width, height, out);

const decodeRowsHalf =
  (change: Partial<Surface>) =>
  ({ tegra }: Kernels): Uint8Array => {
    const format: TexelFormat = 'rgba32-float';
    const s = { format, data: DATA, base: 0, width: 16, height: 8, slice: 0, rowStart: 0, rowEnd: 2, ...change };
    const tiling = { ...TILED, ...change.tiling };
    const { data, base, width, height, slice, rowStart, rowEnd, out } = s;
    return tegra.decodeRowsHalf(s.format, data, base, width, height, tiling, slice, rowStart, rowEnd, out);
  };

const bcHalf =
  (width: number, height: number, format = 'bc6h-uf16', out?: Uint8Array) =>
  (k: Kernels): Uint8Array =>
    k.bc.decodeHalf(format as TexelFormat, DATA, width, height, out);

const astc =
  (width: number, height: number, format = 'astc-5x4', out?: Uint8Array) =>
  (k: Kernels): Uint8Array =>
    k.astc.decode(format as TexelFormat, DATA, width, height, out);

const filter =
  (rowSize: number, rows = DATA, previous = NOTHING, out?: Uint8Array) =>
  (k: Kernels): Uint8Array =>
    k.png.filter(rows, previous, rowSize, out);

const batch =
  (algorithm: string, ends: number[] = [], seed = 0n, out?: Uint8Array) =>
  (k: Kernels): Uint8Array =>
    k.hash.batch(algorithm as HashAlgorithm, DATA, Uint32Array.from(ends), seed, out);

const NO_NUMBERS = [-1, 0.5, NaN, Infinity, 2 ** 32];
const FOOTPRINTS = '4x4 5x4 5x5 6x5 6x6 8x5 8x6 8x8 10x5 10x6 10x8 10x10 12x10 12x12'.split(' ');
const ASTC = ['', '-srgb'].flatMap((suffix) => FOOTPRINTS.map((size) => `astc-${size}${suffix}`)).join(', ');
const ALL = TEXEL_FORMATS.join(', ');
const BC = 'bc1, bc2, bc3, bc4-unorm, bc4-snorm, bc5-unorm, bc5-snorm, bc7, bc6h-uf16, bc6h-sf16';
const PLAIN =
  'r8, r8g8, rgba8, bgra8, r8-snorm, r8-uint, r8-sint, r8g8-snorm, r8g8-uint, r8g8-sint, rgba8-snorm, rgba8-uint, ' +
  'rgba8-sint, r16-unorm, r16-snorm, r16-uint, r16-sint, r16-float, r16g16-unorm, r16g16-snorm, r16g16-uint, ' +
  'r16g16-sint, r16g16-float, rgba16-unorm, rgba16-snorm, rgba16-uint, rgba16-sint, rgba16-float, r32-uint, r32-sint, ' +
  'r32-float, r32g32-uint, r32g32-sint, r32g32-float, rgb32-uint, rgb32-sint, rgb32-float, rgba32-uint, rgba32-sint, ' +
  'rgba32-float, rgba4, rgb5a1, a1bgr5, rgb565, bgr565, bgr5a1, rgb10a2, rgb10a2-uint, r11g11b10, rgb9e5, d24s8, d32s8';
const noArray = 'text' as unknown as Uint8Array;

type Call = [name: string, run: (k: Kernels) => unknown, expected: string];

const CALLS: Call[] = [
  ...NO_NUMBERS.flatMap((value): Call[] => [
    [`crc32 seed ${value}`, (k) => k.hash.crc32(DATA, value), u32('seed', value)],
    [`murmur3 seed ${value}`, (k) => k.hash.murmur3(DATA, value), u32('seed', value)],
    [`sarcName multiplier ${value}`, (k) => k.hash.sarcName(DATA, value), u32('multiplier', value)],
    [`deswizzle base ${value}`, deswizzle({ base: value }), u32('base', value)],
    [
      `deswizzle width ${value}`,
      deswizzle({ width: value }),
      `RangeError: width is ${value}: a whole number from 0 to 536870911 is needed`,
    ],
    [`deswizzle height ${value}`, deswizzle({ height: value }), u32('height', value)],
    [`deswizzle slice ${value}`, deswizzle({ slice: value }), u32('slice', value)],
    [`deswizzle rowStart ${value}`, deswizzle({ rowStart: value }), u32('rowStart', value)],
    [`deswizzle rowEnd ${value}`, deswizzle({ rowEnd: value }), u32('rowEnd', value)],
    [`deswizzle pitch ${value}`, deswizzle({ tiling: { pitch: value } }), u32('pitch', value)],
    [
      `deswizzle elementSize ${value}`,
      deswizzle({ elementSize: value }),
      `RangeError: elementSize is ${value}: one of 1, 2, 4, 8, 12, 16 is needed`,
    ],
    [`decodeRows base ${value}`, decodeRows({ base: value }), u32('base', value)],
    [
      `decodeRows width ${value}`,
      decodeRows({ width: value }),
      `RangeError: width is ${value}: a whole number from 0 to 33554431 is needed`,
    ],
    [`decodeRows height ${value}`, decodeRows({ height: value }), u32('height', value)],
    [`decodeRows slice ${value}`, decodeRows({ slice: value }), u32('slice', value)],
    [`decodeRows rowStart ${value}`, decodeRows({ rowStart: value }), u32('rowStart', value)],
    [`decodeRows rowEnd ${value}`, decodeRows({ rowEnd: value }), u32('rowEnd', value)],
    [`decodeRows pitch ${value}`, decodeRows({ tiling: { pitch: value } }), u32('pitch', value)],
    [`bc width ${value}`, bc(value, 4), u32('width', value)],
    [`bc height ${value}`, bc(4, value), u32('height', value)],
    [`astc width ${value}`, astc(value, 4), u32('width', value)],
    [`astc height ${value}`, astc(4, value), u32('height', value)],
    [`selectChannels sources ${value}`, (k) => k.pixel.selectChannels(DATA, value), u32('sources', value)],
    [
      `filter rowSize ${value}`,
      filter(value),
      `RangeError: rowSize is ${value}: a whole number from 0 to 16777216 is needed`,
    ],
    [`decoderOpen windowLimit ${value}`, (k) => k.zstd.decoderOpen(value, 0), u32('windowLimit', value)],
    [
      `alloc ${value}`,
      (k) => k.alloc(value),
      `RangeError: size is ${value}: a whole number from 0 to 2147483647 is needed`,
    ],
  ]),
  ...[6, -1, 40, NaN, 1.5].flatMap((value) =>
    [deswizzle, decodeRows].flatMap((call): Call[] =>
      (['blockHeightLog2', 'blockDepthLog2'] as const).map((name) => [
        `${call === deswizzle ? 'deswizzle' : 'decodeRows'} ${name} ${value}`,
        call({ tiling: { [name]: value } }),
        `RangeError: ${name} is ${value}: a whole number from 0 to 5 is needed`,
      ]),
    ),
  ),
  ...[0, 3, 5, 20].map((value): Call => [
    `deswizzle elementSize ${value}`,
    deswizzle({ elementSize: value }),
    `RangeError: elementSize is ${value}: one of 1, 2, 4, 8, 12, 16 is needed`,
  ]),
  ...['bogus', 'toString', ''].flatMap((name): Call[] => [
    [
      `decodeRows of "${name}"`,
      decodeRows({ format: name as TexelFormat }),
      `RangeError: format is ${name}: one of ${ALL} is needed`,
    ],
    [`bc.decode of "${name}"`, bc(4, 4, name), `RangeError: format is ${name}: one of ${BC} is needed`],
    [`astc.decode of "${name}"`, astc(4, 4, name), `RangeError: format is ${name}: one of ${ASTC} is needed`],
    [
      `pixel.decode of "${name}"`,
      (k) => k.pixel.decode(name as TexelFormat, DATA),
      `RangeError: format is ${name}: one of ${PLAIN} is needed`,
    ],
  ]),
  ['bc.decode of a plain format', bc(4, 4, 'r8'), `RangeError: format is r8: one of ${BC} is needed`],
  ['bc.decode of an ASTC format', bc(4, 4, 'astc-4x4'), `RangeError: format is astc-4x4: one of ${BC} is needed`],
  ['astc.decode of a BC format', astc(4, 4, 'bc7'), `RangeError: format is bc7: one of ${ASTC} is needed`],
  [
    'pixel.decode of a block format',
    (k) => k.pixel.decode('bc7', DATA),
    `RangeError: format is bc7: one of ${PLAIN} is needed`,
  ],

  [
    'bc.decode of too much',
    bc(23171, 23171),
    'RangeError: the result has 2147580964 bytes: 2147483647 at most are possible',
  ],
  [
    'astc.decode of too much',
    astc(23171, 23171),
    'RangeError: the result has 2147580964 bytes: 2147483647 at most are possible',
  ],
  [
    'bc.decode of 2^32 bytes',
    bc(2 ** 15, 2 ** 15),
    'RangeError: the result has 4294967296 bytes: 2147483647 at most are possible',
  ],
  ['bc.decode of width 2^32 + 4', bc(2 ** 32 + 4, 4), u32('width', 2 ** 32 + 4)],
  [
    'deswizzle of too much',
    deswizzle({ elementSize: 16, width: 2 ** 16, height: 2 ** 16, rowEnd: 2 ** 11 }),
    'RangeError: the result has 2147483648 bytes: 2147483647 at most are possible',
  ],
  [
    'decodeRows of too much',
    decodeRows({ width: 2 ** 20, height: 2 ** 20, rowEnd: 2 ** 18 }),
    'RangeError: the result has 4398046511104 bytes: 2147483647 at most are possible',
  ],
  [
    'deswizzle of a row that is too long',
    deswizzle({ elementSize: 16, width: 2 ** 27, rowEnd: 0 }),
    'RangeError: width is 134217728: a whole number from 0 to 134217727 is needed',
  ],
  [
    'pixel.decode of too much',
    (k) => k.pixel.decode('r8', new Uint8Array(2 ** 29)),
    'RangeError: the result has 2147483648 bytes: 2147483647 at most are possible',
  ],
  [
    'crc32 of too much',
    (k) => k.hash.crc32(new Uint8Array(2 ** 31), 0),
    'RangeError: data has 2147483648 bytes: 2147483647 at most are possible',
  ],
  [
    'a slice of a linear surface out of reach',
    deswizzle({ tiling: { pitch: 2 ** 30 }, height: 2 ** 12, slice: 2 ** 11 }),
    'RangeError: slice is 2048: it ends beyond 2^53 - 1 bytes',
  ],
  [
    'a slice of a block-linear surface out of reach',
    // 2^9 blocks of 2^17 bytes a row, 2^21 rows of them: 2^47 bytes for each 2^3 slices
    decodeRows({
      format: 'rgba8',
      width: 2 ** 13,
      height: 2 ** 29,
      tiling: { blockHeightLog2: 5, blockDepthLog2: 3 },
      slice: 511,
    }),
    'RangeError: slice is 511: it ends beyond 2^53 - 1 bytes',
  ],
  [
    'the last slice in reach',
    decodeRows({
      format: 'rgba8',
      width: 2 ** 13,
      height: 2 ** 29,
      tiling: { blockHeightLog2: 5, blockDepthLog2: 3 },
      slice: 503,
    }),
    '65536 bytes',
  ],

  [
    'deswizzle to a small out',
    deswizzle({ out: new Uint8Array(511) }),
    'RangeError: out has 511 bytes: 512 are needed',
  ],
  ['decodeRows to a small out', decodeRows({ out: new Uint8Array(0) }), 'RangeError: out has 0 bytes: 512 are needed'],
  [
    'astc.decode to a small out',
    astc(5, 5, 'astc-5x4', new Uint8Array(99)),
    'RangeError: out has 99 bytes: 100 are needed',
  ],
  ['bc.decode to a small out', bc(5, 5, 'bc1', new Uint8Array(99)), 'RangeError: out has 99 bytes: 100 are needed'],
  [
    'pixel.decode to a small out',
    (k) => k.pixel.decode('r8', new Uint8Array(4), new Uint8Array(15)),
    'RangeError: out has 15 bytes: 16 are needed',
  ],
  [
    'selectChannels to a small out',
    (k) => k.pixel.selectChannels(new Uint8Array(9), 0, new Uint8Array(7)),
    'RangeError: out has 7 bytes: 8 are needed',
  ],
  [
    'filter to a small out',
    filter(8, new Uint8Array(24), NOTHING, new Uint8Array(26)),
    'RangeError: out has 26 bytes: 27 are needed',
  ],

  ['decodeRowsHalf', decodeRowsHalf({}), '256 bytes'],
  [
    'decodeRowsHalf of no format',
    decodeRowsHalf({ format: 'bogus' as TexelFormat }),
    `RangeError: format is bogus: one of ${ALL} is needed`,
  ],
  [
    'decodeRowsHalf of too wide rows',
    decodeRowsHalf({ width: 2 ** 25 }),
    'RangeError: width is 33554432: a whole number from 0 to 33554431 is needed',
  ],
  [
    'decodeRowsHalf to a small out',
    decodeRowsHalf({ out: new Uint8Array(255) }),
    'RangeError: out has 255 bytes: 256 are needed',
  ],
  ['bc.decodeHalf of a plain format', bcHalf(4, 4, 'r8'), `RangeError: format is r8: one of ${BC} is needed`],
  [
    'bc.decodeHalf of too much',
    bcHalf(16384, 16384),
    'RangeError: the result has 2147483648 bytes: 2147483647 at most are possible',
  ],
  [
    'bc.decodeHalf to a small out',
    bcHalf(5, 5, 'bc1', new Uint8Array(199)),
    'RangeError: out has 199 bytes: 200 are needed',
  ],
  [
    'pixel.decodeHalf of a block format',
    (k) => k.pixel.decodeHalf('bc6h-uf16', DATA),
    `RangeError: format is bc6h-uf16: one of ${PLAIN} is needed`,
  ],
  [
    'pixel.decodeHalf to a small out',
    (k) => k.pixel.decodeHalf('rgb32-float', new Uint8Array(24), new Uint8Array(15)),
    'RangeError: out has 15 bytes: 16 are needed',
  ],
  [
    'pixel.decodeHalf of too much',
    (k) => k.pixel.decodeHalf('r8', new Uint8Array(2 ** 28)),
    'RangeError: the result has 2147483648 bytes: 2147483647 at most are possible',
  ],
  [
    'selectChannelsHalf to a small out',
    (k) => k.pixel.selectChannelsHalf(new Uint8Array(17), 0, new Uint8Array(15)),
    'RangeError: out has 15 bytes: 16 are needed',
  ],
  ...NO_NUMBERS.map((value): Call => [
    `selectChannelsHalf sources ${value}`,
    (k) => k.pixel.selectChannelsHalf(DATA, value),
    u32('sources', value),
  ]),

  ['filter of rows of 6', filter(6), 'RangeError: rowSize is 6: a multiple of 4 is needed'],
  [
    'filter of part of a row',
    filter(16, new Uint8Array(24)),
    'RangeError: rows has 24 bytes: whole rows of 16 are needed',
  ],
  [
    'filter of rows of nothing',
    filter(0, new Uint8Array(24)),
    'RangeError: rows has 24 bytes: whole rows of 0 are needed',
  ],
  [
    'filter with half a row above',
    filter(8, new Uint8Array(24), new Uint8Array(4)),
    'RangeError: previous has 4 bytes: none or 8 are needed',
  ],

  [
    'xxh64 seed -1',
    (k) => k.hash.xxh64(DATA, -1n),
    'RangeError: seed is -1: a bigint from 0 to 18446744073709551615 is needed',
  ],
  [
    'xxh64 seed 2^64',
    (k) => k.hash.xxh64(DATA, 1n << 64n),
    'RangeError: seed is 18446744073709551616: a bigint from 0 to 18446744073709551615 is needed',
  ],
  [
    'xxh64 seed that is a number',
    (k) => k.hash.xxh64(DATA, 5 as unknown as bigint),
    'RangeError: seed is 5: a bigint from 0 to 18446744073709551615 is needed',
  ],

  [
    'batch of no algorithm',
    batch('md5'),
    'RangeError: algorithm is md5: one of crc32, murmur3, sarc, xxh64, fnv1a is needed',
  ],
  [
    'batch with ends that descend',
    batch('crc32', [0, 7, 6]),
    'RangeError: ends[2] is 6: a whole number from 7 to 4096 is needed',
  ],
  [
    'batch with an end beyond its data',
    batch('sarc', [4096, 4097]),
    'RangeError: ends[1] is 4097: a whole number from 4096 to 4096 is needed',
  ],
  [
    'batch with ends that are no Uint32Array',
    (k) => k.hash.batch('crc32', DATA, DATA as unknown as Uint32Array, 0n),
    'TypeError: ends is not a Uint32Array',
  ],
  ...(['crc32', 'murmur3', 'sarc'] as const).map((algorithm): Call => [
    `batch of ${algorithm} with a seed of 2^32`,
    batch(algorithm, [1], 2n ** 32n),
    'RangeError: seed is 4294967296: a bigint from 0 to 4294967295 is needed',
  ]),
  [
    'batch of xxh64 with a seed of 2^64',
    batch('xxh64', [1], 2n ** 64n),
    'RangeError: seed is 18446744073709551616: a bigint from 0 to 18446744073709551615 is needed',
  ],
  ['batch of fnv1a with a seed', batch('fnv1a', [1], 1n), 'RangeError: seed is 1: a bigint from 0 to 0 is needed'],
  [
    'batch to a small out',
    batch('xxh64', [1, 2], 0n, new Uint8Array(15)),
    'RangeError: out has 15 bytes: 16 are needed',
  ],
  ['fnv1a of no array', (k) => k.hash.fnv1a(noArray), 'TypeError: data is not a Uint8Array'],

  ['no array', (k) => k.hash.crc32(noArray, 0), 'TypeError: data is not a Uint8Array'],
  [
    'an array of other elements',
    deswizzle({ data: new Uint16Array(256) as unknown as Uint8Array }),
    'TypeError: data is not a Uint8Array',
  ],
  ['null', (k) => k.pixel.decode('r8', null as unknown as Uint8Array), 'TypeError: texels is not a Uint8Array'],
  ['an out that is no array', decodeRows({ out: noArray }), 'TypeError: out is not a Uint8Array'],
  ['no dictionary', (k) => k.zstd.dictionaryOpen(noArray), 'TypeError: data is not a Uint8Array'],
  ['no chunk', (k) => k.yaz0.decoderPush(k.yaz0.decoderOpen(), noArray, true), 'TypeError: chunk is not a Uint8Array'],
  [
    'final that is no boolean',
    (k) => k.png.deflatePush(k.png.deflateOpen(), DATA, 'yes' as unknown as boolean),
    'TypeError: final is not a boolean',
  ],

  // What looks wrong and is not.
  ['no columns', deswizzle({ width: 0, height: 2 ** 32 - 1, rowEnd: 2 ** 32 - 1 }), '0 bytes'],
  ['no columns to decode', decodeRows({ width: 0, height: 2 ** 32 - 1, rowEnd: 2 ** 32 - 1 }), '0 bytes'],
  ['no columns of blocks', bc(0, 2 ** 32 - 1), '0 bytes'],
  ['no columns of ASTC blocks', astc(0, 2 ** 32 - 1), '0 bytes'],
  ['no rows of ASTC blocks', astc(2 ** 32 - 1, 0), '0 bytes'],
  ['rows in reverse', deswizzle({ rowStart: 8, rowEnd: 0 }), '0 bytes'],
  ['rows past the end', decodeRows({ rowStart: 2, rowEnd: 9 }), '0 bytes'],
  ['the largest base', deswizzle({ base: 2 ** 32 - 1 }), '512 bytes'],
  ['the largest sources', (k) => k.pixel.selectChannels(DATA, 2 ** 32 - 1), '4096 bytes'],
  ['a batch of nothing', batch('xxh64', []), '0 bytes'],
  ['a batch with the largest seed', batch('murmur3', [4096, 4096], 2n ** 32n - 1n), '8 bytes'],
  ['the largest seed', (k) => typeof k.hash.crc32(DATA, 2 ** 32 - 1), 'number'],
  ['no bytes to a larger out', bc(0, 4, 'bc1', new Uint8Array(3)), '0 bytes'],
];

describe.each(BACKENDS)('arguments of %s kernels', (backend) => {
  const kernels = KERNELS[backend];

  it.each(CALLS)('%s', (_, run, expected) => {
    expect(outcome(() => run(kernels))).toBe(expected);
  });

  it('leave the kernels as they were when refused', () => {
    for (const [, run] of CALLS.filter(([, , expected]) => expected.includes('Error'))) outcome(() => run(kernels));
    expect(kernels.hash.crc32(new TextEncoder().encode('123456789'), 0)).toBe(0xcbf43926);
  });

  it('are taken from arrays of another realm', async () => {
    const { runInNewContext } = await import('node:vm');
    const foreign = runInNewContext('new Uint8Array([49, 50, 51, 52, 53, 54, 55, 56, 57])') as Uint8Array;
    expect(foreign instanceof Uint8Array).toBe(false);
    expect(kernels.hash.crc32(foreign, 0)).toBe(0xcbf43926);
  });

  it('reach the last rows of the highest surface and no further', () => {
    const height = 2 ** 32 - 1;
    const [from, bytesOfRows] = [height - 2, { ...LINEAR, pitch: 1 }];
    const data = randomBytes(512, 4);
    const buffer = kernels.alloc(200);
    buffer.bytes.fill(0x5a);
    const out = (): Uint8Array => buffer.bytes.subarray(64, 66);
    const rows = (base: number, tiling: Tiling): number[] => [
      ...kernels.tegra.deswizzle(data, base, 1, 1, height, tiling, 0, from, height, out()),
    ];
    expect(rows(0, TILED)).toEqual([0, 0]);
    expect(rows(0, bytesOfRows)).toEqual([0, 0]);
    expect(rows(height - 512, bytesOfRows)).toEqual([...data.subarray(510)]);
    expect(buffer.bytes.subarray(0, 64).every((byte) => byte === 0x5a)).toBe(true);
    expect(buffer.bytes.subarray(66).every((byte) => byte === 0x5a)).toBe(true);
    expect(kernels.tegra.decodeRows('r8', data, 0, 1, height, TILED, 0, from, height)).toEqual(
      Uint8Array.of(0, 0, 0, 255, 0, 0, 0, 255),
    );
    buffer.free();
  });
});

it('the component reads nothing where offsets of a slice pass 2^63', () => {
  const data = randomBytes(64, 3);
  // (2^31 + 1) * (2^32 - 1) - (2^31 + 7) is 2^63 - 8: eight bytes before it wraps.
  const tiling = { ...LINEAR, pitch: 2 ** 32 - 1 };
  const row = instantiate().tegra.deswizzle(data, 2 ** 31 + 7, 1, 16, 1, tiling, 2 ** 31 + 1, 0, 1);
  expect(row).toEqual(new Uint8Array(16));
});

describe.each(BACKENDS)('buffers of %s kernels', (backend) => {
  it('can be freed twice, also when their memory is in use again', () => {
    const kernels = createKernels({ backend });
    const freed = kernels.alloc(64);
    const between = kernels.alloc(64);
    freed.free();
    freed.free();
    const first = kernels.alloc(64);
    freed.free();
    const second = kernels.alloc(64);
    first.bytes.fill(1);
    second.bytes.fill(2);
    expect([first.bytes[0], second.bytes[0]]).toEqual([1, 2]);
    for (const buffer of [between, first, second]) buffer.free();
  });

  it('have no bytes once freed', () => {
    const buffer = createKernels({ backend }).alloc(64);
    expect(buffer.bytes.length).toBe(64);
    buffer.free();
    expect(buffer.bytes.length).toBe(0);
  });

  it('may be empty', () => {
    const buffer = createKernels({ backend }).alloc(0);
    expect(buffer.bytes.length).toBe(0);
    buffer.free();
  });
});

interface Kind {
  open(k: Kernels): number;
  free(k: Kernels, handle: number): void;
  /** every call that takes such a handle, but `free` */
  uses: ((k: Kernels, handle: number) => unknown)[];
}

const WINDOW = 1 << 20;
const KINDS: Record<string, Kind> = {
  deflate: {
    open: (k) => k.png.deflateOpen(),
    free: (k, handle) => k.png.deflateFree(handle),
    uses: [(k, handle) => k.png.deflatePush(handle, NOTHING, false)],
  },
  dictionary: {
    open: (k) => k.zstd.dictionaryOpen(DATA),
    free: (k, handle) => k.zstd.dictionaryFree(handle),
    uses: [
      (k, handle) => k.zstd.dictionaryId(handle),
      (k, handle) => k.zstd.decoderFree(k.zstd.decoderOpen(WINDOW, handle)),
      (k, handle) => {
        const decoder = k.zstd.decoderOpen(WINDOW, 0);
        try {
          k.zstd.decoderAddDictionary(decoder, handle);
        } finally {
          k.zstd.decoderFree(decoder);
        }
      },
    ],
  },
  zstd: {
    open: (k) => k.zstd.decoderOpen(WINDOW, 0),
    free: (k, handle) => k.zstd.decoderFree(handle),
    uses: [
      (k, handle) => k.zstd.decoderPush(handle, NOTHING, false),
      (k, handle) => k.zstd.decoderPending(handle),
      (k, handle) => {
        const dictionary = k.zstd.dictionaryOpen(DATA);
        try {
          k.zstd.decoderAddDictionary(handle, dictionary);
        } finally {
          k.zstd.dictionaryFree(dictionary);
        }
      },
    ],
  },
  yaz0: {
    open: (k) => k.yaz0.decoderOpen(),
    free: (k, handle) => k.yaz0.decoderFree(handle),
    uses: [(k, handle) => k.yaz0.decoderPush(handle, NOTHING, false), (k, handle) => k.yaz0.decoderPending(handle)],
  },
};

describe.each(BACKENDS)('handles of %s kernels', (backend) => {
  const kernels = createKernels({ backend });

  function expectRefused(kind: Kind, handle: number): void {
    for (const use of [...kind.uses, kind.free]) {
      const call = (): unknown => use(kernels, handle);
      expect(outcome(call)).toBe(`RangeError: no open kernel handle: ${handle}`);
    }
  }

  it.each(Object.entries(KINDS))('%s: no number is one', (name, kind) => {
    for (const handle of [-1, -16, 0.5, NaN, 1234567, 2 ** 32 + 16]) expectRefused(kind, handle);
    // 0 stands for no default dictionary.
    if (name !== 'dictionary') expectRefused(kind, 0);
  });

  it.each(Object.entries(KINDS))('%s: those of other kinds are none, and stay open', (_, kind) => {
    for (const other of Object.values(KINDS).filter((each) => each !== kind)) {
      const own = kind.open(kernels);
      const handle = other.open(kernels);
      expectRefused(kind, handle);
      for (const use of other.uses) use(kernels, handle);
      for (const use of kind.uses) use(kernels, own);
      other.free(kernels, handle);
      kind.free(kernels, own);
    }
  });

  it.each(Object.entries(KINDS))('%s: those of other kernels are none', (_, kind) => {
    const own = kind.open(kernels);
    for (const other of BACKENDS.map((each) => createKernels({ backend: each }))) {
      expectRefused(kind, kind.open(other));
    }
    kind.free(kernels, own);
  });

  it.each(Object.entries(KINDS))('%s: freed ones are none, even when another is opened', (_, kind) => {
    const freed = kind.open(kernels);
    kind.free(kernels, freed);
    expectRefused(kind, freed);
    const next = kind.open(kernels);
    expectRefused(kind, freed);
    for (const use of kind.uses) use(kernels, next);
    kind.free(kernels, next);
  });

  it('a dictionary stays for the decoders that were given it', () => {
    const dictionary = new TextEncoder().encode('0123456789abcdef');
    const frame = dictionaryFrame();
    const handle = kernels.zstd.dictionaryOpen(dictionary);
    const [byDefault, added] = [kernels.zstd.decoderOpen(WINDOW, handle), kernels.zstd.decoderOpen(WINDOW, 0)];
    kernels.zstd.decoderAddDictionary(added, handle);
    kernels.zstd.dictionaryFree(handle);
    // Takes the place of what was freed.
    const blocks = Array.from({ length: 40 }, (_, i) => kernels.alloc(16 << (i >>> 2)));
    for (const block of blocks) block.bytes.fill(0xff);
    kernels.zstd.decoderFree(added);
    const out = kernels.zstd.decoderPush(byDefault, frame, true);
    expect(new TextDecoder().decode(out)).toBe('abc');
    kernels.zstd.decoderFree(byDefault);
    for (const block of blocks) block.free();
  });

  it('dictionaries that nothing holds are freed', () => {
    const held = (): void => {
      const dictionary = kernels.zstd.dictionaryOpen(randomBytes(100_000, 5));
      const decoders = [kernels.zstd.decoderOpen(WINDOW, dictionary), kernels.zstd.decoderOpen(WINDOW, dictionary)];
      for (const decoder of decoders) kernels.zstd.decoderAddDictionary(decoder, dictionary);
      kernels.zstd.dictionaryFree(dictionary);
      for (const decoder of decoders) kernels.zstd.decoderFree(decoder);
    };
    held();
    const size = kernels.memorySize;
    for (let i = 0; i < 100; i++) held();
    expect(kernels.memorySize).toBe(size);
  });
});

/**
 * A frame (RFC 8878, 3.1.1) of one compressed block: no literals and one sequence, whose codes are RLE (3.1.1.3.2):
 * literals length 0 (code 0), match length 3 (code 0), offset value 9 (code 3 and the bits 001), a distance of 6:
 * 'abc' of a dictionary that ends with 'abcdef'.
 */
function dictionaryFrame(): Uint8Array {
  const block = [0x00, 0x01, 0x54, 0, 3, 0, 0b1001];
  return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, (block.length << 3) | 0b101, 0, 0, ...block]);
}
