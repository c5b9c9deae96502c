import type { Slice } from '../io/slice.ts';
import { hex } from '../io/errors.ts';

const ROOT_OFFSET = 0x08;
const NODE_SIZE = 0x10;

/**
 * Offsets of the keys of an nn::util::ResDic at `offset`, in entry order; the keys are strings of the pool, `base` is
 * added to each. The magic is `_DIC` or 0. The root node, which has no key, is left out.
 */
export function readResDicKeys(slice: Slice, offset: number, base: number, maxOffset: number): number[] {
  const count = slice.u32(offset + 0x04);
  const first = offset + ROOT_OFFSET + NODE_SIZE;
  if (first + count * NODE_SIZE > slice.end) {
    throw slice.error(offset + 0x04, `at most ${Math.floor((slice.end - first) / NODE_SIZE)} entries`, hex(count));
  }
  return Array.from(
    { length: count },
    (_, i) => base + slice.offset64(first + i * NODE_SIZE + 0x08, maxOffset, 'a name offset'),
  );
}
