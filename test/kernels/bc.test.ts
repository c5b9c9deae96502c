import { describe, expect, it } from 'vitest';
import { createKernels, ELEMENT_SIZE, TEXEL_FORMATS, type Kernels, type TexelFormat } from '../../ts/kernels/index.ts';
import { alphaBlock, BC6H_MODES, colourBlock, randomBlocks } from '../support/bc-blocks.ts';
import { HAS_CORPUS, readCorpus } from '../support/corpus.ts';
import { crop, expectBytes } from '../support/expect-bytes.ts';
import { readPng } from '../support/png.ts';
import { random } from '../support/random.ts';

const wasm = createKernels({ backend: 'wasm' });
const ts = createKernels({ backend: 'ts' });
const BACKENDS: [string, Kernels][] = [
  ['wasm', wasm],
  ['ts', ts],
];
const FORMATS = TEXEL_FORMATS.filter((format) => format.startsWith('bc'));
const SIZES: [number, number][] = [
  [1, 1],
  [2, 7],
  [3, 5],
  [4, 4],
  [5, 3],
  [8, 9],
  [13, 16],
  [33, 2],
  [64, 64],
  [100, 52],
  [157, 119],
];

function blocksOf(format: TexelFormat, width: number, height: number, seed: number): Uint8Array {
  return randomBlocks(format, Math.ceil(width / 4) * Math.ceil(height / 4), seed);
}

/** numerator / denominator, rounded half up. */
function rounded(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}

/** One block for each of `count` cases, 256 a row, and the texels expected of it. */
function expectBlocks(
  kernels: Kernels,
  format: TexelFormat,
  count: number,
  make: (i: number) => { block: Uint8Array; texels: number[][] },
): void {
  const size = ELEMENT_SIZE[format];
  const width = 4 * Math.min(count, 256);
  const blocks = new Uint8Array(count * size);
  const expected = new Uint8Array(64 * count);
  for (let i = 0; i < count; i++) {
    const { block, texels } = make(i);
    blocks.set(block, i * size);
    const [x, y] = [4 * (i % 256), 4 * Math.floor(i / 256)];
    texels.forEach((texel, t) => expected.set(texel, 4 * ((y + (t >> 2)) * width + x + (t & 3))));
  }
  expectBytes(kernels.bc.decode(format, blocks, width, (16 * count) / width), expected);
}

const QUARTERS = [0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0];
const EIGHTHS = [0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0];

describe.each(BACKENDS)('bc of %s', (_, kernels) => {
  // Green takes all pairs of 6 bits, red and blue all pairs of 5; then the same with the endpoints changed over, so
  // that BC1 has each pair with three and with four colours.
  it('rounds the colours of every pair of endpoints once', () => {
    for (const [format, offset] of [
      ['bc1', 0],
      ['bc2', 8],
      ['bc3', 8],
    ] as const) {
      expectBlocks(kernels, format, 8192, (n) => {
        const i = n & 4095;
        const ends = [
          [i >> 7, i >> 6, (i >> 1) & 31],
          [i & 31, i & 63, (i >> 6) & 31],
        ] as const;
        const [[r0, g0, b0], [r1, g1, b1]] = n < 4096 ? ends : [ends[1], ends[0]];
        const c0 = (r0 << 11) | (g0 << 5) | b0;
        const c1 = (r1 << 11) | (g1 << 5) | b1;
        const block = new Uint8Array(ELEMENT_SIZE[format]);
        block.set(colourBlock(c0, c1, QUARTERS), offset);
        const alpha = offset ? 0 : 255;
        const mix = (w0: number, w1: number): number[] => [
          rounded(255 * (w0 * r0 + w1 * r1), 31 * (w0 + w1)),
          rounded(255 * (w0 * g0 + w1 * g1), 63 * (w0 + w1)),
          rounded(255 * (w0 * b0 + w1 * b1), 31 * (w0 + w1)),
          alpha,
        ];
        const four = offset || c0 > c1;
        const palette = [mix(1, 0), mix(0, 1), four ? mix(2, 1) : mix(1, 1), four ? mix(1, 2) : [0, 0, 0, 0]];
        return { block, texels: QUARTERS.map((q) => palette[q]!) };
      });
    }
  });

  function channel(e0: number, e1: number, least: number, greatest: number): number[] {
    const mix = (w0: number, w1: number): number => rounded(w0 * e0 + w1 * e1, w0 + w1);
    return e0 > e1
      ? [e0, e1, mix(6, 1), mix(5, 2), mix(4, 3), mix(3, 4), mix(2, 5), mix(1, 6)]
      : [e0, e1, mix(4, 1), mix(3, 2), mix(2, 3), mix(1, 4), least, greatest];
  }

  it('rounds the UNORM values of every pair of endpoints once', () => {
    expectBlocks(kernels, 'bc4-unorm', 65536, (i) => {
      const values = channel(i >> 8, i & 255, 0, 255);
      return {
        block: alphaBlock(i >> 8, i & 255, EIGHTHS),
        texels: EIGHTHS.map((e) => [values[e]!, 0, 0, 255]),
      };
    });
  });

  it('rounds the SNORM values of every pair of endpoints to int8, then maps them', () => {
    expectBlocks(kernels, 'bc4-snorm', 65536, (i) => {
      const [e0, e1] = [Math.max((i >> 8) - 128, -127), Math.max((i & 255) - 128, -127)];
      const values = channel(e0, e1, -127, 127).map((v) => Math.floor(((v / 127) * 0.5 + 0.5) * 255 + 0.5));
      return {
        block: alphaBlock((i >> 8) - 128, (i & 255) - 128, EIGHTHS),
        texels: EIGHTHS.map((e) => [values[e]!, 0, 0, 255]),
      };
    });
  });

  it.each(FORMATS)('%s: the texels of partial blocks are those of whole ones', (format) => {
    for (const [width, height] of SIZES) {
      const blocks = blocksOf(format, width, height, 100 + width);
      const [wholeWidth, wholeHeight] = [(width + 3) & ~3, (height + 3) & ~3];
      const whole = kernels.bc.decode(format, blocks, wholeWidth, wholeHeight);
      expectBytes(kernels.bc.decode(format, blocks, width, height), crop(whole, wholeWidth, width, height));
    }
  });

  it.each(FORMATS)('%s: writes nothing but the texels', (format) => {
    for (const [width, height] of SIZES) {
      const blocks = blocksOf(format, width, height, 200 + width);
      const expected = ts.bc.decode(format, blocks, width, height);
      const size = expected.length;
      const buffer = kernels.alloc(size + 200);
      for (const offset of [64, 65, 67]) {
        buffer.bytes.fill(0xa5);
        const result = kernels.bc.decode(format, blocks, width, height, buffer.bytes.subarray(offset, offset + size));
        expectBytes(result, expected);
        const { bytes } = buffer;
        expect(bytes.subarray(0, offset).every((byte) => byte === 0xa5)).toBe(true);
        expect(bytes.subarray(offset + size).every((byte) => byte === 0xa5)).toBe(true);
      }
      buffer.free();
    }
  });

  it.each(FORMATS)('%s: missing bytes are zeros', (format) => {
    const [width, height] = [21, 18];
    const blocks = blocksOf(format, width, height, 300);
    const padded = new Uint8Array(blocks.length);
    const next = random(301);
    for (let length = 0; length < blocks.length; length += 1 + (next() % 40)) {
      padded.fill(0);
      padded.set(blocks.subarray(0, length));
      expectBytes(
        kernels.bc.decode(format, blocks.subarray(0, length), width, height),
        kernels.bc.decode(format, padded, width, height),
      );
    }
    // What follows the last block does not matter.
    const longer = new Uint8Array(blocks.length + 37).fill(255);
    longer.set(blocks);
    expectBytes(kernels.bc.decode(format, longer, width, height), kernels.bc.decode(format, blocks, width, height));
  });

  it('refuses plain formats', () => {
    expect(() => kernels.bc.decode('rgba8', new Uint8Array(64), 4, 4)).toThrow(RangeError);
  });

  it('refuses an output that is too short', () => {
    expect(() => kernels.bc.decode('bc1', new Uint8Array(8), 4, 4, new Uint8Array(63))).toThrow(RangeError);
  });

  it.each(['bc1', 'bc7', 'bc5-snorm', 'bc6h-sf16'] as const)('%s: decodes rows of a block-linear surface', (format) => {
    const [width, height] = [100, 52];
    const blocks = blocksOf(format, width, height, 400);
    const size = ELEMENT_SIZE[format];
    const rowSize = 25 * size;
    const tiling = { blockHeightLog2: 1, blockDepthLog2: 0, pitch: 0 };
    const surface = swizzled(blocks, rowSize, 13, 2);
    const expected = kernels.bc.decode(format, blocks, width, height);
    for (const [start, end] of [
      [0, 13],
      [0, 1],
      [12, 13],
      [3, 9],
      [5, 100],
      [13, 20],
    ] as const) {
      const rows = kernels.tegra.decodeRows(format, surface, 0, width, height, tiling, 0, start, end);
      expectBytes(rows, expected.subarray(16 * width * start, 16 * width * end));
    }
    // The last row of blocks cut to one row of texels, a part of the surface only.
    const cut = kernels.tegra.decodeRows(format, surface.subarray(512), 512, 99, 49, tiling, 0, 8, 13);
    expectBytes(cut, crop(expected.subarray(16 * width * 8), width, 99, 17));
  });
});

/** `rows` of `rowSize` bytes laid out in blocks of `blockHeight` GOBs, byte by byte. */
function swizzled(data: Uint8Array, rowSize: number, rows: number, blockHeight: number): Uint8Array {
  const gobs = Math.ceil(rowSize / 64);
  const blockSize = 512 * blockHeight;
  const surface = new Uint8Array(Math.ceil(rows / (8 * blockHeight)) * gobs * blockSize);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < rowSize; x++) {
      const block = Math.floor(y / (8 * blockHeight)) * gobs + Math.floor(x / 64);
      const gob = Math.floor((y % (8 * blockHeight)) / 8);
      const inGob =
        Math.floor((x % 64) / 32) * 256 +
        Math.floor((y % 8) / 2) * 64 +
        Math.floor((x % 32) / 16) * 32 +
        (y % 2) * 16 +
        (x % 16);
      surface[block * blockSize + gob * 512 + inGob] = data[y * rowSize + x]!;
    }
  }
  return surface;
}

describe('bc of both backends', () => {
  it.each(FORMATS)('%s: random blocks', (format) => {
    for (let seed = 1; seed <= 8; seed++) {
      const blocks = randomBlocks(format, 4096, seed);
      expectBytes(wasm.bc.decode(format, blocks, 256, 256), ts.bc.decode(format, blocks, 256, 256));
    }
  });

  it('bc7: every partition of every mode', () => {
    const blocks = randomBlocks('bc7', 8 * 64, 9);
    for (let i = 0; i < 8 * 64; i++) {
      const at = 16 * i;
      const bits = (BigInt(i >> 3) << BigInt((i % 8) + 1)) | (1n << BigInt(i % 8));
      new DataView(blocks.buffer).setUint16(at, Number(bits & 0xffffn), true);
    }
    expectBytes(wasm.bc.decode('bc7', blocks, 128, 64), ts.bc.decode('bc7', blocks, 128, 64));
  });

  it.each(['bc6h-uf16', 'bc6h-sf16'] as const)(
    '%s: every partition of every mode, and every bit of a block',
    (format) => {
      const blocks = randomBlocks(format, BC6H_MODES.length * (32 + 128), 11);
      BC6H_MODES.forEach((mode, m) => {
        for (let i = 0; i < 32 + 128; i++) {
          const at = 16 * (m * (32 + 128) + i);
          const block = blocks.subarray(at, at + 16);
          // Partitions are bits 77 to 81, of modes that have them.
          if (i < 32) block.set([(block[9]! & 0x1f) | (i << 5), (block[10]! & 0xfc) | (i >> 3)], 9);
          else block.fill(0).fill(1 << (i & 7), (i - 32) >> 3, ((i - 32) >> 3) + 1);
          block[0] = mode < 2 ? (block[0]! & 0xfc) | mode : (block[0]! & 0xe0) | mode;
        }
      });
      for (const decode of ['decode', 'decodeHalf'] as const) {
        expectBytes(wasm.bc[decode](format, blocks, 4 * 160, 4 * 14), ts.bc[decode](format, blocks, 4 * 160, 4 * 14));
      }
    },
  );

  it.each(FORMATS)('%s: random blocks as half floats', (format) => {
    for (const [width, height] of SIZES) {
      const blocks = blocksOf(format, width, height, 500 + width);
      expectBytes(wasm.bc.decodeHalf(format, blocks, width, height), ts.bc.decodeHalf(format, blocks, width, height));
    }
  });
});

describe.skipIf(!HAS_CORPUS)('bc of the tinybcdec pictures', () => {
  // The PNGs of SNORM round once, from float to 8 bits, where the contract rounds to int8 first.
  const FILES: { file: string; format: TexelFormat; differing?: number }[] = [
    { file: 'bc1', format: 'bc1' },
    { file: 'bc1a', format: 'bc1' },
    { file: 'bc2', format: 'bc2' },
    { file: 'bc3', format: 'bc3' },
    { file: 'bc4u', format: 'bc4-unorm' },
    { file: 'bc4u-part', format: 'bc4-unorm' },
    { file: 'bc4s', format: 'bc4-snorm', differing: 10188 },
    { file: 'bc5u', format: 'bc5-unorm' },
    { file: 'bc5s', format: 'bc5-snorm', differing: 13914 },
    { file: 'bc7', format: 'bc7' },
  ];

  it.each(
    BACKENDS.flatMap(([name, kernels]) =>
      (['bc6h-uf16', 'bc6h-sf16'] as const).map((format) => ({ format, name, kernels })),
    ),
  )('$format by $name, as half floats and bytes', ({ format, kernels }) => {
    const file = `textures/tinybcdec/src/test/resources/${format.replace('-', '_')}`;
    const dds = readCorpus(`${file}.dds`);
    const golden = readCorpus(`${file}_16.dds`).subarray(148);
    const halves = golden.slice(0, 8 * 256 * 256);
    expectBytes(kernels.bc.decodeHalf(format, dds.subarray(148), 256, 256), halves);
    // That is RGBA16F, whose way to bytes is another.
    expectBytes(kernels.bc.decode(format, dds.subarray(148), 256, 256), kernels.pixel.decode('rgba16-float', halves));
  });

  it.each(BACKENDS.flatMap(([name, kernels]) => FILES.map((row) => ({ ...row, name, kernels }))))(
    '$file by $name',
    ({ file, format, differing = 0, kernels }) => {
      const folder = 'textures/tinybcdec/src/test/resources';
      const dds = readCorpus(`${folder}/${file}.dds`);
      const png = readPng(readCorpus(`${folder}/${file}.png`));
      const { width, height, channels, samples } = png;
      const header = new DataView(dds.buffer);
      expect([header.getUint32(16, true), header.getUint32(12, true)]).toEqual([width, height]);
      const rgba = kernels.bc.decode(format, dds.subarray(148), width, height);
      const differences = new Map<number, number>();
      for (let i = 0; i < samples.length; i++) {
        const at = 4 * Math.floor(i / channels) + (i % channels);
        const difference = Math.abs(rgba[at]! - samples[i]!);
        if (difference) differences.set(difference, (differences.get(difference) ?? 0) + 1);
      }
      expect([...differences]).toEqual(differing ? [[1, differing]] : []);
    },
  );
});
