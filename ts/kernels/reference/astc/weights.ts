/** Block modes, and the weights of texels. */
import type { Extent } from '../../contract.ts';
import { rangeAt, sequenceBits, type Range } from './ranges.ts';

/** What a block mode says of the weights. */
export interface WeightGrid {
  readonly columns: number;
  readonly rows: number;
  readonly range: Range;
  /** Two weights for each texel, the second for one channel. */
  readonly dual: boolean;
  /** of both planes */
  readonly count: number;
  readonly bits: number;
}

const MOST_WEIGHTS = 64;
const LEAST_BITS = 24;
const MOST_BITS = 96;

/** Columns and rows by the low nine bits of a mode, in the order of the specification's table; none when reserved. */
function gridSize(mode: number): [columns: number, rows: number] | undefined {
  const a = (mode >> 5) & 3;
  const b = (mode >> 7) & 3;
  if (mode & 3) {
    switch ((mode >> 2) & 3) {
      case 0:
        return [b + 4, a + 2];
      case 1:
        return [b + 8, a + 2];
      case 2:
        return [a + 2, b + 8];
      default:
        return b < 2 ? [a + 2, b + 6] : [b, a + 2];
    }
  }
  if (b === 0) return [12, a + 2];
  if (b === 1) return [a + 2, 12];
  if (b === 2) return [a + 6, ((mode >> 9) & 3) + 6];
  if (a === 0) return [6, 10];
  if (a === 1) return [10, 6];
  return undefined;
}

function readMode(mode: number): WeightGrid | null {
  const size = gridSize(mode);
  // The range in three bits, of which the lowest is bit 4.
  const r = ((mode & 3 ? mode & 3 : (mode >> 2) & 3) << 1) | ((mode >> 4) & 1);
  if (!size || r < 2) return null;
  const [columns, rows] = size;
  // Where rows are told by bits 9 and 10, these are no flags.
  const flags = (mode & 0x183) === 0x100 ? 0 : mode >> 9;
  const range = rangeAt(r - 2 + (flags & 1 ? 6 : 0));
  const dual = (flags & 2) !== 0;
  const count = columns * rows * (dual ? 2 : 1);
  const bits = sequenceBits(range, count);
  if (count > MOST_WEIGHTS || bits < LEAST_BITS || bits > MOST_BITS) return null;
  return { columns, rows, range, dual, count, bits };
}

/** Modes that were met, by number. */
const grids = Array.from<WeightGrid | null | undefined>({ length: 2048 });

/** What the eleven bits of a mode say; null for those that are illegal in every footprint. */
export function gridOf(mode: number): WeightGrid | null {
  const grid = grids[mode];
  return grid === undefined ? (grids[mode] = readMode(mode)) : grid;
}

/** Of each texel: the place in the grid at or before it, and the 16ths of the weights there, right, below and both. */
interface Infill {
  readonly places: Uint8Array;
  readonly parts: Uint8Array;
}

/** A texel's place along one side, in 16ths of the distance between weights. */
function along(texel: number, texels: number, weights: number): number {
  const scale = Math.floor((1024 + Math.floor(texels / 2)) / (texels - 1));
  return (scale * texel * (weights - 1) + 32) >> 6;
}

function infillOf({ width, height }: Extent, { columns, rows }: WeightGrid): Infill {
  const places = new Uint8Array(width * height);
  const parts = new Uint8Array(4 * width * height);
  for (let t = 0; t < width * height; t++) {
    const s = along(t % width, width, columns);
    const v = along(Math.floor(t / width), height, rows);
    places[t] = (v >> 4) * columns + (s >> 4);
    const [fs, ft] = [s & 15, v & 15];
    const both = (fs * ft + 8) >> 4;
    parts.set([16 - fs - ft + both, fs - both, ft - both, both], 4 * t);
  }
  return { places, parts };
}

const infills = new Map<number, Infill>();

function cachedInfill(footprint: Extent, grid: WeightGrid): Infill {
  const key = ((footprint.width * 16 + footprint.height) * 16 + grid.columns) * 16 + grid.rows;
  let infill = infills.get(key);
  if (!infill) infills.set(key, (infill = infillOf(footprint, grid)));
  return infill;
}

/**
 * Fills `out` with the weights of a block's texels. The weights of the grid are at `plane`, `plane` + `step` and so on
 * in `values`, unquantised; past the grid `values` may hold anything, as that has no part in a texel.
 */
export function interpolateWeights(
  out: Uint8Array,
  footprint: Extent,
  grid: WeightGrid,
  values: Uint8Array,
  plane: number,
  step: number,
): void {
  if (grid.columns === footprint.width && grid.rows === footprint.height) {
    for (let t = 0, i = plane; t < grid.columns * grid.rows; t++, i += step) out[t] = values[i]!;
    return;
  }
  const { places, parts } = cachedInfill(footprint, grid);
  const below = step * grid.columns;
  for (let t = 0, p = 0; t < places.length; t++, p += 4) {
    const i = plane + step * places[t]!;
    const sum =
      values[i]! * parts[p]! +
      values[i + step]! * parts[p + 1]! +
      values[i + below]! * parts[p + 2]! +
      values[i + below + step]! * parts[p + 3]!;
    out[t] = (sum + 8) >> 4;
  }
}
