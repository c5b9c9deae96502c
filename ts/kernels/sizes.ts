import { blockExtent, type TexelFormat } from './contract.ts';

/** Bytes that `tegra.deswizzle` gives. */
export function rowsSize(elementSize: number, width: number, height: number, rowStart: number, rowEnd: number): number {
  return elementSize * width * Math.max(0, Math.min(rowEnd, height) - rowStart);
}

/** Bytes that `tegra.decodeRows` gives. */
export function decodedSize(
  format: TexelFormat,
  width: number,
  height: number,
  rowStart: number,
  rowEnd: number,
): number {
  const rows = blockExtent(format).height;
  return 4 * width * Math.max(0, Math.min(rowEnd * rows, height) - rowStart * rows);
}
