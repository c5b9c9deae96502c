import type { Tiling } from '../../ts/kernels/contract.ts';

/**
 * Offset of one byte of a block-linear surface, straight from the published formula (Tegra X1 TRM 1.3, pages 1217-1218;
 * ScanMountGoat/tegra_swizzle): slow, and independent of the kernels.
 */
export function byteAddress(x: number, y: number, z: number, rowSize: number, height: number, tiling: Tiling): number {
  const bh = 2 ** tiling.blockHeightLog2;
  const bd = 2 ** tiling.blockDepthLog2;
  const div = (a: number, b: number): number => Math.floor(a / b);
  const rowOfBlocks = 512 * bh * bd * Math.ceil(rowSize / 64);
  const sliceSize = Math.ceil(height / (8 * bh)) * rowOfBlocks;
  return (
    div(z, bd) * sliceSize +
    div(y, 8 * bh) * rowOfBlocks +
    div(x, 64) * 512 * bh * bd +
    (z % bd) * 512 * bh +
    div(y % (8 * bh), 8) * 512 +
    div(x % 64, 32) * 256 +
    div(y % 8, 2) * 64 +
    div(x % 32, 16) * 32 +
    (y % 2) * 16 +
    (x % 16)
  );
}

/** Bytes of a block-linear surface of `depth` slices. */
export function surfaceSize(rowSize: number, height: number, depth: number, tiling: Tiling): number {
  const bh = 2 ** tiling.blockHeightLog2;
  const bd = 2 ** tiling.blockDepthLog2;
  return 512 * bh * bd * Math.ceil(rowSize / 64) * Math.ceil(height / (8 * bh)) * Math.ceil(depth / bd);
}

/** Block-linear memory of one slice to rows without gaps, byte by byte. */
export function unswizzle(surface: Uint8Array, rowSize: number, height: number, tiling: Tiling): Uint8Array {
  return Uint8Array.from(
    { length: rowSize * height },
    (_, i) => surface[byteAddress(i % rowSize, Math.floor(i / rowSize), 0, rowSize, height, tiling)]!,
  );
}

/** Rows without gaps to block-linear memory, byte by byte; padding is `0xee`. */
export function swizzle(rows: Uint8Array, rowSize: number, height: number, depth: number, tiling: Tiling): Uint8Array {
  const surface = new Uint8Array(surfaceSize(rowSize, height, depth, tiling)).fill(0xee);
  for (let z = 0, i = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < rowSize; x++, i++) surface[byteAddress(x, y, z, rowSize, height, tiling)] = rows[i]!;
    }
  }
  return surface;
}
