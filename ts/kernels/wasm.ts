import {
  ELEMENT_SIZE,
  STREAM_ERROR_CODES,
  StreamError,
  TEXEL_FORMATS,
  type KernelBuffer,
  type Kernels,
  type TexelFormat,
  type Tiling,
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
    if (data.buffer === memory.buffer) return use(data.byteOffset, data.byteOffset + data.length);
    const src = alloc(data.length);
    u8().set(data, src);
    try {
      return use(src, src + data.length);
    } finally {
      wasm.free(src);
    }
  }

  /** Runs a kernel that writes `size` bytes, into `out` or an array of its own. */
  function withOutput(
    size: number,
    out: Uint8Array | undefined,
    write: (dst: number, dstEnd: number) => number,
  ): Uint8Array {
    if (out && out.length < size) throw new RangeError(`out has ${out.length} bytes, ${size} are needed`);
    if (out && out.buffer === memory.buffer) {
      const { byteOffset } = out;
      const wrote = checked(write(byteOffset, byteOffset + size));
      return u8().subarray(byteOffset, byteOffset + wrote);
    }
    const dst = alloc(size);
    try {
      const wrote = checked(write(dst, dst + size));
      if (!out) return u8().slice(dst, dst + wrote);
      out.set(u8().subarray(dst, dst + wrote));
      return out.subarray(0, wrote);
    } finally {
      wasm.free(dst);
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
      deswizzle: (data, base, elementSize, width, height, tiling, slice, rowStart, rowEnd, out) =>
        withInput(data, (src, srcEnd) =>
          withOutput(rowsSize(elementSize, width, height, rowStart, rowEnd), out, (dst, dstEnd) =>
            wasm.tegra_deswizzle(
              dst,
              dstEnd,
              src,
              srcEnd,
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
          ),
        ),
      decodeRows: (format, data, base, width, height, tiling: Tiling, slice, rowStart, rowEnd, out) =>
        withInput(data, (src, srcEnd) =>
          withOutput(decodedSize(format, width, height, rowStart, rowEnd), out, (dst, dstEnd) =>
            wasm.tegra_decode_rows(
              formatNumber(format),
              dst,
              dstEnd,
              src,
              srcEnd,
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
          ),
        ),
    },
    bc: {
      decode: (format, blocks, width, height, out) =>
        withInput(blocks, (src, srcEnd) =>
          withOutput(4 * width * height, out, (dst, dstEnd) =>
            wasm.bc_decode(formatNumber(format), dst, dstEnd, src, srcEnd, width, height),
          ),
        ),
    },
    pixel: {
      decode: (format, texels, out) =>
        withInput(texels, (src, srcEnd) =>
          withOutput(4 * Math.floor(texels.length / ELEMENT_SIZE[format]), out, (dst, dstEnd) =>
            wasm.pixel_decode(formatNumber(format), dst, dstEnd, src, srcEnd),
          ),
        ),
      selectChannels: (rgba, sources, out) =>
        withInput(rgba, (src, srcEnd) =>
          withOutput(rgba.length & ~3, out, (dst, dstEnd) =>
            wasm.pixel_select_channels(dst, dstEnd, src, srcEnd, sources),
          ),
        ),
    },
    png: {
      filter: (rows, previous, rowSize, out) => {
        if (previous.length && previous.length !== rowSize) {
          throw new RangeError(`previous has ${previous.length} bytes, a row has ${rowSize}`);
        }
        // Before anything is allocated: a view of memory that grows has no length any more.
        const size = rows.length + (rowSize ? Math.floor(rows.length / rowSize) : 0);
        const first = previous.length === 0;
        return withInput(rows, (src, srcEnd) =>
          withInput(previous, (above) =>
            withOutput(size, out, (dst, dstEnd) =>
              wasm.png_filter(dst, dstEnd, src, srcEnd, first ? 0 : above, rowSize),
            ),
          ),
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
