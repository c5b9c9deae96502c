import type { Picture } from './picture.ts';

/** A float without a sign, of five bits of exponent; `v` is 0 to 1. */
export function smallFloat(v: number, fractionBits: number): number {
  if (v === 0) return 0;
  const exponent = Math.max(Math.floor(Math.log2(v)), -14);
  const steps = Math.round((v / 2 ** exponent) * 2 ** fractionBits);
  // Rounding up to the next power of two carries into the exponent, as it should.
  return (exponent + 14) * 2 ** fractionBits + steps;
}

const float = new DataView(new ArrayBuffer(4));

/** The `bits` bits that stand for a byte in a channel of that type. */
function stored(byte: number, bits: number, type: string): number {
  const v = byte / 255;
  switch (type) {
    case 'SNORM':
      return Math.round((2 * v - 1) * (2 ** (bits - 1) - 1));
    case 'UINT':
      return Math.min(byte, 2 ** bits - 1);
    case 'SINT':
      return Math.min(byte, 2 ** (bits - 1) - 1);
    case 'FLOAT':
      if (bits === 32) {
        float.setFloat32(0, v);
        return float.getUint32(0);
      }
      return smallFloat(v, bits - (bits === 16 ? 6 : 5));
    default:
      return Math.round(v * (2 ** bits - 1));
  }
}

/** The fields of a format by its name, such as `R5G6B5`: letter and bits, the lowest ones first. */
export function fieldsOf(name: string): { letter: string; bits: number }[] {
  return Array.from(name.matchAll(/([A-Z])(\d+)/g), ([, letter, bits]) => ({ letter: letter!, bits: Number(bits) }));
}

/** Texels of a plain format: its fields one after the other, depth from red and stencil from green. */
export function encodePlain({ rgba }: Picture, name: string, type: string): Uint8Array {
  const fields = fieldsOf(name);
  const size = fields.reduce((sum, { bits }) => sum + bits, 0) / 8;
  const out = new Uint8Array((rgba.length / 4) * size);
  for (let i = 0, o = 0; i < rgba.length; i += 4, o += size) {
    let texel = 0n;
    let at = 0;
    for (const { letter, bits } of fields) {
      const channel = 'RGBADSX'.indexOf(letter);
      // Depth is a float where it has 32 bits, stencil an integer, and X nothing.
      const kind = letter === 'S' ? 'UINT' : letter === 'D' ? (bits === 32 ? 'FLOAT' : 'UNORM') : type;
      const value = letter === 'X' ? 0 : stored(rgba[i + (channel & 3)]!, bits, kind);
      texel |= BigInt.asUintN(bits, BigInt(value)) << BigInt(at);
      at += bits;
    }
    for (let b = 0; b < size; b++) out[o + b] = Number((texel >> BigInt(8 * b)) & 255n);
  }
  return out;
}

/** Nine bits for each of red, green and blue, and the exponent that the largest of them needs. */
export function encodeSharedExponent({ rgba }: Picture): Uint8Array {
  const out = new Uint8Array(rgba.length);
  const view = new DataView(out.buffer);
  for (let i = 0; i < rgba.length; i += 4) {
    const rgb = [0, 1, 2].map((c) => rgba[i + c]! / 255);
    const largest = Math.max(...rgb);
    // So that the largest is 256 to 511 steps of 2^(exponent - 24), or less than that at the least exponent.
    let exponent = largest ? Math.max(Math.floor(Math.log2(largest)) + 16, 0) : 0;
    if (Math.round(largest * 2 ** (24 - exponent)) > 511) exponent++;
    const [r, g, b] = rgb.map((v) => Math.round(v * 2 ** (24 - exponent)));
    view.setUint32(i, r! | (g! << 9) | (b! << 18) | (exponent << 27), true);
  }
  return out;
}
