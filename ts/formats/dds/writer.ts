/** DDS with the DX10 header (Microsoft: DDS_HEADER, DDS_HEADER_DXT10). */

/** What a DDS says of its texture. */
export interface DdsTexture {
  /** DXGI_FORMAT */
  format: number;
  /** in texels, of mip 0 */
  width: number;
  height: number;
  depth: number;
  mipCount: number;
  /** array layers, the six faces of a cube among them */
  layerCount: number;
  dimension: '1D' | '2D' | '3D' | 'cube';
  /** bytes of a row of elements of mip 0 */
  rowSize: number;
  /** bytes of one slice of mip 0; of block formats it takes the place of the row */
  sliceSize: number;
  blocks: boolean;
}

export const DDS_HEADER_SIZE = 0x94;

const DDSD_CAPS = 0x1;
const DDSD_HEIGHT = 0x2;
const DDSD_WIDTH = 0x4;
const DDSD_PITCH = 0x8;
const DDSD_PIXELFORMAT = 0x1000;
const DDSD_MIPMAPCOUNT = 0x20000;
const DDSD_LINEARSIZE = 0x80000;
const DDSD_DEPTH = 0x800000;
const DDPF_FOURCC = 0x4;
const DDSCAPS_COMPLEX = 0x8;
const DDSCAPS_TEXTURE = 0x1000;
const DDSCAPS_MIPMAP = 0x400000;
const DDSCAPS2_CUBEMAP_ALLFACES = 0xfe00;
const DDSCAPS2_VOLUME = 0x200000;
const RESOURCE_DIMENSIONS = { '1D': 2, '2D': 3, '3D': 4, cube: 3 } as const;
const MISC_TEXTURECUBE = 0x4;
const CUBE_FACES = 6;

/** The header; the data follows: layer by layer, in each its mip levels, in each its slices, rows without gaps. */
export function ddsHeader(texture: DdsTexture): Uint8Array {
  const { width, height, depth, mipCount, layerCount, dimension, rowSize, sliceSize, blocks } = texture;
  const bytes = new Uint8Array(DDS_HEADER_SIZE);
  const view = new DataView(bytes.buffer);
  const put = (offset: number, value: number): void => view.setUint32(offset, value, true);
  const cube = dimension === 'cube';
  const volume = dimension === '3D';
  const several = mipCount > 1 || layerCount > 1 || volume;
  bytes.set(new TextEncoder().encode('DDS '));
  put(0x04, 124);
  put(
    0x08,
    DDSD_CAPS |
      DDSD_HEIGHT |
      DDSD_WIDTH |
      DDSD_PIXELFORMAT |
      (blocks ? DDSD_LINEARSIZE : DDSD_PITCH) |
      (mipCount > 1 ? DDSD_MIPMAPCOUNT : 0) |
      (volume ? DDSD_DEPTH : 0),
  );
  put(0x0c, height);
  put(0x10, width);
  put(0x14, blocks ? sliceSize : rowSize);
  put(0x18, volume ? depth : 1);
  put(0x1c, mipCount);
  put(0x4c, 32);
  put(0x50, DDPF_FOURCC);
  bytes.set(new TextEncoder().encode('DX10'), 0x54);
  put(0x6c, DDSCAPS_TEXTURE | (several ? DDSCAPS_COMPLEX : 0) | (mipCount > 1 ? DDSCAPS_MIPMAP : 0));
  put(0x70, (cube ? DDSCAPS2_CUBEMAP_ALLFACES : 0) | (volume ? DDSCAPS2_VOLUME : 0));
  put(0x80, texture.format);
  put(0x84, RESOURCE_DIMENSIONS[dimension]);
  put(0x88, cube ? MISC_TEXTURECUBE : 0);
  put(0x8c, cube ? layerCount / CUBE_FACES : layerCount);
  return bytes;
}
