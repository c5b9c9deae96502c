import { writeBntx } from './bntx.ts';
import { FORMATS } from './formats.ts';
import type { FormatName } from './formats.ts';
import { FileImage } from './nn.ts';
import { flipped } from './picture.ts';
import type { Picture } from './picture.ts';
import { glyph, GLYPH_HEIGHT } from '../../ts/textures/pixel-font.ts';
import { alignUp } from './swizzle.ts';

/** How a glyph sits on the line, in pixels. */
export interface CharacterWidths {
  left: number;
  glyph: number;
  advance: number;
}

/** A code map: which glyph each character code has. */
export type CodeMap =
  | { method: 'direct'; first: number; last: number; base: number }
  | { method: 'table'; first: number; last: number; glyphs: readonly number[] }
  | { method: 'scan'; entries: readonly { code: number; glyph: number }[] };

export interface BffntFile {
  height: number;
  width: number;
  ascent: number;
  lineFeed: number;
  alternateGlyph: number;
  defaultWidths: CharacterWidths;
  cell: { width: number; height: number; baseline: number; maxWidth: number; columns: number; rows: number };
  sheets: readonly Picture[];
  format: FormatName;
  channels: string;
  /** by glyph */
  widths: readonly CharacterWidths[];
  codeMaps: readonly CodeMap[];
}

const SHEET_FORMATS: Partial<Record<FormatName, number>> = { BC4_UNORM: 12, R8G8B8A8_SRGB: 14 };
const METHODS = ['direct', 'table', 'scan'] as const;
const NO_GLYPH = 0xffff;

const FINF = 0x14;
const TGLP = 0x34;
const SHEET_DATA = 0x1000;
const CMAP_HEADER = 0x18;

function codeMapDataSize(map: CodeMap): number {
  if (map.method === 'direct') return 4;
  return map.method === 'table' ? alignUp(2 * map.glyphs.length, 4) : 4 + 8 * map.entries.length;
}

function writeCodeMap(image: FileImage, at: number, map: CodeMap, next: number): void {
  image.ascii(at, 'CMAP');
  image.u32(at + 0x04, CMAP_HEADER + codeMapDataSize(map));
  image.u32(at + 0x08, map.method === 'scan' ? 0 : map.first);
  image.u32(at + 0x0c, map.method === 'scan' ? 0xffff : map.last);
  image.u16(at + 0x10, METHODS.indexOf(map.method));
  image.u32(at + 0x14, next);
  const data = at + CMAP_HEADER;
  if (map.method === 'direct') {
    image.u16(data, map.base);
  } else if (map.method === 'table') {
    map.glyphs.forEach((index, i) => image.u16(data + 2 * i, index));
  } else {
    image.u16(data, map.entries.length);
    map.entries.forEach((e, i) => {
      image.u32(data + 4 + 8 * i, e.code);
      image.u16(data + 4 + 8 * i + 4, e.glyph);
    });
  }
}

function sheetFile({ sheets, format, channels }: BffntFile): Uint8Array {
  const { width, height } = sheets[0]!;
  return writeBntx({
    name: '0',
    version: [4, 0, 0],
    textures: [
      {
        name: '0',
        format,
        dimension: '2d-array',
        width,
        height,
        depth: 1,
        layers: sheets.length,
        mips: 1,
        // Sheets are stored upside down.
        levels: sheets.map((sheet) => [FORMATS[format].encode(flipped(sheet))]),
        channels,
      },
    ],
  });
}

/** A Switch font, version 4.1: its sheets are the layers of one texture in a BNTX. */
export function writeBffnt(font: BffntFile): Uint8Array {
  const { cell, sheets, widths, codeMaps } = font;
  const sheetFormat = SHEET_FORMATS[font.format];
  if (sheetFormat === undefined) throw new RangeError(`no font has sheets of ${font.format}`);
  const bntx = sheetFile(font);
  const cwdh = SHEET_DATA + alignUp(bntx.length, 4);
  const cwdhSize = alignUp(0x10 + 3 * widths.length, 4);
  let end = cwdh + cwdhSize;
  const maps = codeMaps.map((map) => {
    const at = end;
    end += CMAP_HEADER + codeMapDataSize(map);
    return { map, at };
  });

  const image = new FileImage(end);
  image.ascii(0x00, 'FFNT');
  image.u16(0x04, 0xfeff);
  image.u16(0x06, FINF);
  image.u32(0x08, 0x04010000);
  image.u32(0x0c, end);
  image.u16(0x10, 3 + maps.length);

  const putWidths = (at: number, { left, glyph: ink, advance }: CharacterWidths): void =>
    image.set(at, [left & 255, ink, advance]);
  image.ascii(FINF, 'FINF');
  image.u32(FINF + 0x04, TGLP - FINF);
  image.u8(FINF + 0x08, 1); // texture glyphs
  image.u8(FINF + 0x09, font.height);
  image.u8(FINF + 0x0a, font.width);
  image.u8(FINF + 0x0b, font.ascent);
  image.u16(FINF + 0x0c, font.lineFeed);
  image.u16(FINF + 0x0e, font.alternateGlyph);
  putWidths(FINF + 0x10, font.defaultWidths);
  image.u8(FINF + 0x13, 1); // UTF-16
  image.u32(FINF + 0x14, TGLP + 8);
  image.u32(FINF + 0x18, cwdh + 8);
  image.u32(FINF + 0x1c, maps[0]!.at + 8);

  image.ascii(TGLP, 'TGLP');
  image.u32(TGLP + 0x04, cwdh - TGLP);
  image.u8(TGLP + 0x08, cell.width);
  image.u8(TGLP + 0x09, cell.height);
  image.u8(TGLP + 0x0a, sheets.length);
  image.u8(TGLP + 0x0b, cell.maxWidth);
  image.u32(TGLP + 0x0c, bntx.length / sheets.length);
  image.u16(TGLP + 0x10, cell.baseline);
  image.u16(TGLP + 0x12, sheetFormat);
  image.u16(TGLP + 0x14, cell.columns);
  image.u16(TGLP + 0x16, cell.rows);
  image.u16(TGLP + 0x18, sheets[0]!.width);
  image.u16(TGLP + 0x1a, sheets[0]!.height);
  image.u32(TGLP + 0x1c, SHEET_DATA);
  image.set(SHEET_DATA, bntx);

  image.ascii(cwdh, 'CWDH');
  image.u32(cwdh + 0x04, cwdhSize);
  image.u16(cwdh + 0x0a, widths.length - 1);
  widths.forEach((w, i) => putWidths(cwdh + 0x10 + 3 * i, w));
  maps.forEach(({ map, at }, i) => {
    const next = maps[i + 1];
    writeCodeMap(image, at, map, next ? next.at + 8 : 0);
  });
  return image.bytes;
}

const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i));
const ACCENTED = ['é', 'ü'];
const SYMBOLS = ['€', '★'];
const MAGNIFIED = 2;

/**
 * The pixel font as a BFFNT: ASCII by a direct map, two accented letters by a table, two symbols by a scan map. Two
 * sheets, so that the texture has layers.
 */
export function sampleFont(): BffntFile {
  const characters = [...ASCII, 'ß', ...ACCENTED, ...SYMBOLS];
  const glyphs = characters.map(glyph);
  const [columns, rows] = [10, 5];
  const cell = {
    width: 5 * MAGNIFIED,
    height: GLYPH_HEIGHT * MAGNIFIED,
    baseline: 7 * MAGNIFIED,
    maxWidth: 12,
    columns,
    rows,
  };
  const [width, height] = [128, 128];
  const sheets = Array.from({ length: Math.ceil(glyphs.length / (columns * rows)) }, (_, sheet) => {
    const rgba = new Uint8Array(4 * width * height);
    glyphs.slice(sheet * columns * rows, (sheet + 1) * columns * rows).forEach((g, i) => {
      const left = (i % columns) * (cell.width + 1) + 1;
      const top = Math.floor(i / columns) * (cell.height + 1) + 1;
      for (let y = 0; y < cell.height; y++) {
        for (let x = 0; x < cell.width; x++) {
          if (!g.ink(Math.floor(x / MAGNIFIED), Math.floor(y / MAGNIFIED))) continue;
          rgba.fill(255, 4 * ((top + y) * width + left + x), 4 * ((top + y) * width + left + x) + 4);
        }
      }
    });
    return { width, height, rgba };
  });
  const index = (character: string): number => characters.indexOf(character);
  const code = (character: string): number => character.codePointAt(0)!;
  const [first, last] = [code('ß'), code('ü')];
  return {
    height: 20,
    width: 12,
    ascent: 16,
    lineFeed: 20,
    alternateGlyph: index('?'),
    defaultWidths: { left: 0, glyph: cell.width, advance: cell.width + 2 },
    cell,
    sheets,
    format: 'BC4_UNORM',
    channels: '111R',
    widths: glyphs.map((g) => ({ left: 0, glyph: g.width * MAGNIFIED, advance: (g.width + 1) * MAGNIFIED })),
    codeMaps: [
      { method: 'direct', first: 0x20, last: 0x7e, base: 0 },
      {
        method: 'table',
        first,
        last,
        glyphs: Array.from({ length: last - first + 1 }, (_, i) => {
          const at = index(String.fromCodePoint(first + i));
          return at < 0 ? NO_GLYPH : at;
        }),
      },
      { method: 'scan', entries: SYMBOLS.map((s) => ({ code: code(s), glyph: index(s) })) },
    ],
  };
}
