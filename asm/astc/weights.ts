// From the weights that a block holds to one for each texel.

import { gridHeight, gridWidth, isDual, weightCount, weightRange } from './modes';
import { weightTable } from './ranges';
import { unpack } from './sequence';

/** Bytes from one row of texels' weights to the next where they were interpolated. */
const ROW: u32 = 16;
/** The longest footprint side. */
const MOST: u32 = 12;

/** The stored values of a block. */
const VALUES: usize = memory.data(64 + 32, 16);
/** Weights of the grid by plane. A texel row reads 16 at a time, and the row after the last. */
const GRID: usize = memory.data(2 * 112, 16);
/** Weights of the texels by plane. */
const TEXELS: usize = memory.data(2 * 12 * 16, 16);

/** Where weights for texels are: plane 0, plane 1, and the bytes from row to row. */
const RESULT: usize = memory.data(12, 4);

export function plane(i: usize): usize {
  return <usize>load<u32>(RESULT + (i << 2));
}

export function weightPitch(): usize {
  return <usize>load<u32>(RESULT, 8);
}

/** By side of the footprint, then side of the grid: for each texel the grid place before it, then 16ths from there. */
const PLACES: usize = memory.data(13 * 13 * 32, 16);

function places(texels: u32, grid: u32): usize {
  return PLACES + (<usize>(texels * 13 + grid) << 5);
}

export function makePlaces(): void {
  for (let texels: u32 = 4; texels <= MOST; texels++) {
    const scale = (1024 + texels / 2) / (texels - 1);
    for (let grid: u32 = 2; grid <= texels; grid++) {
      for (let i: u32 = 0; i < texels; i++) {
        const g = (scale * i * (grid - 1) + 32) >>> 6;
        const row = places(texels, grid) + i;
        store<u8>(row, <u8>(g >>> 4));
        store<u8>(row, <u8>(g & 15), 16);
      }
    }
  }
}

function reversed(block: v128): v128 {
  const nibbles = i8x16(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
  const bytes = v128.shuffle<u8>(block, block, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  return v128.or(
    i8x16.shl(i8x16.swizzle(nibbles, v128.and(bytes, i8x16.splat(15))), 4),
    i8x16.swizzle(nibbles, i8x16.shr_u(bytes, 4)),
  );
}

function unquantized(values: v128, table: usize): v128 {
  return v128.or(
    i8x16.swizzle(v128.load(table), values),
    i8x16.swizzle(v128.load(table, 16), i8x16.sub(values, i8x16.splat(16))),
  );
}

/** The weights of all texels of the block at `src`, for `plane` and `weightPitch`. The grid must fit the footprint. */
export function decodeWeights(src: usize, mode: usize, width: u32, height: u32): void {
  const count: usize = weightCount(mode);
  const range = weightRange(mode);
  const table = weightTable(range);
  const source = reversed(v128.load(src));
  unpack(VALUES, i64x2.extract_lane(source, 0), i64x2.extract_lane(source, 1), range, <u32>count);
  const second = GRID + 112;
  const dual = isDual(mode);
  if (dual) {
    for (let i: usize = 0; i < count; i += 32) {
      const a = unquantized(v128.load(VALUES + i), table);
      const b = unquantized(v128.load(VALUES + i, 16), table);
      v128.store(
        GRID + (i >>> 1),
        v128.shuffle<u8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
      );
      v128.store(
        second + (i >>> 1),
        v128.shuffle<u8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31),
      );
    }
  } else {
    for (let i: usize = 0; i < count; i += 16) v128.store(GRID + i, unquantized(v128.load(VALUES + i), table));
  }
  const columns = gridWidth(mode);
  const rows = gridHeight(mode);
  if (columns == width && rows == height) {
    store<u32>(RESULT, <u32>GRID);
    store<u32>(RESULT, <u32>second, 4);
    store<u32>(RESULT, columns, 8);
    return;
  }
  store<u32>(RESULT, <u32>TEXELS);
  store<u32>(RESULT, <u32>(TEXELS + MOST * ROW), 4);
  store<u32>(RESULT, <u32>ROW, 8);
  interpolate(TEXELS, GRID, columns, rows, width, height);
  if (dual) interpolate(TEXELS + MOST * ROW, second, columns, rows, width, height);
}

/** Eight texels: four neighbours in the grid, 16ths from the first of them to the right, downwards and both. */
function mixed(p00: v128, p01: v128, p10: v128, p11: v128, right: v128, down: v128, both: v128): v128 {
  const toRight = i16x8.sub(p01, p00);
  const sum = i16x8.add(
    i16x8.add(i16x8.shl(p00, 4), i16x8.splat(8)),
    i16x8.add(i16x8.mul(toRight, right), i16x8.mul(i16x8.sub(p10, p00), down)),
  );
  return i16x8.shr_u(i16x8.add(sum, i16x8.mul(i16x8.sub(i16x8.sub(p11, p10), toRight), both)), 4);
}

/** One row of texels after the other, so that a row lies between two rows of the grid. */
function interpolate(dst: usize, grid: usize, columns: u32, rows: u32, width: u32, height: u32): void {
  const across = places(width, columns);
  const left = v128.load(across);
  const right = i8x16.add(left, i8x16.splat(1));
  const fraction = v128.load(across, 16);
  const low = i16x8.extend_low_i8x16_u(fraction);
  const high = i16x8.extend_high_i8x16_u(fraction);
  const along = places(height, rows);
  const half = i16x8.splat(8);
  const wide = width > 8;
  for (let y: usize = 0; y < height; y++, dst += ROW) {
    const above = grid + <usize>load<u8>(along + y) * columns;
    const below = above + columns;
    const upper = v128.load(above);
    const lower = v128.load(below);
    const p00 = i8x16.swizzle(upper, left);
    const p01 = i8x16.swizzle(upper, right);
    const p10 = i8x16.swizzle(lower, left);
    const p11 = i8x16.swizzle(lower, right);
    const down = i16x8.splat(<i16>load<u8>(along + y, 16));
    const first = mixed(
      i16x8.extend_low_i8x16_u(p00), i16x8.extend_low_i8x16_u(p01),
      i16x8.extend_low_i8x16_u(p10), i16x8.extend_low_i8x16_u(p11),
      low, down, i16x8.shr_u(i16x8.add(i16x8.mul(low, down), half), 4),
    );
    let second = first;
    if (wide) {
      second = mixed(
        i16x8.extend_high_i8x16_u(p00), i16x8.extend_high_i8x16_u(p01),
        i16x8.extend_high_i8x16_u(p10), i16x8.extend_high_i8x16_u(p11),
        high, down, i16x8.shr_u(i16x8.add(i16x8.mul(high, down), half), 4),
      );
    }
    v128.store(dst, i8x16.narrow_i16x8_u(first, second));
  }
}
