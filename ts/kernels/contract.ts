/**
 * The contract of every kernel, as TypeScript sees it. `asm/wit/kernels.wit` is its source: the types here are checked
 * against what jco makes of that file (`test/types/contract.ts`), and the doc comments there say what each kernel does.
 *
 * On top of the WIT, a kernel that gives bytes takes an optional last argument `out`: a buffer the bytes are written to
 * (the result is then a view of it). Inputs and `out` that lie in a {@link KernelBuffer} are used where they are, without
 * a copy; all others may be any `Uint8Array`. `out` must not overlap an input, unless a kernel says otherwise.
 *
 * Numbers are whole, from 0 to 2^32 - 1 where nothing else is said, and `Uint8Array`s have at most {@link MAX_KERNEL_SIZE}
 * bytes. What is out of range, a result that would be larger, an `out` that is too small and a handle that is not open
 * (freed, of another kind or of other kernels) are all a {@link RangeError} that names it, in the same words whatever
 * the backend, and change nothing. Memory that cannot be had is a RangeError, too; an argument of another type a
 * {@link TypeError}.
 */

/** Most bytes of an input, a result or a {@link KernelBuffer}. */
export const MAX_KERNEL_SIZE = 2 ** 31 - 1;

/**
 * Formats that `bc.decode`, `astc.decode`, `pixel.decode` and `tegra.decodeRows` take, and the like for half floats; the
 * index is the number the wasm knows.
 */
export const TEXEL_FORMATS = [
  'r8',
  'r8g8',
  'rgba8',
  'bgra8',
  'bc1',
  'bc2',
  'bc3',
  'bc4-unorm',
  'bc4-snorm',
  'bc5-unorm',
  'bc5-snorm',
  'bc7',
  'bc6h-uf16',
  'bc6h-sf16',
  'r8-snorm',
  'r8-uint',
  'r8-sint',
  'r8g8-snorm',
  'r8g8-uint',
  'r8g8-sint',
  'rgba8-snorm',
  'rgba8-uint',
  'rgba8-sint',
  'r16-unorm',
  'r16-snorm',
  'r16-uint',
  'r16-sint',
  'r16-float',
  'r16g16-unorm',
  'r16g16-snorm',
  'r16g16-uint',
  'r16g16-sint',
  'r16g16-float',
  'rgba16-unorm',
  'rgba16-snorm',
  'rgba16-uint',
  'rgba16-sint',
  'rgba16-float',
  'r32-uint',
  'r32-sint',
  'r32-float',
  'r32g32-uint',
  'r32g32-sint',
  'r32g32-float',
  'rgb32-uint',
  'rgb32-sint',
  'rgb32-float',
  'rgba32-uint',
  'rgba32-sint',
  'rgba32-float',
  'rgba4',
  'rgb5a1',
  'a1bgr5',
  'rgb565',
  'bgr565',
  'bgr5a1',
  'rgb10a2',
  'rgb10a2-uint',
  'r11g11b10',
  'rgb9e5',
  'd24s8',
  'd32s8',
  'astc-4x4',
  'astc-5x4',
  'astc-5x5',
  'astc-6x5',
  'astc-6x6',
  'astc-8x5',
  'astc-8x6',
  'astc-8x8',
  'astc-10x5',
  'astc-10x6',
  'astc-10x8',
  'astc-10x10',
  'astc-12x10',
  'astc-12x12',
  'astc-4x4-srgb',
  'astc-5x4-srgb',
  'astc-5x5-srgb',
  'astc-6x5-srgb',
  'astc-6x6-srgb',
  'astc-8x5-srgb',
  'astc-8x6-srgb',
  'astc-8x8-srgb',
  'astc-10x5-srgb',
  'astc-10x6-srgb',
  'astc-10x8-srgb',
  'astc-10x10-srgb',
  'astc-12x10-srgb',
  'astc-12x12-srgb',
] as const;
export type TexelFormat = (typeof TEXEL_FORMATS)[number];

/** Bytes of one element (a texel or block) of each format. */
export const ELEMENT_SIZE: Readonly<Record<TexelFormat, number>> = {
  r8: 1,
  r8g8: 2,
  rgba8: 4,
  bgra8: 4,
  bc1: 8,
  bc2: 16,
  bc3: 16,
  'bc4-unorm': 8,
  'bc4-snorm': 8,
  'bc5-unorm': 16,
  'bc5-snorm': 16,
  bc7: 16,
  'bc6h-uf16': 16,
  'bc6h-sf16': 16,
  'r8-snorm': 1,
  'r8-uint': 1,
  'r8-sint': 1,
  'r8g8-snorm': 2,
  'r8g8-uint': 2,
  'r8g8-sint': 2,
  'rgba8-snorm': 4,
  'rgba8-uint': 4,
  'rgba8-sint': 4,
  'r16-unorm': 2,
  'r16-snorm': 2,
  'r16-uint': 2,
  'r16-sint': 2,
  'r16-float': 2,
  'r16g16-unorm': 4,
  'r16g16-snorm': 4,
  'r16g16-uint': 4,
  'r16g16-sint': 4,
  'r16g16-float': 4,
  'rgba16-unorm': 8,
  'rgba16-snorm': 8,
  'rgba16-uint': 8,
  'rgba16-sint': 8,
  'rgba16-float': 8,
  'r32-uint': 4,
  'r32-sint': 4,
  'r32-float': 4,
  'r32g32-uint': 8,
  'r32g32-sint': 8,
  'r32g32-float': 8,
  'rgb32-uint': 12,
  'rgb32-sint': 12,
  'rgb32-float': 12,
  'rgba32-uint': 16,
  'rgba32-sint': 16,
  'rgba32-float': 16,
  rgba4: 2,
  rgb5a1: 2,
  a1bgr5: 2,
  rgb565: 2,
  bgr565: 2,
  bgr5a1: 2,
  rgb10a2: 4,
  'rgb10a2-uint': 4,
  r11g11b10: 4,
  rgb9e5: 4,
  d24s8: 4,
  d32s8: 8,
  'astc-4x4': 16,
  'astc-5x4': 16,
  'astc-5x5': 16,
  'astc-6x5': 16,
  'astc-6x6': 16,
  'astc-8x5': 16,
  'astc-8x6': 16,
  'astc-8x8': 16,
  'astc-10x5': 16,
  'astc-10x6': 16,
  'astc-10x8': 16,
  'astc-10x10': 16,
  'astc-12x10': 16,
  'astc-12x12': 16,
  'astc-4x4-srgb': 16,
  'astc-5x4-srgb': 16,
  'astc-5x5-srgb': 16,
  'astc-6x5-srgb': 16,
  'astc-6x6-srgb': 16,
  'astc-8x5-srgb': 16,
  'astc-8x6-srgb': 16,
  'astc-8x8-srgb': 16,
  'astc-10x5-srgb': 16,
  'astc-10x6-srgb': 16,
  'astc-10x8-srgb': 16,
  'astc-10x10-srgb': 16,
  'astc-12x10-srgb': 16,
  'astc-12x12-srgb': 16,
};

/** What decodes a format alone. */
export function familyOf(format: TexelFormat): 'pixel' | 'bc' | 'astc' {
  return format.startsWith('astc') ? 'astc' : format.startsWith('bc') ? 'bc' : 'pixel';
}

/** A size in texels. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

const FOOTPRINT = /^astc-(?<width>\d+)x(?<height>\d+)/;

function extentOf(format: TexelFormat): Extent {
  const footprint = FOOTPRINT.exec(format)?.groups;
  if (footprint) return { width: Number(footprint['width']), height: Number(footprint['height']) };
  return familyOf(format) === 'bc' ? { width: 4, height: 4 } : { width: 1, height: 1 };
}

const EXTENTS = new Map(TEXEL_FORMATS.map((format) => [format, extentOf(format)]));

/** Width and height, in texels, of one element of a format. */
export function blockExtent(format: TexelFormat): Extent {
  return EXTENTS.get(format)!;
}

/** Where the elements of one mip level lie: see `types.tiling` in the WIT. */
export interface Tiling {
  /** log2 of the block height in GOBs, 0 to 5 */
  blockHeightLog2: number;
  /** log2 of the block depth in slices, 0 to 5; 0 for 2D surfaces */
  blockDepthLog2: number;
  /** bytes from one row of elements to the next of a pitch-linear surface, 0 for block-linear */
  pitch: number;
}

/** In the order of the WIT: the index is the number the wasm gives. */
export const STREAM_ERROR_CODES = [
  'truncated',
  'bad-magic',
  'reserved',
  'window-too-large',
  'missing-dictionary',
  'bad-dictionary',
  'bad-block-size',
  'bad-literals',
  'bad-huffman',
  'bad-fse',
  'bad-sequences',
  'bad-offset',
  'bad-checksum',
  'bad-content-size',
  'out-of-memory',
] as const;
export type StreamErrorCode = (typeof STREAM_ERROR_CODES)[number];

/** Why and where a stream cannot be decoded: see `types.stream-error` in the WIT. */
export interface StreamErrorPayload {
  code: StreamErrorCode;
  /** offset of the wrong field in the compressed stream, counted over all pushes */
  offset: bigint;
  expected: number;
  found: number;
}

/** What the push decoders throw; the payload has the WIT's shape, as the component's errors have. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  readonly payload: StreamErrorPayload;
  constructor(code: StreamErrorCode, offset: number | bigint, expected = 0, found = 0) {
    super(`${code} at 0x${offset.toString(16)}: expected ${expected}, found ${found}`);
    this.payload = { code, offset: BigInt(offset), expected: expected >>> 0, found: found >>> 0 };
  }
}

/** What `hash.batch` takes; the index is the number the wasm knows. */
export const HASH_ALGORITHMS = ['crc32', 'murmur3', 'sarc', 'xxh64', 'fnv1a'] as const;
export type HashAlgorithm = (typeof HASH_ALGORITHMS)[number];

/** Bytes of one hash of each algorithm. */
export const HASH_SIZE: Readonly<Record<HashAlgorithm, 4 | 8>> = { crc32: 4, murmur3: 4, sarc: 4, xxh64: 8, fnv1a: 4 };

/** The highest seed (of `sarc`: multiplier) that `hash.batch` takes. */
export const HASH_SEED_MAX: Readonly<Record<HashAlgorithm, bigint>> = {
  crc32: 2n ** 32n - 1n,
  murmur3: 2n ** 32n - 1n,
  sarc: 2n ** 32n - 1n,
  xxh64: 2n ** 64n - 1n,
  fnv1a: 0n,
};

export interface HashKernels {
  crc32(data: Uint8Array, seed: number): number;
  /** `seed`: 0 to 2^64 - 1. */
  xxh64(data: Uint8Array, seed: bigint): bigint;
  murmur3(data: Uint8Array, seed: number): number;
  sarcName(name: Uint8Array, multiplier: number): number;
  fnv1a(data: Uint8Array): number;
  /** `seed`: 0 to {@link HASH_SEED_MAX}. `ends` ascend and are at most the length of `data`. */
  batch(algorithm: HashAlgorithm, data: Uint8Array, ends: Uint32Array, seed: bigint, out?: Uint8Array): Uint8Array;
}

/** What comes before the end of `slice` in memory has at most 2^53 - 1 bytes. Rows past `height` give nothing. */
export interface TegraKernels {
  /** `elementSize`: 1, 2, 4, 8, 12 or 16. A row has at most {@link MAX_KERNEL_SIZE} bytes. */
  deswizzle(
    data: Uint8Array,
    base: number,
    elementSize: number,
    width: number,
    height: number,
    tiling: Tiling,
    slice: number,
    rowStart: number,
    rowEnd: number,
    out?: Uint8Array,
  ): Uint8Array;
  /** `width`: at most 2^25 - 1. */
  decodeRows(
    format: TexelFormat,
    data: Uint8Array,
    base: number,
    width: number,
    height: number,
    tiling: Tiling,
    slice: number,
    rowStart: number,
    rowEnd: number,
    out?: Uint8Array,
  ): Uint8Array;
  decodeRowsHalf(
    format: TexelFormat,
    data: Uint8Array,
    base: number,
    width: number,
    height: number,
    tiling: Tiling,
    slice: number,
    rowStart: number,
    rowEnd: number,
    out?: Uint8Array,
  ): Uint8Array;
}

export interface BcKernels {
  /** `format`: a bc format. */
  decode(format: TexelFormat, blocks: Uint8Array, width: number, height: number, out?: Uint8Array): Uint8Array;
  decodeHalf(format: TexelFormat, blocks: Uint8Array, width: number, height: number, out?: Uint8Array): Uint8Array;
}

export interface AstcKernels {
  /** `format`: an astc format. */
  decode(format: TexelFormat, blocks: Uint8Array, width: number, height: number, out?: Uint8Array): Uint8Array;
}

export interface PixelKernels {
  /** `format`: a plain format. */
  decode(format: TexelFormat, texels: Uint8Array, out?: Uint8Array): Uint8Array;
  decodeHalf(format: TexelFormat, texels: Uint8Array, out?: Uint8Array): Uint8Array;
  /** `out` may be `rgba` itself. */
  selectChannels(rgba: Uint8Array, sources: number, out?: Uint8Array): Uint8Array;
  /** `out` may be `rgba` itself. */
  selectChannelsHalf(rgba: Uint8Array, sources: number, out?: Uint8Array): Uint8Array;
}

export interface PngKernels {
  /** `rowSize`: a multiple of 4, at most 2^24. `rows` has whole rows, `previous` one or none. */
  filter(rows: Uint8Array, previous: Uint8Array, rowSize: number, out?: Uint8Array): Uint8Array;
  deflateOpen(): number;
  deflatePush(handle: number, data: Uint8Array, final: boolean): Uint8Array;
  deflateFree(handle: number): void;
}

export interface ZstdKernels {
  dictionaryOpen(data: Uint8Array): number;
  dictionaryId(dictionary: number): number;
  /** Decoders that were given the dictionary keep it; for the component they must not be pushed to afterwards. */
  dictionaryFree(dictionary: number): void;
  decoderOpen(windowLimit: number, defaultDictionary: number): number;
  decoderAddDictionary(decoder: number, dictionary: number): void;
  decoderPush(decoder: number, chunk: Uint8Array, final: boolean): Uint8Array;
  decoderPending(decoder: number): boolean;
  decoderFree(decoder: number): void;
}

export interface Yaz0Kernels {
  decoderOpen(): number;
  decoderPush(decoder: number, chunk: Uint8Array, final: boolean): Uint8Array;
  decoderPending(decoder: number): boolean;
  decoderFree(decoder: number): void;
}

/** Bytes in kernel memory. */
export interface KernelBytes {
  /**
   * Ask again after any call that may allocate: a view detaches when the memory grows. Empty once the bytes are freed;
   * views of before must not be used any more.
   */
  readonly bytes: Uint8Array;
}

/** Memory that the kernels read and write without a copy. */
export interface KernelBuffer extends KernelBytes {
  /** Further calls do nothing. */
  free(): void;
}

export interface Kernels {
  readonly backend: 'wasm' | 'ts';
  readonly hash: HashKernels;
  readonly tegra: TegraKernels;
  readonly bc: BcKernels;
  readonly astc: AstcKernels;
  readonly pixel: PixelKernels;
  readonly png: PngKernels;
  readonly zstd: ZstdKernels;
  readonly yaz0: Yaz0Kernels;
  /** A buffer of `size` bytes, at most {@link MAX_KERNEL_SIZE}, not cleared. */
  alloc(size: number): KernelBuffer;
  /** Bytes of memory the backend holds; what it grew to, for wasm. */
  readonly memorySize: number;
}
