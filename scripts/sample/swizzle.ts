/** One mip level as the GPU addresses it; width and height in elements (texels, or blocks of a block format). */
export interface Level {
  width: number;
  height: number;
  depth: number;
  bytesPerElement: number;
}

/** Blocks of GOBs: one GOB wide, `blockHeight` GOBs high, `blockDepth` slices deep. */
export interface Blocks {
  blockHeight: number;
  blockDepth: number;
}

const GOB_WIDTH = 64;
const GOB_HEIGHT = 8;
const GOB_SIZE = GOB_WIDTH * GOB_HEIGHT;

const ceilDiv = (a: number, b: number): number => Math.ceil(a / b);
export const alignUp = (v: number, alignment: number): number => ceilDiv(v, alignment) * alignment;

/** Where byte `x` of row `y` of slice `z` of a block-linear level lies. */
export function blockLinearAddress(x: number, y: number, z: number, level: Level, blocks: Blocks): number {
  const { blockHeight, blockDepth } = blocks;
  const gobsAcross = ceilDiv(level.width * level.bytesPerElement, GOB_WIDTH);
  const rowOfBlocks = GOB_SIZE * blockHeight * blockDepth * gobsAcross;
  const sliceOfBlocks = ceilDiv(level.height, GOB_HEIGHT * blockHeight) * rowOfBlocks;
  const yInBlock = y % (GOB_HEIGHT * blockHeight);
  return (
    Math.floor(z / blockDepth) * sliceOfBlocks +
    Math.floor(y / (GOB_HEIGHT * blockHeight)) * rowOfBlocks +
    Math.floor(x / GOB_WIDTH) * GOB_SIZE * blockHeight * blockDepth +
    (z % blockDepth) * GOB_SIZE * blockHeight +
    Math.floor(yInBlock / GOB_HEIGHT) * GOB_SIZE +
    Math.floor((x % 64) / 32) * 256 +
    Math.floor((y % 8) / 2) * 64 +
    Math.floor((x % 32) / 16) * 32 +
    (y % 2) * 16 +
    (x % 16)
  );
}

/** Bytes of a block-linear level, padding included. */
export function blockLinearSize(level: Level, { blockHeight, blockDepth }: Blocks): number {
  return (
    GOB_SIZE *
    ceilDiv(level.width * level.bytesPerElement, GOB_WIDTH) *
    ceilDiv(level.height, GOB_HEIGHT * blockHeight) *
    blockHeight *
    ceilDiv(level.depth, blockDepth) *
    blockDepth
  );
}

/** Elements in rows, slice after slice, to the order the GPU wants. Padding is zero. */
export function swizzle(linear: Uint8Array, level: Level, blocks: Blocks): Uint8Array {
  const rowSize = level.width * level.bytesPerElement;
  if (linear.length !== rowSize * level.height * level.depth) {
    throw new RangeError(`the level has ${rowSize * level.height * level.depth} bytes, got ${linear.length}`);
  }
  const out = new Uint8Array(blockLinearSize(level, blocks));
  let from = 0;
  for (let z = 0; z < level.depth; z++) {
    for (let y = 0; y < level.height; y++) {
      for (let x = 0; x < rowSize; x++) out[blockLinearAddress(x, y, z, level, blocks)] = linear[from++]!;
    }
  }
  return out;
}

/** Bytes from one row to the next of a pitch-linear surface. */
export const linearPitch = (level: Level): number => alignUp(level.width * level.bytesPerElement, 32);

/** Elements in rows to rows of {@link linearPitch} bytes. */
export function pitchLinear(linear: Uint8Array, level: Level): Uint8Array {
  const rowSize = level.width * level.bytesPerElement;
  const pitch = linearPitch(level);
  const rows = level.height * level.depth;
  const out = new Uint8Array(pitch * rows);
  for (let y = 0; y < rows; y++) out.set(linear.subarray(rowSize * y, rowSize * (y + 1)), pitch * y);
  return out;
}

/** The block height that the tools choose for a height in elements: about one block over one and a half heights. */
export function chooseBlockHeight(height: number): number {
  const h = height * 1.5;
  return h >= 128 ? 16 : h >= 64 ? 8 : h >= 32 ? 4 : h >= 16 ? 2 : 1;
}

/** The block depth that the tools choose for a depth in slices. */
export function chooseBlockDepth(depth: number): number {
  const d = depth * 1.5;
  return d >= 16 ? 16 : d >= 8 ? 8 : d >= 4 ? 4 : d >= 2 ? 2 : 1;
}

/** What stays of a block on mip `mip`, whose level it may not exceed twofold; mip 0 keeps its depth. */
export function shrinkBlocks({ blockHeight, blockDepth }: Blocks, level: Level, mip: number): Blocks {
  while (blockHeight > 1 && level.height <= (blockHeight / 2) * GOB_HEIGHT) blockHeight /= 2;
  if (mip > 0) while (blockDepth > 1 && level.depth <= blockDepth / 2) blockDepth /= 2;
  return { blockHeight, blockDepth };
}

/** What a whole texture is made of; sizes in texels. */
export interface SurfaceShape extends Blocks {
  width: number;
  height: number;
  depth: number;
  layers: number;
  mips: number;
  /** texels across and down an element: more than 1 for block formats */
  extent: readonly [columns: number, rows: number];
  bytesPerElement: number;
  tileMode: 'optimal' | 'linear';
}

export interface SurfaceLayout {
  /** of layer 0; layer n is `n * layerStride` further on */
  mips: { level: Level; blocks: Blocks; offset: number; size: number }[];
  layerStride: number;
  size: number;
}

/** Where every mip of every layer lies. */
export function surfaceLayout(shape: SurfaceShape): SurfaceLayout {
  const { width, height, depth, extent, bytesPerElement, layers } = shape;
  const mips: SurfaceLayout['mips'] = [];
  let offset = 0;
  for (let mip = 0; mip < shape.mips; mip++) {
    const level: Level = {
      width: ceilDiv(Math.max(1, width >> mip), extent[0]),
      height: ceilDiv(Math.max(1, height >> mip), extent[1]),
      depth: Math.max(1, depth >> mip),
      bytesPerElement,
    };
    const blocks = shrinkBlocks(shape, level, mip);
    const size =
      shape.tileMode === 'linear' ? linearPitch(level) * level.height * level.depth : blockLinearSize(level, blocks);
    mips.push({ level, blocks, offset, size });
    offset += size;
  }
  const { blockHeight, blockDepth } = mips[0]!.blocks;
  const alignment = layers > 1 && shape.tileMode === 'optimal' ? GOB_SIZE * blockHeight * blockDepth : 1;
  const layerStride = alignUp(offset, alignment);
  return { mips, layerStride, size: layerStride * layers };
}

/** All layers and mips as they lie in the file; `levels[layer][mip]` holds the elements of all slices in rows. */
export function swizzleSurface(levels: readonly (readonly Uint8Array[])[], shape: SurfaceShape): Uint8Array {
  const layout = surfaceLayout(shape);
  const out = new Uint8Array(layout.size);
  levels.forEach((mips, layer) => {
    layout.mips.forEach(({ level, blocks, offset }, mip) => {
      const linear = mips[mip]!;
      const stored = shape.tileMode === 'linear' ? pitchLinear(linear, level) : swizzle(linear, level, blocks);
      out.set(stored, layer * layout.layerStride + offset);
    });
  });
  return out;
}
