import { bntxSurfaces, readBntx, type UserData } from '../formats/bntx/index.ts';
import { readTxtg, txtgSurfaces } from '../formats/txtg/index.ts';
import type { ZstdDictionaries } from '../formats/zstd/index.ts';
import type { Source } from '../io/source.ts';
import type { Kernels } from '../kernels/contract.ts';
import type { ImageDimension, ImageFormat } from '../nn/gfx.ts';
import type { Surface } from './surface.ts';

/** A texture of any kind of file; it may have more properties, all that its file says of it. */
export interface Texture {
  name: string;
  format: ImageFormat;
  dimension: ImageDimension;
  /** in texels, of mip 0 */
  width: number;
  height: number;
  depth: number;
  /** array layers, the six faces of a cube among them */
  layerCount: number;
  mipCount: number;
  /** channel sources: see `pixel.selectChannels` */
  channels: number;
  userData: UserData[];
  /** Its images, each to be decoded before the next is asked for. Throws FormatError. */
  surfaces(): Generator<Surface, void, void>;
}

export interface TextureOptions {
  kernels: Kernels;
  /** for zstd inside */
  dictionaries?: ZstdDictionaries;
  windowLimit?: number;
}

type Reader = (source: Source, options: TextureOptions) => Iterable<Texture>;

/** What reads textures, by the id of the file's format. */
const READERS: Readonly<Record<string, Reader>> = {
  *bntx(source) {
    for (const file of readBntx(source)) {
      for (const texture of file.textures) yield { ...texture, surfaces: () => bntxSurfaces(source, file, texture) };
    }
  },

  *txtg(source, { kernels, ...options }) {
    const texture = readTxtg(source);
    const { layerCount } = texture;
    // The file has no name for it but its own.
    const name = source.path.slice(source.path.lastIndexOf('/') + 1).replace(/\.txtg$/i, '');
    const dimension = layerCount > 1 ? '2D array' : '2D';
    const surfaces = (): Generator<Surface, void, void> => txtgSurfaces(source, texture, name, kernels, options);
    yield { ...texture, name, dimension, depth: 1, userData: [], surfaces };
  },
};

/** Whether files of a format, by its id, are textures or hold nothing else. */
export function holdsTextures(id: string): boolean {
  return Object.hasOwn(READERS, id);
}

/** The textures of a file whose format {@link holdsTextures}. Throws FormatError. */
export function readTextures(id: string, source: Source, options: TextureOptions): Iterable<Texture> {
  return READERS[id]!(source, options);
}
