// The one allocator of the module: first fit over blocks laid end to end, neighbours joined when freed.
// Few blocks live at a time (states, tables, buffers of a call), so a walk over them is short.

/** Bytes after every block that a kernel's wide copies may touch. */
export const SLACK: usize = 64;

const HEADER: usize = 16; // u32 size of what follows, u32 used, u32 previous block (0: none)
const FIRST: usize = (__heap_base + 15) & ~15;
let last: usize = 0; // the block at the end of the memory in use

function sizeOf(block: usize): usize {
  return <usize>load<u32>(block);
}

function ensure(end: usize): bool {
  const pages = memory.size();
  const want = <i32>((<u64>end + 0xffff) >>> 16);
  if (want <= pages) return true;
  // Growing by half of what there is keeps the number of (view-detaching) growths logarithmic.
  if (memory.grow(max(want - pages, pages >> 1)) >= 0) return true;
  return memory.grow(want - pages) >= 0;
}

function make(block: usize, size: usize, previous: usize): void {
  store<u32>(block, <u32>size);
  store<u32>(block, 1, 4);
  store<u32>(block, <u32>previous, 8);
}

/** A block of `size` bytes, 16-aligned, or 0 when memory cannot be had. Its bytes are not cleared. */
export function alloc(size: usize): usize {
  if (size > 0xf0000000) return 0;
  const need = ((size + 15) & ~15) + SLACK;
  let block = FIRST;
  if (last) {
    for (;;) {
      const have = sizeOf(block);
      if (!load<u32>(block, 4) && have >= need) {
        if (have - need >= 256) {
          const rest = block + HEADER + need;
          make(rest, have - need - HEADER, block);
          store<u32>(rest, 0, 4);
          if (block == last) last = rest;
          else store<u32>(rest + HEADER + sizeOf(rest), <u32>rest, 8);
          store<u32>(block, <u32>need);
        }
        store<u32>(block, 1, 4);
        return block + HEADER;
      }
      if (block == last) break;
      block += HEADER + have;
    }
    // A free block at the end is extended instead of left as a hole.
    if (!load<u32>(last, 4)) {
      if (!ensure(last + HEADER + need)) return 0;
      make(last, need, <usize>load<u32>(last, 8));
      return last + HEADER;
    }
    block = last + HEADER + sizeOf(last);
  }
  if (<u64>block + HEADER + need > 0xfffff000 || !ensure(block + HEADER + need)) return 0;
  make(block, need, last);
  last = block;
  return block + HEADER;
}

/** Gives a block back. `pointer` is what `alloc` gave, or 0. */
export function free(pointer: usize): void {
  if (!pointer) return;
  let block = pointer - HEADER;
  store<u32>(block, 0, 4);
  if (block != last) {
    const next = block + HEADER + sizeOf(block);
    if (!load<u32>(next, 4)) join(block, next);
  }
  const previous = <usize>load<u32>(block, 8);
  if (previous && !load<u32>(previous, 4)) join(previous, block);
}

function join(block: usize, next: usize): void {
  const size = sizeOf(block) + HEADER + sizeOf(next);
  if (next == last) last = block;
  else store<u32>(next + HEADER + sizeOf(next), <u32>block, 8);
  store<u32>(block, <u32>size);
}

/** `pointer`'s first `keep` bytes in a block of `size` bytes; 0 (and `pointer` untouched) when memory cannot be had. */
export function resize(pointer: usize, keep: usize, size: usize): usize {
  if (pointer && sizeOf(pointer - HEADER) >= size + SLACK) return pointer;
  const moved = alloc(size);
  if (moved && pointer) {
    memory.copy(moved, pointer, keep);
    free(pointer);
  }
  return moved;
}
