/** The ranges of quantised numbers in ASTC, and what they stand for. */

/** A range: `bits` low bits and above them a trit (`base` 3), a quint (5) or nothing (1). */
export interface Range {
  readonly bits: number;
  readonly base: 1 | 3 | 5;
  /** What each value is as a weight, 0 to 64; for the first twelve ranges only. */
  readonly weights: Uint8Array;
  /** What each value is as a colour, 0 to 255; from six values on. */
  readonly colours: Uint8Array;
}

/** The sizes that ranges have, in the order of the specification. */
const SIZES = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256];
const LARGEST_WEIGHT_RANGE = 32;
const SMALLEST_COLOUR_RANGE = 6;

/** The tables of the specification: B as letters for bits of the value (a is the lowest), and C. */
type Pattern = readonly [b: string, c: number];

const WEIGHT_PATTERNS: Readonly<Record<number, Pattern>> = {
  6: ['0000000', 50],
  10: ['0000000', 28],
  12: ['b000b0b', 23],
  20: ['b0000b0', 13],
  24: ['cb000cb', 11],
};

const COLOUR_PATTERNS: Readonly<Record<number, Pattern>> = {
  6: ['000000000', 204],
  10: ['000000000', 113],
  12: ['b000b0bb0', 93],
  20: ['b0000bb00', 54],
  24: ['cb000cbcb', 44],
  40: ['cb0000cbc', 26],
  48: ['dcb000dcb', 22],
  80: ['dcb0000dc', 13],
  96: ['edcb000ed', 11],
  160: ['edcb0000e', 6],
  192: ['fedcb000f', 5],
};

/** The number that a pattern makes of a value's bits. */
function fromPattern(pattern: string, value: number): number {
  return pattern.split('').reduce((sum, letter) => {
    const bit = letter === '0' ? 0 : (value >> (letter.charCodeAt(0) - 97)) & 1;
    return 2 * sum + bit;
  }, 0);
}

/** The bits of a value, repeated to fill `width` bits. */
function repeated(value: number, bits: number, width: number): number {
  const text = value.toString(2).padStart(bits, '0');
  return Number.parseInt(text.repeat(width).slice(0, width), 2);
}

function mixed(value: number, bits: number, [pattern, c]: Pattern): number {
  const width = pattern.length;
  const a = value & 1 ? 2 ** width - 1 : 0;
  const t = ((value >> bits) * c + fromPattern(pattern, value)) ^ a;
  return (a & (1 << (width - 2))) | (t >> 2);
}

function weightOf(value: number, size: number, bits: number): number {
  if (size === 3) return 32 * value;
  if (size === 5) return 16 * value;
  const pattern = WEIGHT_PATTERNS[size];
  const weight = pattern ? mixed(value, bits, pattern) : repeated(value, bits, 6);
  return weight > 32 ? weight + 1 : weight;
}

function colourOf(value: number, size: number, bits: number): number {
  const pattern = COLOUR_PATTERNS[size];
  return pattern ? mixed(value, bits, pattern) : repeated(value, bits, 8);
}

function rangeOf(size: number): Range {
  const base = size % 3 === 0 ? 3 : size % 5 === 0 ? 5 : 1;
  const bits = Math.log2(size / base);
  const table = (value: (v: number) => number): Uint8Array => Uint8Array.from({ length: size }, (_, v) => value(v));
  return {
    bits,
    base,
    weights: table((v) => (size <= LARGEST_WEIGHT_RANGE ? weightOf(v, size, bits) : 0)),
    colours: table((v) => (size >= SMALLEST_COLOUR_RANGE ? colourOf(v, size, bits) : 0)),
  };
}

// Tables are made when they are first asked for, as few who load the kernels need them.
const ranges: Range[] = [];

/** The range by its place in the order of the specification. */
export function rangeAt(i: number): Range {
  return (ranges[i] ??= rangeOf(SIZES[i]!));
}

/** Bits that `count` numbers of a range take. */
export function sequenceBits({ bits, base }: Range, count: number): number {
  const digits = base === 3 ? Math.ceil((8 * count) / 5) : base === 5 ? Math.ceil((7 * count) / 3) : 0;
  return bits * count + digits;
}

const SMALLEST = SIZES.indexOf(SMALLEST_COLOUR_RANGE);
/** What {@link colourRange} found, by count and bits. */
const fitting = Array.from<Range | null | undefined>({ length: 128 * 19 });

function fittingRange(count: number, bits: number): Range | null {
  for (let i = SIZES.length - 1; i >= SMALLEST; i--) {
    if (sequenceBits(rangeAt(i), count) <= bits) return rangeAt(i);
  }
  return null;
}

/** The largest range that `count` (2 to 18) colours in `bits` bits can have; null where even the smallest has no room. */
export function colourRange(count: number, bits: number): Range | null {
  if (bits < 0) return null;
  const key = 128 * count + bits;
  const range = fitting[key];
  return range === undefined ? (fitting[key] = fittingRange(count, bits)) : range;
}
