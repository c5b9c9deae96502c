import { bytesOfHalves, HALF_ONE } from '../half.ts';
import { OPAQUE, type BlockDecoder, type HalfBlockDecoder } from './block.ts';
import { open, readWeights, take } from './bptc.ts';
import { A2, P2 } from './bptc-tables.ts';

interface Mode {
  /** bits of an endpoint */
  endBits: number;
  /** bits of the differences in R, G, B; none where endpoints are stored as they are */
  differenceBits: readonly number[];
  twoSubsets: boolean;
  /** what the block consists of up to its partition or indices: three numbers each, entry of `ends`, lowest bit, bits */
  parts: Uint8Array;
}

/**
 * A mode by the names that the specification has for its fields: R, G, B of endpoints w, x (the first subset), y and z (the
 * second), and which of their bits, highest first. Where the lowest comes first, the bits are in reverse.
 */
function mode(endBits: number, differenceBits: readonly number[], fields: string): Mode {
  const parts: number[] = [];
  for (const [, channel, end, first, last = first] of fields.matchAll(/([rgb])([w-z])\[(\d+):?(\d+)?\]/g)) {
    const entry = 3 * 'wxyz'.indexOf(end!) + 'rgb'.indexOf(channel!);
    const [high, low] = [Number(first), Number(last)];
    if (high >= low) parts.push(entry, low, high - low + 1);
    else for (let bit = low; bit >= high; bit--) parts.push(entry, bit, 1);
  }
  return { endBits, differenceBits, twoSubsets: fields.includes('y['), parts: Uint8Array.from(parts) };
}

/** By the number in the first two bits, or five where the second is set; those left out are reserved. */
const MODES: Readonly<Record<number, Mode>> = {
  0b00: mode(
    10,
    [5, 5, 5],
    `gy[4] by[4] bz[4] rw[9:0] gw[9:0] bw[9:0] rx[4:0] gz[4] gy[3:0] gx[4:0] bz[0] gz[3:0] bx[4:0] bz[1] by[3:0]
     ry[4:0] bz[2] rz[4:0] bz[3]`,
  ),
  0b01: mode(
    7,
    [6, 6, 6],
    `gy[5] gz[4] gz[5] rw[6:0] bz[0] bz[1] by[4] gw[6:0] by[5] bz[2] gy[4] bw[6:0] bz[3] bz[5] bz[4] rx[5:0] gy[3:0]
     gx[5:0] gz[3:0] bx[5:0] by[3:0] ry[5:0] rz[5:0]`,
  ),
  0b00010: mode(
    11,
    [5, 4, 4],
    `rw[9:0] gw[9:0] bw[9:0] rx[4:0] rw[10] gy[3:0] gx[3:0] gw[10] bz[0] gz[3:0] bx[3:0] bw[10] bz[1] by[3:0] ry[4:0]
     bz[2] rz[4:0] bz[3]`,
  ),
  0b00110: mode(
    11,
    [4, 5, 4],
    `rw[9:0] gw[9:0] bw[9:0] rx[3:0] rw[10] gz[4] gy[3:0] gx[4:0] gw[10] gz[3:0] bx[3:0] bw[10] bz[1] by[3:0] ry[3:0]
     bz[0] bz[2] rz[3:0] gy[4] bz[3]`,
  ),
  0b01010: mode(
    11,
    [4, 4, 5],
    `rw[9:0] gw[9:0] bw[9:0] rx[3:0] rw[10] by[4] gy[3:0] gx[3:0] gw[10] bz[0] gz[3:0] bx[4:0] bw[10] by[3:0] ry[3:0]
     bz[1] bz[2] rz[3:0] bz[4] bz[3]`,
  ),
  0b01110: mode(
    9,
    [5, 5, 5],
    `rw[8:0] by[4] gw[8:0] gy[4] bw[8:0] bz[4] rx[4:0] gz[4] gy[3:0] gx[4:0] bz[0] gz[3:0] bx[4:0] bz[1] by[3:0]
     ry[4:0] bz[2] rz[4:0] bz[3]`,
  ),
  0b10010: mode(
    8,
    [6, 5, 5],
    `rw[7:0] gz[4] by[4] gw[7:0] bz[2] gy[4] bw[7:0] bz[3] bz[4] rx[5:0] gy[3:0] gx[4:0] bz[0] gz[3:0] bx[4:0] bz[1]
     by[3:0] ry[5:0] rz[5:0]`,
  ),
  0b10110: mode(
    8,
    [5, 6, 5],
    `rw[7:0] bz[0] by[4] gw[7:0] gy[5] gy[4] bw[7:0] gz[5] bz[4] rx[4:0] gz[4] gy[3:0] gx[5:0] gz[3:0] bx[4:0] bz[1]
     by[3:0] ry[4:0] bz[2] rz[4:0] bz[3]`,
  ),
  0b11010: mode(
    8,
    [5, 5, 6],
    `rw[7:0] bz[1] by[4] gw[7:0] by[5] gy[4] bw[7:0] bz[5] bz[4] rx[4:0] gz[4] gy[3:0] gx[4:0] bz[0] gz[3:0] bx[5:0]
     by[3:0] ry[4:0] bz[2] rz[4:0] bz[3]`,
  ),
  0b11110: mode(
    6,
    [],
    `rw[5:0] gz[4] bz[0] bz[1] by[4] gw[5:0] gy[5] by[5] bz[2] gy[4] bw[5:0] gz[5] bz[3] bz[5] bz[4] rx[5:0] gy[3:0]
     gx[5:0] gz[3:0] bx[5:0] by[3:0] ry[5:0] rz[5:0]`,
  ),
  0b00011: mode(10, [], 'rw[9:0] gw[9:0] bw[9:0] rx[9:0] gx[9:0] bx[9:0]'),
  0b00111: mode(11, [9, 9, 9], 'rw[9:0] gw[9:0] bw[9:0] rx[8:0] rw[10] gx[8:0] gw[10] bx[8:0] bw[10]'),
  0b01011: mode(12, [8, 8, 8], 'rw[9:0] gw[9:0] bw[9:0] rx[7:0] rw[10:11] gx[7:0] gw[10:11] bx[7:0] bw[10:11]'),
  0b01111: mode(16, [4, 4, 4], 'rw[9:0] gw[9:0] bw[9:0] rx[3:0] rw[10:15] gx[3:0] gw[10:15] bx[3:0] bw[10:15]'),
};

/** R, G, B of endpoints w, x, y, z. */
const ends = new Int32Array(12);
const weights = new Uint8Array(16);

/** The low `bits` bits as a signed number. */
function signed(value: number, bits: number): number {
  return (value << (32 - bits)) >> (32 - bits);
}

/** An endpoint of `bits` bits as one of 16, or of 15 and a sign. */
function unquantized(value: number, bits: number, isSigned: boolean): number {
  if (bits === 16) return value;
  if (!isSigned) {
    if (value === 0) return 0;
    if (value === (1 << bits) - 1) return 0xffff;
    return ((value << 16) + 0x8000) >> bits;
  }
  const size = Math.abs(value);
  if (size === 0) return 0;
  const wide = size >= (1 << (bits - 1)) - 1 ? 0x7fff : ((size << 15) + 0x4000) >> (bits - 1);
  return value < 0 ? -wide : wide;
}

/** What an interpolated value is as a half float. */
function finished(value: number, isSigned: boolean): number {
  if (!isSigned) return (value * 31) >> 6;
  const size = (Math.abs(value) * 31) >> 5;
  return value < 0 && size ? size | 0x8000 : size;
}

function readEnds({ endBits, differenceBits, twoSubsets, parts }: Mode, isSigned: boolean): void {
  const count = twoSubsets ? 12 : 6;
  ends.fill(0);
  for (let i = 0; i < parts.length; i += 3) ends[parts[i]!]! |= take(parts[i + 2]!) << parts[i + 1]!;
  const mask = (1 << endBits) - 1;
  if (differenceBits.length) {
    for (let i = 3; i < count; i++) ends[i] = (ends[i % 3]! + signed(ends[i]!, differenceBits[i % 3]!)) & mask;
  }
  for (let i = 0; i < count; i++) {
    ends[i] = unquantized(isSigned ? signed(ends[i]!, endBits) : ends[i]!, endBits, isSigned);
  }
}

function bc6hHalf(isSigned: boolean): HalfBlockDecoder {
  return (src, s, out, o, stride) => {
    const first = src[s]!;
    const number = first & 2 ? first & 31 : first & 1;
    const layout = MODES[number];
    if (layout) {
      open(src, s, first & 2 ? 5 : 2);
      readEnds(layout, isSigned);
    } else {
      ends.fill(0);
    }
    const partition = layout?.twoSubsets ? take(5) : 0;
    if (layout?.twoSubsets) readWeights(weights, 3, A2[partition]!, 0);
    else readWeights(weights, 4, 0, 0);
    for (let y = 0, i = 0; y < 4; y++, o += stride) {
      for (let at = o; at < o + 16; at += 4, i++) {
        const e = layout?.twoSubsets ? 6 * P2[16 * partition + i]! : 0;
        const w = weights[i]!;
        for (let c = 0; c < 3; c++) {
          const sum = ends[e + c]! * (64 - w) + ends[e + 3 + c]! * w;
          out[at + c] = finished((sum + 32) >> 6, isSigned);
        }
        out[at + 3] = HALF_ONE;
      }
    }
  };
}

const texels = new Uint16Array(64);

function bc6h(decode: HalfBlockDecoder): BlockDecoder {
  return (src, s, out, o, stride) => {
    decode(src, s, texels, 0, 16);
    const bytes = bytesOfHalves();
    for (let y = 0, i = 0; y < 4; y++, o += stride) {
      for (let x = 0; x < 4; x++, i += 4) {
        out[o + x] = bytes[texels[i]!]! | (bytes[texels[i + 1]!]! << 8) | (bytes[texels[i + 2]!]! << 16) | OPAQUE;
      }
    }
  };
}

export const bc6hUf16Half = bc6hHalf(false);
export const bc6hSf16Half = bc6hHalf(true);
export const bc6hUf16 = bc6h(bc6hUf16Half);
export const bc6hSf16 = bc6h(bc6hSf16Half);
