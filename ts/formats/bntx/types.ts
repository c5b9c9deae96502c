import type { ImageDimension, ImageFormat } from '../../nn/gfx.ts';

/** A value of a texture's user data. */
export interface UserData {
  name: string;
  type: 's32' | 'float' | 'string' | 'byte';
  values: number[] | string[] | Uint8Array;
}

/** One texture of a BNTX (nn::gfx::ResTextureInfo). */
export interface BntxTexture {
  name: string;
  /** offset of its BRTI block in the source */
  offset: number;
  format: ImageFormat;
  dimension: ImageDimension;
  /** in texels, of mip 0 */
  width: number;
  height: number;
  depth: number;
  /** array layers, the six faces of a cube among them */
  layerCount: number;
  mipCount: number;
  sampleCount: number;
  /** nn::gfx::TextureInfo flags: 1 packaged layout, 2 sparse binding, 4 sparse residency, 8 res texture */
  flags: number;
  /** 1, 2 or 3 */
  storageDimension: number;
  linear: boolean;
  swizzle: number;
  /** nn::gfx::GpuAccessFlags */
  gpuAccess: number;
  /** the packaged texture layout, as stored */
  layout: Uint8Array;
  blockHeightLog2: number;
  blockDepthLog2: number;
  /** bytes of all layers and mips, as stored */
  dataSize: number;
  alignment: number;
  /** channel sources of R, G, B, A, one a byte, lowest first: see `pixel.selectChannels` */
  channels: number;
  /** offsets in the source of the mip levels of layer 0 */
  mipOffsets: number[];
  userData: UserData[];
}

/** One BNTX; a file may hold several, one after the other. */
export interface Bntx {
  /** such as `4.1.0` */
  version: string;
  littleEndian: boolean;
  /** the file's own name for itself */
  name: string;
  /** offset in the source of its header */
  offset: number;
  /** as the header says */
  fileSize: number;
  /** `NX  ` for the Switch, `Gen ` for PC */
  target: string;
  textures: BntxTexture[];
}
