// Tegra X1 block-linear memory: where rows of elements lie, and how they are fetched.
//
// A GOB is 64 bytes x 8 rows = 512 bytes; a block is 1 GOB wide, 1 << bhl GOBs high and 1 << bdl slices deep. A row of
// a GOB is four pieces of 16 bytes at +0, +32, +256 and +288 from where the row starts, so whole pieces always move as
// one vector, whatever the element size.

/** Rows of a GOB. */
export const GOB_ROWS: u32 = 8;
const GOB_SIZE: u64 = 512;
/** GOBs of a row that are fetched for all rows of the GOBs before the next: as many as keep their pages in the TLB. */
const GROUP: u32 = 8;

/** Offset in the mip level of the row of GOBs that row `y` of slice `z` lies in; `rowSize` is in bytes. */
export function gobRowOffset(rowSize: u32, height: u32, bhl: u32, bdl: u32, y: u32, z: u32): u64 {
  const gobsX = (<u64>rowSize + 63) >>> 6;
  const rowOfBlocks: u64 = gobsX << (9 + bhl + bdl);
  const blockRows = (<u64>height + (8 << bhl) - 1) >>> (3 + bhl);
  return (
    <u64>(z >>> bdl) * blockRows * rowOfBlocks +
    <u64>(y >>> (3 + bhl)) * rowOfBlocks +
    (<u64>(z & ((1 << bdl) - 1)) << (9 + bhl)) +
    (<u64>((y & ((8 << bhl) - 1)) >>> 3) << 9)
  );
}

/** Offset of row `row` (0 to 7) in a GOB. */
function rowInGob(row: u32): usize {
  return ((row & 6) << 5) + ((row & 1) << 4);
}

/** Offset in a row of GOBs of the piece at byte `x` of a row. */
function pieceOffset(x: u32, step: u32): u64 {
  return (<u64>(x >>> 6) << step) + ((x & 32) << 3) + ((x & 16) << 1);
}

/**
 * Copies rows `first` to `last` (exclusive, at most 8) of a row of GOBs to `dst`, `rowSize` bytes each without gaps.
 * `at` is the offset of the row of GOBs from `src` (negative when it starts before it), `step` the log2 of the bytes
 * from GOB to GOB. Pieces outside `src` to `srcEnd` give zeros.
 */
export function fetchRows(
  dst: usize, src: usize, srcEnd: usize, at: i64, rowSize: u32, step: u32, first: u32, last: u32,
): void {
  if (!rowSize) return;
  const span = (((<u64>rowSize - 1) >>> 6) << step) + GOB_SIZE;
  if (at < 0 || <u64>at + span > <u64>(srcEnd - src)) {
    for (let row = first; row < last; row++, dst += rowSize) {
      fetchRowChecked(dst, src, srcEnd, at + <i64>rowInGob(row), rowSize, step);
    }
    return;
  }
  const gobs = src + <usize>at;
  const wholeGobs = rowSize >>> 6;
  for (let gob: u32 = 0; gob < wholeGobs; gob += GROUP) {
    const group = min(GROUP, wholeGobs - gob);
    const from = gobs + (<usize>gob << step);
    let to = dst + (<usize>gob << 6);
    for (let row = first; row < last; row++, to += rowSize) fetchGobs(to, from + rowInGob(row), group, 1 << step);
  }
  const left = rowSize & 63;
  if (!left) return;
  const from = gobs + (<usize>wholeGobs << step);
  let to = dst + (rowSize - left);
  for (let row = first; row < last; row++, to += rowSize) fetchPart(to, from + rowInGob(row), left);
}

/** One row of `count` whole GOBs. */
function fetchGobs(dst: usize, src: usize, count: u32, step: usize): void {
  const end = dst + (<usize>count << 6);
  for (; dst < end; dst += 64, src += step) {
    v128.store(dst, v128.load(src));
    v128.store(dst, v128.load(src, 32), 16);
    v128.store(dst, v128.load(src, 256), 32);
    v128.store(dst, v128.load(src, 288), 48);
  }
}

/** The first `size` bytes (less than 64) of a row of a GOB. */
function fetchPart(dst: usize, src: usize, size: u32): void {
  if (size >= 16) {
    v128.store(dst, v128.load(src));
    if (size >= 32) {
      v128.store(dst, v128.load(src, 32), 16);
      if (size >= 48) v128.store(dst, v128.load(src, 256), 32);
    }
  }
  const x = size & 48;
  if (size & 15) copyTail(dst + x, src + <usize>pieceOffset(x, 9), size & 15);
}

/** Less than 16 bytes, exactly. */
function copyTail(dst: usize, src: usize, size: u32): void {
  if (size & 8) {
    store<u64>(dst, load<u64>(src));
    dst += 8;
    src += 8;
  }
  if (size & 4) {
    store<u32>(dst, load<u32>(src));
    dst += 4;
    src += 4;
  }
  for (let i: u32 = 0; i < (size & 3); i++) store<u8>(dst + i, load<u8>(src + i));
}

function fetchRowChecked(dst: usize, src: usize, srcEnd: usize, at: i64, rowSize: u32, step: u32): void {
  const size = <i64>(srcEnd - src);
  for (let x: u32 = 0; x < rowSize; x += 16) {
    const piece = at + <i64>pieceOffset(x, step);
    const want = min<u32>(16, rowSize - x);
    for (let i: u32 = 0; i < want; i++) {
      const o = piece + i;
      store<u8>(dst + x + i, o >= 0 && o < size ? load<u8>(src + <usize>o) : 0);
    }
  }
}

/** Copies `rowSize` bytes of pitch-linear memory; bytes outside `src` to `srcEnd` give zeros. */
export function fetchLinear(dst: usize, src: usize, srcEnd: usize, at: i64, rowSize: u32): void {
  const size = <i64>(srcEnd - src);
  // `at` may be anything, so that a sum with it may wrap.
  if (at >= 0 && at <= size - rowSize) {
    memory.copy(dst, src + <usize>at, rowSize);
    return;
  }
  memory.fill(dst, 0, rowSize);
  const from = max<i64>(at, 0);
  const to = min<i64>(at + rowSize, size);
  if (from < to) memory.copy(dst + <usize>(from - at), src + <usize>from, <usize>(to - from));
}
