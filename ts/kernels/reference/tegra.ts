import { ELEMENT_SIZE, blockExtent, familyOf, type TegraKernels, type TexelFormat, type Tiling } from '../contract.ts';
import { decodedSize, RGBA16F_SIZE, RGBA8_SIZE, rowsSize } from '../sizes.ts';
import { decodeAstcRow, decodeAstcRowHalf } from './astc.ts';
import { decodeBlockRow, decodeBlockRowHalf } from './bc.ts';
import { output } from './output.ts';
import { decodeTexels, decodeTexelsHalf, writeHalves } from './pixel.ts';

const GOB_ROWS = 8;
/** GOBs of a row that are copied for all rows of the GOBs before the next. */
const GROUP = 8;

/** Offset of row `row` (0 to 7) in a GOB. */
function rowInGob(row: number): number {
  return ((row & 6) << 5) + ((row & 1) << 4);
}

/** Copies rows `from` to `to`, all in one row of GOBs, of a slice to `out` at `o`; bytes outside `data` give zeros. */
type FetchRows = (out: Uint8Array, o: number, slice: number, from: number, to: number) => void;

function linearRows(data: Uint8Array, base: number, rowSize: number, height: number, pitch: number): FetchRows {
  return (out, o, slice, from, to) => {
    for (let y = from; y < to; y++, o += rowSize) {
      const at = (slice * height + y) * pitch - base;
      const start = Math.max(at, 0);
      const part = data.subarray(start, Math.max(at + rowSize, 0));
      if (part.length < rowSize) out.fill(0, o, o + rowSize);
      if (part.length) out.set(part, o + start - at);
    }
  };
}

/** Block-linear memory: see asm/tegra/address.ts for where things lie. */
function blockLinearRows(data: Uint8Array, base: number, rowSize: number, height: number, tiling: Tiling): FetchRows {
  const { blockHeightLog2: bhl, blockDepthLog2: bdl } = tiling;
  const step = 2 ** (9 + bhl + bdl);
  const rowOfBlocks = Math.ceil(rowSize / 64) * step;
  const blockRows = Math.ceil(height / (8 << bhl));
  const span = (Math.ceil(rowSize / 64) - 1) * step + 512;
  const words = data.byteOffset % 4 === 0 ? new Int32Array(data.buffer, data.byteOffset, data.length >>> 2) : undefined;
  const wholeGobs = rowSize >>> 6;

  function gobRowOffset(y: number, z: number): number {
    return (
      Math.floor(z / 2 ** bdl) * blockRows * rowOfBlocks +
      Math.floor(y / (8 << bhl)) * rowOfBlocks +
      (z & ((1 << bdl) - 1)) * (512 << bhl) +
      ((y & ((8 << bhl) - 1)) >>> 3) * 512
    );
  }

  /** The rest of a row from byte `x` on, byte by byte. */
  function bytes(out: Uint8Array, o: number, at: number, x: number): void {
    for (; x < rowSize; x += 16) {
      const p = at + Math.floor(x / 64) * step + ((x & 32) << 3) + ((x & 16) << 1);
      const size = Math.min(16, rowSize - x);
      for (let i = 0; i < size; i++) out[o + x + i] = data[p + i] ?? 0;
    }
  }

  return (out, o, slice, from, to) => {
    const at = gobRowOffset(from, slice) - base;
    const first = from & (GOB_ROWS - 1);
    let done = 0;
    // Whole GOBs as words, where everything is aligned and inside.
    const aligned = words && at % 4 === 0 && (out.byteOffset + o) % 4 === 0 && rowSize % 4 === 0;
    if (aligned && at >= 0 && at + span <= data.length) {
      const target = new Int32Array(out.buffer, out.byteOffset + o, (rowSize * (to - from)) >>> 2);
      for (let gob = 0; gob < wholeGobs; gob += GROUP) {
        const count = Math.min(GROUP, wholeGobs - gob);
        for (let row = 0; row < to - from; row++) {
          const word = (at + gob * step + rowInGob(first + row)) >>> 2;
          copyGobs(words, word, step >>> 2, target, (row * rowSize + gob * 64) >>> 2, count);
        }
      }
      done = wholeGobs * 64;
    }
    for (let row = 0; row < to - from; row++) bytes(out, o + row * rowSize, at + rowInGob(first + row), done);
  };
}

/** One row of `count` GOBs, `step` words apart. */
function copyGobs(words: Int32Array, gob: number, step: number, target: Int32Array, t: number, count: number): void {
  for (const end = t + 16 * count; t < end; t += 16, gob += step) {
    target[t] = words[gob]!;
    target[t + 1] = words[gob + 1]!;
    target[t + 2] = words[gob + 2]!;
    target[t + 3] = words[gob + 3]!;
    target[t + 4] = words[gob + 8]!;
    target[t + 5] = words[gob + 9]!;
    target[t + 6] = words[gob + 10]!;
    target[t + 7] = words[gob + 11]!;
    target[t + 8] = words[gob + 64]!;
    target[t + 9] = words[gob + 65]!;
    target[t + 10] = words[gob + 66]!;
    target[t + 11] = words[gob + 67]!;
    target[t + 12] = words[gob + 72]!;
    target[t + 13] = words[gob + 73]!;
    target[t + 14] = words[gob + 74]!;
    target[t + 15] = words[gob + 75]!;
  }
}

function rowsOf(data: Uint8Array, base: number, rowSize: number, height: number, tiling: Tiling): FetchRows {
  return tiling.pitch
    ? linearRows(data, base, rowSize, height, tiling.pitch)
    : blockLinearRows(data, base, rowSize, height, tiling);
}

/** The end of the row of GOBs that row `y` lies in, or `end` when that comes first. */
function gobRowEnd(y: number, end: number): number {
  return Math.min(y - (y % GOB_ROWS) + GOB_ROWS, end);
}

/** Longest row whose GOBs are fetched whole. */
const LONG_ROW = 1 << 24;

/**
 * Fetches the rows of elements `rowStart` to `rowEnd` of a slice, and gives each to `decode`: `lines` has it at `line`, `at`
 * counts the texels before it.
 */
function eachRow(
  format: TexelFormat,
  data: Uint8Array,
  base: number,
  width: number,
  height: number,
  tiling: Tiling,
  slice: number,
  rowStart: number,
  rowEnd: number,
  decode: (at: number, lines: Uint8Array, line: number, texelRows: number) => void,
): void {
  const extent = blockExtent(format);
  const rows = Math.ceil(height / extent.height);
  const rowSize = Math.ceil(width / extent.width) * ELEMENT_SIZE[format];
  const fetch = rowsOf(data, base, rowSize, rows, tiling);
  const most = rowSize > LONG_ROW ? 1 : GOB_ROWS;
  const lines = new Uint8Array(rowSize * most);
  const last = Math.min(rowEnd, rows);
  for (let y = rowStart, at = 0; y < last;) {
    const end = Math.min(gobRowEnd(y, last), y + most);
    fetch(lines, 0, slice, y, end);
    for (let line = 0; y < end; y++, line += rowSize) {
      const texelRows = Math.min(extent.height, height - extent.height * y);
      decode(at, lines, line, texelRows);
      at += width * texelRows;
    }
  }
}

export const tegra: TegraKernels = {
  deswizzle(data, base, elementSize, width, height, tiling, slice, rowStart, rowEnd, out) {
    const rowSize = elementSize * width;
    const rows = output(rowsSize(elementSize, width, height, rowStart, rowEnd), out);
    const fetch = rowsOf(data, base, rowSize, height, tiling);
    const last = Math.min(rowEnd, height);
    for (let y = rowStart, o = 0; y < last;) {
      const end = gobRowEnd(y, last);
      fetch(rows, o, slice, y, end);
      o += rowSize * (end - y);
      y = end;
    }
    return rows;
  },

  decodeRows(format, data, base, width, height, tiling, slice, rowStart, rowEnd, out) {
    const rgba = output(decodedSize(RGBA8_SIZE, format, width, height, rowStart, rowEnd), out);
    const family = familyOf(format);
    const decodeBlocks = family === 'astc' ? decodeAstcRow : decodeBlockRow;
    eachRow(format, data, base, width, height, tiling, slice, rowStart, rowEnd, (at, lines, line, texelRows) => {
      if (family === 'pixel') decodeTexels(format, rgba, 4 * at, lines, line, width);
      else decodeBlocks(format, rgba, 4 * at, lines, line, width, texelRows);
    });
    return rgba;
  },

  decodeRowsHalf(format, data, base, width, height, tiling, slice, rowStart, rowEnd, out) {
    const rgba = output(decodedSize(RGBA16F_SIZE, format, width, height, rowStart, rowEnd), out);
    const family = familyOf(format);
    const decodeBlocks = family === 'astc' ? decodeAstcRowHalf : decodeBlockRowHalf;
    writeHalves(rgba, 0, rgba.length, (halves) => {
      eachRow(format, data, base, width, height, tiling, slice, rowStart, rowEnd, (at, lines, line, texelRows) => {
        if (family === 'pixel') decodeTexelsHalf(format, halves, 4 * at, lines, line, width);
        else decodeBlocks(format, halves, 4 * at, lines, line, width, texelRows);
      });
    });
    return rgba;
  },
};
