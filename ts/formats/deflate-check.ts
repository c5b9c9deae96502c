/**
 * Tells whether bytes can be a deflate stream (RFC 1951), by decoding its symbols without keeping what they give. A zlib
 * header is two bytes that occur in any data; this is what makes it sure.
 */

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
];
const LENGTHS = [...LENGTH_BASE, 195, 227, 258];
const DISTANCE_CODES = 30;
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A canonical Huffman code: how many codes of each length, and the symbols in the order of their codes. */
interface Code {
  counts: Uint16Array;
  symbols: number[];
}

class EndOfInput extends Error {}
class Invalid extends Error {}

/** Makes the code of `lengths`; one that is over-full, or not full though it has more than one symbol, is invalid. */
function makeCode(lengths: readonly number[]): Code {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  let left = 1;
  for (let length = 1; length < 16; length++) left = left * 2 - counts[length]!;
  const symbols: number[] = [];
  for (let length = 1; length < 16; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) if (lengths[symbol] === length) symbols.push(symbol);
  }
  if (left < 0 || (left > 0 && symbols.length > 1)) throw new Invalid();
  return { counts, symbols };
}

const FIXED_LITERALS = makeCode(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)));
const FIXED_DISTANCES = makeCode(Array.from({ length: 32 }, () => 5));

class Bits {
  readonly #bytes: Uint8Array;
  #bit: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#bit = start * 8;
  }

  take(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.#bit++) {
      const byte = this.#bytes[this.#bit >> 3];
      if (byte === undefined) throw new EndOfInput();
      value |= ((byte >> (this.#bit & 7)) & 1) << i;
    }
    return value;
  }

  symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length < 16; length++) {
      code |= this.take(1);
      const count = counts[length]!;
      if (code - first < count) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Invalid();
  }

  /** Offset of the first byte of which no bit is taken. */
  get byteOffset(): number {
    return (this.#bit + 7) >> 3;
  }

  toByte(): void {
    this.#bit = 8 * this.byteOffset;
  }
}

function readCodes(bits: Bits): [Code, Code] {
  const literals = bits.take(5) + 257;
  const distances = bits.take(5) + 1;
  const described = bits.take(4) + 4;
  if (literals > 286 || distances > DISTANCE_CODES) throw new Invalid();
  const order = Array.from({ length: 19 }, () => 0);
  for (let i = 0; i < described; i++) order[CODE_LENGTH_ORDER[i]!] = bits.take(3);
  const code = makeCode(order);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const symbol = bits.symbol(code);
    if (symbol < 16) lengths.push(symbol);
    else {
      const value = symbol === 16 ? lengths.at(-1) : 0;
      if (value === undefined) throw new Invalid();
      const count = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
      for (let i = 0; i < count; i++) lengths.push(value);
    }
  }
  if (lengths.length > literals + distances || !lengths[256]) throw new Invalid();
  return [makeCode(lengths.slice(0, literals)), makeCode(lengths.slice(literals))];
}

/** Reads one block and gives how many bytes have been produced after it. */
function checkBlock(bits: Bits, produced: number): number {
  const type = bits.take(2);
  if (type === 0) {
    bits.toByte();
    const length = bits.take(16);
    if (bits.take(16) !== (~length & 0xffff)) throw new Invalid();
    for (let i = 0; i < length; i++) bits.take(8);
    return produced + length;
  }
  if (type === 3) throw new Invalid();
  const [literals, distances] = type === 1 ? [FIXED_LITERALS, FIXED_DISTANCES] : readCodes(bits);
  for (;;) {
    const symbol = bits.symbol(literals);
    if (symbol === 256) return produced;
    if (symbol < 256) {
      produced++;
      continue;
    }
    const base = LENGTHS[symbol - 257];
    if (base === undefined) throw new Invalid();
    const extra = symbol < 265 || symbol === 285 ? 0 : (symbol - 261) >> 2;
    produced += base + bits.take(extra);
    const code = bits.symbol(distances);
    if (code >= DISTANCE_CODES) throw new Invalid();
    const distanceBits = code < 2 ? 0 : (code >> 1) - 1;
    const distance = 1 + (code < 2 ? code : (2 + (code & 1)) << distanceBits) + bits.take(distanceBits);
    if (distance > produced) throw new Invalid();
  }
}

/** Bytes of the checksum after the stream of a zlib file. */
const ADLER_SIZE = 4;

/**
 * Whether the bytes from `start` of a file of `size` bytes are the beginning of a deflate stream, or a whole one with a
 * checksum after it.
 */
export function looksDeflated(bytes: Uint8Array, start: number, size: number): boolean {
  const bits = new Bits(bytes, start);
  try {
    let produced = 0;
    for (let last = false; !last;) {
      last = bits.take(1) === 1;
      produced = checkBlock(bits, produced);
    }
    return bits.byteOffset + ADLER_SIZE === size;
  } catch (error) {
    if (error instanceof EndOfInput) return bytes.length < size;
    if (error instanceof Invalid) return false;
    throw error;
  }
}
