/**
 * The plainest possible block decoders, to judge the sample's encoders by: one texel at a time, straight from the
 * formats' definitions. BC6H, BC7 and ASTC only in the modes that the encoders use.
 */
import { plainTexel, texelSize } from './tiny-plain.ts';

type Texel = [number, number, number, number];

const bitsAt = (block: Uint8Array, from: number, count: number): number => {
  let value = 0;
  for (let i = 0; i < count; i++) value |= ((block[(from + i) >> 3]! >> ((from + i) & 7)) & 1) << i;
  return value;
};

function colorTexel(block: Uint8Array, i: number, alwaysFour: boolean): Texel {
  const ends = [0, 16].map((at) => [
    bitsAt(block, at + 11, 5) / 31,
    bitsAt(block, at + 5, 6) / 63,
    bitsAt(block, at, 5) / 31,
  ]);
  const code = bitsAt(block, 32 + 2 * i, 2);
  const four = alwaysFour || bitsAt(block, 0, 16) > bitsAt(block, 16, 16);
  if (!four && code === 3) return [0, 0, 0, 0];
  const weight = (four ? [0, 1, 1 / 3, 2 / 3] : [0, 1, 1 / 2])[code]!;
  const [r, g, b] = [0, 1, 2].map((c) => Math.round(255 * (ends[0]![c]! * (1 - weight) + ends[1]![c]! * weight)));
  return [r!, g!, b!, 255];
}

/** One value of a BC4 block, 0 to 255 or -127 to 127. */
function channelValue(block: Uint8Array, i: number, signed: boolean): number {
  const end = (at: number): number => (signed ? Math.max(-127, (block[at]! << 24) >> 24) : block[at]!);
  const [a, b] = [end(0), end(1)];
  const code = bitsAt(block, 16 + 3 * i, 3);
  if (code < 2) return code === 0 ? a : b;
  if (a > b) return Math.round(((8 - code) * a + (code - 1) * b) / 7);
  if (code === 6) return signed ? -127 : 0;
  if (code === 7) return signed ? 127 : 255;
  return Math.round(((6 - code) * a + (code - 1) * b) / 5);
}

const toByte = (v: number): number => Math.floor(((v / 127) * 0.5 + 0.5) * 255 + 0.5);
const channelByte = (block: Uint8Array, i: number, signed: boolean): number => {
  const value = channelValue(block, i, signed);
  return signed ? toByte(value) : value;
};

/** The first sixteen partitions in two, written out by rows as in the BPTC specification. */
const PARTITIONS = [
  '0011 0011 0011 0011',
  '0001 0001 0001 0001',
  '0111 0111 0111 0111',
  '0001 0011 0011 0111',
  '0000 0001 0001 0011',
  '0011 0111 0111 1111',
  '0001 0011 0111 1111',
  '0000 0001 0011 0111',
  '0000 0000 0001 0011',
  '0011 0111 1111 1111',
  '0000 0001 0111 1111',
  '0000 0000 0001 0111',
  '0001 0111 1111 1111',
  '0000 0000 1111 1111',
  '0000 1111 1111 1111',
  '0000 0000 0000 1111',
].map((rows) => rows.replaceAll(' ', ''));

const WEIGHTS: Record<number, number[]> = {
  2: [0, 21, 43, 64],
  3: [0, 9, 18, 27, 37, 46, 55, 64],
  4: [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64],
};

export const bc7Mode = (block: Uint8Array): number => 31 - Math.clz32(block[0]! & -block[0]!);

function bc7Texel(block: Uint8Array, i: number): Texel {
  const blend = (a: number, b: number, bits: number, index: number): number => {
    const w = WEIGHTS[bits]![index]!;
    return ((64 - w) * a + w * b + 32) >> 6;
  };
  // An index after the first lies behind one that is a bit shorter.
  const index = (at: number, bits: number): number =>
    i === 0 ? bitsAt(block, at, bits - 1) : bitsAt(block, at + bits * i - 1, bits);
  const mode = bc7Mode(block);
  if (mode === 6) {
    const at = index(65, 4);
    return [0, 1, 2, 3].map((c) => {
      const end = (e: number): number => (bitsAt(block, 7 + 14 * c + 7 * e, 7) << 1) | bitsAt(block, 63 + e, 1);
      return blend(end(0), end(1), 4, at);
    }) as Texel;
  }
  if (mode === 5) {
    if (bitsAt(block, 6, 2) !== 0) throw new Error('rotation');
    const end = (c: number, e: number): number => {
      if (c === 3) return bitsAt(block, 50 + 8 * e, 8);
      const seven = bitsAt(block, 8 + 14 * c + 7 * e, 7);
      return (seven << 1) | (seven >> 6);
    };
    const at = [index(66, 2), index(97, 2)];
    return [0, 1, 2, 3].map((c) => blend(end(c, 0), end(c, 1), 2, at[c === 3 ? 1 : 0]!)) as Texel;
  }
  if (mode === 1) {
    const partition = PARTITIONS[bitsAt(block, 2, 6)];
    if (!partition) throw new Error('partition');
    const half = Number(partition[i]);
    const at = i === 0 ? bitsAt(block, 82, 2) : bitsAt(block, 81 + 3 * i, i === 15 ? 2 : 3);
    const rgb = [0, 1, 2].map((c) => {
      const end = (e: number): number => {
        const seven = (bitsAt(block, 8 + 24 * c + 6 * (2 * half + e), 6) << 1) | bitsAt(block, 80 + half, 1);
        return (seven << 1) | (seven >> 6);
      };
      return blend(end(0), end(1), 3, at);
    });
    return [...rgb, 255] as Texel;
  }
  throw new Error(`BC7 mode ${mode}`);
}

function bc6Texel(block: Uint8Array, i: number, signed: boolean): Texel {
  if (bitsAt(block, 0, 5) !== 3) throw new Error('BC6H mode');
  const w = WEIGHTS[4]![i === 0 ? bitsAt(block, 65, 3) : bitsAt(block, 64 + 4 * i, 4)]!;
  const rgb = [0, 1, 2].map((c) => {
    const [a, b] = [0, 1].map((e) => {
      const v = bitsAt(block, 5 + 30 * e + 10 * c, 10);
      if (signed && v > 510) throw new Error('BC6H endpoint');
      return v && 64 * v + 32;
    });
    const blended = ((64 - w) * a! + w * b! + 32) >> 6;
    const half = (blended * 31) >> (signed ? 5 : 6);
    const [exponent, fraction] = [half >> 10, half & 1023];
    const value = exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24;
    return Math.floor(Math.min(value, 1) * 255 + 0.5);
  });
  return [...rgb, 255] as Texel;
}

/** Texel `i` of a block, by the format's name without its type. */
function texel(format: string, block: Uint8Array, i: number, type: string): Texel {
  const signed = type === 'SNORM';
  const [first, second] = [block.subarray(0, 8), block.subarray(8, 16)];
  switch (format) {
    case 'BC1':
      return colorTexel(block, i, false);
    case 'BC2':
      return [...(colorTexel(second, i, true).slice(0, 3) as [number, number, number]), 17 * bitsAt(first, 4 * i, 4)];
    case 'BC3':
      return [...(colorTexel(second, i, true).slice(0, 3) as [number, number, number]), channelByte(first, i, false)];
    case 'BC4':
      return [channelByte(first, i, signed), 0, 0, 255];
    case 'BC5':
      return [channelByte(first, i, signed), channelByte(second, i, signed), 0, 255];
    case 'BC7':
      return bc7Texel(block, i);
    case 'BC6':
      return bc6Texel(block, i, type === 'FLOAT');
    default:
      return plainTexel(format, type, block);
  }
}

/** ASTC: a void extent, or one partition between RGBA endpoints with 4 x 4 weights of two bits. */
function astcTexel(block: Uint8Array, [columns, rows]: [number, number], x: number, y: number, srgb: boolean): Texel {
  if (bitsAt(block, 0, 12) === 0xdfc) return [9, 11, 13, 15].map((at) => block[at]!) as Texel;
  if (bitsAt(block, 0, 17) !== (0x42 | (12 << 13))) throw new Error('ASTC mode');
  const weight = (i: number, j: number): number => {
    if (i > 3 || j > 3) return 0;
    const at = 127 - 2 * (4 * j + i);
    return [0, 21, 43, 64][bitsAt(block, at, 1) | (bitsAt(block, at - 1, 1) << 1)]!;
  };
  // The place in the grid of weights, in sixteenths.
  const inGrid = (v: number, count: number): number =>
    (Math.floor((1024 + (count >> 1)) / (count - 1)) * v * 3 + 32) >> 6;
  const [s, t] = [inGrid(x, columns), inGrid(y, rows)];
  const [i, j, fs, ft] = [s >> 4, t >> 4, s & 15, t & 15];
  const both = (fs * ft + 8) >> 4;
  const sum =
    weight(i, j) * (16 - fs - ft + both) +
    weight(i + 1, j) * (fs - both) +
    weight(i, j + 1) * (ft - both) +
    weight(i + 1, j + 1) * both;
  const w = (sum + 8) >> 4;
  return [0, 1, 2, 3].map((c) => {
    const [a, b] = [0, 1].map((e) => {
      const byte = bitsAt(block, 17 + 16 * c + 8 * e, 8);
      return srgb ? (byte << 8) | 0x80 : 257 * byte;
    });
    return ((64 - w) * a! + w * b! + 32) >> 14;
  }) as Texel;
}

const BLOCK_SIZES: Record<string, number> = { BC1: 8, BC2: 16, BC3: 16, BC4: 8, BC5: 16, BC6: 16, BC7: 16 };

/** Bytes of a block or texel of a format; its type may be left out. */
export function elementSize(format: string): number {
  const name = format.split('_')[0]!;
  return name.startsWith('ASTC') ? 16 : (BLOCK_SIZES[name] ?? texelSize(name));
}

/** Elements in rows to RGBA; `format` as in nn::gfx, such as `BC5_SNORM`. */
export function decodeElements(format: string, width: number, height: number, elements: Uint8Array): Uint8Array {
  const [name, type] = format.split('_') as [string, string];
  const footprint = /^ASTC(\d+)x(\d+)$/.exec(name)?.slice(1).map(Number) as [number, number] | undefined;
  const [columns, rows] = footprint ?? (name.startsWith('BC') ? [4, 4] : [1, 1]);
  const size = elementSize(name);
  const across = Math.ceil(width / columns);
  const out = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = size * (Math.floor(y / rows) * across + Math.floor(x / columns));
      const block = elements.subarray(at, at + size);
      const [column, row] = [x % columns, y % rows];
      const color = footprint
        ? astcTexel(block, footprint, column, row, type === 'SRGB')
        : texel(name, block, columns * row + column, type);
      out.set(color, 4 * (y * width + x));
    }
  }
  return out;
}

/** Mean difference of all bytes, and the largest. */
export function difference(a: Uint8Array, b: Uint8Array): { mean: number; max: number } {
  if (a.length !== b.length) throw new Error(`${a.length} bytes against ${b.length}`);
  let [sum, max] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i]! - b[i]!);
    sum += d;
    max = Math.max(max, d);
  }
  return { mean: sum / a.length, max };
}
