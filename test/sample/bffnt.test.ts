import { describe, expect, it } from 'vitest';
import { sampleFont, writeBffnt } from '../../scripts/sample/bffnt.ts';
import type { BffntFile, CharacterWidths, CodeMap } from '../../scripts/sample/bffnt.ts';
import { HAS_CORPUS, readCorpus } from '../support/corpus.ts';
import { decodeElements, difference } from './tiny-decoder.ts';
import { formatName, NnFile, readBntx, readElements } from './tiny-reader.ts';

/** The sections of a font, and what the writer needs to make one like it. */
function takenApart(bytes: Uint8Array) {
  const file = new NnFile(bytes);
  const sections: { magic: string; at: number; size: number }[] = [];
  for (let at = file.u16(6); at < bytes.length; at += file.u32(at + 4)) {
    sections.push({ magic: file.magic(at), at, size: file.u32(at + 4) });
  }
  const [finf, tglp, cwdh] = ['FINF', 'TGLP', 'CWDH'].map((magic) => sections.find((s) => s.magic === magic)!.at) as [
    number,
    number,
    number,
  ];
  const widthsAt = (at: number): CharacterWidths => ({
    left: (file.u8(at) << 24) >> 24,
    glyph: file.u8(at + 1),
    advance: file.u8(at + 2),
  });
  const maps = sections
    .filter(({ magic }) => magic === 'CMAP')
    .map(({ at }): CodeMap => {
      const [first, last] = [file.u32(at + 8), file.u32(at + 12)];
      const data = at + 0x18;
      switch (file.u16(at + 16)) {
        case 0:
          return { method: 'direct', first, last, base: file.u16(data) };
        case 1: {
          const glyphs = Array.from({ length: last - first + 1 }, (_, i) => file.u16(data + 2 * i));
          return { method: 'table', first, last, glyphs };
        }
        default: {
          const entry = (i: number) => ({ code: file.u32(data + 4 + 8 * i), glyph: file.u16(data + 8 + 8 * i) });
          return { method: 'scan', entries: Array.from({ length: file.u16(data) }, (_, i) => entry(i)) };
        }
      }
    });
  const sheetCount = file.u8(tglp + 10);
  const sheetData = file.u32(tglp + 0x1c);
  const bntx = bytes.slice(sheetData, sheetData + file.u32(tglp + 12) * sheetCount);
  return {
    file,
    sections,
    tglp,
    cwdh,
    bntx,
    header: {
      height: file.u8(finf + 9),
      width: file.u8(finf + 10),
      ascent: file.u8(finf + 11),
      lineFeed: file.u16(finf + 12),
      alternateGlyph: file.u16(finf + 14),
      defaultWidths: widthsAt(finf + 16),
      cell: {
        width: file.u8(tglp + 8),
        height: file.u8(tglp + 9),
        baseline: file.u16(tglp + 16),
        maxWidth: file.u8(tglp + 11),
        columns: file.u16(tglp + 20),
        rows: file.u16(tglp + 22),
      },
      widths: Array.from({ length: file.u16(cwdh + 10) + 1 }, (_, i) => widthsAt(cwdh + 16 + 3 * i)),
      codeMaps: maps,
    } satisfies Partial<BffntFile>,
  };
}

/** Which glyph a character has, by the maps in their order. */
function glyphOf(maps: readonly CodeMap[], code: number): number {
  for (const map of maps) {
    if (map.method === 'scan') {
      const entry = map.entries.find((e) => e.code === code);
      if (entry) return entry.glyph;
    } else if (code >= map.first && code <= map.last) {
      const glyph = map.method === 'direct' ? map.base + code - map.first : map.glyphs[code - map.first]!;
      if (glyph !== 0xffff) return glyph;
    }
  }
  return -1;
}

describe.skipIf(!HAS_CORPUS)('against real fonts', () => {
  it.each(['IconFont16', 'NumberFont26'])('writes %s again but for the sheet and two layout bits', (name) => {
    const bytes = readCorpus(`ui/smoo/x/FontData.2a0d0e7/${name}.bffnt`);
    const { header, bntx, tglp, file } = takenApart(bytes);
    const [width, height] = [file.u16(tglp + 0x18), file.u16(tglp + 0x1a)];
    const blank = { width, height, rgba: new Uint8Array(4 * width * height) };
    const mine = writeBffnt({
      ...header,
      sheets: [blank],
      format: 'BC4_UNORM',
      channels: readBntx(bntx).textures[0]!.channels,
    });
    expect(mine.length).toBe(bytes.length);
    const { textures } = readBntx(bntx);
    const texels = 0x1000 + textures[0]!.mipPointers[0]!;
    const layout = 0x1000 + textures[0]!.at + 0x3a;
    const masked = (font: Uint8Array): Uint8Array => {
      const copy = font.slice();
      copy.fill(0, texels, texels + textures[0]!.dataSize);
      copy[layout] = 0;
      return copy;
    };
    expect(Buffer.compare(masked(mine), masked(bytes))).toBe(0);
  });
});

describe('the sample font', () => {
  const font = sampleFont();
  const bytes = writeBffnt(font);
  const { file, sections, tglp, cwdh, bntx, header } = takenApart(bytes);

  it('has its sections where its header says', () => {
    expect(file.magic(0)).toBe('FFNT');
    expect(file.u32(8)).toBe(0x04010000);
    expect(file.u32(12)).toBe(bytes.length);
    expect(sections.map(({ magic }) => magic)).toEqual(['FINF', 'TGLP', 'CWDH', 'CMAP', 'CMAP', 'CMAP']);
    expect(file.u16(16)).toBe(sections.length);
    const finf = sections[0]!.at;
    expect([0x14, 0x18, 0x1c].map((o) => file.u32(finf + o))).toEqual([tglp + 8, cwdh + 8, sections[3]!.at + 8]);
    expect(sections.slice(3).map(({ at }) => file.u32(at + 0x14))).toEqual([
      sections[4]!.at + 8,
      sections[5]!.at + 8,
      0,
    ]);
    for (const { size } of sections) expect(size % 4).toBe(0);
  });

  it('reads back as it was', () => {
    const { sheets: _sheets, format: _format, channels: _channels, ...rest } = font;
    expect(header).toEqual(rest);
  });

  it('finds glyphs by all three kinds of map', () => {
    expect(glyphOf(header.codeMaps, 0x41)).toBe(0x41 - 0x20);
    expect(glyphOf(header.codeMaps, 0xdf)).toBe(95);
    expect(glyphOf(header.codeMaps, 0xe9)).toBe(96);
    expect(glyphOf(header.codeMaps, 0xea)).toBe(-1);
    expect(glyphOf(header.codeMaps, 0x20ac)).toBe(98);
    expect(glyphOf(header.codeMaps, 0x2605)).toBe(99);
  });

  it('has its sheets upside down in a 2D array called 0', () => {
    const { textures } = readBntx(bntx);
    expect(textures.length).toBe(1);
    const texture = textures[0]!;
    expect(texture).toMatchObject({ name: '0', dimension: 5, layers: 2, channels: '111R', width: 128, height: 128 });
    font.sheets.forEach((sheet, layer) => {
      const decoded = decodeElements(formatName(texture.format), 128, 128, readElements(bntx, texture, layer, 0));
      const upright = new Uint8Array(decoded.length);
      for (let y = 0; y < 128; y++) upright.set(decoded.subarray(512 * y, 512 * y + 512), 512 * (127 - y));
      const red = (rgba: Uint8Array): Uint8Array => rgba.filter((_, i) => i % 4 === 0);
      expect(difference(red(upright), red(sheet.rgba)).max).toBe(0);
    });
  });

  it('has ink in each cell as wide as its glyph, and none between cells', () => {
    const { columns, rows, width: cellWidth, height: cellHeight } = font.cell;
    const inked = new Set<string>();
    header.widths.forEach(({ glyph, advance }, index) => {
      const sheet = font.sheets[Math.floor(index / (columns * rows))]!;
      const cell = index % (columns * rows);
      const left = (cell % columns) * (cellWidth + 1) + 1;
      const top = Math.floor(cell / columns) * (cellHeight + 1) + 1;
      let right = 0;
      for (let y = 0; y < cellHeight; y++) {
        for (let x = 0; x < cellWidth; x++) {
          if (!sheet.rgba[4 * ((top + y) * sheet.width + left + x)]) continue;
          right = Math.max(right, x + 1);
          inked.add(`${Math.floor(index / (columns * rows))} ${left + x} ${top + y}`);
        }
      }
      // A space has width but no ink.
      expect(right).toBe(index === 0 ? 0 : glyph);
      expect(advance).toBeGreaterThan(glyph);
    });
    const ink = font.sheets.reduce((sum, { rgba }) => sum + rgba.filter((v, i) => i % 4 === 0 && v > 0).length, 0);
    expect(ink).toBe(inked.size);
  });
});
