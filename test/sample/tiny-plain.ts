/**
 * The plainest possible decoder of plain formats, by their names alone: the fields of a texel and their bits, the lowest
 * ones first.
 */

/** A float of five bits of exponent, with or without a sign. */
function smallFloat(v: number, bits: number): number {
  const fraction = bits === 16 ? 10 : bits - 5;
  const exponent = (v >> fraction) & 31;
  const rest = (v & (2 ** fraction - 1)) / 2 ** fraction;
  const size = exponent ? (1 + rest) * 2 ** (exponent - 15) : rest * 2 ** -14;
  return bits === 16 && v & 0x8000 ? -size : size;
}

function toByte(v: number, bits: number, type: string): number {
  const signed = Number(BigInt.asIntN(bits, BigInt(v)));
  const clamped = (x: number): number => Math.floor(Math.min(Math.max(x, 0), 1) * 255 + 0.5);
  switch (type) {
    case 'SNORM':
      return clamped(Math.max(signed / (2 ** (bits - 1) - 1), -1) * 0.5 + 0.5);
    case 'UINT':
      return Math.min(v, 255);
    case 'SINT':
      return Math.min(Math.max(signed, 0), 255);
    case 'FLOAT':
      return clamped(bits < 32 ? smallFloat(v, bits) : new Float32Array(Uint32Array.of(v).buffer)[0]!);
    default:
      return clamped(v / (2 ** bits - 1));
  }
}

const fieldsOf = (name: string): [letter: string, bits: number][] =>
  Array.from(name.matchAll(/([A-Z])(\d+)/g), ([, letter, bits]) => [letter!, Number(bits)]);

/** Bytes of a texel; 0 where the name is none of a plain format. */
export function texelSize(name: string): number {
  if (/^(BC|ASTC)/.test(name)) return 0;
  const bits = fieldsOf(name).reduce((sum, [, count]) => sum + count, 0);
  // Nine bits three times, and five of exponent.
  return bits / 8 + (name === 'D32S8' ? 3 : 0);
}

/** The texel that these bytes hold, of a format such as `R5G6B5` and `UNORM`. */
export function plainTexel(name: string, type: string, bytes: Uint8Array): [number, number, number, number] {
  let rest = bytes.reduceRight((sum, byte) => 256n * sum + BigInt(byte), 0n);
  const fields = new Map<string, { v: number; bits: number }>();
  for (const [letter, bits] of fieldsOf(name)) {
    fields.set(letter, { v: Number(rest % 2n ** BigInt(bits)), bits });
    rest /= 2n ** BigInt(bits);
  }
  const exponent = fields.get('E');
  const channel = (letter: string, missing: number): number => {
    const field = fields.get(letter);
    if (!field) return missing;
    if (exponent) return Math.floor(Math.min(field.v * 2 ** (exponent.v - 24), 1) * 255 + 0.5);
    return toByte(field.v, field.bits, type);
  };
  const depth = fields.get('D');
  if (depth) {
    const red = toByte(depth.v, depth.bits, depth.bits === 32 ? 'FLOAT' : 'UNORM');
    return [red, fields.get('S')?.v ?? 0, 0, 255];
  }
  return [channel('R', 0), channel('G', 0), channel('B', 0), channel('A', 255)];
}
