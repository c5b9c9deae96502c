import { ByteWriter } from './bytes.ts';
import { MatchFinder } from './match-finder.ts';

const MAX_DISTANCE = 0x1000;
const MAX_LENGTH = 0x111;
/** Longest match that two bytes can say. */
const SHORT_LENGTH = 0x11;

export interface Yaz0Options {
  /** the hint at offset 8: the largest alignment inside, 0 when there is none */
  alignment?: number;
}

/** Compresses `data`, greedily, but with a look whether the match one byte on is longer. */
export function encodeYaz0(data: Uint8Array, { alignment = 0 }: Yaz0Options = {}): Uint8Array {
  const out = new ByteWriter();
  out.bytes(new TextEncoder().encode('Yaz0'));
  for (const value of [data.length, alignment, 0]) for (const shift of [24, 16, 8, 0]) out.u8(value >>> shift);

  const finder = new MatchFinder(data, 3, 64);
  const find = (at: number) => finder.find(at, Math.min(data.length, at + MAX_LENGTH), Math.max(0, at - MAX_DISTANCE));
  let group: number[] = [];
  let flags = 0;
  let codes = 0;
  const flush = (): void => {
    out.u8(flags << (8 - codes));
    out.bytes(Uint8Array.from(group));
    [group, flags, codes] = [[], 0, 0];
  };
  for (let at = 0; at < data.length;) {
    let match = find(at);
    if (match.length > 0 && find(at + 1).length > match.length) match = { at: 0, length: 0 };
    flags = (flags << 1) | (match.length ? 0 : 1);
    if (match.length) {
      const distance = at - match.at - 1;
      const short = match.length <= SHORT_LENGTH;
      group.push(((short ? match.length - 2 : 0) << 4) | (distance >> 8), distance & 0xff);
      if (!short) group.push(match.length - 0x12);
      at += match.length;
    } else group.push(data[at++]!);
    if (++codes === 8) flush();
  }
  if (codes) flush();
  return out.take();
}
