import { counted } from '../io/errors.ts';
import {
  ELEMENT_SIZE,
  HASH_ALGORITHMS,
  HASH_SEED_MAX,
  HASH_SIZE,
  MAX_KERNEL_SIZE,
  TEXEL_FORMATS,
  blockExtent,
  familyOf,
  type BcKernels,
  type HashAlgorithm,
  type KernelBuffer,
  type Kernels,
  type PixelKernels,
  type TegraKernels,
  type TexelFormat,
  type Tiling,
} from './contract.ts';
import { decodedSize, RGBA16F_SIZE, RGBA8_SIZE, rowsSize } from './sizes.ts';

const U32_MAX = 2 ** 32 - 1;
const U64_MAX = 2n ** 64n - 1n;
const MAX_TILING_LOG2 = 5;
/** Widest row, in texels, that `tegra.decodeRows` has memory for. */
const MAX_TEXELS = 2 ** 25 - 1;
/** Longest row, in bytes, that `png.filter` can sum up. */
const MAX_PNG_ROW = 2 ** 24;

const ELEMENT_SIZES: ReadonlySet<number> = new Set([1, 2, 4, 8, 12, 16]);
const ALGORITHMS: ReadonlySet<HashAlgorithm> = new Set(HASH_ALGORITHMS);
const ALL_FORMATS: ReadonlySet<TexelFormat> = new Set(TEXEL_FORMATS);
const formatsOf = (family: ReturnType<typeof familyOf>): ReadonlySet<TexelFormat> =>
  new Set(TEXEL_FORMATS.filter((format) => familyOf(format) === family));
const BC_FORMATS = formatsOf('bc');
const ASTC_FORMATS = formatsOf('astc');
const PLAIN_FORMATS = formatsOf('pixel');

function whole(name: string, value: number, max = U32_MAX): void {
  if (value >>> 0 !== value || value > max) {
    throw new RangeError(`${name} is ${value}: a whole number from 0 to ${max} is needed`);
  }
}

function wholeBigInt(name: string, value: bigint, max: bigint): void {
  if (typeof value !== 'bigint' || value < 0n || value > max) {
    throw new RangeError(`${name} is ${String(value)}: a bigint from 0 to ${max} is needed`);
  }
}

function oneOf<T extends string | number>(name: string, value: T, choices: ReadonlySet<T>): void {
  if (!choices.has(value)) throw new RangeError(`${name} is ${value}: one of ${[...choices].join(', ')} is needed`);
}

function flag(name: string, value: boolean): void {
  if (typeof value !== 'boolean') throw new TypeError(`${name} is not a boolean`);
}

/** By the tag, since the arrays of another realm are none by `instanceof`. */
function array(name: string, data: Uint8Array | Uint32Array, type: 'Uint8Array' | 'Uint32Array'): void {
  const tagged: { [Symbol.toStringTag]?: string } | null | undefined = data;
  if (tagged?.[Symbol.toStringTag] !== type) throw new TypeError(`${name} is not a ${type}`);
  if (data.byteLength > MAX_KERNEL_SIZE) {
    throw new RangeError(`${name} has ${counted(data.byteLength, 'byte')}: ${MAX_KERNEL_SIZE} at most are possible`);
  }
}

function bytes(name: string, data: Uint8Array): void {
  array(name, data, 'Uint8Array');
}

/** Offsets that never descend, into `size` bytes. */
function offsets(name: string, values: Uint32Array, size: number): void {
  array(name, values, 'Uint32Array');
  let least = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < least || value > size) {
      throw new RangeError(`${name}[${i}] is ${value}: a whole number from ${least} to ${size} is needed`);
    }
    least = value;
  }
}

function output(size: number, out: Uint8Array | undefined): void {
  if (size > MAX_KERNEL_SIZE)
    throw new RangeError(`the result has ${counted(size, 'byte')}: ${MAX_KERNEL_SIZE} at most are possible`);
  if (out === undefined) return;
  bytes('out', out);
  if (out.length < size) throw new RangeError(`out has ${counted(out.length, 'byte')}: ${size} are needed`);
}

function nothing(out: Uint8Array | undefined): Uint8Array {
  return out ? out.subarray(0, 0) : new Uint8Array(0);
}

/** A tiling, and that what comes before the end of `slice` can be counted exactly; `rowSize` is in bytes. */
function layout(tiling: Tiling, rowSize: number, rows: number, slice: number): void {
  const { blockHeightLog2, blockDepthLog2, pitch } = tiling;
  whole('blockHeightLog2', blockHeightLog2, MAX_TILING_LOG2);
  whole('blockDepthLog2', blockDepthLog2, MAX_TILING_LOG2);
  whole('pitch', pitch);
  whole('slice', slice);
  const blockSize = 512 << (blockHeightLog2 + blockDepthLog2);
  const blocks = Math.ceil(rowSize / 64) * Math.ceil(rows / (8 << blockHeightLog2)) * ((slice >>> blockDepthLog2) + 1);
  const end = pitch ? (slice + 1) * rows * pitch : blocks * blockSize;
  if (end > Number.MAX_SAFE_INTEGER) throw new RangeError(`slice is ${slice}: it ends beyond 2^53 - 1 bytes`);
}

// The kernels that exist for RGBA8 and for RGBA16F, by the bytes of a texel.

function decodeRows(texelSize: number, run: TegraKernels['decodeRows']): TegraKernels['decodeRows'] {
  return (format, data, base, width, height, tiling, slice, rowStart, rowEnd, out) => {
    oneOf('format', format, ALL_FORMATS);
    bytes('data', data);
    whole('base', base);
    whole('width', width, MAX_TEXELS);
    whole('height', height);
    const extent = blockExtent(format);
    const rowSize = Math.ceil(width / extent.width) * ELEMENT_SIZE[format];
    layout(tiling, rowSize, Math.ceil(height / extent.height), slice);
    whole('rowStart', rowStart);
    whole('rowEnd', rowEnd);
    const size = decodedSize(texelSize, format, width, height, rowStart, rowEnd);
    output(size, out);
    if (!size) return nothing(out);
    return run(format, data, base, width, height, tiling, slice, rowStart, rowEnd, out);
  };
}

function decodeBlocks(
  formats: ReadonlySet<TexelFormat>,
  texelSize: number,
  run: BcKernels['decode'],
): BcKernels['decode'] {
  return (format, blocks, width, height, out) => {
    oneOf('format', format, formats);
    bytes('blocks', blocks);
    whole('width', width);
    whole('height', height);
    const size = texelSize * width * height;
    output(size, out);
    return size ? run(format, blocks, width, height, out) : nothing(out);
  };
}

function decodeTexels(texelSize: number, run: PixelKernels['decode']): PixelKernels['decode'] {
  return (format, texels, out) => {
    oneOf('format', format, PLAIN_FORMATS);
    bytes('texels', texels);
    output(texelSize * Math.floor(texels.length / ELEMENT_SIZE[format]), out);
    return run(format, texels, out);
  };
}

function selectChannels(texelSize: number, run: PixelKernels['selectChannels']): PixelKernels['selectChannels'] {
  return (rgba, sources, out) => {
    bytes('rgba', rgba);
    whole('sources', sources);
    output(rgba.length - (rgba.length % texelSize), out);
    return run(rgba, sources, out);
  };
}

/** A buffer that can be freed again, and has nothing to show from then on. */
class CheckedBuffer implements KernelBuffer {
  #buffer: KernelBuffer | undefined;

  constructor(buffer: KernelBuffer) {
    this.#buffer = buffer;
  }

  get bytes(): Uint8Array {
    return this.#buffer ? this.#buffer.bytes : new Uint8Array(0);
  }

  free(): void {
    this.#buffer?.free();
    this.#buffer = undefined;
  }
}

/**
 * Kernels that refuse arguments out of the ranges in contract.ts before the backend sees them, so that every backend
 * refuses the same ones in the same words. Handles are checked where their states are: see {@link Handles}.
 */
export function checked(kernels: Kernels): Kernels {
  const { backend, hash, tegra, bc, astc, pixel, png, zstd, yaz0 } = kernels;
  return {
    backend,
    hash: {
      crc32(data, seed) {
        bytes('data', data);
        whole('seed', seed);
        return hash.crc32(data, seed);
      },
      xxh64(data, seed) {
        bytes('data', data);
        wholeBigInt('seed', seed, U64_MAX);
        return hash.xxh64(data, seed);
      },
      murmur3(data, seed) {
        bytes('data', data);
        whole('seed', seed);
        return hash.murmur3(data, seed);
      },
      sarcName(name, multiplier) {
        bytes('name', name);
        whole('multiplier', multiplier);
        return hash.sarcName(name, multiplier);
      },
      fnv1a(data) {
        bytes('data', data);
        return hash.fnv1a(data);
      },
      batch(algorithm, data, ends, seed, out) {
        oneOf('algorithm', algorithm, ALGORITHMS);
        bytes('data', data);
        offsets('ends', ends, data.length);
        wholeBigInt('seed', seed, HASH_SEED_MAX[algorithm]);
        output(HASH_SIZE[algorithm] * ends.length, out);
        return hash.batch(algorithm, data, ends, seed, out);
      },
    },
    tegra: {
      deswizzle(data, base, elementSize, width, height, tiling, slice, rowStart, rowEnd, out) {
        bytes('data', data);
        whole('base', base);
        oneOf('elementSize', elementSize, ELEMENT_SIZES);
        whole('width', width, Math.floor(MAX_KERNEL_SIZE / elementSize));
        whole('height', height);
        layout(tiling, elementSize * width, height, slice);
        whole('rowStart', rowStart);
        whole('rowEnd', rowEnd);
        const size = rowsSize(elementSize, width, height, rowStart, rowEnd);
        output(size, out);
        // Not to walk through rows of nothing.
        if (!size) return nothing(out);
        return tegra.deswizzle(data, base, elementSize, width, height, tiling, slice, rowStart, rowEnd, out);
      },
      decodeRows: decodeRows(RGBA8_SIZE, (...args) => tegra.decodeRows(...args)),
      decodeRowsHalf: decodeRows(RGBA16F_SIZE, (...args) => tegra.decodeRowsHalf(...args)),
    },
    bc: {
      decode: decodeBlocks(BC_FORMATS, RGBA8_SIZE, (...args) => bc.decode(...args)),
      decodeHalf: decodeBlocks(BC_FORMATS, RGBA16F_SIZE, (...args) => bc.decodeHalf(...args)),
    },
    astc: {
      decode: decodeBlocks(ASTC_FORMATS, RGBA8_SIZE, (...args) => astc.decode(...args)),
    },
    pixel: {
      decode: decodeTexels(RGBA8_SIZE, (...args) => pixel.decode(...args)),
      decodeHalf: decodeTexels(RGBA16F_SIZE, (...args) => pixel.decodeHalf(...args)),
      selectChannels: selectChannels(RGBA8_SIZE, (...args) => pixel.selectChannels(...args)),
      selectChannelsHalf: selectChannels(RGBA16F_SIZE, (...args) => pixel.selectChannelsHalf(...args)),
    },
    png: {
      ...png,
      filter(rows, previous, rowSize, out) {
        bytes('rows', rows);
        bytes('previous', previous);
        whole('rowSize', rowSize, MAX_PNG_ROW);
        if (rowSize % 4) throw new RangeError(`rowSize is ${rowSize}: a multiple of 4 is needed`);
        const count = rows.length && rows.length / rowSize;
        if (!Number.isInteger(count)) {
          throw new RangeError(`rows has ${counted(rows.length, 'byte')}: whole rows of ${rowSize} are needed`);
        }
        if (previous.length && previous.length !== rowSize) {
          throw new RangeError(`previous has ${counted(previous.length, 'byte')}: none or ${rowSize} are needed`);
        }
        output(rows.length + count, out);
        return png.filter(rows, previous, rowSize, out);
      },
      deflatePush(handle, data, final) {
        bytes('data', data);
        flag('final', final);
        return png.deflatePush(handle, data, final);
      },
    },
    zstd: {
      ...zstd,
      dictionaryOpen(data) {
        bytes('data', data);
        return zstd.dictionaryOpen(data);
      },
      decoderOpen(windowLimit, defaultDictionary) {
        whole('windowLimit', windowLimit);
        return zstd.decoderOpen(windowLimit, defaultDictionary);
      },
      decoderPush(decoder, chunk, final) {
        bytes('chunk', chunk);
        flag('final', final);
        return zstd.decoderPush(decoder, chunk, final);
      },
    },
    yaz0: {
      ...yaz0,
      decoderPush(decoder, chunk, final) {
        bytes('chunk', chunk);
        flag('final', final);
        return yaz0.decoderPush(decoder, chunk, final);
      },
    },
    alloc(size) {
      whole('size', size, MAX_KERNEL_SIZE);
      return new CheckedBuffer(kernels.alloc(size));
    },
    get memorySize() {
      return kernels.memorySize;
    },
  };
}
