import { Slice, type SliceOptions } from '../io/slice.ts';
import type { Source } from '../io/source.ts';

/** A string of an nn::util::StringPool at `offset` in a source: u16 length, then UTF-8. */
export function readPoolString(source: Source, offset: number, options: SliceOptions): string {
  const length = Slice.read(source, offset, 2, options).u16(offset);
  return Slice.read(source, offset + 2, length, options).utf8(offset + 2, length);
}
