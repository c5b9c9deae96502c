/**
 * A small reader of nn files, independent of the writers and of romflow, that knows just enough to check what the
 * builders write and to take real files apart.
 */
export class NnFile {
  readonly view: DataView;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  u8 = (at: number): number => this.view.getUint8(at);
  u16 = (at: number): number => this.view.getUint16(at, true);
  u32 = (at: number): number => this.view.getUint32(at, true);
  u64 = (at: number): number => Number(this.view.getBigUint64(at, true));
  magic = (at: number): string => String.fromCharCode(...this.bytes.subarray(at, at + 4));

  /** The string whose length lies at `at`. */
  string(at: number): string {
    const end = at + 2 + this.u16(at);
    if (this.u8(end) !== 0) throw new Error(`no NUL after the string at ${at}`);
    return new TextDecoder().decode(this.bytes.subarray(at + 2, end));
  }

  pointers = (at: number, count: number): number[] => Array.from({ length: count }, (_, i) => this.u64(at + 8 * i));

  /** The strings of the block at `at`, the empty one first; `end` is where the last one ends. */
  stringPool(at: number, count: number): { strings: string[]; end: number } {
    const strings: string[] = [];
    let o = at + 0x14;
    for (let i = 0; i < count; i++) {
      strings.push(this.string(o));
      o += 2 + this.u16(o) + 1;
      o += o % 2;
    }
    return { strings, end: o };
  }

  dicNode = (at: number, i: number) => ({
    bit: this.u32(at + 8 + 16 * i) | 0,
    left: this.u16(at + 8 + 16 * i + 4),
    right: this.u16(at + 8 + 16 * i + 6),
    name: this.string(this.u64(at + 8 + 16 * i + 8)),
  });

  /** Looks a name up by walking the tree, as the game does: the entry's number, or -1. */
  dicFind(at: number, name: string): number {
    const key = new TextEncoder().encode(name).toReversed();
    let bit = -1;
    let node = this.dicNode(at, 0).left;
    for (let steps = 0; steps < 1000; steps++) {
      const { bit: asked, left, right, name: found } = this.dicNode(at, node);
      if (asked <= bit) return node > 0 && found === name ? node - 1 : -1;
      bit = asked;
      node = (((key[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1 ? right : left;
    }
    throw new Error('the tree has no end');
  }

  /** The sections of `_RLT`, each with the places of all pointers it lists. */
  relocations(): { position: number; size: number; places: number[] }[] {
    const table = this.u32(0x18);
    if (this.magic(table) !== '_RLT' || this.u32(table + 4) !== table) throw new Error('no _RLT');
    const count = this.u32(table + 8);
    const entries = table + 0x10 + 24 * count;
    return Array.from({ length: count }, (_, s) => {
      const at = table + 0x10 + 24 * s;
      const places: number[] = [];
      const first = this.u32(at + 16);
      for (let e = first; e < first + this.u32(at + 20); e++) {
        const entry = entries + 8 * e;
        const [groups, pointers, gap] = [this.u16(entry + 4), this.u8(entry + 6), this.u8(entry + 7)];
        for (let g = 0; g < groups; g++) {
          for (let p = 0; p < pointers; p++) places.push(this.u32(entry) + 8 * (g * (pointers + gap) + p));
        }
      }
      return { position: this.u32(at + 8), size: this.u32(at + 12), places };
    });
  }
}

export interface ReadTexture {
  at: number;
  size: number;
  name: string;
  flags: number;
  storage: number;
  tileMode: number;
  swizzle: number;
  mips: number;
  format: number;
  width: number;
  height: number;
  depth: number;
  layers: number;
  layout: number;
  dataSize: number;
  alignment: number;
  channels: string;
  dimension: number;
  mipPointers: number[];
  userData: number;
  userDic: number;
}

export function readBntx(bytes: Uint8Array) {
  const file = new NnFile(bytes);
  const strings = file.u16(0x16);
  const count = file.u32(0x24);
  const infos = file.pointers(file.u64(0x28), count);
  const textures = infos.map((o): ReadTexture => {
    const mips = file.u16(o + 0x16);
    return {
      at: o,
      size: file.u32(o + 8),
      name: file.string(file.u64(o + 0x60)),
      flags: file.u8(o + 0x10),
      storage: file.u8(o + 0x11),
      tileMode: file.u16(o + 0x12),
      swizzle: file.u16(o + 0x14),
      mips,
      format: file.u32(o + 0x1c),
      width: file.u32(o + 0x24),
      height: file.u32(o + 0x28),
      depth: file.u32(o + 0x2c),
      layers: file.u32(o + 0x30),
      layout: file.u8(o + 0x34),
      dataSize: file.u32(o + 0x50),
      alignment: file.u32(o + 0x54),
      channels: [0, 1, 2, 3].map((i) => '01RGBA'[file.u8(o + 0x58 + i)]).join(''),
      dimension: file.u8(o + 0x5c),
      mipPointers: file.pointers(file.u64(o + 0x70), mips),
      userData: file.u64(o + 0x78),
      userDic: file.u64(o + 0x98),
    };
  });
  return {
    file,
    textures,
    strings,
    pool: file.stringPool(strings, file.u32(strings + 0x10) + 1),
    dic: file.u64(0x38),
    brtd: file.u64(0x30),
    name: file.string(file.u32(0x10) - 2),
  };
}

/** The block-linear order undone by taking the address apart bit by bit, one GOB after the other. */
export function unswizzle(
  stored: Uint8Array,
  { rowSize, rows, depth }: { rowSize: number; rows: number; depth: number },
  blockHeight: number,
  blockDepth: number,
): Uint8Array {
  const out = new Uint8Array(rowSize * rows * depth);
  const [gobsX, blocksY] = [Math.ceil(rowSize / 64), Math.ceil(rows / (8 * blockHeight))];
  const size = gobsX * blocksY * Math.ceil(depth / blockDepth) * blockHeight * blockDepth * 512;
  for (let at = 0; at < size; at++) {
    // From the lowest address bits up: byte in the GOB, GOB in the column, slice in the block, block.
    const gob = Math.floor(at / 512);
    const inGob = at % 512;
    const x = (inGob & 15) | ((inGob & 32) >> 1) | ((inGob & 256) >> 3);
    const y = ((inGob & 16) >> 4) | ((inGob & 192) >> 5);
    const gobY = gob % blockHeight;
    const slice = Math.floor(gob / blockHeight) % blockDepth;
    const block = Math.floor(gob / blockHeight / blockDepth);
    const [bx, by, bz] = [block % gobsX, Math.floor(block / gobsX) % blocksY, Math.floor(block / gobsX / blocksY)];
    const [px, py, pz] = [64 * bx + x, 8 * (by * blockHeight + gobY) + y, bz * blockDepth + slice];
    if (px < rowSize && py < rows && pz < depth) out[(pz * rows + py) * rowSize + px] = stored[at]!;
  }
  return out;
}

const CHANNELS: Record<number, [name: string, extent: number, size: number, rows?: number]> = {
  0x02: ['R8', 1, 1],
  0x03: ['R4G4B4A4', 1, 2],
  0x05: ['R5G5B5A1', 1, 2],
  0x06: ['A1B5G5R5', 1, 2],
  0x07: ['R5G6B5', 1, 2],
  0x08: ['B5G6R5', 1, 2],
  0x09: ['R8G8', 1, 2],
  0x0a: ['R16', 1, 2],
  0x0b: ['R8G8B8A8', 1, 4],
  0x0c: ['B8G8R8A8', 1, 4],
  0x0d: ['R9G9B9E5', 1, 4],
  0x0e: ['R10G10B10A2', 1, 4],
  0x0f: ['R11G11B10', 1, 4],
  0x12: ['R16G16', 1, 4],
  0x13: ['D24S8', 1, 4],
  0x14: ['R32', 1, 4],
  0x15: ['R16G16B16A16', 1, 8],
  0x16: ['D32S8', 1, 8],
  0x17: ['R32G32', 1, 8],
  0x18: ['R32G32B32', 1, 12],
  0x19: ['R32G32B32A32', 1, 16],
  0x1a: ['BC1', 4, 8],
  0x1b: ['BC2', 4, 16],
  0x1c: ['BC3', 4, 16],
  0x1d: ['BC4', 4, 8],
  0x1e: ['BC5', 4, 16],
  0x1f: ['BC6', 4, 16],
  0x20: ['BC7', 4, 16],
  0x2d: ['ASTC4x4', 4, 16, 4],
  0x2e: ['ASTC5x4', 5, 16, 4],
  0x2f: ['ASTC5x5', 5, 16, 5],
  0x30: ['ASTC6x5', 6, 16, 5],
  0x31: ['ASTC6x6', 6, 16, 6],
  0x32: ['ASTC8x5', 8, 16, 5],
  0x33: ['ASTC8x6', 8, 16, 6],
  0x34: ['ASTC8x8', 8, 16, 8],
  0x35: ['ASTC10x5', 10, 16, 5],
  0x36: ['ASTC10x6', 10, 16, 6],
  0x37: ['ASTC10x8', 10, 16, 8],
  0x38: ['ASTC10x10', 10, 16, 10],
  0x39: ['ASTC12x10', 12, 16, 10],
  0x3a: ['ASTC12x12', 12, 16, 12],
  0x3b: ['B5G5R5A1', 1, 2],
};
const TYPES = ['', 'UNORM', 'SNORM', 'UINT', 'SINT', 'FLOAT', 'SRGB', 'DEPTH', '', '', 'UFLOAT'];

export function formatName(code: number): string {
  const [name, type] = [CHANNELS[code >> 8]![0], TYPES[code & 255]!];
  return `${type === 'DEPTH' ? name.replace('R', 'D') : name}_${type}`;
}

/** Elements of one mip of one layer, all slices, in rows. */
export function readElements(bytes: Uint8Array, texture: ReadTexture, layer: number, mip: number): Uint8Array {
  const [, columns, size, rowsOfBlock = columns] = CHANNELS[texture.format >> 8]!;
  const along = (v: number, extent: number): number => Math.ceil(Math.max(1, v >> mip) / extent);
  const rowSize = along(texture.width, columns) * size;
  const rows = along(texture.height, rowsOfBlock);
  const depth = Math.max(1, texture.depth >> mip);
  const at = texture.mipPointers[mip]! + (layer * texture.dataSize) / texture.layers;
  const stored = bytes.subarray(at);
  if (texture.tileMode === 1) {
    const pitch = (rowSize + 31) & ~31;
    const out = new Uint8Array(rowSize * rows);
    for (let y = 0; y < rows; y++) out.set(stored.subarray(pitch * y, pitch * y + rowSize), rowSize * y);
    return out;
  }
  let blockHeight = 1 << (texture.layout & 7);
  let blockDepth = texture.storage === 3 ? 1 << ((texture.layout >> 4) & 7) : 1;
  while (blockHeight > 1 && rows <= 4 * blockHeight) blockHeight /= 2;
  if (mip > 0) while (blockDepth > 1 && depth <= blockDepth / 2) blockDepth /= 2;
  return unswizzle(stored, { rowSize, rows, depth }, blockHeight, blockDepth);
}
