import { byteOfFloat, bytesOfHalves, halfOf } from './half.ts';

/** Which of the two things that formats are decoded to: a number for each channel, and what alpha is without one. */
export type Target = 'bytes' | 'halves';

type Type = 'unorm' | 'snorm' | 'uint' | 'sint' | 'float';

/** What a channel holds, as `pixel` in the WIT has it. */
export interface Channel {
  type: Type;
  bits: number;
}

/** The number that bits stand for. */
function valueOf({ type, bits }: Channel, stored: number): number {
  const signed = (stored << (32 - bits)) >> (32 - bits);
  const greatest = 2 ** (bits - 1) - 1;
  switch (type) {
    case 'unorm':
      return stored / (2 ** bits - 1);
    case 'snorm':
      return Math.max(signed / greatest, -1);
    case 'sint':
      return signed;
    default:
      return stored;
  }
}

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** The byte or half float that the bits of a channel become. */
export function converted(channel: Channel, target: Target, stored: number): number {
  if (channel.type === 'float') {
    if (channel.bits === 16) return target === 'halves' ? stored : bytesOfHalves()[stored]!;
    word[0] = stored;
    const value = float[0]!;
    if (target === 'bytes') return byteOfFloat(value);
    // The sign of a NaN may be lost in a number.
    return Number.isNaN(value) ? 0x7e00 | ((stored >>> 16) & 0x8000) : halfOf(value);
  }
  const value = valueOf(channel, stored);
  if (target === 'halves') return halfOf(value);
  switch (channel.type) {
    case 'unorm':
      return Math.floor(255 * value + 0.5);
    case 'snorm':
      return Math.floor((value * 0.5 + 0.5) * 255 + 0.5);
    default:
      return Math.min(Math.max(value, 0), 255);
  }
}

const tables = new Map<string, Uint16Array>();

/** What all the bits that a channel may have become; for channels of up to 16 bits. */
export function tableOf(channel: Channel, target: Target): Uint16Array {
  const key = `${channel.type}${channel.bits}${target}`;
  let table = tables.get(key);
  if (!table) {
    table = Uint16Array.from({ length: 2 ** channel.bits }, (_, stored) => converted(channel, target, stored));
    tables.set(key, table);
  }
  return table;
}
