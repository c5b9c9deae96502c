import { alphaBlock, BitWriter, randomBlocks } from '../support/bc-blocks.ts';
import { randomBytes } from '../support/random.ts';
import type { Vector } from './vectors.ts';

/** Little-endian half floats. */
const halves = (values: number[]): Uint8Array => Uint8Array.from(values.flatMap((v) => [v & 255, v >> 8]));

/** 32 random blocks of one mode. */
function blocksOf(mode: number): Uint8Array {
  const blocks = randomBytes(16 * 32, 100 + mode);
  for (let i = 0; i < blocks.length; i += 16) blocks[i] = (blocks[i]! & (mode < 2 ? 0xfc : 0xe0)) | mode;
  return blocks;
}

/**
 * Every mode, by its number, with partitions and all else at random. The hashes are of what SwiftShader (of Chromium 156)
 * makes of EXT_texture_compression_bptc textures, read as floats and stored as half floats, which they are.
 */
const BY_MODE: [mode: number, unsigned: string, signed: string][] = [
  [
    0,
    '80b543f5047f04d5623b360a6e501f870405fc1981b477bc51bcc66a068070a0',
    'b06528fc66eadf61c5fbfbfa16ba5508dd58dafc38a4b43a088891868e40d108',
  ],
  [
    1,
    '760e779c3f2b15f2cbfba48764c79bbbbec89e7cbd8580abcdea87e4dc485035',
    'd8e1a6d44d4c302024df21ecfe6af79fcc8e576acdf4f3811fddb5b9483a0a8b',
  ],
  [
    2,
    '54cb21aad54f82c00b7af4abb75028dcf43725447f7f92c08d49e7c27554dee1',
    'c1fab050796599b1101afd9f555bcdee9a5707102fbd452a465e4ffcf84e11af',
  ],
  [
    6,
    'eae6f6fab0a36c223ed327918b16fc50c0e6f3d687b3e55494315be561fc8b48',
    '87424dc9027f7b4f05f1a47cc08488b90b831ba991b03be2a6392d70fbfc4da9',
  ],
  [
    10,
    'da76b118630a5c504eb8bdc44ef3fbd7e1500eaa6818052fb643b0e144dd5d09',
    'df4b1f3d88830c0bb813197138f9a958eed195bb66cfe2ff8e7f3c9a5c2a0743',
  ],
  [
    14,
    '45f8154ab0235187f09abfdec260044e842053dba8f80909fff2045f116b7924',
    'efd3c98438c3b6fd26cdff6f2385bcb31ccf9e51224049aee1b60663e70f479b',
  ],
  [
    18,
    '36d8eb104ac99719e24d5fda960a0f246e170f4abbbcce3d307dadcab91108d1',
    'be090bc104b73d682cd69cbfea9fb1982e0f59516250a1df609d742c7eae5d04',
  ],
  [
    22,
    'a8fcba38f847cc2b3cbf59becfd130e6122f8ed00913b84a1af5201c6af9d403',
    '085f8ae647f56c31bc7c5c9432d3d132f9c8d83b47b60382a8e33ca4e13a2de6',
  ],
  [
    26,
    '68e73c925745efd16383b8eaa4c4a2ac960db3739eb9f7ea3cce7f6d88ebaee4',
    '86e70becbf336979f2f8ec16ad304b8bcae78b5c5062047ce383b319e4c48005',
  ],
  [
    30,
    'c8e3a2217c588068a6a68c3f2e6a673ab3a613802c2b3e95b5fe1ed306c8fb2f',
    'e2e6324e610f833cf96d10250cb2a79790e47ee611421bcb9f92c33da9dbf5f6',
  ],
  [
    3,
    'eead78ca7b6434ae988939a3824317b118b948f74c42c2441a2a7cd0571c15d5',
    '4fc537b38b62a3edd3bd9de1c6e48f9e23890c5ac1c4e844fdbfff5cdd81fd62',
  ],
  [
    7,
    'c2be73a0fff6924ad8ae20e435aed507645a8b2e4ebdda8f59d33bcb738bd27b',
    'f874d568e9ef85d76a84c572b2f0544fcb4d78a71f45f7856dd8be6d05100b91',
  ],
  [
    11,
    '99c15393f5eddf7b77cd00e8f4e865a0d85f889b0d1df9f00bcaa685d8a6635c',
    'f42d5861c92d946825a0e4e6c7cf3abf3fa80173607e75e3d537bb89995cd5aa',
  ],
  [
    15,
    '7274780a6f7f4886e9da13f1e9b70acef739e2917dac73d53283296f5c3cb81e',
    '381bb9b136d87112216337ac6756af907f01b047187d9fac8235a2a2efc9caca',
  ],
];

// One subset of endpoints as they are stored (mode 3): 0 in all channels, then the most that there is.
function ramp(end: number): Uint8Array {
  const writer = new BitWriter().put(3, 5).put(0, 10).put(0, 10).put(0, 10).put(end, 10).put(end, 10).put(end, 10);
  writer.put(0, 3);
  for (let i = 1; i < 16; i++) writer.put(i, 4);
  return writer.bytes(16);
}

const WEIGHTS = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];
const grey = (values: number[]): Uint8Array => halves(values.flatMap((v) => [v, v, v, 0x3c00]));

// Mode 15: 16 bits of the first endpoint, and a difference of 4 bits, -8 to 7. The high six bits of R come in reverse at
// 39 to 44. R is 0x8005, so 0 0 0 0 0 1 in the order of the block; G is 0xfff9, B 0.
const WIDE = new BitWriter()
  .put(0b01111, 5)
  .put(0x005, 10)
  .put(0x3f9, 10)
  .put(0, 10)
  .put(7, 4) // R + 7
  .put(0b000001, 6)
  .put(0xf, 4) // G - 1
  .put(0b111111, 6)
  .put(8, 4) // B - 8, which wraps
  .put(0, 6)
  .put(0, 3);
for (let i = 1; i < 16; i++) WIDE.put(i % 2 ? 15 : 0, 4);
const WIDE_BLOCK = WIDE.bytes(16);

const alternating = (even: number[], odd: number[]): Uint8Array =>
  halves(Array.from({ length: 16 }, (_, i) => [...(i % 2 ? odd : even), 0x3c00]).flat());

export const bc6hVectors: Vector[] = [
  ...BY_MODE.flatMap(([mode, unsigned, signed]): Vector[] => [
    {
      name: `bc6h unsigned, mode ${mode}`,
      run: (k) => k.bc.decodeHalf('bc6h-uf16', blocksOf(mode), 128, 4),
      expected: { sha256: unsigned },
    },
    {
      name: `bc6h signed, mode ${mode}`,
      run: (k) => k.bc.decodeHalf('bc6h-sf16', blocksOf(mode), 128, 4),
      expected: { sha256: signed },
    },
  ]),
  {
    // 1023 is 0xffff; (0xffff * w + 32) >> 6, times 31 >> 6.
    name: 'bc6h unsigned, all sixteen weights',
    run: (k) => k.bc.decodeHalf('bc6h-uf16', ramp(1023), 4, 4),
    expected: grey(WEIGHTS.map((w) => (((0xffff * w + 32) >> 6) * 31) >> 6)),
  },
  {
    // 0x201 is -511, which is -0x7fff; (-0x7fff * w + 32) >> 6 rounds down, then the size times 31 >> 5.
    name: 'bc6h signed, all sixteen weights of a negative endpoint',
    run: (k) => k.bc.decodeHalf('bc6h-sf16', ramp(0x201), 4, 4),
    expected: grey(WEIGHTS.map((w) => (w ? 0x8000 | ((-((-0x7fff * w + 32) >> 6) * 31) >> 5) : 0))),
  },
  {
    // 31 / 64 of 0x8005, 0xfff9 and 0, 0x800c, 0xfff8 and 0xfff8, rounded down: 32773 * 31 is 1015963.
    name: 'bc6h unsigned of 16 bits',
    run: (k) => k.bc.decodeHalf('bc6h-uf16', WIDE_BLOCK, 4, 4),
    expected: alternating([15874, 31740, 0], [15877, 31740, 31740]),
  },
  {
    // -32763 and -32756, -7 and -8, 0 and -8, times 31 / 32: 32763 * 31 is 1015653, 7 * 31 is 217.
    name: 'bc6h signed of 16 bits',
    run: (k) => k.bc.decodeHalf('bc6h-sf16', WIDE_BLOCK, 4, 4),
    expected: alternating([0x8000 | 31739, 0x8006, 0], [0x8000 | 31732, 0x8007, 0x8007]),
  },
  ...[0b10011, 0b10111, 0b11011, 0b11111].flatMap((mode): Vector[] => [
    {
      name: `bc6h, reserved mode ${mode} is black`,
      run: (k) => k.bc.decodeHalf('bc6h-uf16', Uint8Array.of(mode | 0xe0, ...new Uint8Array(15).fill(255)), 4, 4),
      expected: grey(new Array<number>(16).fill(0)),
    },
    {
      name: `bc6h, reserved mode ${mode} is opaque black in 8 bits`,
      run: (k) => k.bc.decode('bc6h-sf16', Uint8Array.of(mode | 0xe0, ...new Uint8Array(15).fill(255)), 4, 4),
      expected: Uint8Array.from({ length: 64 }, (_, i) => (i % 4 === 3 ? 255 : 0)),
    },
  ]),
  {
    // Endpoint 495 is 64 * 495 + 32 = 31712, which is 15360 (1.0) after 31 / 64; 247 of 511 are signed 15840 * 31 / 32.
    name: 'bc6h in 8 bits: 1 is 255',
    run: (k) => k.bc.decode('bc6h-uf16', ramp(495), 4, 4).subarray(60),
    expected: Uint8Array.of(255, 255, 255, 255),
  },
  {
    name: 'bc6h in 8 bits: what is negative is 0, and more than 1 is 255',
    run: (k) =>
      Uint8Array.of(
        ...k.bc.decode('bc6h-sf16', ramp(0x201), 4, 4).subarray(60),
        ...k.bc.decode('bc6h-uf16', ramp(1023), 4, 4).subarray(60),
      ),
    expected: Uint8Array.of(0, 0, 0, 255, 255, 255, 255, 255),
  },
  {
    name: 'bc6h, half a block is missing',
    run: (k) => k.bc.decodeHalf('bc6h-uf16', ramp(1023).subarray(0, 4), 1, 1),
    expected: halves([0, 0, 0, 0x3c00]),
  },
  {
    // 255 and 0 and their sevenths in 255ths: 219 is 1.717647 * 2^-1 (fraction 734.9), 146 is 1.145098 * 2^-1 (148.6).
    name: 'bc4 unorm as half floats',
    run: (k) => k.bc.decodeHalf('bc4-unorm', alphaBlock(255, 0, [0, 1, 2, 4, ...new Array<number>(12).fill(0)]), 4, 1),
    expected: halves([0x3c00, 0, 0, 0x3c00, 0, 0, 0, 0x3c00, 0x3adf, 0, 0, 0x3c00, 0x3895, 0, 0, 0x3c00]),
  },
  {
    // 127 and -127, then 91 / 127, 1.433071 * 2^-1 (fraction 443.5), and 18 / 127, 1.133858 * 2^-3 (137.1).
    name: 'bc4 snorm as half floats',
    run: (k) =>
      k.bc.decodeHalf('bc4-snorm', alphaBlock(127, -127, [0, 1, 2, 4, ...new Array<number>(12).fill(0)]), 4, 1),
    expected: halves([0x3c00, 0, 0, 0x3c00, 0xbc00, 0, 0, 0x3c00, 0x39bb, 0, 0, 0x3c00, 0x3089, 0, 0, 0x3c00]),
  },
  {
    // 0 and -1 are next to each other in 8 bits, too: -1 / 127 is 1.007874 * 2^-7.
    name: 'bc5 snorm as half floats',
    run: (k) => {
      const zeros = new Array<number>(16).fill(0);
      return k.bc.decodeHalf(
        'bc5-snorm',
        Uint8Array.of(...alphaBlock(0, 0, zeros), ...alphaBlock(-1, -1, zeros)),
        1,
        1,
      );
    },
    expected: halves([0, 0xa008, 0, 0x3c00]),
  },
  {
    // BC1 has 255 and 0 exactly: red, and a transparent black.
    name: 'bc1 as half floats',
    run: (k) => k.bc.decodeHalf('bc1', Uint8Array.of(0, 0, 0, 0xf8, 0b1101, 0, 0, 0), 2, 1),
    expected: halves([0x3c00, 0, 0, 0x3c00, 0, 0, 0, 0]),
  },
  {
    // What SwiftShader makes of it, as above.
    name: 'bc6h signed, all numbers of modes in turn',
    run: (k) => k.bc.decodeHalf('bc6h-sf16', randomBlocks('bc6h-sf16', 1024, 5), 128, 128),
    expected: { sha256: 'ed2cae36420990198adbee84c3c1413947812371f84e6c35bebc4254f8b7fffd' },
  },
];
