import { ELEMENT_SIZE, blockExtent, type TegraKernels, type Tiling } from '../contract.ts';
import { decodedSize, rowsSize } from '../sizes.ts';
import { decodeBlockRow } from './bc.ts';
import { output } from './output.ts';
import { decodeTexels } from './pixel.ts';

/** Offset in the mip level of the first byte of row `y` of slice `z`: see asm/tegra/address.ts. */
function rowOffset(rowSize: number, height: number, tiling: Tiling, y: number, z: number): number {
  const { blockHeightLog2: bhl, blockDepthLog2: bdl, pitch } = tiling;
  if (pitch) return (z * height + y) * pitch;
  const rowOfBlocks = Math.ceil(rowSize / 64) * 2 ** (9 + bhl + bdl);
  const blockRows = Math.ceil(height / (8 << bhl));
  return (
    Math.floor(z / 2 ** bdl) * blockRows * rowOfBlocks +
    Math.floor(y / (8 << bhl)) * rowOfBlocks +
    (z & ((1 << bdl) - 1)) * (512 << bhl) +
    ((y & ((8 << bhl) - 1)) >>> 3) * 512 +
    ((y & 6) << 5) +
    ((y & 1) << 4)
  );
}

/** Copies one row of a surface to `out` at `o`; bytes outside `data` give zeros. */
type FetchRow = (out: Uint8Array, o: number, at: number) => void;

function linearRows(data: Uint8Array, rowSize: number): FetchRow {
  return (out, o, at) => {
    const from = Math.max(at, 0);
    const part = data.subarray(from, Math.max(at + rowSize, 0));
    if (part.length < rowSize) out.fill(0, o, o + rowSize);
    out.set(part, o + from - at);
  };
}

function blockLinearRows(data: Uint8Array, rowSize: number, tiling: Tiling): FetchRow {
  const step = 2 ** (9 + tiling.blockHeightLog2 + tiling.blockDepthLog2);
  const span = Math.ceil(rowSize / 64) * step;
  const words = data.byteOffset % 4 === 0 ? new Int32Array(data.buffer, data.byteOffset, data.length >>> 2) : undefined;

  function piece(out: Uint8Array, o: number, at: number, x: number): void {
    const p = at + (x >>> 6) * step + ((x & 32) << 3) + ((x & 16) << 1);
    const size = Math.min(16, rowSize - x);
    for (let i = 0; i < size; i++) out[o + x + i] = data[p + i] ?? 0;
  }

  return (out, o, at) => {
    let x = 0;
    // Whole pieces as four words each, where everything is aligned and inside.
    if (words && at >= 0 && at % 16 === 0 && at + span <= data.length && (out.byteOffset + o) % 4 === 0) {
      const whole = rowSize >>> 4;
      const target = new Int32Array(out.buffer, out.byteOffset + o, whole << 2);
      let gob = at >>> 2;
      const gobStep = step >>> 2;
      let t = 0;
      const end = (whole & ~3) << 2;
      for (; t < end; t += 16, gob += gobStep) {
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
      x = t << 2;
    }
    for (; x < rowSize; x += 16) piece(out, o, at, x);
  };
}

function rowsOf(data: Uint8Array, rowSize: number, tiling: Tiling): FetchRow {
  return tiling.pitch ? linearRows(data, rowSize) : blockLinearRows(data, rowSize, tiling);
}

function checkTiling({ blockHeightLog2, blockDepthLog2 }: Tiling): void {
  if (blockHeightLog2 > 5 || blockDepthLog2 > 5) throw new RangeError('kernel argument out of range');
}

export const tegra: TegraKernels = {
  deswizzle(data, base, elementSize, width, height, tiling, slice, rowStart, rowEnd, out) {
    checkTiling(tiling);
    const rowSize = elementSize * width;
    const rows = output(rowsSize(elementSize, width, height, rowStart, rowEnd), out);
    const fetch = rowsOf(data, rowSize, tiling);
    for (let y = rowStart, o = 0; y < Math.min(rowEnd, height); y++, o += rowSize) {
      fetch(rows, o, rowOffset(rowSize, height, tiling, y, slice) - base);
    }
    return rows;
  },

  decodeRows(format, data, base, width, height, tiling, slice, rowStart, rowEnd, out) {
    checkTiling(tiling);
    const extent = blockExtent(format);
    const rows = Math.ceil(height / extent);
    const rowSize = Math.ceil(width / extent) * ELEMENT_SIZE[format];
    const rgba = output(decodedSize(format, width, height, rowStart, rowEnd), out);
    const fetch = rowsOf(data, rowSize, tiling);
    const line = new Uint8Array(rowSize);
    for (let y = rowStart, o = 0; y < Math.min(rowEnd, rows); y++) {
      fetch(line, 0, rowOffset(rowSize, rows, tiling, y, slice) - base);
      if (extent === 1) {
        decodeTexels(format, rgba, o, line, 0, width);
        o += 4 * width;
      } else {
        const texelRows = Math.min(4, height - 4 * y);
        decodeBlockRow(format, rgba, o, line, 0, width, texelRows);
        o += 4 * width * texelRows;
      }
    }
    return rgba;
  },
};
