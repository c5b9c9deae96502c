import { describe, expect, it } from 'vitest';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { readSarc, SarcSplitter } from '../../ts/formats/sarc/index.ts';
import { BufferSource } from '../../ts/io/source.ts';

function split(bytes: Uint8Array, step: number): number {
  const splitter = new SarcSplitter({ path: 'x.sarc' });
  let entries = 0;
  for (let at = 0; at < bytes.length; at += step) {
    for (const { last } of splitter.push(bytes.subarray(at, at + step), at + step >= bytes.length)) if (last) entries++;
  }
  return entries;
}

describe('a SARC whose data begins before its tables end', () => {
  // Header 0x14, SFAT 0xc, two entries of 0x10, SFNT 8: the names begin at 0x48, the second entry ends at 0x40.
  const bytes = writeSarc([
    { name: 'a', data: new Uint8Array(40) },
    { name: 'b', data: new Uint8Array(40) },
  ]);
  new DataView(bytes.buffer).setUint32(0x0c, 0x3c, true);
  const error = 'x.sarc: SARC at 0x40: expected 4 bytes, found 0';

  it('is refused alike by random access and by the splitter, however it comes', () => {
    expect(() => readSarc(new BufferSource('x.sarc', bytes))).toThrow(error);
    for (const step of [1, 0x3c, 0x41, bytes.length]) expect(() => split(bytes, step)).toThrow(error);
  });
});
