import { counted } from '../io/errors.ts';
import {
  ELEMENT_SIZE,
  HASH_ALGORITHMS,
  HASH_SIZE,
  STREAM_ERROR_CODES,
  StreamError,
  TEXEL_FORMATS,
  type BcKernels,
  type KernelBuffer,
  type Kernels,
  type PixelKernels,
  type TegraKernels,
} from './contract.ts';
import { Handles } from './handles.ts';
import { decodedSize, RGBA16F_SIZE, RGBA8_SIZE, rowsSize } from './sizes.ts';
import { WASM_BASE64, WASM_SIZE } from './wasm.generated.ts';

// Exports that are there twice, for RGBA8 and for RGBA16F.

type DecodeRows = (
  format: number,
  dst: number,
  dstEnd: number,
  src: number,
  srcEnd: number,
  base: number,
  width: number,
  height: number,
  blockHeightLog2: number,
  blockDepthLog2: number,
  pitch: number,
  slice: number,
  rowStart: number,
  rowEnd: number,
) => number;

type DecodeBlocks = (
  format: number,
  dst: number,
  dstEnd: number,
  src: number,
  srcEnd: number,
  width: number,
  height: number,
) => number;

type DecodeTexels = (format: number, dst: number, dstEnd: number, src: number, srcEnd: number) => number;

type SelectChannels = (dst: number, dstEnd: number, src: number, srcEnd: number, sources: number) => number;

/** The raw exports of the module (`asm/index.ts`): pointers are byte offsets, `End`s are exclusive. */
interface KernelExports {
  memory: WebAssembly.Memory;
  alloc(size: number): number;
  free(pointer: number): void;
  stream_error(): number;
  crc32(data: number, size: number, seed: number): number;
  xxh64(data: number, size: number, seed: bigint): bigint;
  murmur3(data: number, size: number, seed: number): number;
  sarc_name(name: number, size: number, multiplier: number): number;
  fnv1a(data: number, size: number): number;
  hash_batch(
    algorithm: number,
    dst: number,
    dstEnd: number,
    data: number,
    dataEnd: number,
    ends: number,
    endsEnd: number,
    seed: bigint,
  ): number;
  tegra_deswizzle(
    dst: number,
    dstEnd: number,
    src: number,
    srcEnd: number,
    base: number,
    size: number,
    width: number,
    height: number,
    blockHeightLog2: number,
    blockDepthLog2: number,
    pitch: number,
    slice: number,
    rowStart: number,
    rowEnd: number,
  ): number;
  tegra_decode_rows: DecodeRows;
  tegra_decode_rows_half: DecodeRows;
  bc_decode: DecodeBlocks;
  bc_decode_half: DecodeBlocks;
  astc_decode: DecodeBlocks;
  pixel_decode: DecodeTexels;
  pixel_decode_half: DecodeTexels;
  pixel_select_channels: SelectChannels;
  pixel_select_channels_half: SelectChannels;
  png_filter(dst: number, dstEnd: number, src: number, srcEnd: number, previous: number, rowSize: number): number;
  deflate_open(): number;
  deflate_push(handle: number, src: number, srcEnd: number, final: boolean): number;
  deflate_output(handle: number): number;
  deflate_free(handle: number): void;
  zstd_dictionary_open(src: number, srcEnd: number): number;
  zstd_dictionary_id(dictionary: number): number;
  zstd_dictionary_free(dictionary: number): void;
  zstd_open(windowLimit: number, defaultDictionary: number): number;
  zstd_add_dictionary(decoder: number, dictionary: number): number;
  zstd_push(decoder: number, src: number, srcEnd: number, final: boolean): number;
  zstd_output(decoder: number): number;
  zstd_pending(decoder: number): number;
  zstd_free(decoder: number): void;
  yaz0_open(): number;
  yaz0_push(decoder: number, src: number, srcEnd: number, final: boolean): number;
  yaz0_output(decoder: number): number;
  yaz0_pending(decoder: number): number;
  yaz0_free(decoder: number): void;
}

function outOfMemory(): RangeError {
  return new RangeError('the kernels cannot have more memory');
}

let embedded: WebAssembly.Module | undefined;

/** The embedded module, compiled once per realm. A CSP must allow `wasm-unsafe-eval`. */
export function compileKernels(): WebAssembly.Module {
  if (!embedded) {
    const text = atob(WASM_BASE64);
    const bytes = new Uint8Array(WASM_SIZE);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
    embedded = new WebAssembly.Module(bytes);
  }
  return embedded;
}

/** A dictionary, which stays for the decoders that were given it after its handle is freed. */
interface Dictionary {
  pointer: number;
  /** the handle and decoders that hold it */
  holders: number;
}

interface ZstdDecoder {
  pointer: number;
  dictionaries: Dictionary[];
}

/** An instance of the module behind the kernel contract. Arguments are not checked, but handles: see `checked`. */
export function createWasmKernels(module: WebAssembly.Module = compileKernels()): Kernels {
  const wasm = new WebAssembly.Instance(module).exports as unknown as KernelExports;
  const { memory } = wasm;
  let view = new Uint8Array(memory.buffer);
  const u8 = (): Uint8Array => (view.buffer === memory.buffer ? view : (view = new Uint8Array(memory.buffer)));

  function alloc(size: number): number {
    const pointer = wasm.alloc(size);
    if (!pointer) throw new RangeError(`the kernels cannot have ${counted(size, 'byte')} of memory`);
    return pointer >>> 0;
  }

  /** Runs `use` with the bytes in wasm memory: where they are if they are there already, else in a copy. */
  function withInput<T>(data: Uint8Array, use: (src: number, srcEnd: number) => T): T {
    const size = data.length;
    if (data.buffer === memory.buffer) return use(data.byteOffset, data.byteOffset + size);
    const src = copyIn(data);
    try {
      return use(src, src + size);
    } finally {
      wasm.free(src);
    }
  }

  function copyIn(data: Uint8Array): number {
    const pointer = alloc(data.length);
    u8().set(data, pointer);
    return pointer;
  }

  /**
   * Runs a kernel that makes `size` bytes of `inputs`, into `out` or an array of its own. Where arguments lie is asked
   * before anything is allocated, since views of memory that grows lose their place.
   */
  function produce(
    inputs: Uint8Array[],
    size: number,
    out: Uint8Array | undefined,
    kernel: (dst: number, dstEnd: number, ...sources: number[]) => number,
  ): Uint8Array {
    const target = out?.buffer === memory.buffer ? out.byteOffset : undefined;
    const places = inputs.map((data) => (data.buffer === memory.buffer ? data.byteOffset : undefined));
    const temporary: number[] = [];
    const keep = (pointer: number): number => {
      temporary.push(pointer);
      return pointer;
    };
    try {
      const sources = inputs.map((data, i) => places[i] ?? keep(copyIn(data)));
      const dst = target ?? keep(alloc(size));
      const wrote = kernel(dst, dst + size, ...sources);
      if (wrote < 0) throw outOfMemory();
      const result = u8().subarray(dst, dst + wrote);
      if (target !== undefined) return result;
      if (!out) return result.slice();
      out.set(result);
      return out.subarray(0, wrote);
    } finally {
      for (const pointer of temporary) wasm.free(pointer);
    }
  }

  function streamError(): StreamError {
    const error = new DataView(memory.buffer, wasm.stream_error(), 24);
    const code = STREAM_ERROR_CODES[error.getUint32(0, true)] ?? 'out-of-memory';
    return new StreamError(code, error.getBigUint64(16, true), error.getUint32(4, true), error.getUint32(8, true));
  }

  /** A pointer to a new state. */
  function made(pointer: number): number {
    if (!pointer) throw outOfMemory();
    return pointer;
  }
  function copyOut(pointer: number, size: number): Uint8Array {
    return u8().slice(pointer >>> 0, (pointer >>> 0) + size);
  }

  const decodeRows =
    (texelSize: number, kernel: DecodeRows): TegraKernels['decodeRows'] =>
    (format, data, base, width, height, tiling, slice, rowStart, rowEnd, out) => {
      const { length } = data;
      const size = decodedSize(texelSize, format, width, height, rowStart, rowEnd);
      return produce([data], size, out, (dst, dstEnd, src = 0) =>
        kernel(
          TEXEL_FORMATS.indexOf(format),
          dst,
          dstEnd,
          src,
          src + length,
          base,
          width,
          height,
          tiling.blockHeightLog2,
          tiling.blockDepthLog2,
          tiling.pitch,
          slice,
          rowStart,
          rowEnd,
        ),
      );
    };

  const decodeBlocks =
    (texelSize: number, kernel: DecodeBlocks): BcKernels['decode'] =>
    (format, blocks, width, height, out) => {
      const { length } = blocks;
      return produce([blocks], texelSize * width * height, out, (dst, dstEnd, src = 0) =>
        kernel(TEXEL_FORMATS.indexOf(format), dst, dstEnd, src, src + length, width, height),
      );
    };

  const decodeTexels =
    (texelSize: number, kernel: DecodeTexels): PixelKernels['decode'] =>
    (format, texels, out) => {
      const { length } = texels;
      return produce([texels], texelSize * Math.floor(length / ELEMENT_SIZE[format]), out, (dst, dstEnd, src = 0) =>
        kernel(TEXEL_FORMATS.indexOf(format), dst, dstEnd, src, src + length),
      );
    };

  const selectChannels =
    (texelSize: number, kernel: SelectChannels): PixelKernels['selectChannels'] =>
    (rgba, sources, out) => {
      const size = rgba.length - (rgba.length % texelSize);
      return produce([rgba], size, out, (dst, dstEnd, src = 0) => kernel(dst, dstEnd, src, src + size, sources));
    };

  const deflaters = new Handles<number>();
  const dictionaries = new Handles<Dictionary>();
  const zstdDecoders = new Handles<ZstdDecoder>();
  const yaz0Decoders = new Handles<number>();

  function held(dictionary: Dictionary): Dictionary {
    dictionary.holders++;
    return dictionary;
  }
  function released(dictionary: Dictionary): void {
    if (!--dictionary.holders) wasm.zstd_dictionary_free(dictionary.pointer);
  }

  return {
    backend: 'wasm',
    hash: {
      crc32: (data, seed) => withInput(data, (src) => wasm.crc32(src, data.length, seed) >>> 0),
      xxh64: (data, seed) => withInput(data, (src) => BigInt.asUintN(64, wasm.xxh64(src, data.length, seed))),
      murmur3: (data, seed) => withInput(data, (src) => wasm.murmur3(src, data.length, seed) >>> 0),
      sarcName: (name, multiplier) => withInput(name, (src) => wasm.sarc_name(src, name.length, multiplier) >>> 0),
      fnv1a: (data) => withInput(data, (src) => wasm.fnv1a(src, data.length) >>> 0),
      batch: (algorithm, data, ends, seed, out) => {
        const { length } = data;
        const { buffer, byteOffset, byteLength } = ends;
        const inputs = [data, new Uint8Array(buffer, byteOffset, byteLength)];
        return produce(inputs, HASH_SIZE[algorithm] * ends.length, out, (dst, dstEnd, src = 0, at = 0) =>
          wasm.hash_batch(
            HASH_ALGORITHMS.indexOf(algorithm),
            dst,
            dstEnd,
            src,
            src + length,
            at,
            at + byteLength,
            seed,
          ),
        );
      },
    },
    tegra: {
      deswizzle: (data, base, elementSize, width, height, tiling, slice, rowStart, rowEnd, out) => {
        const { length } = data;
        return produce([data], rowsSize(elementSize, width, height, rowStart, rowEnd), out, (dst, dstEnd, src = 0) =>
          wasm.tegra_deswizzle(
            dst,
            dstEnd,
            src,
            src + length,
            base,
            elementSize,
            width,
            height,
            tiling.blockHeightLog2,
            tiling.blockDepthLog2,
            tiling.pitch,
            slice,
            rowStart,
            rowEnd,
          ),
        );
      },
      decodeRows: decodeRows(RGBA8_SIZE, wasm.tegra_decode_rows),
      decodeRowsHalf: decodeRows(RGBA16F_SIZE, wasm.tegra_decode_rows_half),
    },
    bc: {
      decode: decodeBlocks(RGBA8_SIZE, wasm.bc_decode),
      decodeHalf: decodeBlocks(RGBA16F_SIZE, wasm.bc_decode_half),
    },
    astc: {
      decode: decodeBlocks(RGBA8_SIZE, wasm.astc_decode),
    },
    pixel: {
      decode: decodeTexels(RGBA8_SIZE, wasm.pixel_decode),
      decodeHalf: decodeTexels(RGBA16F_SIZE, wasm.pixel_decode_half),
      selectChannels: selectChannels(RGBA8_SIZE, wasm.pixel_select_channels),
      selectChannelsHalf: selectChannels(RGBA16F_SIZE, wasm.pixel_select_channels_half),
    },
    png: {
      filter: (rows, previous, rowSize, out) => {
        const { length } = rows;
        const first = previous.length === 0;
        const size = length + (rowSize ? Math.floor(length / rowSize) : 0);
        return produce([rows, previous], size, out, (dst, dstEnd, src = 0, above = 0) =>
          wasm.png_filter(dst, dstEnd, src, src + length, first ? 0 : above, rowSize),
        );
      },
      deflateOpen: () => deflaters.add(made(wasm.deflate_open())),
      deflatePush: (handle, data, final) => {
        const deflater = deflaters.get(handle);
        const size = withInput(data, (src, srcEnd) => wasm.deflate_push(deflater, src, srcEnd, final));
        if (size < 0) throw outOfMemory();
        return copyOut(wasm.deflate_output(deflater), size);
      },
      deflateFree: (handle) => wasm.deflate_free(deflaters.take(handle)),
    },
    zstd: {
      dictionaryOpen: (data) => {
        const pointer = withInput(data, (src, srcEnd) => wasm.zstd_dictionary_open(src, srcEnd));
        if (!pointer) throw streamError();
        return dictionaries.add({ pointer, holders: 1 });
      },
      dictionaryId: (dictionary) => wasm.zstd_dictionary_id(dictionaries.get(dictionary).pointer) >>> 0,
      dictionaryFree: (dictionary) => released(dictionaries.take(dictionary)),
      decoderOpen: (windowLimit, defaultDictionary) => {
        const dictionary = defaultDictionary === 0 ? undefined : dictionaries.get(defaultDictionary);
        const pointer = made(wasm.zstd_open(windowLimit, dictionary?.pointer ?? 0));
        return zstdDecoders.add({ pointer, dictionaries: dictionary ? [held(dictionary)] : [] });
      },
      decoderAddDictionary: (decoder, dictionary) => {
        const { pointer, dictionaries: added } = zstdDecoders.get(decoder);
        const one = dictionaries.get(dictionary);
        if (!wasm.zstd_add_dictionary(pointer, one.pointer)) throw outOfMemory();
        added.push(held(one));
      },
      decoderPush: (decoder, chunk, final) => {
        const { pointer } = zstdDecoders.get(decoder);
        const size = withInput(chunk, (src, srcEnd) => wasm.zstd_push(pointer, src, srcEnd, final));
        if (size < 0) throw streamError();
        return copyOut(wasm.zstd_output(pointer), size);
      },
      decoderPending: (decoder) => wasm.zstd_pending(zstdDecoders.get(decoder).pointer) !== 0,
      decoderFree: (decoder) => {
        const { pointer, dictionaries: added } = zstdDecoders.take(decoder);
        wasm.zstd_free(pointer);
        for (const dictionary of added) released(dictionary);
      },
    },
    yaz0: {
      decoderOpen: () => yaz0Decoders.add(made(wasm.yaz0_open())),
      decoderPush: (handle, chunk, final) => {
        const decoder = yaz0Decoders.get(handle);
        const size = withInput(chunk, (src, srcEnd) => wasm.yaz0_push(decoder, src, srcEnd, final));
        if (size < 0) throw streamError();
        return copyOut(wasm.yaz0_output(decoder), size);
      },
      decoderPending: (decoder) => wasm.yaz0_pending(yaz0Decoders.get(decoder)) !== 0,
      decoderFree: (decoder) => wasm.yaz0_free(yaz0Decoders.take(decoder)),
    },
    alloc(size): KernelBuffer {
      const pointer = alloc(size);
      return {
        get bytes() {
          return u8().subarray(pointer, pointer + size);
        },
        free: () => wasm.free(pointer),
      };
    },
    get memorySize() {
      return memory.buffer.byteLength;
    },
  };
}
