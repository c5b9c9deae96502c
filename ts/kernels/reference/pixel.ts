import { ELEMENT_SIZE, type PixelKernels, type TexelFormat } from '../contract.ts';
import { output } from './output.ts';

/** Decodes `count` texels of a plain format. */
export function decodeTexels(
  format: TexelFormat,
  out: Uint8Array,
  o: number,
  src: Uint8Array,
  s: number,
  count: number,
): void {
  const end = o + 4 * count;
  switch (format) {
    case 'rgba8':
      out.set(src.subarray(s, s + 4 * count), o);
      return;
    case 'bgra8':
      for (; o < end; o += 4, s += 4) {
        out[o] = src[s + 2]!;
        out[o + 1] = src[s + 1]!;
        out[o + 2] = src[s]!;
        out[o + 3] = src[s + 3]!;
      }
      return;
    case 'r8g8':
      for (; o < end; o += 4, s += 2) {
        out[o] = src[s]!;
        out[o + 1] = src[s + 1]!;
        out[o + 2] = 0;
        out[o + 3] = 255;
      }
      return;
    case 'r8':
      for (; o < end; o += 4, s++) {
        out[o] = src[s]!;
        out[o + 1] = 0;
        out[o + 2] = 0;
        out[o + 3] = 255;
      }
      return;
    default:
      throw new RangeError(`not a plain format: ${format}`);
  }
}

/** What channel source `source` gives of the texel at `s`. */
function channel(rgba: Uint8Array, s: number, source: number): number {
  return source >= 2 && source <= 5 ? rgba[s + source - 2]! : source === 1 ? 255 : 0;
}

export const pixel: PixelKernels = {
  decode(format, texels, out) {
    const count = Math.floor(texels.length / ELEMENT_SIZE[format]);
    const rgba = output(4 * count, out);
    decodeTexels(format, rgba, 0, texels, 0, count);
    return rgba;
  },
  selectChannels(rgba, sources, out) {
    const size = rgba.length & ~3;
    const result = output(size, out);
    const [sr, sg, sb, sa] = [sources & 255, (sources >>> 8) & 255, (sources >>> 16) & 255, sources >>> 24] as const;
    for (let i = 0; i < size; i += 4) {
      const r = channel(rgba, i, sr);
      const g = channel(rgba, i, sg);
      const b = channel(rgba, i, sb);
      const a = channel(rgba, i, sa);
      result[i] = r;
      result[i + 1] = g;
      result[i + 2] = b;
      result[i + 3] = a;
    }
    return result;
  },
};
