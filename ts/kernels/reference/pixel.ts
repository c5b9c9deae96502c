import { ELEMENT_SIZE, type PixelKernels, type TexelFormat } from '../contract.ts';
import { converted, tableOf, type Channel, type Target } from './channels.ts';
import { HALF_ONE, byteOfFloat, bytesOfHalves, halfOf } from './half.ts';
import { output } from './output.ts';

/** Four numbers for each texel: bytes or half floats. */
type Texels = Uint8Array | Uint16Array;

/** Decodes `count` texels from `s` of `src` on to the numbers from `o` of `out` on. */
type Decoder = (out: Texels, o: number, src: Uint8Array, s: number, count: number, target: Target) => void;

const alphaOf = (target: Target): number => (target === 'bytes' ? 255 : HALF_ONE);

/** One to four channels of a kind, one after the other; `order` says where each comes from. */
function channels(channel: Channel, count: number, order = [0, 1, 2, 3]): Decoder {
  const size = channel.bits / 8;
  const read = size === 4 ? undefined : (target: Target) => tableOf(channel, target);
  return (out, o, src, s, texels, target) => {
    const table = read?.(target);
    const alpha = alphaOf(target);
    for (const end = o + 4 * texels; o < end; o += 4, s += size * count) {
      out[o + 1] = 0;
      out[o + 2] = 0;
      out[o + 3] = alpha;
      for (let c = 0; c < count; c++) {
        const at = s + size * order[c]!;
        if (!table) out[o + c] = converted(channel, target, word(src, at));
        else out[o + c] = table[size === 1 ? src[at]! : src[at]! | (src[at + 1]! << 8)]!;
      }
    }
  };
}

function word(src: Uint8Array, s: number): number {
  return (src[s]! | (src[s + 1]! << 8) | (src[s + 2]! << 16) | (src[s + 3]! << 24)) >>> 0;
}

/** Fields of a word of `bits` bits, R, G, B, A as there are, each with its lowest bit. */
function fields(bits: 16 | 32, type: 'unorm' | 'uint', ...places: [low: number, bits: number][]): Decoder {
  return (out, o, src, s, texels, target) => {
    const tables = places.map(([, length]) => tableOf({ type, bits: length }, target));
    const alpha = alphaOf(target);
    for (const end = o + 4 * texels; o < end; o += 4, s += bits / 8) {
      const v = bits === 16 ? src[s]! | (src[s + 1]! << 8) : word(src, s);
      out[o + 3] = alpha;
      for (let c = 0; c < places.length; c++) {
        const table = tables[c]!;
        out[o + c] = table[(v >>> places[c]![0]) & (table.length - 1)]!;
      }
    }
  };
}

/** A decoder that is given the place of one texel at a time. */
function each(
  size: number,
  decode: (out: Texels, o: number, src: Uint8Array, s: number, target: Target) => void,
): Decoder {
  return (out, o, src, s, texels, target) => {
    const alpha = alphaOf(target);
    for (const end = o + 4 * texels; o < end; o += 4, s += size) {
      out[o + 1] = 0;
      out[o + 2] = 0;
      out[o + 3] = alpha;
      decode(out, o, src, s, target);
    }
  };
}

const unorm8: Channel = { type: 'unorm', bits: 8 };
const unorm24: Channel = { type: 'unorm', bits: 24 };
const uint8: Channel = { type: 'uint', bits: 8 };
const float32: Channel = { type: 'float', bits: 32 };

/** The formats of equal channels of these types; `counts` has the names of their channels, and how many there are. */
function families(counts: Record<string, number>, bits: number, types: Channel['type'][]): Record<string, Decoder> {
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) =>
      types.map((type) => [`${name}-${type}`, channels({ type, bits }, count)]),
    ),
  );
}

const DECODERS: Readonly<Record<string, Decoder>> = {
  r8: channels(unorm8, 1),
  r8g8: channels(unorm8, 2),
  rgba8: channels(unorm8, 4),
  bgra8: channels(unorm8, 4, [2, 1, 0, 3]),
  ...families({ r8: 1, r8g8: 2, rgba8: 4 }, 8, ['snorm', 'uint', 'sint']),
  ...families({ r16: 1, r16g16: 2, rgba16: 4 }, 16, ['unorm', 'snorm', 'uint', 'sint', 'float']),
  ...families({ r32: 1, r32g32: 2, rgb32: 3, rgba32: 4 }, 32, ['uint', 'sint', 'float']),
  rgba4: fields(16, 'unorm', [0, 4], [4, 4], [8, 4], [12, 4]),
  rgb5a1: fields(16, 'unorm', [0, 5], [5, 5], [10, 5], [15, 1]),
  a1bgr5: fields(16, 'unorm', [11, 5], [6, 5], [1, 5], [0, 1]),
  rgb565: fields(16, 'unorm', [0, 5], [5, 6], [11, 5]),
  bgr565: fields(16, 'unorm', [11, 5], [5, 6], [0, 5]),
  bgr5a1: fields(16, 'unorm', [10, 5], [5, 5], [0, 5], [15, 1]),
  rgb10a2: fields(32, 'unorm', [0, 10], [10, 10], [20, 10], [30, 2]),
  'rgb10a2-uint': fields(32, 'uint', [0, 10], [10, 10], [20, 10], [30, 2]),
  r11g11b10: each(4, (out, o, src, s, target) => {
    const v = word(src, s);
    // A half float without sign, and without the last bits of its fraction.
    const halves = [(v & 0x7ff) << 4, ((v >>> 11) & 0x7ff) << 4, (v >>> 22) << 5];
    for (let c = 0; c < 3; c++) out[o + c] = target === 'halves' ? halves[c]! : bytesOfHalves()[halves[c]!]!;
  }),
  rgb9e5: each(4, (out, o, src, s, target) => {
    const v = word(src, s);
    const scale = 2 ** ((v >>> 27) - 24);
    for (let c = 0; c < 3; c++) {
      const value = ((v >>> (9 * c)) & 0x1ff) * scale;
      out[o + c] = target === 'halves' ? halfOf(value) : byteOfFloat(value);
    }
  }),
  d24s8: each(4, (out, o, src, s, target) => {
    const v = word(src, s);
    out[o] = converted(unorm24, target, v & 0xffffff);
    out[o + 1] = converted(uint8, target, v >>> 24);
  }),
  d32s8: each(8, (out, o, src, s, target) => {
    out[o] = converted(float32, target, word(src, s));
    out[o + 1] = converted(uint8, target, src[s + 4]!);
  }),
};

function decoderOf(format: TexelFormat): Decoder {
  const decoder = DECODERS[format];
  if (!decoder) throw new RangeError(`not a plain format: ${format}`);
  return decoder;
}

/** Decodes `count` texels of a plain format to RGBA8. */
export function decodeTexels(
  format: TexelFormat,
  out: Uint8Array,
  o: number,
  src: Uint8Array,
  s: number,
  count: number,
): void {
  if (format === 'rgba8') out.set(src.subarray(s, s + 4 * count), o);
  else decoderOf(format)(out, o, src, s, count, 'bytes');
}

/** The same to RGBA16F, four numbers for each texel. */
export function decodeTexelsHalf(
  format: TexelFormat,
  out: Uint16Array,
  o: number,
  src: Uint8Array,
  s: number,
  count: number,
): void {
  decoderOf(format)(out, o, src, s, count, 'halves');
}

/** Fills `size` bytes of `out` from `o` on with numbers of 16 bits, of which `write` is given an array. */
export function writeHalves(out: Uint8Array, o: number, size: number, write: (halves: Uint16Array) => void): void {
  const aligned = (out.byteOffset + o) % 2 === 0;
  const halves = aligned ? new Uint16Array(out.buffer, out.byteOffset + o, size / 2) : new Uint16Array(size / 2);
  write(halves);
  if (!aligned) out.set(new Uint8Array(halves.buffer), o);
}

/** What channel source `source` gives of the texel at `s`. */
function selected(texels: Texels, s: number, source: number, one: number): number {
  return source >= 2 && source <= 5 ? texels[s + source - 2]! : source === 1 ? one : 0;
}

/** Chooses the channels of texels; `out` may be `texels`. */
function select(texels: Texels, sources: number, out: Texels, one: number): void {
  const [sr, sg, sb, sa] = [sources & 255, (sources >>> 8) & 255, (sources >>> 16) & 255, sources >>> 24] as const;
  for (let i = 0; i < out.length; i += 4) {
    const r = selected(texels, i, sr, one);
    const g = selected(texels, i, sg, one);
    const b = selected(texels, i, sb, one);
    const a = selected(texels, i, sa, one);
    out[i] = r;
    out[i + 1] = g;
    out[i + 2] = b;
    out[i + 3] = a;
  }
}

export const pixel: PixelKernels = {
  decode(format, texels, out) {
    const count = Math.floor(texels.length / ELEMENT_SIZE[format]);
    const rgba = output(4 * count, out);
    decodeTexels(format, rgba, 0, texels, 0, count);
    return rgba;
  },
  decodeHalf(format, texels, out) {
    const count = Math.floor(texels.length / ELEMENT_SIZE[format]);
    const rgba = output(8 * count, out);
    writeHalves(rgba, 0, 8 * count, (halves) => decodeTexelsHalf(format, halves, 0, texels, 0, count));
    return rgba;
  },
  selectChannels(rgba, sources, out) {
    const result = output(rgba.length & ~3, out);
    select(rgba, sources, result, 255);
    return result;
  },
  selectChannelsHalf(rgba, sources, out) {
    const size = rgba.length & ~7;
    const result = output(size, out);
    const source = new Uint16Array(size / 2);
    new Uint8Array(source.buffer).set(rgba.subarray(0, size));
    writeHalves(result, 0, size, (halves) => select(source, sources, halves, HALF_ONE));
    return result;
  },
};
