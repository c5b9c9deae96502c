// The handles that the component has given out. They come back from code that is not ours, so each is looked up before
// it is used as the pointer it is. Pointers are 16-aligned; the low bits of an entry hold the kind.
import { alloc, resize } from './heap';

export const DEFLATE: usize = 1;
export const DICTIONARY: usize = 2;
export const ZSTD: usize = 3;
export const YAZ0: usize = 4;

let table: usize = 0; // u32 entries, in no order
let count: usize = 0;

/** Address of the entry, or 0. */
function find(handle: usize, kind: usize): usize {
  if (handle & 15) return 0;
  const entry = <u32>(handle | kind);
  const end = table + (count << 2);
  for (let p = table; p < end; p += 4) if (load<u32>(p) == entry) return p;
  return 0;
}

/** Notes a new handle; traps when it is 0, which means that there was no memory for what it stands for. */
export function opened(handle: usize, kind: usize): usize {
  if (!handle) unreachable();
  table = table ? resize(table, count << 2, (count + 1) << 2) : alloc(64);
  if (!table) unreachable();
  store<u32>(table + (count << 2), <u32>(handle | kind));
  count++;
  return handle;
}

/** `handle`, if it is open and of that kind; else a trap, as a component model host gives for a stale resource. */
export function live(handle: usize, kind: usize): usize {
  if (!find(handle, kind)) unreachable();
  return handle;
}

/** Forgets a handle and gives it for the last time. */
export function closed(handle: usize, kind: usize): usize {
  const entry = find(handle, kind);
  if (!entry) unreachable();
  count--;
  store<u32>(entry, load<u32>(table + (count << 2))); // the last entry takes its place
  return handle;
}
