import type { Extent } from '../kernels/contract.ts';

/** The extents of a picture's thumbnail: reduced by one factor until none is above `limit`, and never below 1. */
export function thumbnailExtent({ width, height }: Extent, limit: number): Extent {
  const factor = Math.min(1, limit / Math.max(width, height));
  const reduced = (extent: number): number => Math.max(1, Math.round(extent * factor));
  return { width: reduced(width), height: reduced(height) };
}

/**
 * Reduces a picture while its rows come: a pixel of the thumbnail is the mean of a box of pixels, each of which is in
 * one box alone. Colours are multiplied by their alpha, so that what is transparent has no share.
 */
export class Thumbnail {
  readonly #source: Extent;
  readonly #extent: Extent;
  readonly #rgba: Uint8Array;
  /** the column of each column of the picture, and how many have it */
  readonly #columns: Uint32Array;
  readonly #counts: Uint32Array;
  /** of the boxes of a row */
  readonly #sums: Float64Array;
  /** rows of the picture that are done, and those that are in the sums */
  #y = 0;
  #summed = 0;

  /** `source`: extents of the picture; `limit`: as for {@link thumbnailExtent}. */
  constructor(source: Extent, limit: number) {
    this.#source = source;
    const { width, height } = (this.#extent = thumbnailExtent(source, limit));
    this.#rgba = new Uint8Array(4 * width * height);
    this.#columns = Uint32Array.from({ length: source.width }, (_, x) => Math.floor((x * width) / source.width));
    this.#counts = new Uint32Array(width);
    for (const column of this.#columns) this.#counts[column]!++;
    this.#sums = new Float64Array(4 * width);
  }

  /** Takes the next rows, whole ones in RGBA8. */
  rows(rgba: Uint8Array): void {
    const { width } = this.#source;
    for (let at = 0; at < rgba.length; at += 4 * width) {
      this.#add(rgba, at);
      const row = this.#rowOf(this.#y++);
      this.#summed++;
      if (this.#rowOf(this.#y) !== row) this.#finishRow(row);
    }
  }

  /** RGBA8 with its colours multiplied by alpha; whole when all rows were taken. */
  get rgba(): Uint8Array {
    return this.#rgba;
  }

  #rowOf(y: number): number {
    return Math.floor((y * this.#extent.height) / this.#source.height);
  }

  #add(rgba: Uint8Array, start: number): void {
    const sums = this.#sums;
    const columns = this.#columns;
    for (let x = 0, at = start; x < columns.length; x++, at += 4) {
      const to = 4 * columns[x]!;
      const alpha = rgba[at + 3]!;
      sums[to]! += rgba[at]! * alpha;
      sums[to + 1]! += rgba[at + 1]! * alpha;
      sums[to + 2]! += rgba[at + 2]! * alpha;
      sums[to + 3]! += 255 * alpha;
    }
  }

  #finishRow(row: number): void {
    const sums = this.#sums;
    const start = sums.length * row;
    for (let i = 0; i < sums.length; i++) {
      this.#rgba[start + i] = Math.round(sums[i]! / (255 * this.#counts[i >> 2]! * this.#summed));
    }
    sums.fill(0);
    this.#summed = 0;
  }
}
