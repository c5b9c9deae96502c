import type { ImageFormat } from '../../nn/gfx.ts';

/** One mip level of one layer: a zstd frame of its own. */
export interface TxtgFrame {
  layer: number;
  mip: number;
  /** offset in the source of the entry that gives its size */
  entryOffset: number;
  /** of the frame in the source */
  offset: number;
  /** compressed, in bytes */
  size: number;
}

/** A TexToGo texture. */
export interface Txtg {
  version: number;
  /** in texels, of mip 0 */
  width: number;
  height: number;
  layerCount: number;
  mipCount: number;
  /** the number in the file */
  formatId: number;
  /** what that means; without `bytes` when it is not known */
  format: ImageFormat;
  /** channel sources of R, G, B, A as nn::gfx has them: see `pixel.selectChannels` */
  channels: number;
  /** of 32 bytes, of what it was made of */
  hash: Uint8Array;
  /** numbers without a known meaning, by the offset of each */
  settings: Readonly<Record<string, number>>;
  /** in the order of the file */
  frames: TxtgFrame[];
}
