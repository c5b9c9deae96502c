/** Sizes of block-linear surfaces of the Tegra X1 (facts: ScanMountGoat/tegra_swizzle, Ryujinx; 923 real textures). */

const GOB_WIDTH = 64; // bytes
const GOB_HEIGHT = 8; // rows
const GOB_SIZE = GOB_WIDTH * GOB_HEIGHT;

/** A surface with its mip levels: everything the layout depends on. */
export interface SurfaceShape {
  /** in texels, of mip 0 */
  width: number;
  height: number;
  depth: number;
  mipCount: number;
  layerCount: number;
  /** size of an element in texels and bytes */
  blockWidth: number;
  blockHeight: number;
  bytes: number;
  /** of mip 0, as stored */
  blockHeightLog2: number;
  blockDepthLog2: number;
  /** rows of elements lie one after the other, padded to `pitchAlignment` bytes, instead of in blocks */
  linear: boolean;
  pitchAlignment: number;
}

/** One mip level: where it lies in its layer and how. */
export interface MipLayout {
  /** in texels */
  width: number;
  height: number;
  depth: number;
  /** in elements */
  columns: number;
  rows: number;
  blockHeightLog2: number;
  blockDepthLog2: number;
  /** bytes of one row of a linear surface, 0 for block-linear */
  pitch: number;
  /** bytes from one row of blocks to the next, and of one group of block-depth slices (a slice of a linear surface) */
  blockRowSize: number;
  sliceSize: number;
  /** from the start of the layer, in bytes */
  offset: number;
  size: number;
}

/** Extent of a mip level; the chain may be longer than the texture is large. */
export function mipExtent(extent: number, mip: number): number {
  return Math.max(1, Math.floor(extent / 2 ** mip));
}

/** Block height that a mip level really has: halved while half of it still holds all rows. */
function shrinkBlockHeight(blockHeightLog2: number, rows: number): number {
  let log2 = blockHeightLog2;
  while (log2 > 0 && rows <= GOB_HEIGHT << (log2 - 1)) log2--;
  return log2;
}

/** Block depth of a mip level above 0: halved while half of it still holds all slices. */
function shrinkBlockDepth(blockDepthLog2: number, depth: number): number {
  let log2 = blockDepthLog2;
  while (log2 > 0 && depth <= 1 << (log2 - 1)) log2--;
  return log2;
}

/** Layouts of all mip levels of a layer, in order. */
export function mipLayouts(shape: SurfaceShape): MipLayout[] {
  const layouts: MipLayout[] = [];
  let offset = 0;
  for (let mip = 0; mip < shape.mipCount; mip++) {
    const width = mipExtent(shape.width, mip);
    const height = mipExtent(shape.height, mip);
    const depth = mipExtent(shape.depth, mip);
    const columns = Math.ceil(width / shape.blockWidth);
    const rows = Math.ceil(height / shape.blockHeight);
    const rowSize = columns * shape.bytes;
    let [blockHeightLog2, blockDepthLog2, pitch, blockRowSize, sliceSize, size] = [0, 0, 0, 0, 0, 0];
    if (shape.linear) {
      pitch = Math.ceil(rowSize / shape.pitchAlignment) * shape.pitchAlignment;
      blockRowSize = pitch;
      sliceSize = pitch * rows;
      size = sliceSize * depth;
    } else {
      blockHeightLog2 = shrinkBlockHeight(shape.blockHeightLog2, rows);
      blockDepthLog2 = mip === 0 ? shape.blockDepthLog2 : shrinkBlockDepth(shape.blockDepthLog2, depth);
      blockRowSize = Math.ceil(rowSize / GOB_WIDTH) * (GOB_SIZE << (blockHeightLog2 + blockDepthLog2));
      sliceSize = Math.ceil(rows / (GOB_HEIGHT << blockHeightLog2)) * blockRowSize;
      size = sliceSize * Math.ceil(depth / (1 << blockDepthLog2));
    }
    layouts.push({
      width,
      height,
      depth,
      columns,
      rows,
      blockHeightLog2,
      blockDepthLog2,
      pitch,
      blockRowSize,
      sliceSize,
      offset,
      size,
    });
    offset += size;
  }
  return layouts;
}

/** Bytes from one array layer to the next: mips rounded up to a whole block of mip 0. One layer alone is not rounded. */
export function layerSize(shape: SurfaceShape, mips: MipLayout[]): number {
  const last = mips.at(-1);
  const first = mips[0];
  if (!last || !first) return 0;
  const size = last.offset + last.size;
  if (shape.layerCount <= 1 || shape.linear) return size;
  const alignment = GOB_SIZE << (first.blockHeightLog2 + first.blockDepthLog2);
  return Math.ceil(size / alignment) * alignment;
}
