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
const NO_COMPRESSION = 0;
const INCREASING_Y = 0;
const LINE_HEADER_SIZE = 8;
const TEXEL_SIZE = 8;

/** Writes an RGBA picture from top to bottom: `start`, then `rows` until all are there. Alpha is not multiplied in. */
export class ExrWriter {
  readonly #width: number;
  readonly #height: number;
  readonly #lineSize: number;
  #y = 0;

  /** Extents in texels, at least 1. */
  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#lineSize = LINE_HEADER_SIZE + TEXEL_SIZE * width;
  }

  /** The header and the table of lines: what comes before the first row. */
  start(): Uint8Array {
    const window = [0, 0, this.#width - 1, this.#height - 1].flatMap(u32);
    // Each with its type, whether it is linear, and how many texels it has one value for, across and down.
    const channels = CHANNELS.flatMap(([name]) => [...text(name), ...u32(HALF), ...u32(0), ...u32(1), ...u32(1)]);
    const header = [
      ...u32(MAGIC),
      ...u32(VERSION),
      ...attribute('channels', 'chlist', [...channels, 0]),
      ...attribute('compression', 'compression', [NO_COMPRESSION]),
      ...attribute('dataWindow', 'box2i', window),
      ...attribute('displayWindow', 'box2i', window),
      ...attribute('lineOrder', 'lineOrder', [INCREASING_Y]),
      ...attribute('pixelAspectRatio', 'float', f32(1)),
      ...attribute('screenWindowCenter', 'v2f', [...f32(0), ...f32(0)]),
      ...attribute('screenWindowWidth', 'float', f32(1)),
      0,
    ];
    const out = new Uint8Array(header.length + 8 * this.#height);
    out.set(header);
    const view = new DataView(out.buffer, header.length);
    for (let y = 0; y < this.#height; y++) view.setBigUint64(8 * y, BigInt(out.length + y * this.#lineSize), true);
    return out;
  }

  /**
   * The lines of the next rows; `rgba` are little-endian half floats, 8 bytes a texel. Throws a RangeError when they are
   * not whole rows, or more than there are left.
   */
  rows(rgba: Uint8Array): Uint8Array {
    const size = TEXEL_SIZE * this.#width;
    const count = rgba.length / size;
    if (!Number.isInteger(count)) throw new RangeError(`${rgba.length} bytes: whole rows of ${size} are needed`);
    const left = this.#height - this.#y;
    if (count > left) throw new RangeError(`${count} rows are more than the ${left} that are left`);
    const out = new Uint8Array(count * this.#lineSize);
    const view = new DataView(out.buffer);
    for (let row = 0; row < count; row++) {
      const line = row * this.#lineSize;
      view.setInt32(line, this.#y++, true);
      view.setInt32(line + 4, size, true);
      let at = line + LINE_HEADER_SIZE;
      for (const [, place] of CHANNELS) {
        for (let from = row * size + 2 * place; from < (row + 1) * size; from += TEXEL_SIZE, at += 2) {
          out[at] = rgba[from]!;
          out[at + 1] = rgba[from + 1]!;
        }
      }
    }
    return out;
  }
}

function text(value: string): number[] {
  return [...new TextEncoder().encode(value), 0];
}

function u32(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24];
}

function f32(value: number): number[] {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value, true);
  return u32(view.getUint32(0, true));
}

function attribute(name: string, type: string, value: readonly number[]): number[] {
  return [...text(name), ...text(type), ...u32(value.length), ...value];
}
