import { inflateSync } from 'node:zlib';

export interface Picture {
  width: number;
  height: number;
  /** 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA) */
  channels: number;
  samples: Uint8Array;
}

const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
]);

/** Decodes a PNG of 8 bits a sample without interlace, by the formulas of the specification. */
export function readPng(file: Uint8Array): Picture {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const parts: Uint8Array[] = [];
  for (let at = 8; at < file.length; at += 12 + view.getUint32(at)) {
    if (view.getUint32(at + 4) === 0x49444154) parts.push(file.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const channels = CHANNELS.get(file[25]!);
  if (file[24] !== 8 || !channels || file[28]) throw new Error('not a PNG that this helper reads');
  const filtered = inflateSync(Buffer.concat(parts));
  const pitch = width * channels;
  const samples = new Uint8Array(pitch * height);
  for (let y = 0; y < height; y++) {
    const type = filtered[y * (pitch + 1)]!;
    for (let x = 0; x < pitch; x++) {
      const at = y * pitch + x;
      const left = x < channels ? 0 : samples[at - channels]!;
      const up = y ? samples[at - pitch]! : 0;
      const corner = y && x >= channels ? samples[at - pitch - channels]! : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][type]!;
      samples[at] = filtered[y * (pitch + 1) + 1 + x]! + predicted;
    }
  }
  return { width, height, channels, samples };
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)] as const;
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}
