import { FORMATS } from './formats.ts';
import type { FormatName } from './formats.ts';
import {
  dicSize,
  FileImage,
  relocationEntries,
  relocationTableSize,
  StringPool,
  writeDic,
  writeRelocationTable,
} from './nn.ts';
import type { RelocationSection } from './nn.ts';
import { alignUp, chooseBlockDepth, chooseBlockHeight, surfaceLayout, swizzleSurface } from './swizzle.ts';
import type { SurfaceShape } from './swizzle.ts';

/** nn::gfx::ImageDimension and the storage dimension that goes with it. */
const DIMENSIONS = {
  '1d': { code: 0, storage: 1 },
  '2d': { code: 1, storage: 2 },
  '3d': { code: 2, storage: 3 },
  cube: { code: 3, storage: 2 },
  '1d-array': { code: 4, storage: 1 },
  '2d-array': { code: 5, storage: 2 },
  'cube-array': { code: 8, storage: 2 },
} as const;

export type Dimension = keyof typeof DIMENSIONS;

/** One entry of a texture's user data. */
export type UserData = { name: string } & (
  | { type: 'int'; values: readonly number[] }
  | { type: 'float'; values: readonly number[] }
  | { type: 'string'; values: readonly string[] }
  | { type: 'byte'; values: readonly number[] }
);

const USER_DATA_TYPES = ['int', 'float', 'string', 'byte'] as const;

export interface BntxTexture {
  name: string;
  format: FormatName;
  dimension: Dimension;
  /** in texels */
  width: number;
  height: number;
  depth: number;
  /** array layers; six for each cube */
  layers: number;
  mips: number;
  /** `levels[layer][mip]`: the elements of all slices, in rows */
  levels: readonly (readonly Uint8Array[])[];
  /** where red, green, blue and alpha of the result come from, such as `111R` */
  channels?: string;
  userData?: readonly UserData[];
  tileMode?: 'optimal' | 'linear';
  /** log2 of the block height in GOBs, when not the one the tools choose */
  blockHeightLog2?: number;
  blockDepthLog2?: number;
  /** bits to set in the layout byte above the block height, as modding tools leave them */
  layoutBits?: number;
  /** BRTI flags, when not those that go with the version */
  flags?: number;
  /** the swizzle field, which has no effect */
  swizzle?: number;
}

export interface BntxFile {
  name: string;
  version: readonly [major: number, minor: number, micro: number];
  textures: readonly BntxTexture[];
  /** strings in the order of the pool, when not by texture */
  stringOrder?: readonly string[];
}

const BRTI_SIZE = 0x2a0;
const USER_DATA_SIZE = 0x40;
const DATA_ALIGNMENT = 0x1000;
const TEXTURE_ALIGNMENT = 512;
const TEXTURE_POINTERS = 0x198;

function shapeOf(texture: BntxTexture): SurfaceShape {
  const { extent, bytesPerElement } = FORMATS[texture.format];
  const deep = texture.dimension === '3d';
  // The tools give every 3D texture blocks one GOB high.
  const high = deep ? 1 : chooseBlockHeight(Math.ceil(texture.height / extent[1]));
  return {
    width: texture.width,
    height: texture.height,
    depth: texture.depth,
    layers: texture.layers,
    mips: texture.mips,
    extent,
    bytesPerElement,
    tileMode: texture.tileMode ?? 'optimal',
    blockHeight: texture.blockHeightLog2 === undefined ? high : 1 << texture.blockHeightLog2,
    blockDepth:
      texture.blockDepthLog2 === undefined ? (deep ? chooseBlockDepth(texture.depth) : 1) : 1 << texture.blockDepthLog2,
  };
}

/** A texture's place in the file. */
interface Placed {
  texture: BntxTexture;
  shape: SurfaceShape;
  brti: number;
  /** of the user data array, its dictionary, and each entry's values; 0 without user data */
  userData: number;
  userDic: number;
  userValues: number[];
  brtiEnd: number;
  data: number;
  stored: Uint8Array;
}

const valueSize = (data: UserData): number =>
  ({ int: 4, float: 4, string: 8, byte: 1 })[data.type] * data.values.length;

function placeStructures(texture: BntxTexture, brti: number): Omit<Placed, 'data' | 'stored'> {
  const userData = texture.userData ?? [];
  let end = brti + BRTI_SIZE + 8 * texture.mips;
  const placed = {
    texture,
    shape: shapeOf(texture),
    brti,
    userData: 0,
    userDic: 0,
    userValues: [] as number[],
    brtiEnd: 0,
  };
  if (userData.length > 0) {
    placed.userData = end;
    placed.userDic = end + USER_DATA_SIZE * userData.length;
    end = placed.userDic + dicSize(userData.length);
    for (const entry of userData) {
      placed.userValues.push(end);
      end = alignUp(end + valueSize(entry), 8);
    }
  }
  placed.brtiEnd = end;
  return placed;
}

function writeUserData(image: FileImage, { texture, userData, userDic, userValues }: Placed, pool: StringPool): void {
  const entries = texture.userData ?? [];
  if (entries.length === 0) return;
  entries.forEach((entry, i) => {
    const o = userData + USER_DATA_SIZE * i;
    const at = userValues[i]!;
    image.pointer(o + 0x00, pool.offset(entry.name));
    image.pointer(o + 0x08, entry.values.length > 0 ? at : 0);
    image.u32(o + 0x10, entry.values.length);
    image.u32(o + 0x14, USER_DATA_TYPES.indexOf(entry.type));
    if (entry.type === 'string') entry.values.forEach((text, k) => image.pointer(at + 8 * k, pool.offset(text)));
    else if (entry.type === 'byte') image.set(at, entry.values);
    else if (entry.type === 'float') entry.values.forEach((v, k) => image.f32(at + 4 * k, v));
    else entry.values.forEach((v, k) => image.u32(at + 4 * k, v >>> 0));
  });
  writeDic(
    image,
    userDic,
    '_DIC',
    entries.map((entry) => entry.name),
    pool,
  );
}

function writeTextureInfo(image: FileImage, placed: Placed, size: number, flags: number, pool: StringPool): void {
  const { texture, shape, brti: o } = placed;
  const { code, storage } = DIMENSIONS[texture.dimension];
  const linear = shape.tileMode === 'linear';
  const log2 = (v: number): number => 31 - Math.clz32(v);
  image.ascii(o, 'BRTI');
  image.u32(o + 0x04, size);
  image.u32(o + 0x08, size);
  image.u8(o + 0x10, texture.flags ?? flags);
  image.u8(o + 0x11, storage);
  image.u16(o + 0x12, linear ? 1 : 0);
  image.u16(o + 0x14, texture.swizzle ?? 0);
  image.u16(o + 0x16, texture.mips);
  image.u16(o + 0x18, 1); // samples
  image.u32(o + 0x1c, FORMATS[texture.format].code);
  image.u32(o + 0x20, 0x20); // may be used as a texture
  image.u32(o + 0x24, texture.width);
  image.u32(o + 0x28, texture.height);
  image.u32(o + 0x2c, texture.depth);
  image.u32(o + 0x30, texture.layers);
  const blocks = linear ? 0 : log2(shape.blockHeight) | (log2(shape.blockDepth) << 4);
  image.u8(o + 0x34, blocks | (texture.layoutBits ?? 0));
  image.u32(o + 0x38, 0x10007);
  image.u32(o + 0x50, placed.stored.length);
  image.u32(o + 0x54, linear ? 1 : TEXTURE_ALIGNMENT);
  (texture.channels ?? 'RGBA').split('').forEach((source, i) => image.u8(o + 0x58 + i, '01RGBA'.indexOf(source)));
  image.u8(o + 0x5c, code);
  image.pointer(o + 0x60, pool.offset(texture.name));
  image.pointer(o + 0x68, 0x20);
  image.pointer(o + 0x70, o + BRTI_SIZE);
  image.pointer(o + 0x78, placed.userData);
  image.pointer(o + 0x80, o + 0xa0);
  image.pointer(o + 0x88, o + 0x1a0);
  image.pointer(o + 0x98, placed.userDic);
  surfaceLayout(shape).mips.forEach(({ offset }, mip) => image.pointer(o + BRTI_SIZE + 8 * mip, placed.data + offset));
  writeUserData(image, placed, pool);
}

function allStrings({ name, textures, stringOrder }: BntxFile): string[] {
  const strings = textures.flatMap(({ name: texture, userData = [] }) => [
    texture,
    ...userData.flatMap((entry) => [entry.name, ...(entry.type === 'string' ? entry.values : [])]),
  ]);
  return [...(stringOrder ?? []), ...strings, name];
}

/** A BNTX with the blocks in the order of real files: header, `_STR`, `_DIC`, BRTI, BRTD, `_RLT`. */
export function writeBntx(file: BntxFile): Uint8Array {
  const { textures } = file;
  const str = TEXTURE_POINTERS + 8 * textures.length;
  const pool = new StringPool(str, allStrings(file));
  const dic = alignUp(pool.end, 8);
  const firstBrti = dic + dicSize(textures.length);

  let structuresEnd = firstBrti;
  const structures = textures.map((texture) => {
    const placed = placeStructures(texture, structuresEnd);
    structuresEnd = placed.brtiEnd;
    return placed;
  });
  const brtd = alignUp(structuresEnd + 0x10, DATA_ALIGNMENT) - 0x10;
  let dataEnd = brtd + 0x10;
  const placed: Placed[] = structures.map((one) => {
    const data = alignUp(dataEnd, TEXTURE_ALIGNMENT);
    const stored = swizzleSurface(one.texture.levels, one.shape);
    dataEnd = data + stored.length;
    return { ...one, data, stored };
  });
  const rlt = alignUp(dataEnd, DATA_ALIGNMENT);

  const image = new FileImage(rlt);
  image.ascii(0x20, 'NX  ');
  image.u32(0x24, textures.length);
  image.pointer(0x28, TEXTURE_POINTERS);
  image.pointer(0x30, brtd);
  image.pointer(0x38, dic);
  image.pointer(0x40, 0x58);
  placed.forEach(({ brti }, i) => image.pointer(TEXTURE_POINTERS + 8 * i, brti));

  pool.write(image, pool.count - 1);
  image.u32(str + 0x4, firstBrti - str);
  image.u32(str + 0x8, firstBrti - str);
  writeDic(
    image,
    dic,
    '_DIC',
    textures.map((texture) => texture.name),
    pool,
  );

  // Bit 3 came with 4.1.
  const flags = file.version[1] >= 1 ? 0x09 : 0x01;
  placed.forEach((one, i) => {
    const next = placed[i + 1]?.brti ?? brtd;
    writeTextureInfo(image, one, next - one.brti, flags, pool);
    image.set(one.data, one.stored);
  });
  image.ascii(brtd, 'BRTD');
  image.u32(brtd + 0x8, rlt - brtd);

  const into = (data: boolean): number[] =>
    image.pointers.filter(({ target }) => target >= brtd === data).map(({ position }) => position);
  const sections: RelocationSection[] = [
    { position: 0, size: structuresEnd, entries: relocationEntries(into(false)) },
    { position: brtd, size: rlt - brtd, entries: relocationEntries(into(true)) },
  ];
  const whole = new FileImage(rlt + relocationTableSize(sections));
  whole.set(0, image.bytes);
  writeRelocationTable(whole, rlt, sections);
  whole.header({
    magic: 'BNTX',
    version: file.version,
    addressSize: 64,
    nameOffset: pool.offset(file.name) + 2,
    firstBlock: str,
    relocationTable: rlt,
    fileSize: whole.bytes.length,
  });
  return whole.bytes;
}

/** Several files one after the other, each padded to 4096 bytes, as some games store them. */
export function concatenated(files: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(files.reduce((sum, file) => sum + alignUp(file.length, DATA_ALIGNMENT), 0));
  let at = 0;
  for (const file of files) {
    out.set(file, at);
    at += alignUp(file.length, DATA_ALIGNMENT);
  }
  return out;
}

/** A file behind 80 bytes that are not part of it, as one game stores them. */
export function prefixed(file: Uint8Array): Uint8Array {
  const out = new Uint8Array(80 + file.length);
  out.set(file, 80);
  return out;
}
