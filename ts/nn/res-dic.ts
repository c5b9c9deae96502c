import { counted, hex } from '../io/errors.ts';
import { Slice, type SliceOptions } from '../io/slice.ts';
import type { Source } from '../io/source.ts';

const ROOT_OFFSET = 0x08;
const NODE_SIZE = 0x10;

/**
 * Offsets in the source of the keys of an nn::util::ResDic at `offset`, in entry order; the keys are strings of the pool.
 * `base` is where the file begins in the source. The magic is `_DIC` or 0. The root node, which has no key, is left out.
 */
export function readResDicKeys(source: Source, offset: number, base: number, options: SliceOptions): number[] {
  const header = Slice.read(source, offset, ROOT_OFFSET, options);
  const count = header.u32(offset + 0x04);
  const first = offset + ROOT_OFFSET + NODE_SIZE;
  const available = Math.floor(Math.max(source.size - first, 0) / NODE_SIZE);
  if (count > available)
    throw header.error(offset + 0x04, `at most ${counted(available, 'entry', 'entries')}`, hex(count));
  const nodes = Slice.read(source, first, count * NODE_SIZE, options);
  return Array.from({ length: count }, (_, i) => {
    const key = first + i * NODE_SIZE + 0x08;
    return base + nodes.offset64(key, source.size - base, 'a name offset');
  });
}
