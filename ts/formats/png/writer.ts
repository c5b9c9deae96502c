/** PNG (ISO/IEC 15948): 8-bit RGBA, one IDAT chunk a band. */
import { concat } from '../../io/concat.ts';
import { counted } from '../../io/errors.ts';
import type { KernelBuffer, KernelBytes, Kernels } from '../../kernels/contract.ts';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOUR_TYPE_RGBA = 6;
const SRGB_PERCEPTUAL = 0;
/** The longest row that the filter kernel takes has 2^24 bytes. */
const MAX_WIDTH = 2 ** 22;
const MAX_HEIGHT = 2 ** 31 - 1;

/** Turns filtered rows into a zlib stream; the result may come later. What is pushed is only good during the call. */
export interface Deflater {
  push(data: Uint8Array, final: boolean): Uint8Array | Promise<Uint8Array>;
  free(): void;
}

export interface PngOptions {
  /** in pixels: 1 to 2^22 */
  width: number;
  /** 1 to 2^31 - 1 */
  height: number;
  /** the pixels are sRGB encoded: adds an sRGB chunk */
  srgb?: boolean;
  /** default: the deflate kernel */
  deflater?: Deflater;
}

/** The deflate kernel: the same bytes on every machine. */
export function kernelDeflater({ png }: Kernels): Deflater {
  const handle = png.deflateOpen();
  return { push: (data, final) => png.deflatePush(handle, data, final), free: () => png.deflateFree(handle) };
}

/**
 * Writes a PNG band by band: `start`, `rows` until `height` rows are there, `finish`; in another order they throw.
 * `free` must be called in the end, whatever happened.
 */
export class PngWriter {
  readonly #kernels: Kernels;
  readonly #options: PngOptions;
  readonly #deflater: Deflater;
  readonly #rowSize: number;
  /** the row above the next band */
  readonly #previous: KernelBuffer;
  #stage: 'new' | 'started' | 'finished' | 'freed' = 'new';
  /** rows written */
  #row = 0;
  /** the filtered rows of a band; made as large as bands come */
  #filtered: KernelBuffer | undefined;

  constructor(kernels: Kernels, options: PngOptions) {
    checkExtent('width', options.width, MAX_WIDTH);
    checkExtent('height', options.height, MAX_HEIGHT);
    this.#kernels = kernels;
    this.#options = { ...options };
    this.#rowSize = 4 * options.width;
    this.#previous = kernels.alloc(this.#rowSize);
    this.#deflater = options.deflater ?? kernelDeflater(kernels);
  }

  /** Signature and header chunks; comes first. */
  start(): Uint8Array {
    this.#expect('new', 'start');
    const { width, height, srgb } = this.#options;
    const header = new Uint8Array(13);
    const view = new DataView(header.buffer);
    view.setUint32(0, width);
    view.setUint32(4, height);
    header[8] = 8; // bits a channel
    header[9] = COLOUR_TYPE_RGBA;
    const chunks = [SIGNATURE, this.#chunk('IHDR', header)];
    if (srgb) chunks.push(this.#chunk('sRGB', Uint8Array.of(SRGB_PERCEPTUAL)));
    this.#stage = 'started';
    return concat(chunks);
  }

  /** The bytes that the next rows (whole ones, RGBA8) add; may be none yet. */
  rows(band: KernelBytes): Uint8Array | Promise<Uint8Array> {
    this.#expect('started', 'rows');
    const rowSize = this.#rowSize;
    const size = band.bytes.length;
    const count = size / rowSize;
    const { height } = this.#options;
    if (!Number.isInteger(count))
      throw new RangeError(`a band has ${counted(size, 'byte')}: whole rows of ${rowSize} are needed`);
    const end = this.#row + count;
    if (end > height) throw new RangeError(`rows ${this.#row} to ${end} are more than the ${height} of the PNG`);
    if (!count) return new Uint8Array(0);
    const filteredSize = size + count;
    if (!this.#filtered || this.#filtered.bytes.length < filteredSize) {
      this.#filtered?.free();
      this.#filtered = undefined;
      this.#filtered = this.#kernels.alloc(filteredSize);
    }
    const previous = this.#row ? this.#previous.bytes : new Uint8Array(0);
    const filtered = this.#kernels.png.filter(band.bytes, previous, rowSize, this.#filtered.bytes);
    const packed = this.#deflate(filtered, false);
    this.#previous.bytes.set(band.bytes.subarray(size - rowSize));
    this.#row = end;
    return packed;
  }

  /** The bytes after the last row. */
  finish(): Uint8Array | Promise<Uint8Array> {
    this.#expect('started', 'finish');
    const { height } = this.#options;
    if (this.#row < height) throw new Error(`finish after ${this.#row} of ${height} rows`);
    this.#stage = 'finished';
    const end = this.#chunk('IEND', new Uint8Array(0));
    const data = this.#deflate(new Uint8Array(0), true);
    return data instanceof Promise ? data.then((bytes) => concat([bytes, end])) : concat([data, end]);
  }

  /** Further calls do nothing. */
  free(): void {
    if (this.#stage === 'freed') return;
    this.#stage = 'freed';
    this.#deflater.free();
    this.#previous.free();
    this.#filtered?.free();
  }

  #expect(stage: 'new' | 'started', call: string): void {
    if (this.#stage !== stage) throw new Error(`${call} of a PNG that is ${this.#stage}`);
  }

  #deflate(data: Uint8Array, final: boolean): Uint8Array | Promise<Uint8Array> {
    const packed = this.#deflater.push(data, final);
    return packed instanceof Promise ? packed.then((bytes) => this.#dataChunk(bytes)) : this.#dataChunk(packed);
  }

  #dataChunk(data: Uint8Array): Uint8Array {
    return data.length ? this.#chunk('IDAT', data) : data;
  }

  #chunk(type: string, data: Uint8Array): Uint8Array {
    const chunk = new Uint8Array(12 + data.length);
    const view = new DataView(chunk.buffer);
    view.setUint32(0, data.length);
    for (let i = 0; i < 4; i++) chunk[4 + i] = type.charCodeAt(i);
    chunk.set(data, 8);
    view.setUint32(8 + data.length, this.#kernels.hash.crc32(chunk.subarray(4, 8 + data.length), 0));
    return chunk;
  }
}

function checkExtent(name: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new RangeError(`${name} is ${value}: a whole number from 1 to ${max} is needed`);
  }
}
