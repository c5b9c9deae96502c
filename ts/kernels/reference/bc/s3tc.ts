import { OPAQUE, type BlockDecoder } from './block.ts';
import { unormChannel } from './rgtc.ts';

/** `x / greatest` in 255ths, rounded half up, for all `x` up to `greatest`. */
function scaled(greatest: number): Uint8Array {
  return Uint8Array.from({ length: greatest + 1 }, (_, x) => Math.floor((2 * 255 * x + greatest) / (2 * greatest)));
}

// Sums of three (or two) endpoints of 5 and 6 bits to bytes.
const THIRDS5 = scaled(3 * 31);
const THIRDS6 = scaled(3 * 63);
const HALVES5 = scaled(2 * 31);
const HALVES6 = scaled(2 * 63);

const palette = new Int32Array(4);

/** Fills `palette` with the colours of the block at `s`; `three` allows three colours and transparent black. */
function readPalette(src: Uint8Array, s: number, three: boolean): void {
  const c0 = src[s]! | (src[s + 1]! << 8);
  const c1 = src[s + 2]! | (src[s + 3]! << 8);
  const r0 = c0 >> 11;
  const g0 = (c0 >> 5) & 63;
  const b0 = c0 & 31;
  const r1 = c1 >> 11;
  const g1 = (c1 >> 5) & 63;
  const b1 = c1 & 31;
  palette[0] = third(3 * r0, 3 * g0, 3 * b0);
  palette[1] = third(3 * r1, 3 * g1, 3 * b1);
  if (three && c0 <= c1) {
    palette[2] = HALVES5[r0 + r1]! | (HALVES6[g0 + g1]! << 8) | (HALVES5[b0 + b1]! << 16) | OPAQUE;
    palette[3] = 0;
  } else {
    palette[2] = third(2 * r0 + r1, 2 * g0 + g1, 2 * b0 + b1);
    palette[3] = third(r0 + 2 * r1, g0 + 2 * g1, b0 + 2 * b1);
  }
}

function third(r: number, g: number, b: number): number {
  return THIRDS5[r]! | (THIRDS6[g]! << 8) | (THIRDS5[b]! << 16) | OPAQUE;
}

export const bc1: BlockDecoder = (src, s, out, o, stride) => {
  readPalette(src, s, true);
  const p = palette;
  for (let y = 0; y < 4; y++, o += stride) {
    const row = src[s + 4 + y]!;
    out[o] = p[row & 3]!;
    out[o + 1] = p[(row >> 2) & 3]!;
    out[o + 2] = p[(row >> 4) & 3]!;
    out[o + 3] = p[row >> 6]!;
  }
};

const alphas = new Uint8Array(16);

/** The colours of the block at `s`, with the alphas in `alphas`. */
function storeWithAlphas(src: Uint8Array, s: number, out: Int32Array, o: number, stride: number): void {
  readPalette(src, s, false);
  const p = palette;
  const a = alphas;
  for (let i = 0; i < 4; i++) p[i]! &= ~OPAQUE;
  for (let i = 0; i < 16; i += 4, s++, o += stride) {
    const row = src[s + 4]!;
    out[o] = p[row & 3]! | (a[i]! << 24);
    out[o + 1] = p[(row >> 2) & 3]! | (a[i + 1]! << 24);
    out[o + 2] = p[(row >> 4) & 3]! | (a[i + 2]! << 24);
    out[o + 3] = p[row >> 6]! | (a[i + 3]! << 24);
  }
}

export const bc2: BlockDecoder = (src, s, out, o, stride) => {
  for (let i = 0; i < 8; i++) {
    const pair = src[s + i]!;
    alphas[2 * i] = 17 * (pair & 15);
    alphas[2 * i + 1] = 17 * (pair >> 4);
  }
  storeWithAlphas(src, s + 8, out, o, stride);
};

export const bc3: BlockDecoder = (src, s, out, o, stride) => {
  unormChannel(alphas, src, s);
  storeWithAlphas(src, s + 8, out, o, stride);
};
