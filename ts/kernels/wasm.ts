import {
  ELEMENT_SIZE,
  STREAM_ERROR_CODES,
  StreamError,
  TEXEL_FORMATS,
  type KernelBuffer,
  type Kernels,
  type TexelFormat,
} from './contract.ts';
import { decodedSize, rowsSize } from './sizes.ts';
import { WASM_BASE64, WASM_SIZE } from './wasm.generated.ts';

/** The raw exports of the module (`asm/index.ts`): pointers are byte offsets, `End`s are exclusive. */
interface KernelExports {
  memory: WebAssembly.Memory;
  alloc(size: number): number;
  free(pointer: number): void;
  stream_error(): number;
  crc32(data: number, size: number, seed: number): number;
  xxh64(data: number, size: number, seed: bigint): bigint;
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
  tegra_decode_rows(
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
  ): number;
  bc_decode(
    format: number,
    dst: number,
    dstEnd: number,
    src: number,
    srcEnd: number,
    width: number,
    height: number,
  ): number;
  pixel_decode(format: number, dst: number, dstEnd: number, src: number, srcEnd: number): number;
  pixel_select_channels(dst: number, dstEnd: number, src: number, srcEnd: number, sources: number): number;
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

const FORMAT_NUMBER = new Map<string, number>(TEXEL_FORMATS.map((format, number) => [format, number]));

function formatNumber(format: TexelFormat): number {
  const number = FORMAT_NUMBER.get(format);
  if (number === undefined) throw new RangeError(`no such texel format: ${format}`);
  return number;
}

/** An instance of the module behind the kernel contract. */
export function createWasmKernels(module: WebAssembly.Module = compileKernels()): Kernels {
  const wasm = new WebAssembly.Instance(module).exports as unknown as KernelExports;
  const { memory } = wasm;
  let view = new Uint8Array(memory.buffer);
  const u8 = (): Uint8Array => (view.buffer === memory.buffer ? view : (view = new Uint8Array(memory.buffer)));

  function alloc(size: number): number {
    const pointer = wasm.alloc(size);
    if (!pointer) throw new RangeError(`the kernels cannot have ${size} bytes of memory`);
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
    if (out && out.length < size) throw new RangeError(`out has ${out.length} bytes, ${size} are needed`);
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
      const wrote = checked(kernel(dst, dst + size, ...sources));
      const result = u8().subarray(dst, dst + wrote);
      if (target !== undefined) return result;
      if (!out) return result.slice();
      out.set(result);
      return out.subarray(0, wrote);
    } finally {
      for (const pointer of temporary) wasm.free(pointer);
    }
  }

  function checked(wrote: number): number {
    if (wrote < 0) throw new RangeError('kernel argument out of range');
    return wrote;
  }

  function streamError(): StreamError {
    const error = new DataView(memory.buffer, wasm.stream_error(), 24);
    const code = STREAM_ERROR_CODES[error.getUint32(0, true)] ?? 'out-of-memory';
    return new StreamError(code, error.getBigUint64(16, true), error.getUint32(4, true), error.getUint32(8, true));
  }

  const handles = new Set<number>();
  function opened(handle: number): number {
    if (!handle) throw new RangeError('the kernels cannot have more memory');
    handles.add(handle);
    return handle;
  }
  function live(handle: number): number {
    if (!handles.has(handle)) throw new RangeError(`no open kernel handle: ${handle}`);
    return handle;
  }
  function freed(handle: number): number {
    live(handle);
    handles.delete(handle);
    return handle;
  }
  function copyOut(pointer: number, size: number): Uint8Array {
    return u8().slice(pointer >>> 0, (pointer >>> 0) + size);
  }

  return {
    backend: 'wasm',
    hash: {
      crc32: (data, seed) => withInput(data, (src) => wasm.crc32(src, data.length, seed) >>> 0),
      xxh64: (data, seed) => withInput(data, (src) => BigInt.asUintN(64, wasm.xxh64(src, data.length, seed))),
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
      decodeRows: (format, data, base, width, height, tiling, slice, rowStart, rowEnd, out) => {
        const { length } = data;
        return produce([data], decodedSize(format, width, height, rowStart, rowEnd), out, (dst, dstEnd, src = 0) =>
          wasm.tegra_decode_rows(
            formatNumber(format),
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
      },
    },
    bc: {
      decode: (format, blocks, width, height, out) => {
        const { length } = blocks;
        return produce([blocks], 4 * width * height, out, (dst, dstEnd, src = 0) =>
          wasm.bc_decode(formatNumber(format), dst, dstEnd, src, src + length, width, height),
        );
      },
    },
    pixel: {
      decode: (format, texels, out) => {
        const { length } = texels;
        return produce([texels], 4 * Math.floor(length / ELEMENT_SIZE[format]), out, (dst, dstEnd, src = 0) =>
          wasm.pixel_decode(formatNumber(format), dst, dstEnd, src, src + length),
        );
      },
      selectChannels: (rgba, sources, out) => {
        const size = rgba.length & ~3;
        return produce([rgba], size, out, (dst, dstEnd, src = 0) =>
          wasm.pixel_select_channels(dst, dstEnd, src, src + size, sources),
        );
      },
    },
    png: {
      filter: (rows, previous, rowSize, out) => {
        if (previous.length && previous.length !== rowSize) {
          throw new RangeError(`previous has ${previous.length} bytes, a row has ${rowSize}`);
        }
        const { length } = rows;
        const first = previous.length === 0;
        const size = length + (rowSize ? Math.floor(length / rowSize) : 0);
        return produce([rows, previous], size, out, (dst, dstEnd, src = 0, above = 0) =>
          wasm.png_filter(dst, dstEnd, src, src + length, first ? 0 : above, rowSize),
        );
      },
      deflateOpen: () => opened(wasm.deflate_open()),
      deflatePush: (handle, data, final) => {
        const size = withInput(data, (src, srcEnd) => wasm.deflate_push(live(handle), src, srcEnd, final));
        if (size < 0) throw new RangeError('the kernels cannot have more memory');
        return copyOut(wasm.deflate_output(handle), size);
      },
      deflateFree: (handle) => wasm.deflate_free(freed(handle)),
    },
    zstd: {
      dictionaryOpen: (data) => {
        const handle = withInput(data, (src, srcEnd) => wasm.zstd_dictionary_open(src, srcEnd));
        if (!handle) throw streamError();
        return opened(handle);
      },
      dictionaryId: (dictionary) => wasm.zstd_dictionary_id(live(dictionary)) >>> 0,
      dictionaryFree: (dictionary) => wasm.zstd_dictionary_free(freed(dictionary)),
      decoderOpen: (windowLimit, dictionary) => opened(wasm.zstd_open(windowLimit, dictionary ? live(dictionary) : 0)),
      decoderAddDictionary: (decoder, dictionary) => {
        if (!wasm.zstd_add_dictionary(live(decoder), live(dictionary))) {
          throw new RangeError('the kernels cannot have more memory');
        }
      },
      decoderPush: (decoder, chunk, final) => {
        const size = withInput(chunk, (src, srcEnd) => wasm.zstd_push(live(decoder), src, srcEnd, final));
        if (size < 0) throw streamError();
        return copyOut(wasm.zstd_output(decoder), size);
      },
      decoderPending: (decoder) => wasm.zstd_pending(live(decoder)) !== 0,
      decoderFree: (decoder) => wasm.zstd_free(freed(decoder)),
    },
    yaz0: {
      decoderOpen: () => opened(wasm.yaz0_open()),
      decoderPush: (decoder, chunk, final) => {
        const size = withInput(chunk, (src, srcEnd) => wasm.yaz0_push(live(decoder), src, srcEnd, final));
        if (size < 0) throw streamError();
        return copyOut(wasm.yaz0_output(decoder), size);
      },
      decoderPending: (decoder) => wasm.yaz0_pending(live(decoder)) !== 0,
      decoderFree: (decoder) => wasm.yaz0_free(freed(decoder)),
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
