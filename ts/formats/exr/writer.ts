/** OpenEXR scan lines (OpenEXR file layout, version 2), half floats, not compressed: so that it can be written in one go. */

const MAGIC = 0x01312f76;
const VERSION = 2;
/** By alphabet, as the format wants them, with their place in RGBA. */
const CHANNELS = [
  ['A', 3],
  ['B', 2],
  ['G', 1],
  ['R', 0],
] as const;
const HALF = 1;
const LINE_HEADER_SIZE = 8;

/** Writes an RGBA picture from top to bottom. */
export class ExrWriter {
  readonly #width: number;
  readonly #height: number;
  #y = 0;

  /** Extents in texels. */
  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** The header and the table of lines: what comes before the first row. */
  start(): Uint8Array {
    const window = [0, 0, this.#width - 1, this.#height - 1];
    const channels = CHANNELS.map(([name]) => bytesOf(text(name), u32(HALF), u32(0), u32(1), u32(1)));
    const header = bytesOf(
      u32(MAGIC),
      u32(VERSION),
      attribute('channels', 'chlist', bytesOf(...channels, [0])),
      attribute('compression', 'compression', [0]),
      attribute('dataWindow', 'box2i', bytesOf(...window.map(u32))),
      attribute('displayWindow', 'box2i', bytesOf(...window.map(u32))),
      attribute('lineOrder', 'lineOrder', [0]),
      attribute('pixelAspectRatio', 'float', f32(1)),
      attribute('screenWindowCenter', 'v2f', bytesOf(f32(0), f32(0))),
      attribute('screenWindowWidth', 'float', f32(1)),
      [0],
    );
    const out = new Uint8Array(header.length + 8 * this.#height);
    out.set(header);
    const view = new DataView(out.buffer, header.length);
    for (let y = 0; y < this.#height; y++) {
      view.setBigUint64(8 * y, BigInt(out.length + y * (LINE_HEADER_SIZE + 8 * this.#width)), true);
    }
    return out;
  }

  /** The lines of some rows; `rgba` are little-endian half floats, 8 bytes a texel. */
  rows(rgba: Uint8Array): Uint8Array {
    const width = this.#width;
    const count = rgba.length / (8 * width);
    const lineSize = LINE_HEADER_SIZE + 8 * width;
    const out = new Uint8Array(count * lineSize);
    const view = new DataView(out.buffer);
    for (let row = 0; row < count; row++) {
      const line = row * lineSize;
      view.setInt32(line, this.#y++, true);
      view.setInt32(line + 4, 8 * width, true);
      for (const [i, [, place]] of CHANNELS.entries()) {
        let at = line + LINE_HEADER_SIZE + 2 * width * i;
        for (let from = 8 * width * row + 2 * place, x = 0; x < width; x++, from += 8, at += 2) {
          out[at] = rgba[from]!;
          out[at + 1] = rgba[from + 1]!;
        }
      }
    }
    return out;
  }
}

type Bytes = Uint8Array | number[];

function bytesOf(...parts: Bytes[]): number[] {
  return parts.flatMap((part) => [...part]);
}

function text(value: string): number[] {
  return [...new TextEncoder().encode(value), 0];
}

function u32(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24];
}

function f32(value: number): Uint8Array {
  return new Uint8Array(new Uint32Array(new Float32Array([value]).buffer).slice().buffer);
}

function attribute(name: string, type: string, value: Bytes): number[] {
  return bytesOf(text(name), text(type), u32(value.length), value);
}
