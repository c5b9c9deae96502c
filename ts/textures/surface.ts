import { counted, FormatError } from '../io/errors.ts';
import type { Source } from '../io/source.ts';
import {
  blockExtent,
  type KernelBuffer,
  type KernelBytes,
  type Kernels,
  type TexelFormat,
} from '../kernels/contract.ts';
import { IDENTITY_CHANNELS, type ImageFormat } from '../nn/gfx.ts';
import type { MipLayout } from '../nn/tegra-layout.ts';

/** One image: a mip level of a layer and slice of a texture, wherever the texture is from. */
export interface Surface {
  source: Source;
  /** format named in errors, such as `BNTX` */
  container: string;
  /** name of the texture */
  texture: string;
  format: ImageFormat;
  /** offset in the source of the field that says the format */
  formatOffset: number;
  layer: number;
  slice: number;
  mip: number;
  layout: MipLayout;
  /** of the mip level in the source */
  offset: number;
  /** channel sources: see `pixel.selectChannels` */
  channels: number;
  /** Lets go of what decoding needed; there when the source decompresses with the kernels while it is read. */
  close?: () => void;
}

export interface DecodeOptions {
  /** channel sources to apply instead of the surface's own: see `pixel.selectChannels` */
  channels?: number;
}

/** Bytes of a band, so that it stays in the second-level cache. */
const BAND_SIZE = 256 * 1024;

/** Throws a `truncated` FormatError when the data of a surface is not all there. */
function checkData({ source, container, offset, layout, texture }: Surface): void {
  if (offset + layout.size <= source.size) return;
  throw new FormatError({
    code: 'truncated',
    format: container,
    offset,
    expected: `${counted(layout.size, 'byte')} of texture ${JSON.stringify(texture)}`,
    found: `${Math.max(source.size - offset, 0)}`,
    path: source.path,
  });
}

/**
 * Makes sure that a surface can be decoded; gives what the kernels call its format. Throws an `unsupported` FormatError
 * that names a format which they do not decode, a `truncated` one when the data is not all there.
 */
export function checkSurface(surface: Surface): TexelFormat {
  const { source, container, format, formatOffset, texture } = surface;
  if (!format.texelFormat) {
    throw new FormatError({
      code: 'unsupported',
      format: container,
      offset: formatOffset,
      expected: 'a format that can be decoded',
      found: `${format.name} (texture ${JSON.stringify(texture)})`,
      path: source.path,
    });
  }
  checkData(surface);
  return format.texelFormat;
}

/**
 * Decodes a surface to RGBA8 with its channel sources applied, in bands of whole rows from top to bottom.
 *
 * Each band lies in kernel memory and is only good until the next one is asked for. Never holds more of the surface
 * than one row of blocks. Throws what {@link checkSurface} throws.
 */
export function decodeSurface(
  kernels: Kernels,
  surface: Surface,
  options: DecodeOptions = {},
): Generator<KernelBytes, void, void> {
  return decoded(kernels, surface, options, false);
}

/** As {@link decodeSurface}, to RGBA16F: little-endian half floats, 8 bytes a texel (see `pixel` in the WIT). */
export function decodeSurfaceHalf(
  kernels: Kernels,
  surface: Surface,
  options: DecodeOptions = {},
): Generator<KernelBytes, void, void> {
  return decoded(kernels, surface, options, true);
}

const BYTE_KERNELS = ['decodeRows', 'selectChannels'] as const;
const HALF_KERNELS = ['decodeRowsHalf', 'selectChannelsHalf'] as const;

function* decoded(
  kernels: Kernels,
  surface: Surface,
  { channels = surface.channels }: DecodeOptions,
  half: boolean,
): Generator<KernelBytes, void, void> {
  const { tegra, pixel } = kernels;
  const { layout, slice } = surface;
  const format = checkSurface(surface);
  const { width, height } = layout;
  const rowSize = (half ? 8 : 4) * width * blockExtent(format).height;
  const [decode, select] = half ? HALF_KERNELS : BYTE_KERNELS;
  yield* bandsOf(kernels, surface, rowSize, (data, base, row, end, out) => {
    const band = tegra[decode](format, data, base, width, height, layout, slice, row, end, out);
    if (channels !== IDENTITY_CHANNELS) pixel[select](band, channels, band);
    return band;
  });
}

/**
 * The elements of a surface (texels or blocks) as they are stored, rows without gaps, in bands as those of
 * {@link decodeSurface}. Throws a FormatError when the data is not all there.
 */
export function* surfaceElements(kernels: Kernels, surface: Surface): Generator<KernelBytes, void, void> {
  const { layout, slice, format } = surface;
  const { columns, rows } = layout;
  checkData(surface);
  yield* bandsOf(kernels, surface, columns * format.bytes, (data, base, row, end, out) =>
    kernels.tegra.deswizzle(data, base, format.bytes, columns, rows, layout, slice, row, end, out),
  );
}

/** Makes a band of rows of elements, `row` to `end`, of `data`, which begins at `base` in the mip level. */
type MakeBand = (data: Uint8Array, base: number, row: number, end: number, out: Uint8Array) => Uint8Array;

/** Reads a surface by rows of blocks and makes bands of it, of which a row of elements takes `rowOutput` bytes. */
function* bandsOf(
  kernels: Kernels,
  { source, layout, slice, offset, close }: Surface,
  rowOutput: number,
  make: MakeBand,
): Generator<KernelBytes, void, void> {
  const { rows, pitch } = layout;
  const bandRows = Math.max(1, Math.floor(BAND_SIZE / rowOutput));
  // A row of blocks is the least that holds whole rows; of linear memory any number of rows does.
  const blockRows = pitch ? bandRows : 8 << layout.blockHeightLog2;
  const blockRowSize = pitch ? pitch * blockRows : layout.blockRowSize;
  const sliceStart = pitch ? slice * layout.sliceSize : (slice >>> layout.blockDepthLog2) * layout.sliceSize;
  const input = kernels.alloc(Math.min(blockRowSize, layout.size));
  let output: KernelBuffer | undefined;
  try {
    output = kernels.alloc(rowOutput * Math.min(bandRows, rows));
    for (let blockRow = 0; blockRow * blockRows < rows; blockRow++) {
      const base = sliceStart + blockRow * blockRowSize;
      const size = Math.min(blockRowSize, layout.size - base);
      if (close) {
        // Reading uses the kernels, whose memory may move meanwhile.
        const bytes = source.read(offset + base, size);
        input.bytes.set(bytes);
      } else {
        source.readInto(offset + base, input.bytes.subarray(0, size));
      }
      const end = Math.min((blockRow + 1) * blockRows, rows);
      for (let row = blockRow * blockRows; row < end; row += bandRows) {
        const last = Math.min(row + bandRows, end);
        const band = make(input.bytes.subarray(0, size), base, row, last, output.bytes);
        yield part(output, band.length);
      }
    }
  } finally {
    input.free();
    output?.free();
    close?.();
  }
}

/** The first `size` bytes of a buffer. */
function part(buffer: KernelBuffer, size: number): KernelBytes {
  return {
    get bytes() {
      return buffer.bytes.subarray(0, size);
    },
  };
}
