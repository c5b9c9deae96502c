// Tegra X1 block-linear memory: where a row of elements starts, and how it is fetched.
//
// A GOB is 64 bytes x 8 rows = 512 bytes; a block is 1 GOB wide, 1 << bhl GOBs high and 1 << bdl slices deep. A row of
// a GOB is four pieces of 16 bytes at +0, +32, +256 and +288 from where the row starts, so whole pieces always move as
// one vector, whatever the element size.

/** Offset in the mip level of the first byte of row `y` of slice `z`; `rowSize` is in bytes. */
export function rowOffset(rowSize: u32, height: u32, bhl: u32, bdl: u32, y: u32, z: u32): u64 {
  const gobsX = ((<u64>rowSize + 63) >>> 6);
  const rowOfBlocks: u64 = gobsX << (9 + bhl + bdl);
  const blockRows = ((<u64>height + (8 << bhl) - 1) >>> (3 + bhl));
  return (
    <u64>(z >>> bdl) * blockRows * rowOfBlocks +
    <u64>(y >>> (3 + bhl)) * rowOfBlocks +
    (<u64>(z & ((1 << bdl) - 1)) << (9 + bhl)) +
    (<u64>((y & ((8 << bhl) - 1)) >>> 3) << 9) +
    ((y & 6) << 5) +
    ((y & 1) << 4)
  );
}

/** Offset of the 16-byte piece at byte `x` of a row, from where the row starts. */
function pieceOffset(x: u32, step: u32): u64 {
  return (<u64>(x >>> 6) << step) + ((x & 32) << 3) + ((x & 16) << 1);
}

/**
 * Copies one row of `rowSize` bytes to `dst`. `at` is the row's offset from `src` (negative when the row starts before
 * it), `step` the log2 of the bytes between GOBs of a row. Pieces outside `src` to `srcEnd` give zeros.
 */
export function fetchRow(dst: usize, src: usize, srcEnd: usize, at: i64, rowSize: u32, step: u32): void {
  const span = (((<u64>rowSize + 63) >>> 6) << step);
  if (at < 0 || <u64>at + span > <u64>(srcEnd - src)) {
    fetchRowChecked(dst, src, srcEnd, at, rowSize, step);
    return;
  }
  const gob: usize = 1 << step;
  let p = src + <usize>at;
  const wide = dst + (rowSize & ~63);
  while (dst < wide) {
    v128.store(dst, v128.load(p));
    v128.store(dst, v128.load(p, 32), 16);
    v128.store(dst, v128.load(p, 256), 32);
    v128.store(dst, v128.load(p, 288), 48);
    dst += 64;
    p += gob;
  }
  let left: usize = rowSize & 63;
  if (!left) return;
  if (left >= 16) {
    v128.store(dst, v128.load(p));
    if (left >= 32) {
      v128.store(dst, v128.load(p, 32), 16);
      if (left >= 48) v128.store(dst, v128.load(p, 256), 32);
    }
  }
  const x: u32 = <u32>left & 48;
  left &= 15;
  if (left) copyTail(dst + x, p + <usize>pieceOffset(x, step), left);
}

/** Less than 16 bytes, exactly. */
function copyTail(dst: usize, src: usize, size: usize): void {
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
  for (let i: usize = 0; i < (size & 3); i++) store<u8>(dst + i, load<u8>(src + i));
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
  if (at >= 0 && at + rowSize <= size) {
    memory.copy(dst, src + <usize>at, rowSize);
    return;
  }
  memory.fill(dst, 0, rowSize);
  const from = max<i64>(at, 0);
  const to = min<i64>(at + rowSize, size);
  if (from < to) memory.copy(dst + <usize>(from - at), src + <usize>from, <usize>(to - from));
}
