import { describe, expect, it } from 'vitest';
import { createKernels, type Kernels, type TexelFormat } from '../../ts/kernels/index.ts';
import { HAS_CORPUS, readCorpus } from '../support/corpus.ts';

const BACKENDS: [string, Kernels][] = [
  ['wasm', createKernels({ backend: 'wasm' })],
  ['ts', createKernels({ backend: 'ts' })],
];

/** All numbers of 16 bits. */
const ALL16 = Uint16Array.from({ length: 65536 }, (_, v) => v);

const bytesOf = (values: Uint16Array | Uint32Array): Uint8Array => new Uint8Array(values.buffer);

/** What a positive half float is in steps of 2^-24, and infinity as the power of two that it stands for in rounding. */
function steps(half: number): bigint {
  const [exponent, fraction] = [half >> 10, half & 1023];
  return exponent ? BigInt(1024 + fraction) << BigInt(exponent - 1) : BigInt(fraction);
}

/** The half float nearest to a fraction, found by bisection and compared in whole numbers. */
function nearestHalf(numerator: bigint, denominator: bigint): number {
  if (numerator < 0n) return 0x8000 | nearestHalf(-numerator, denominator);
  const wanted = numerator << 24n;
  let [low, high] = [0, 0x7c00];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (steps(middle) * denominator <= wanted) low = middle;
    else high = middle;
  }
  const twice = 2n * wanted - (steps(low) + steps(high)) * denominator;
  return twice > 0n || (twice === 0n && low % 2 === 1) ? high : low;
}

/** floor(numerator / denominator + 1 / 2), at least 0 and at most 255. */
function nearestByte(numerator: bigint, denominator: bigint): number {
  const v = (2n * numerator + denominator) / (2n * denominator);
  return v < 0n ? 0 : v > 255n ? 255 : Number(v);
}

/** The value of each type of 16 bits as a fraction. */
const TYPES: Record<string, (v: number) => [numerator: bigint, denominator: bigint]> = {
  unorm: (v) => [BigInt(v), 65535n],
  snorm: (v) => [BigInt(Math.max((v << 16) >> 16, -32767)), 32767n],
  uint: (v) => [BigInt(v), 1n],
  sint: (v) => [BigInt((v << 16) >> 16), 1n],
};

function expectSame(actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected)) expect([...actual]).toEqual([...expected]);
}

describe.each(BACKENDS)('pixel of %s', (_, kernels) => {
  it.each(Object.entries(TYPES))('rgba16-%s: every value, exactly', (type, fraction) => {
    const format = `rgba16-${type}` as TexelFormat;
    const halves = Uint16Array.from(ALL16, (v) => nearestHalf(...fraction(v)));
    // -0 is 0 in these types.
    expectSame(
      kernels.pixel.decodeHalf(format, bytesOf(ALL16)),
      bytesOf(halves.map((half) => (half === 0x8000 ? 0 : half))),
    );
    const bytes = Uint8Array.from(ALL16, (v) => {
      const [numerator, denominator] = fraction(v);
      if (type.endsWith('int')) return Math.min(Math.max(Number(numerator), 0), 255);
      if (type === 'unorm') return nearestByte(255n * numerator, denominator);
      return nearestByte(255n * (numerator + denominator), 2n * denominator);
    });
    expectSame(kernels.pixel.decode(format, bytesOf(ALL16)), bytes);
  });

  it('floats: every half float and all that is rounded to it', () => {
    const floats: number[] = [];
    const halves: number[] = [];
    const float = new Float32Array(1);
    const word = new Uint32Array(float.buffer);
    // From the middle below to the middle above; the middles belong to even ones.
    for (let half = 1; half < 0x7c00; half++) {
      const [below, value, above] = [half - 1, half, half + 1].map((h) => Number(steps(h)) * 2 ** -24);
      const middles = [(below! + value!) / 2, (value! + above!) / 2];
      for (const [at, inwards] of [
        [middles[0]!, 1],
        [value!, 0],
        [middles[1]!, -1],
      ] as const) {
        float[0] = at;
        word[0]! += half % 2 ? inwards : 0;
        floats.push(word[0]!, word[0]! | 0x80000000);
        halves.push(half, half | 0x8000);
      }
    }
    while (floats.length % 4) {
      floats.push(0);
      halves.push(0);
    }
    const result = kernels.pixel.decodeHalf('rgba32-float', bytesOf(Uint32Array.from(floats)));
    expectSame(result, bytesOf(Uint16Array.from(halves)));
  });

  it('r11g11b10: every float of 11 and of 10 bits', () => {
    const words = Uint32Array.from({ length: 2048 }, (__, v) => (v | (v << 11) | ((v & 1023) << 22)) >>> 0);
    // All are the half float with zeros at its end.
    const expected = new Uint16Array(4 * words.length);
    for (let v = 0; v < 2048; v++) expected.set([16 * v, 16 * v, 32 * (v & 1023), 0x3c00], 4 * v);
    expectSame(kernels.pixel.decodeHalf('r11g11b10', bytesOf(words)), bytesOf(expected));
    expectSame(
      kernels.pixel.decode('r11g11b10', bytesOf(words)),
      kernels.pixel.decode('rgba16-float', bytesOf(expected)),
    );
  });

  it('half floats stay as they are', () => {
    expectSame(kernels.pixel.decodeHalf('rgba16-float', bytesOf(ALL16)), bytesOf(ALL16));
  });

  it.skipIf(!HAS_CORPUS)('the value of every half float, by the table of tinybcdec', () => {
    const file = readCorpus('textures/tinybcdec/src/test/resources/float16ToFloat.bin');
    const table = new DataView(file.buffer, file.byteOffset, file.length);
    // It begins with the least number of 16 bits with a sign.
    const floats = Uint32Array.from(ALL16, (v) => table.getUint32(4 * (v ^ 0x8000), true));
    const values = new Float32Array(floats.buffer);
    expect(values[0x3c00]).toBe(1);
    const bytes = Uint8Array.from(values, (v) => (v > 0 ? Math.floor(Math.min(v, 1) * 255 + 0.5) : 0));
    expectSame(kernels.pixel.decode('rgba16-float', bytesOf(ALL16)), bytes);
    // And back: a NaN has lost its payload.
    const halves = ALL16.map((v) => ((v & 0x7fff) > 0x7c00 ? (v & 0x8000) | 0x7e00 : v));
    expectSame(kernels.pixel.decodeHalf('rgba32-float', bytesOf(floats)), bytesOf(halves));
  });
});
