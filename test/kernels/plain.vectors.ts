import type { TexelFormat } from '../../ts/kernels/contract.ts';
import type { Vector } from './vectors.ts';

/** Little-endian words of 16 and of 32 bits. */
const w16 = (...words: number[]): number[] => words.flatMap((w) => [w & 255, (w >> 8) & 255]);
const w32 = (...words: number[]): number[] => words.flatMap((w) => [...w16(w & 0xffff), ...w16(w >>> 16)]);

type Four = [number, number, number, number];

/** A texel, what it is in 8 bits, and as half floats. */
type Row = [format: TexelFormat, texel: number[], bytes: Four, halves: Four];

// All worked by hand. A half float is 1024 * (exponent + 15) + 1024 * fraction of a value (1 + fraction) * 2^exponent, or
// what it has of 2^-24 below 2^-14; 0x3c00 is 1, 0x3800 0.5, 0x4000 2, 0x7bff 65504, 0x7c00 infinity, 0x8000 and more
// negative.
const ROWS: Row[] = [
  // -128 counts as -127. -1 / 127 is 1.007874 * 2^-7: fraction 8.06.
  ['r8-snorm', [0x80], [0, 0, 0, 255], [0xbc00, 0, 0, 0x3c00]],
  ['r8-snorm', [0x00], [128, 0, 0, 255], [0, 0, 0, 0x3c00]],
  ['r8-snorm', [0xff], [126, 0, 0, 255], [0xa008, 0, 0, 0x3c00]],
  ['r8g8-snorm', [64, 0x81], [192, 0, 0, 255], [0x3808, 0xbc00, 0, 0x3c00]],
  ['rgba8-snorm', [1, 0xfe, 127, 0x80], [129, 125, 255, 0], [0x2008, 0xa408, 0x3c00, 0xbc00]],
  // 200 is 1.5625 * 2^7, 255 is 1.9921875 * 2^7, 127 is 1.984375 * 2^6, 100 is 1.5625 * 2^6.
  ['r8-uint', [200], [200, 0, 0, 255], [0x5a40, 0, 0, 0x3c00]],
  ['r8g8-uint', [1, 255], [1, 255, 0, 255], [0x3c00, 0x5bf8, 0, 0x3c00]],
  ['rgba8-uint', [0, 2, 3, 1], [0, 2, 3, 1], [0, 0x4000, 0x4200, 0x3c00]],
  ['r8-sint', [0x80], [0, 0, 0, 255], [0xd800, 0, 0, 0x3c00]],
  ['r8g8-sint', [0x7f, 0xff], [127, 0, 0, 255], [0x57f0, 0xbc00, 0, 0x3c00]],
  ['rgba8-sint', [1, 0xfe, 100, 0x7f], [1, 0, 100, 127], [0x3c00, 0xc000, 0x5640, 0x57f0]],

  // 32768 / 257 is 127.502. 65519 / 65535 is 2^-28 below 4095 / 4096, the middle between 2047 / 2048 and 1.
  ['r16-unorm', w16(0x8000), [128, 0, 0, 255], [0x3800, 0, 0, 0x3c00]],
  ['r16-unorm', w16(65519), [255, 0, 0, 255], [0x3bff, 0, 0, 0x3c00]],
  // 257 / 65535 is 1 / 255, 1.003922 * 2^-8: fraction 4.02.
  ['r16g16-unorm', w16(257, 0xffff), [1, 255, 0, 255], [0x1c04, 0x3c00, 0, 0x3c00]],
  // 1 / 65535 is 256.004 * 2^-24. In 257ths: 0.004, 254.996, 127.498.
  ['rgba16-unorm', w16(0, 1, 0xfffe, 0x7fff), [0, 0, 255, 127], [0, 0x0100, 0x3c00, 0x3800]],
  // -16384 / 32767 is -0.500015, and 64.25 with its half added; -1 / 32767 is -512.016 * 2^-24, and 127.996.
  ['r16-snorm', w16(0xc000), [64, 0, 0, 255], [0xb800, 0, 0, 0x3c00]],
  ['r16-snorm', w16(0x8000), [0, 0, 0, 255], [0xbc00, 0, 0, 0x3c00]],
  ['r16g16-snorm', w16(0x7fff, 0xffff), [255, 127, 0, 255], [0x3c00, 0x8200, 0, 0x3c00]],
  // 16384 / 32767: 191.75.
  ['rgba16-snorm', w16(0, 1, 0x4000, 0x8001), [128, 128, 191, 0], [0, 0x0200, 0x3800, 0xbc00]],
  // 300 is 1.171875 * 2^8. Above 2048 only even numbers are there: 2049 and 2051 lie in the middle.
  ['r16-uint', w16(300), [255, 0, 0, 255], [0x5cb0, 0, 0, 0x3c00]],
  ['r16-uint', w16(2049), [255, 0, 0, 255], [0x6800, 0, 0, 0x3c00]],
  ['r16g16-uint', w16(2051, 65535), [255, 255, 0, 255], [0x6802, 0x7c00, 0, 0x3c00]],
  // 65520 is the middle between 65504 and 65536, which counts as even.
  ['rgba16-uint', w16(65519, 65520, 7, 0), [255, 255, 7, 0], [0x7bff, 0x7c00, 0x4700, 0]],
  ['r16-sint', w16(-300), [0, 0, 0, 255], [0xdcb0, 0, 0, 0x3c00]],
  ['r16g16-sint', w16(256, -1), [255, 0, 0, 255], [0x5c00, 0xbc00, 0, 0x3c00]],
  // 32767 is nearest to 32768, as steps are 16 there.
  ['rgba16-sint', w16(-32768, 32767, 5, -2), [0, 255, 5, 0], [0xf800, 0x7800, 0x4500, 0xc000]],
  // 0.5 is 127.5 + 0.5; 0.25 is 63.75 + 0.5; 0x3bff, 2047 / 2048, is 254.88 + 0.5. Half floats stay as they are.
  ['r16-float', w16(0x3800), [128, 0, 0, 255], [0x3800, 0, 0, 0x3c00]],
  ['r16-float', w16(0x7e01), [0, 0, 0, 255], [0x7e01, 0, 0, 0x3c00]],
  ['r16g16-float', w16(0x7c00, 0x3400), [255, 64, 0, 255], [0x7c00, 0x3400, 0, 0x3c00]],
  ['rgba16-float', w16(0x0001, 0x8000, 0xfd55, 0x3bff), [0, 0, 0, 255], [0x0001, 0x8000, 0xfd55, 0x3bff]],

  ['r32-uint', w32(16777217), [255, 0, 0, 255], [0x7c00, 0, 0, 0x3c00]],
  ['r32g32-uint', w32(9, 0xffffffff), [9, 255, 0, 255], [0x4880, 0x7c00, 0, 0x3c00]],
  ['rgb32-uint', w32(1, 2, 3), [1, 2, 3, 255], [0x3c00, 0x4000, 0x4200, 0x3c00]],
  ['rgba32-uint', w32(0, 256, 65519, 1), [0, 255, 255, 1], [0, 0x5c00, 0x7bff, 0x3c00]],
  ['r32-sint', w32(-1), [0, 0, 0, 255], [0xbc00, 0, 0, 0x3c00]],
  ['r32g32-sint', w32(-65520, 0x7fffffff), [0, 255, 0, 255], [0xfc00, 0x7c00, 0, 0x3c00]],
  ['rgb32-sint', w32(0x80000000, 10, 0), [0, 10, 0, 255], [0xfc00, 0x4900, 0, 0x3c00]],
  ['rgba32-sint', w32(1, -3, 200, 127), [1, 0, 200, 127], [0x3c00, 0xc200, 0x5a40, 0x57f0]],
  ['r32-float', w32(0x3f000000), [128, 0, 0, 255], [0x3800, 0, 0, 0x3c00]],
  // 1 + 2^-11 and 1 + 3 * 2^-11 are in the middle, between 0x3c00 and 0x3c01, and 0x3c01 and 0x3c02.
  ['r32g32-float', w32(0x3f801000, 0x3f803000), [255, 255, 0, 255], [0x3c00, 0x3c02, 0, 0x3c00]],
  // A trace more or less than the middle.
  ['r32g32-float', w32(0x3f801001, 0x3f802fff), [255, 255, 0, 255], [0x3c01, 0x3c01, 0, 0x3c00]],
  // 65520, -0, and 2^-25, the middle between 0 and 2^-24.
  ['rgb32-float', w32(0x477ff000, 0x80000000, 0x33000000), [255, 0, 0, 255], [0x7c00, 0x8000, 0, 0x3c00]],
  // NaN of both signs and any payload, 3 * 2^-25, -infinity.
  ['rgba32-float', w32(0x7fc00001, 0xff800001, 0x33c00000, 0xff800000), [0, 0, 0, 0], [0x7e00, 0xfe00, 2, 0xfc00]],
  // The middle between the greatest denormal half float, 1023 * 2^-24, and 2^-14; what is too small; 65504; a denormal.
  ['rgba32-float', w32(0x387fe000, 0xb2ffffff, 0x477fe000, 1), [0, 0, 255, 0], [0x0400, 0x8000, 0x7bff, 0]],
  // Just under 0.5 / 255 = 0x3b008081 (rounded up) and that; above 1; just under 1.5 / 255 = 0x3bc0c0c1.
  [
    'rgba32-float',
    w32(0x3b008080, 0x3b008081, 0x3f800001, 0x3bc0c0c0),
    [0, 1, 255, 1],
    [0x1804, 0x1804, 0x3c00, 0x1e06],
  ],

  // 1, 4 and 8 fifteenths are 1.0667 * 2^-4, 2^-2 and 2^-1: fraction 68.27.
  ['rgba4', w16(0x84f1), [17, 255, 68, 136], [0x2c44, 0x3c00, 0x3444, 0x3844]],
  // 1 / 31 is 8.23 / 255 and 1.03226 * 2^-5: fraction 33.03; 16 / 31 is 131.6 / 255; 32 / 63 is 129.5 / 255 and
  // 1.015873 * 2^-1: fraction 16.25.
  ['rgb5a1', w16(1 | (16 << 5) | (31 << 10)), [8, 132, 255, 0], [0x2821, 0x3821, 0x3c00, 0]],
  ['a1bgr5', w16(1 | (1 << 1) | (16 << 6) | (31 << 11)), [255, 132, 8, 255], [0x3c00, 0x3821, 0x2821, 0x3c00]],
  ['rgb565', w16(1 | (32 << 5) | (31 << 11)), [8, 130, 255, 255], [0x2821, 0x3810, 0x3c00, 0x3c00]],
  ['bgr565', w16(1 | (32 << 5) | (31 << 11)), [255, 130, 8, 255], [0x3c00, 0x3810, 0x2821, 0x3c00]],
  ['bgr5a1', w16(1 | (16 << 5) | (31 << 10) | (1 << 15)), [255, 132, 8, 255], [0x3c00, 0x3821, 0x2821, 0x3c00]],
  // 512 / 1023 is 127.6 / 255 and 1.000978 * 2^-1, 1 / 1023 is 1.000978 * 2^-10, 1 / 3 is 1.3333 * 2^-2.
  ['rgb10a2', w32(512 | (1 << 10) | (1023 << 20) | (1 << 30)), [128, 0, 255, 85], [0x3801, 0x1401, 0x3c00, 0x3555]],
  ['rgb10a2-uint', w32(512 | (1 << 10) | (1023 << 20) | (1 << 30)), [255, 1, 255, 1], [0x6000, 0x3c00, 0x63fe, 0x3c00]],
  // 1 (exponent 15), 0.5 (14), NaN; infinity, the least denormal, the least normal.
  [
    'r11g11b10',
    w32((15 << 6) | (14 << 17) | (((31 << 5) | 1) << 22)),
    [255, 128, 0, 255],
    [0x3c00, 0x3800, 0x7c20, 0x3c00],
  ],
  ['r11g11b10', w32((31 << 6) | (1 << 11) | (1 << 27)), [255, 0, 0, 255], [0x7c00, 0x0010, 0x0400, 0x3c00]],
  // Exponent 15 is 512ths: 0.5, 511 / 512 (254.5 + 0.5), 1 / 512 (0.498 + 0.5).
  ['rgb9e5', w32(256 | (511 << 9) | (1 << 18) | (15 << 27)), [128, 255, 0, 255], [0x3800, 0x3bfc, 0x1800, 0x3c00]],
  // 511 * 2^7 and 2^7; then 1 and 511 of 2^-24.
  ['rgb9e5', w32(511 | (1 << 9) | (31 << 27)), [255, 255, 0, 255], [0x7bfc, 0x5800, 0, 0x3c00]],
  ['rgb9e5', w32(1 | (511 << 18)), [0, 0, 0, 255], [0x0001, 0, 0x01ff, 0x3c00]],
  // 2^23 / (2^24 - 1) is 127.50001 / 255.
  ['d24s8', w32(0x07800000), [128, 7, 0, 255], [0x3800, 0x4700, 0, 0x3c00]],
  ['d24s8', w32(0x00ffffff), [255, 0, 0, 255], [0x3c00, 0, 0, 0x3c00]],
  ['d32s8', w32(0x3e800000, 0xabcdefff), [64, 255, 0, 255], [0x3400, 0x5bf8, 0, 0x3c00]],
];

const times = (count: number, values: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: count * values.length }, (_, i) => values[i % values.length]!);

/** One texel, and as many as fill vectors and a part of one. */
export const plainVectors: Vector[] = ROWS.flatMap(([format, texel, bytes, halves]) =>
  [1, 11].flatMap((count): Vector[] => [
    {
      name: `${count} of ${format} ${texel.join(' ')}`,
      run: (k) => k.pixel.decode(format, times(count, texel)),
      expected: times(count, bytes),
    },
    {
      name: `${count} of ${format} ${texel.join(' ')} as half floats`,
      run: (k) => k.pixel.decodeHalf(format, times(count, texel)),
      expected: times(count, w16(...halves)),
    },
  ]),
);

const HALVES = w16(0x3c01, 0x4002, 0x4203, 0x4404, 0x4505, 0x4606, 0x4707, 0x4808, 0x4809, 0x480a, 0x480b, 0x480c);

export const halfVectors: Vector[] = [
  // Bytes are 255ths: 51 / 255 is 0.2, 1.6 * 2^-3 (fraction 614.4); 1 / 255 see above; 204 / 255 is 1.6 * 2^-1.
  ...(
    [
      ['r8', [51], [0x3266, 0, 0, 0x3c00]],
      ['r8g8', [1, 255], [0x1c04, 0x3c00, 0, 0x3c00]],
      ['rgba8', [0, 51, 204, 1], [0, 0x3266, 0x3a66, 0x1c04]],
      ['bgra8', [0, 51, 204, 1], [0x3a66, 0x3266, 0, 0x1c04]],
    ] as const
  ).flatMap(([format, texel, halves]) =>
    [1, 11].map((count): Vector => ({
      name: `${count} of ${format} as half floats`,
      run: (k) => k.pixel.decodeHalf(format, times(count, texel)),
      expected: times(count, w16(...halves)),
    })),
  ),
  {
    name: 'half channels 1B0G',
    run: (k) => k.pixel.selectChannelsHalf(Uint8Array.from(HALVES), 0x03000401),
    expected: Uint8Array.from(w16(0x3c00, 0x4203, 0, 0x4002, 0x3c00, 0x4707, 0, 0x4606, 0x3c00, 0x480b, 0, 0x480a)),
  },
  {
    name: 'half channels RGBA; a last texel that is not whole is left out',
    run: (k) => k.pixel.selectChannelsHalf(Uint8Array.from(HALVES.slice(0, 23)), 0x05040302),
    expected: Uint8Array.from(HALVES.slice(0, 16)),
  },
  {
    name: 'half channel sources without a meaning give 0',
    run: (k) => k.pixel.selectChannelsHalf(Uint8Array.from(HALVES.slice(0, 8)), 0xff060502),
    expected: Uint8Array.from(w16(0x3c01, 0x4404, 0, 0)),
  },
  {
    name: 'decodeRowsHalf of texels of 12 bytes',
    run: (k) => {
      const tiling = { blockHeightLog2: 0, blockDepthLog2: 0, pitch: 24 };
      return k.tegra.decodeRowsHalf('rgb32-uint', Uint8Array.from(w32(1, 2, 3, 0, 1, 2)), 0, 2, 1, tiling, 0, 0, 1);
    },
    expected: Uint8Array.from(w16(0x3c00, 0x4000, 0x4200, 0x3c00, 0, 0x3c00, 0x4000, 0x3c00)),
  },
];
