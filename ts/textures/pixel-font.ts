/**
 * A small pixel font, for captions and for the sample. A glyph is eight rows of five pixels, one base-32 digit a row with the
 * leftmost pixel in its highest bit. Capitals fill rows 0 to 6; row 7 is for descenders.
 */
const GLYPHS = new Map<string, Glyph>();

const addGlyphs = (characters: string, rows: string): void =>
  rows.split(' ').forEach((digits, i) => GLYPHS.set(characters[i]!, glyphOf(digits)));

addGlyphs(' !"#$%&\'', '00000000 44444040 aaa00000 aavavaa0 4fke5u40 op248j30 cik8lid0 44800000');
addGlyphs('()*+,-./', '24888420 84222480 04lel400 044v4400 00000448 000e0000 00000cc0 01248g00');
addGlyphs('01234567', 'ehjlphe0 4c4444e0 eh1248v0 v2421he0 26aiv220 vgu11he0 68guhhe0 v1248880');
addGlyphs('89:;<=>?', 'ehhehhe0 ehhf12c0 0cc0cc00 0cc0c480 248g8420 00v0v000 84212480 eh124040');
addGlyphs('@ABCDEFG', 'ehnlnge0 ehhvhhh0 uhhuhhu0 ehggghe0 sihhhis0 vgguggv0 vgguggg0 ehgnhhf0');
addGlyphs('HIJKLMNO', 'hhhvhhh0 e44444e0 72222ic0 hikokih0 ggggggv0 hrllhhh0 hhpljhh0 ehhhhhe0');
addGlyphs('PQRSTUVW', 'uhhuggg0 ehhhlid0 uhhukih0 fgge11u0 v4444440 hhhhhhe0 hhhhha40 hhhllla0');
addGlyphs('XYZ[\\]^_', 'hha4ahh0 hhha4440 v1248gv0 e88888e0 0g842100 e22222e0 4ah00000 0000000v');
addGlyphs('`abcdefg', '84200000 00e1fhf0 ggmphhu0 00fgggf0 11djhhf0 00ehvge0 698s8880 00fhhf1e');
addGlyphs('hijklmno', 'ggmphhh0 40c444e0 2062222c ggikoki0 c44444e0 00qllhh0 00mphhh0 00ehhhe0');
addGlyphs('pqrstuvw', '00uhhugg 00fhhf11 00mpggg0 00fge1u0 88s88960 00hhhjd0 00hhha40 00hhlla0');
addGlyphs('xyz{|}~', '00ha4ah0 00hhhf1e 00v248v0 64484460 44444440 c44244c0 008l2000');
addGlyphs('éüß€★', '24ehvge0 a0hhhjd0 cikihmg0 78s8s870 04evea00');

export const GLYPH_HEIGHT = 8;

/** One character: its ink starts at column 0 and is `width` pixels wide. */
export interface Glyph {
  width: number;
  ink(x: number, y: number): boolean;
}

function glyphOf(digits: string): Glyph {
  const rows = digits.split('').map((digit) => Number.parseInt(digit, 32));
  const columns = rows.reduce((all, row) => all | row, 0);
  if (columns === 0) return { width: 2, ink: () => false };
  const left = Math.clz32(columns) - 27;
  const right = 5 - (31 - Math.clz32(columns & -columns));
  return {
    width: right - left,
    ink: (x, y) => x >= 0 && x < right - left && ((rows[y] ?? 0) >> (4 - left - x)) % 2 === 1,
  };
}

/** The glyph of a character, or of `?` when the font lacks it. */
export const glyph = (character: string): Glyph => GLYPHS.get(character) ?? GLYPHS.get('?')!;
