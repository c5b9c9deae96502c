import { expect } from 'vitest';

/** Decodes Yaz0 straight from its description, with every limit checked; `end` is where the last code ends. */
export function decodeYaz0(file: Uint8Array): { data: Uint8Array; end: number } {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  expect(new TextDecoder().decode(file.subarray(0, 4))).toBe('Yaz0');
  const out = new Uint8Array(view.getUint32(4));
  let at = 0x10;
  let o = 0;
  while (o < out.length) {
    const flags = file[at++]!;
    for (let bit = 7; bit >= 0 && o < out.length; bit--) {
      if ((flags >> bit) & 1) {
        out[o++] = file[at++]!;
        continue;
      }
      const pair = view.getUint16(at);
      at += 2;
      const distance = (pair & 0xfff) + 1;
      const length = pair >> 12 ? (pair >> 12) + 2 : file[at++]! + 0x12;
      if (distance > o) throw new Error(`distance ${distance} at ${o}`);
      if (o + length > out.length) throw new Error(`length ${length} at ${o}`);
      for (let i = 0; i < length; i++, o++) out[o] = out[o - distance]!;
    }
  }
  return { data: out, end: at };
}
