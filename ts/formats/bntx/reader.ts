/** BNTX 4.0 and 4.1 (spec bntx; layout of the fields from open-ead/nnheaders and 88 measured files). */
import { counted, FormatError, hex } from '../../io/errors.ts';
import { Slice, type SliceOptions } from '../../io/slice.ts';
import type { Source } from '../../io/source.ts';
import { BINARY_FILE_HEADER_SIZE, readBinaryFileHeader } from '../../nn/binary-file.ts';
import { IMAGE_DIMENSIONS, imageFormat } from '../../nn/gfx.ts';
import { readResDicKeys } from '../../nn/res-dic.ts';
import { StringPool } from '../../nn/string-pool.ts';
import { hasMagic } from '../format.ts';
import type { Bntx, BntxTexture, UserData } from './types.ts';

const FORMAT = 'BNTX';
export const BNTX_MAGIC = 'BNTX\0\0\0\0';
/** Kill la Kill puts 80 bytes of its own before the file. */
export const PREFIX_SIZE = 0x50;
const FILE_ALIGNMENT = 0x1000;
const CONTAINER_SIZE = 0x38;
const TEXTURE_INFO_SIZE = 0xa0;
const USER_DATA_SIZE = 0x40;
const MAX_EXTENT = 16384; // of the GPU, in texels
const MAX_LAYERS = 0xffff;
const LONGEST_NAME = 4096; // far beyond what any file system takes
const MAX_MIPS = 16; // one more than 16384 texels have: real files have such a level

/** All BNTX of a file: the one at its start (or after an 80-byte prefix) and those that follow, each 4096-aligned. */
export function readBntx(source: Source): Bntx[] {
  const files: Bntx[] = [];
  let offset = startOf(source);
  for (;;) {
    const file = readOne(source, offset);
    files.push(file);
    const end = offset + Math.ceil(Math.max(file.fileSize, 1) / FILE_ALIGNMENT) * FILE_ALIGNMENT;
    if (end + BINARY_FILE_HEADER_SIZE > source.size || !hasMagic(source.read(end, 8), BNTX_MAGIC)) return files;
    offset = end;
  }
}

function startOf(source: Source): number {
  const size = Math.min(source.size, PREFIX_SIZE + 8);
  return hasMagic(source.read(0, size), BNTX_MAGIC, PREFIX_SIZE) ? PREFIX_SIZE : 0;
}

/** Reads the strings, pointers and structs of one BNTX, whose pointers count from its header at `base`. */
class Pointers {
  readonly source: Source;
  readonly base: number;
  readonly strings: StringPool;
  readonly #options: SliceOptions;

  constructor(source: Source, base: number, littleEndian: boolean) {
    this.source = source;
    this.base = base;
    this.#options = { format: FORMAT, littleEndian };
    this.strings = new StringPool(source, this.#options);
  }

  /** Bytes at an offset in the source. */
  slice(offset: number, size: number): Slice {
    return Slice.read(this.source, offset, size, this.#options);
  }

  /** The pointer at `offset`, as an offset in the source; 0 for null. */
  pointer(slice: Slice, offset: number, what: string): number {
    const value = slice.offset64(offset, this.source.size - this.base, `${what} offset`);
    return value && this.base + value;
  }

  /** Offsets of the keys of a dictionary. */
  keys(dictionary: number): number[] {
    return readResDicKeys(this.source, dictionary, this.base, this.#options);
  }
}

function readOne(source: Source, base: number): Bntx {
  const header = readBinaryFileHeader(source, base, BNTX_MAGIC, FORMAT);
  if (header.major !== 4) {
    throw new FormatError({
      code: 'unsupported',
      format: FORMAT,
      offset: base + 0x08,
      expected: 'version 4',
      found: header.version,
      path: source.path,
    });
  }
  const at = new Pointers(source, base, header.littleEndian);
  const container = at.slice(base + BINARY_FILE_HEADER_SIZE, CONTAINER_SIZE);
  const target = container.ascii(base + 0x20, 4);
  const count = container.u32(base + 0x24);
  const infos = at.pointer(container, base + 0x28, 'a texture array');
  const available = Math.floor(Math.max(source.size - infos, 0) / 8);
  if (count > available) throw container.error(base + 0x24, `at most ${counted(available, 'texture')}`, String(count));
  const array = at.slice(infos, count * 8);
  return {
    version: header.version,
    littleEndian: header.littleEndian,
    // unlike all other name offsets, this one points at the characters and not at the length before them
    name: header.nameOffset >= 2 ? at.strings.read(base + header.nameOffset - 2) : '',
    offset: base,
    fileSize: header.fileSize,
    target,
    textures: texturePointers(at, array, infos, count).map((pointer) => readTexture(at, pointer)),
  };
}

/** Pointers to textures, no two the same: a thousand to one would make much out of little. */
function texturePointers(at: Pointers, array: Slice, infos: number, count: number): number[] {
  const seen = new Set<number>();
  for (let i = 0; i < count; i++) {
    const field = infos + i * 8;
    const pointer = at.pointer(array, field, 'a texture');
    if (seen.has(pointer)) throw array.error(field, 'a texture of its own', `${hex(pointer)} again`);
    seen.add(pointer);
  }
  return [...seen];
}

function readTexture(at: Pointers, o: number): BntxTexture {
  const info = at.slice(o, TEXTURE_INFO_SIZE);
  info.expectMagic(o, 'BRTI');
  const inRange = (offset: number, value: number, low: number, high: number, what: string): number => {
    if (value < low || value > high) throw info.error(offset, `${what} of ${low} to ${high}`, String(value));
    return value;
  };
  const flags = info.u8(o + 0x10);
  const storageDimension = inRange(o + 0x11, info.u8(o + 0x11), 1, 3, 'a storage dimension');
  const tileMode = inRange(o + 0x12, info.u16(o + 0x12), 0, 1, 'a tile mode');
  const swizzle = info.u16(o + 0x14);
  const mipCount = inRange(o + 0x16, info.u16(o + 0x16), 1, MAX_MIPS, 'a mip count');
  const sampleCount = info.u16(o + 0x18);
  const format = imageFormat(info.u32(o + 0x1c));
  const gpuAccess = info.u32(o + 0x20);
  const width = inRange(o + 0x24, info.u32(o + 0x24), 1, MAX_EXTENT, 'a width');
  const height = inRange(o + 0x28, info.u32(o + 0x28), 1, MAX_EXTENT, 'a height');
  const depth = inRange(o + 0x2c, info.u32(o + 0x2c), 1, MAX_EXTENT, 'a depth');
  const layerCount = inRange(o + 0x30, info.u32(o + 0x30), 1, MAX_LAYERS, 'an array length');
  const layout = info.bytes(o + 0x34, 8);
  const blockHeightLog2 = inRange(o + 0x34, layout[0]! & 7, 0, 5, 'a block height log2');
  // The high bits mean the block depth only in 3D; 2D textures of games and tools have other things there.
  const is3D = storageDimension === 3;
  const blockDepthLog2 = is3D ? inRange(o + 0x34, (layout[0]! >> 4) & 7, 0, 5, 'a block depth log2') : 0;
  const dataSize = info.u32(o + 0x50);
  const alignment = info.u32(o + 0x54);
  const channels = info.u32(o + 0x58);
  for (let i = 0; i < 4; i++) inRange(o + 0x58 + i, info.u8(o + 0x58 + i), 0, 5, 'a channel source');
  const dimension = IMAGE_DIMENSIONS[inRange(o + 0x5c, info.u8(o + 0x5c), 0, 8, 'an image dimension')]!;
  const name = at.strings.read(at.pointer(info, o + 0x60, 'a name'));
  if (name.length > LONGEST_NAME)
    throw info.error(o + 0x60, `a name of at most ${LONGEST_NAME} characters`, String(name.length));
  const mips = at.pointer(info, o + 0x70, 'a mip array');
  const userData = at.pointer(info, o + 0x78, 'a user data');
  const userDictionary = at.pointer(info, o + 0x98, 'a user data dictionary');
  const mipArray = at.slice(mips, mipCount * 8);
  return {
    name,
    offset: o,
    format,
    dimension,
    width,
    height,
    depth,
    layerCount,
    mipCount,
    sampleCount,
    flags,
    storageDimension,
    linear: tileMode === 1,
    swizzle,
    gpuAccess,
    layout,
    blockHeightLog2,
    blockDepthLog2,
    dataSize,
    alignment,
    channels,
    mipOffsets: Array.from({ length: mipCount }, (_, i) => at.pointer(mipArray, mips + i * 8, 'a mip')),
    userData: userData && userDictionary ? readUserData(at, userData, userDictionary) : [],
  };
}

const USER_DATA_TYPES = ['s32', 'float', 'string', 'byte'] as const;

function readUserData(at: Pointers, o: number, dictionary: number): UserData[] {
  return at.keys(dictionary).map((_, i) => readUserDatum(at, o + i * USER_DATA_SIZE));
}

function readUserDatum(at: Pointers, o: number): UserData {
  const entry = at.slice(o, USER_DATA_SIZE);
  const name = at.strings.read(at.pointer(entry, o, 'a name'));
  const data = at.pointer(entry, o + 0x08, 'a user data value');
  const count = entry.u32(o + 0x10);
  const type = USER_DATA_TYPES[entry.u8(o + 0x14)];
  if (!type) throw entry.error(o + 0x14, 'a user data type of 0 to 3', String(entry.u8(o + 0x14)));
  const elementSize = { s32: 4, float: 4, string: 8, byte: 1 }[type];
  at.strings.spend(count * elementSize, o + 0x10);
  const values = at.slice(data, data ? count * elementSize : 0);
  const each = <T>(read: (offset: number) => T): T[] =>
    Array.from({ length: data ? count : 0 }, (_, i) => read(data + i * elementSize));
  switch (type) {
    case 's32':
      return { name, type, values: each((v) => values.s32(v)) };
    case 'float':
      return { name, type, values: each((v) => values.f32(v)) };
    case 'string':
      return { name, type, values: each((v) => at.strings.read(at.pointer(values, v, 'a string'))) };
    case 'byte':
      return { name, type, values: values.bytes(values.start, values.end - values.start) };
  }
}
