import { counted, FormatError } from '../../io/errors.ts';
import { checkRange, SubSource, type Source } from '../../io/source.ts';
import type { Kernels } from '../../kernels/contract.ts';
import { mipExtent, mipLayouts } from '../../nn/tegra-layout.ts';
import type { Surface } from '../../textures/surface.ts';
import { createZstdDecoder, type ZstdDecoderOptions } from '../zstd/index.ts';
import type { Txtg, TxtgFrame } from './types.ts';

const MAX_BLOCK_HEIGHT_LOG2 = 4;
const CHUNK_SIZE = 256 * 1024;

/** Block height of a surface of so many rows of elements: as many GOBs of 8 rows as hold it, 16 at most. */
function blockHeightLog2(rows: number): number {
  return Math.min(MAX_BLOCK_HEIGHT_LOG2, 32 - Math.clz32(Math.ceil(rows / 8) - 1));
}

/**
 * Every surface of a texture, by layers and then mip levels. Each is decompressed while it is decoded. Throws for formats
 * that are not known.
 */
export function* txtgSurfaces(
  source: Source,
  txtg: Txtg,
  name: string,
  kernels: Kernels,
  options: Pick<ZstdDecoderOptions, 'dictionaries' | 'windowLimit'> = {},
): Generator<Surface, void, void> {
  const { format, channels, width, height } = txtg;
  const { blockWidth, blockHeight, bytes } = format;
  if (!bytes) {
    const details = { offset: 0x3c, expected: 'a known format', found: format.name, path: source.path };
    throw new FormatError({ code: 'unsupported', format: 'TXTG', ...details });
  }
  for (const frame of txtg.frames.toSorted((a, b) => a.layer - b.layer || a.mip - b.mip)) {
    const { layer, mip } = frame;
    const extent = { width: mipExtent(width, mip), height: mipExtent(height, mip), depth: 1 };
    const [layout] = mipLayouts({
      ...extent,
      mipCount: 1,
      layerCount: 1,
      blockWidth,
      blockHeight,
      bytes,
      blockHeightLog2: blockHeightLog2(Math.ceil(extent.height / blockHeight)),
      blockDepthLog2: 0,
      linear: false,
      pitchAlignment: 1,
    });
    const surface = { texture: name, format, formatOffset: 0x3c, layer, slice: 0, mip, layout: layout!, channels };
    const content = new FrameSource(source, frame, layout!, kernels, options);
    yield { source: content, container: 'TXTG', ...surface, offset: 0, close: () => content.close() };
  }
}

/** What a frame holds, decompressed as it is read from front to back; reading before that begins again. */
class FrameSource implements Source {
  readonly path: string;
  readonly size: number;
  readonly #frame: Source;
  readonly #kernels: Kernels;
  readonly #options: ZstdDecoderOptions;
  /** what may be missing at the end: the last block need not be whole */
  readonly #slack: number;
  #chunks: Generator<Uint8Array, void, void> | undefined;
  #rest: Uint8Array = new Uint8Array(0);
  #position = 0;

  constructor(
    source: Source,
    { layer, mip, offset, size }: TxtgFrame,
    layout: { size: number; blockHeightLog2: number },
    kernels: Kernels,
    options: Pick<ZstdDecoderOptions, 'dictionaries' | 'windowLimit'>,
  ) {
    this.path = `${source.path}/layer${layer}.mip${mip}`;
    this.size = layout.size;
    this.#frame = new SubSource(source, this.path, offset, size);
    this.#kernels = kernels;
    this.#options = { ...options, path: this.path };
    this.#slack = 512 << layout.blockHeightLog2;
  }

  read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    this.readInto(offset, bytes);
    return bytes;
  }

  readInto(offset: number, target: Uint8Array): void {
    checkRange(this, offset, target.length);
    if (!this.#chunks || offset < this.#position) this.#begin();
    while (this.#position < offset) this.#take(offset - this.#position);
    for (let done = 0; done < target.length;) {
      const part = this.#take(target.length - done);
      target.set(part, done);
      done += part.length;
    }
  }

  close(): void {
    this.#chunks?.return();
    this.#chunks = undefined;
  }

  #begin(): void {
    this.close();
    this.#chunks = this.#decode();
    this.#rest = new Uint8Array(0);
    this.#position = 0;
  }

  *#decode(): Generator<Uint8Array, void, void> {
    const decoder = createZstdDecoder(this.#kernels, this.#options);
    try {
      for (let at = 0; at < this.#frame.size; at += CHUNK_SIZE) {
        yield* decoder.push(this.#frame.read(at, Math.min(CHUNK_SIZE, this.#frame.size - at)), false);
      }
      yield* decoder.push(new Uint8Array(0), true);
    } finally {
      decoder.free();
    }
  }

  /** Up to `most` bytes from the position on, at least one. */
  #take(most: number): Uint8Array {
    while (!this.#rest.length) {
      const next = this.#chunks!.next();
      this.#rest = next.done ? this.#missing() : next.value;
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    this.#position += part.length;
    return part;
  }

  #missing(): Uint8Array {
    const missing = this.size - this.#position;
    if (missing < this.#slack) return new Uint8Array(missing);
    throw new FormatError({
      code: 'truncated',
      format: 'TXTG',
      offset: this.#position,
      expected: counted(this.size, 'byte'),
      found: String(this.#position),
      path: this.path,
    });
  }
}
