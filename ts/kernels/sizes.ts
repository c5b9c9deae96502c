import { blockExtent, type TexelFormat } from './contract.ts';

/** Bytes that `tegra.deswizzle` gives. */
export function rowsSize(elementSize: number, width: number, height: number, rowStart: number, rowEnd: number): number {
  return elementSize * width * Math.max(0, Math.min(rowEnd, height) - rowStart);
}

/** Bytes of a texel of RGBA8 and of RGBA16F. */
export const RGBA8_SIZE = 4;
export const RGBA16F_SIZE = 8;

/** Bytes that `tegra.decodeRows` and `tegra.decodeRowsHalf` give, `texelSize` for each texel. */
export function decodedSize(
  texelSize: number,
  format: TexelFormat,
  width: number,
  height: number,
  rowStart: number,
  rowEnd: number,
): number {
  const rows = blockExtent(format).height;
  return texelSize * width * Math.max(0, Math.min(rowEnd * rows, height) - rowStart * rows);
}
