import { glyph, GLYPH_HEIGHT } from '../../ts/textures/pixel-font.ts';

interface TextLine {
  width: number;
  /** by column and row, eight rows a column */
  pixels: boolean[];
}

const LINES = new Map<string, TextLine>();

function layOut(line: string): TextLine {
  const pixels: boolean[] = [];
  for (const character of line) {
    const g = glyph(character);
    for (let x = 0; x <= g.width; x++) for (let y = 0; y < GLYPH_HEIGHT; y++) pixels.push(g.ink(x, y));
  }
  return { width: pixels.length / GLYPH_HEIGHT - 1, pixels };
}

/** A line of text: whether the point (in font pixels from its top left) is ink. */
export function textLine(line: string): { width: number; ink(x: number, y: number): boolean } {
  let laidOut = LINES.get(line);
  if (!laidOut) LINES.set(line, (laidOut = layOut(line)));
  const { width, pixels } = laidOut;
  return {
    width,
    ink: (x, y) => y >= 0 && y < GLYPH_HEIGHT && (pixels[GLYPH_HEIGHT * Math.floor(x) + Math.floor(y)] ?? false),
  };
}
