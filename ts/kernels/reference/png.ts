import type { PngKernels } from '../contract.ts';
import { Deflater } from './deflate.ts';
import { Handles } from '../handles.ts';
import { output } from './output.ts';

const NONE = 0;
const SUB = 1;
const UP = 2;
const PAETH = 4;

/** The Paeth predictor (PNG specification, clause 9.4) of left `a`, above `b` and above left `c`. */
function paeth(a: number, b: number, c: number): number {
  const pa = Math.abs(b - c);
  const pb = Math.abs(a - c);
  const pc = Math.abs(a + b - 2 * c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** |int8| of a difference of two bytes. */
function magnitude(difference: number): number {
  return Math.abs((difference << 24) >> 24);
}

/** The best filter of a row. */
function choose(row: Uint8Array, above: Uint8Array): number {
  let none = 0;
  let sub = 0;
  let up = 0;
  let pae = 0;
  for (let i = 0; i < 4; i++) {
    const x = row[i]!;
    none += magnitude(x);
    sub += magnitude(x);
    up += magnitude(x - above[i]!);
    pae += magnitude(x - above[i]!);
  }
  for (let i = 4; i < row.length; i++) {
    const x = row[i]!;
    const a = row[i - 4]!;
    const b = above[i]!;
    none += magnitude(x);
    sub += magnitude(x - a);
    up += magnitude(x - b);
    pae += magnitude(x - paeth(a, b, above[i - 4]!));
  }
  const least = Math.min(none, sub, up, pae);
  return least === up ? UP : least === sub ? SUB : least === pae ? PAETH : NONE;
}

/** Writes a filtered row to `out` at `o`. */
function write(out: Uint8Array, o: number, filter: number, row: Uint8Array, above: Uint8Array): void {
  if (filter === UP) {
    for (let i = 0; i < row.length; i++) out[o + i] = row[i]! - above[i]!;
  } else if (filter === NONE) {
    out.set(row, o);
  } else {
    for (let i = 0; i < 4; i++) out[o + i] = filter === SUB ? row[i]! : row[i]! - above[i]!;
    if (filter === SUB) for (let i = 4; i < row.length; i++) out[o + i] = row[i]! - row[i - 4]!;
    else for (let i = 4; i < row.length; i++) out[o + i] = row[i]! - paeth(row[i - 4]!, above[i]!, above[i - 4]!);
  }
}

export function createPng(): PngKernels {
  const streams = new Handles<Deflater>();
  return {
    filter(rows, previous, rowSize, out) {
      const count = rows.length && rows.length / rowSize;
      const filtered = output(rows.length + count, out);
      let above = previous.length ? previous : new Uint8Array(rowSize);
      for (let y = 0, o = 0; y < count; y++, o += 1 + rowSize) {
        const row = rows.subarray(y * rowSize, (y + 1) * rowSize);
        const filter = choose(row, above);
        filtered[o] = filter;
        write(filtered, o + 1, filter, row, above);
        above = row;
      }
      return filtered;
    },
    deflateOpen: () => streams.add(new Deflater()),
    deflatePush: (handle, data, final) => streams.get(handle).push(data, final),
    deflateFree: (handle) => void streams.take(handle),
  };
}
