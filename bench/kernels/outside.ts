import type { TexelFormat } from '../../ts/kernels/index.ts';
import type { Contestant } from './measure.ts';
import type { BenchPicture } from './pictures.ts';

/**
 * What the kernels are measured against and what some inputs are made with: packages and programs that a clone has, or
 * may have. What is not there is no contestant, or undefined.
 */
export interface Outside {
  /** Decoders of a texture in linear blocks. */
  blockDecoders(format: TexelFormat, blocks: Uint8Array, width: number, height: number): Promise<Contestant[]>;
  /** Decoders of one zstd frame. */
  zstdDecoders(frame: Uint8Array, size: number): Promise<Contestant[]>;
  /** Decoders of many zstd frames with one dictionary, to `out`. */
  zstdDictionaryDecoders(frames: Uint8Array[], dictionary: Uint8Array, out: Uint8Array): Promise<Contestant[]>;
  /** Compressors of zlib's format. */
  deflaters(data: Uint8Array): Promise<Contestant[]>;
  /** Writers of PNGs. */
  pngWriters(picture: BenchPicture): Promise<Contestant[]>;
  /** A picture in blocks of this footprint, by an encoder. */
  encodeAstc(picture: BenchPicture, footprint: string): Uint8Array | undefined;
  /** Data packed as in games. */
  packZstd(data: Uint8Array): Uint8Array | undefined;
  /** Pictures that are not made by code. */
  pictures(): BenchPicture[];
}
