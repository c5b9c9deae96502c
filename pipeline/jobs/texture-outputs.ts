import { astcHeader } from '../../ts/formats/astc/index.ts';
import { ddsHeader, DXGI_FORMATS } from '../../ts/formats/dds/index.ts';
import { PngWriter, type PngOptions } from '../../ts/formats/png/index.ts';
import { FormatError } from '../../ts/io/errors.ts';
import type { Kernels } from '../../ts/kernels/index.ts';
import { channelNames } from '../../ts/nn/gfx.ts';
import type { Surface } from '../../ts/textures/surface.ts';
import type { Texture } from '../../ts/textures/texture-files.ts';
import type { OutputFile, StagedFile, Staging } from '../output/folder.ts';
import type { Platform } from '../platform.ts';
import type { MipRange } from './extract-textures.ts';

/** Writes a PNG to a file without a name, which is begun with the first rows: they show whether there are any. */
export function pngFile(
  kernels: Kernels,
  platform: Platform,
  staging: Staging,
  picture: Pick<PngOptions, 'width' | 'height' | 'srgb'>,
  level: number,
) {
  const deflater = level > 1 ? platform.deflater(level) : undefined;
  const png = new PngWriter(kernels, { ...picture, ...(deflater && { deflater }) });
  let file: OutputFile | undefined;
  return {
    async rows(band: Parameters<PngWriter['rows']>[0]): Promise<void> {
      if (!file) {
        file = staging.create();
        file.write(png.start());
      }
      const bytes = png.rows(band);
      file.write(bytes instanceof Promise ? await bytes : bytes);
    },
    async finish(): Promise<StagedFile> {
      file!.write(await png.finish());
      const staged = file!.finish();
      file = undefined;
      return staged;
    },
    /** Removes what was not finished. */
    close(): void {
      file?.discard();
      png.free();
    },
  };
}

/** What a DDS holds of a texture: the header, and the surfaces whose elements follow it. */
export interface DdsParts {
  header: Uint8Array;
  surfaces: Surface[];
  width: number;
  height: number;
  depth: number;
  layers: number;
  mips: number;
}

/** The parts of a DDS with the mip levels asked for; undefined when there are none. Throws for formats that DDS has not. */
export function ddsOf(texture: Texture, { first, last }: MipRange): DdsParts | undefined {
  const { dimension, layerCount: layers } = texture;
  // Levels below a single texel, which some files have, are none in DDS.
  const deepest = Math.floor(Math.log2(Math.max(texture.width, texture.height, texture.depth)));
  const surfaces = [...texture.surfaces()].filter(({ mip }) => mip >= first && mip <= Math.min(last, deepest));
  const [top] = surfaces;
  if (!top) return undefined;
  const format = DXGI_FORMATS[top.format.name];
  if (format === undefined) throw notStored(top, 'a format that DDS has');
  const { width, height, depth, columns, rows } = top.layout;
  const mips = new Set(surfaces.map(({ mip }) => mip)).size;
  const rowSize = columns * top.format.bytes;
  const header = ddsHeader({
    format,
    width,
    height,
    depth,
    mipCount: mips,
    layerCount: layers,
    dimension: dimension.startsWith('cube') && layers % 6 === 0 ? 'cube' : dimensionOf(dimension),
    rowSize,
    sliceSize: rowSize * rows,
    blocks: top.format.blockWidth > 1,
  });
  return { header, surfaces, width, height, depth, layers, mips };
}

function dimensionOf(dimension: Texture['dimension']): '1D' | '2D' | '3D' {
  if (dimension === '3D') return '3D';
  return dimension.startsWith('1D') ? '1D' : '2D';
}

/** The header of a surface as .astc. Throws for other formats. */
export function astcHeaderOf(surface: Surface): Uint8Array {
  const { format, layout } = surface;
  if (!format.name.startsWith('ASTC')) throw notStored(surface, 'an ASTC format');
  return astcHeader(format.blockWidth, format.blockHeight, layout.width, layout.height);
}

function notStored(surface: Surface, expected: string): FormatError {
  const { source, container, format, formatOffset, texture } = surface;
  return new FormatError({
    code: 'unsupported',
    format: container,
    offset: formatOffset,
    expected,
    found: `${format.name} (texture ${JSON.stringify(texture)})`,
    path: source.path,
  });
}

/** Everything that a file says of a texture, as plain data. */
export function sidecarOf({ format, channels, ...texture }: Texture): object {
  const { name, value, srgb } = format;
  return { ...plain(texture), format: { name, value, srgb }, channels: channelNames(channels) };
}

/** Bytes as hexadecimal digits, functions left out, all else as it is. */
function plain(value: object): object {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      inner instanceof Uint8Array ? Array.from(inner, (byte) => byte.toString(16).padStart(2, '0')).join('') : inner,
    ),
  ) as object;
}
