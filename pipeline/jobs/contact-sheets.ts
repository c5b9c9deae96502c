import type { Kernels } from '../../ts/kernels/index.ts';
import { glyph, GLYPH_HEIGHT } from '../../ts/textures/pixel-font.ts';
import { thumbnailExtent } from '../../ts/textures/thumbnail.ts';
import type { OutputFolder, StagedFile } from '../output/folder.ts';
import type { Platform } from '../platform.ts';
import { isFatal } from './failures.ts';
import type { Job, JobFailure, JobInput } from './job.ts';
import type { Placer } from './placer.ts';
import { pngFile } from './texture-outputs.ts';

/** Thumbnails are at most so wide and high, in pixels. */
export const THUMBNAIL_LIMIT = 128;

const COLUMNS = 16;
const MOST_PICTURES = 256;
const LINE_HEIGHT = GLYPH_HEIGHT + 2;
const CAPTION_LINES = 2;
/** Between two cells; half of it is around the sheet. */
const GAP = 8;
const CELL_WIDTH = THUMBNAIL_LIMIT + GAP;
const CAPTION_TOP = GAP / 2 + THUMBNAIL_LIMIT + 2;
const CELL_HEIGHT = THUMBNAIL_LIMIT + LINE_HEIGHT * CAPTION_LINES + GAP;
/** Grey values; what is transparent shows a pattern of two. */
const BACKGROUND = 0x20;
const INK = 0xe0;
const PATTERN = [0x66, 0x99] as const;
const PATTERN_SIZE = 8;

/** A picture of many pictures. */
export interface ContactSheet {
  kind: 'sheet';
  /** relative to the output folder */
  sheet: string;
  /** in pixels */
  width: number;
  height: number;
  pictures: SheetPicture[];
}

/** A picture's place on a contact sheet, in pixels from the top left. */
export interface SheetPicture {
  /** relative to the output folder */
  png: string;
  x: number;
  y: number;
  /** as it is shown */
  width: number;
  height: number;
}

interface Cell {
  png: string;
  /** of the picture, in pixels */
  width: number;
  height: number;
  /** undefined in a dry run */
  thumbnail: StagedFile | undefined;
}

export interface ContactSheetParts {
  job: Job;
  kernels: Kernels;
  platform: Platform;
  output: OutputFolder;
  placer: Placer;
  pngLevel: number;
  dryRun: boolean;
}

/** Writes contact sheets of the pictures that it is given, in their order; never holds more than a row of thumbnails. */
export class ContactSheets {
  readonly #parts: ContactSheetParts;
  #cells: Cell[] = [];
  /** of the last picture: the sheet is written anew when this is */
  #input: JobInput | undefined;
  count = 0;

  constructor(parts: ContactSheetParts) {
    this.#parts = parts;
  }

  /** Puts a picture, made of `input`, on the next sheet. */
  add(cell: Cell, input: JobInput): void {
    this.#cells.push(cell);
    this.#input = input;
  }

  /** Lets go of the thumbnail of a picture that is on no sheet. */
  discard(thumbnail: StagedFile | undefined): void {
    if (thumbnail) this.#parts.output.drop(thumbnail);
  }

  /** There are pictures for a whole sheet. */
  get isFull(): boolean {
    return this.#cells.length >= MOST_PICTURES;
  }

  /** Writes a sheet of the pictures since the last one, if there are any. Gives whether that ended the job. */
  async *write(): AsyncGenerator<ContactSheet | JobFailure, boolean, void> {
    const { job, placer, dryRun } = this.#parts;
    const cells = this.#cells;
    if (!cells.length) return false;
    this.#cells = [];
    const width = CELL_WIDTH * Math.min(cells.length, COLUMNS);
    const height = CELL_HEIGHT * Math.ceil(cells.length / COLUMNS);
    const made = { wanted: 'contact-sheet.png', path: 'contact-sheet.png', size: 0 };
    const sheet = placer.claim(made);
    try {
      const staged = dryRun ? undefined : await this.#draw(cells, width, height);
      placer.place({ ...made, staged }, this.#input!, false, sheet);
    } catch (error) {
      if (!isFatal(error)) {
        yield* job.failure(error, sheet, sheet);
        return false;
      }
      job.failed++;
      yield { kind: 'failure', file: sheet, error };
      return true;
    }
    this.count++;
    yield {
      kind: 'sheet',
      sheet,
      width,
      height,
      pictures: cells.map((cell, i) => ({ png: cell.png, ...placeOf(cell, i) })),
    };
    return false;
  }

  async #draw(cells: readonly Cell[], width: number, height: number): Promise<StagedFile> {
    const { kernels, platform, output, pngLevel } = this.#parts;
    const png = pngFile(kernels, platform, output, { width, height, srgb: false }, pngLevel);
    const band = new Uint8Array(4 * width * CELL_HEIGHT);
    try {
      for (let first = 0; first < cells.length; first += COLUMNS) {
        band.fill(BACKGROUND);
        for (let i = 3; i < band.length; i += 4) band[i] = 255;
        cells.slice(first, first + COLUMNS).forEach((cell, i) => {
          drawPicture(band, width, output.take(cell.thumbnail!), placeOf(cell, i));
          captionOf(/[^/]*(?=\.png$)/.exec(cell.png)![0]).forEach((line, n) => {
            drawLine(band, width, line, CELL_WIDTH * i + GAP / 2, CAPTION_TOP + LINE_HEIGHT * n);
          });
        });
        await png.rows({ bytes: band });
        await platform.yield();
      }
      return await png.finish();
    } finally {
      png.close();
    }
  }
}

/** Where a sheet shows its picture of that number: in the middle of its cell. */
function placeOf(cell: Cell, index: number): Omit<SheetPicture, 'png'> {
  const { width, height } = thumbnailExtent(cell, THUMBNAIL_LIMIT);
  const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)];
  return {
    x: CELL_WIDTH * column + ((CELL_WIDTH - width) >> 1),
    y: CELL_HEIGHT * row + GAP / 2 + ((THUMBNAIL_LIMIT - height) >> 1),
    width,
    height,
  };
}

/** Lays a thumbnail, whose colours are multiplied by its alpha, on the pattern. */
function drawPicture(
  band: Uint8Array,
  bandWidth: number,
  rgba: Uint8Array,
  { x: left, y: top, width, height }: Omit<SheetPicture, 'png'>,
): void {
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, to = 4 * ((top + y) * bandWidth + left); x < width; x++, from += 4, to += 4) {
      const grey = PATTERN[(Math.floor(x / PATTERN_SIZE) + Math.floor(y / PATTERN_SIZE)) & 1]!;
      const behind = Math.round((grey * (255 - rgba[from + 3]!)) / 255);
      // Each of the two may be rounded up.
      for (let c = 0; c < 3; c++) band[to + c] = Math.min(rgba[from + c]! + behind, 255);
    }
  }
}

/** A name in two lines: its beginning, and what is left or, where that is too long, the end of it. */
function captionOf(name: string): [string[], string[]] {
  const characters = Array.from(name);
  let first = characters.length;
  while (widthOf(characters.slice(0, first)) > THUMBNAIL_LIMIT) first--;
  let second = characters.slice(first);
  for (let from = first + 1; widthOf(second) > THUMBNAIL_LIMIT; from++) second = ['.', '.', ...characters.slice(from)];
  return [characters.slice(0, first), second];
}

/** Of a line, in pixels, with one between two characters. */
function widthOf(line: readonly string[]): number {
  return line.reduce((sum, character) => sum + glyph(character).width + 1, -1);
}

/** Draws a line of text; `left` and `top` are in pixels. */
function drawLine(band: Uint8Array, bandWidth: number, line: readonly string[], left: number, top: number): void {
  let x = left;
  for (const character of line) {
    const shape = glyph(character);
    for (let y = 0; y < GLYPH_HEIGHT; y++) {
      for (let i = 0; i < shape.width; i++) {
        const to = 4 * ((top + y) * bandWidth + x + i);
        if (shape.ink(i, y)) band.fill(INK, to, to + 3);
      }
    }
    x += shape.width + 1;
  }
}
