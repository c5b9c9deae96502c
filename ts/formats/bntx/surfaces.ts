import { FormatError, hex } from '../../io/errors.ts';
import type { Source } from '../../io/source.ts';
import { layerSize, mipLayouts, type SurfaceShape } from '../../nn/tegra-layout.ts';
import type { Surface } from '../../textures/surface.ts';
import type { Bntx, BntxTexture } from './types.ts';

const NX_PITCH_ALIGNMENT = 32;

/** The layout-relevant part of a texture. */
function shapeOf(bntx: Bntx, texture: BntxTexture): SurfaceShape {
  const { width, height, mipCount, layerCount, blockHeightLog2, blockDepthLog2, linear, format } = texture;
  return {
    width,
    height,
    depth: texture.storageDimension === 3 ? texture.depth : 1,
    mipCount,
    layerCount,
    blockWidth: format.blockWidth,
    blockHeight: format.blockHeight,
    bytes: format.bytes,
    blockHeightLog2,
    blockDepthLog2,
    linear,
    // "Gen " files, for PC, do not pad their rows
    pitchAlignment: bntx.target === 'NX  ' ? NX_PITCH_ALIGNMENT : 1,
  };
}

/**
 * Every surface of a texture: layers, their mip levels, and the slices of these. Throws for textures whose layout cannot
 * be known (formats without a name, multisampling) or contradicts the stored size.
 */
export function* bntxSurfaces(source: Source, bntx: Bntx, texture: BntxTexture): Generator<Surface, void, void> {
  const { format } = texture;
  const unsupported = (offset: number, expected: string, found: string): FormatError =>
    new FormatError({ code: 'unsupported', format: 'BNTX', offset, expected, found, path: source.path });
  if (!format.bytes) throw unsupported(texture.offset + 0x1c, 'a known image format', format.name);
  if (texture.sampleCount > 1)
    throw unsupported(texture.offset + 0x18, '1 sample a texel', String(texture.sampleCount));
  const shape = shapeOf(bntx, texture);
  const mips = mipLayouts(shape);
  // Only layer 0 has pointers; the others follow at equal distances that fill the stored size.
  const stride = texture.dataSize / texture.layerCount;
  const last = mips.at(-1)!;
  if (texture.layerCount > 1 && (!Number.isInteger(stride) || stride < last.offset + last.size)) {
    throw new FormatError({
      format: 'BNTX',
      offset: texture.offset + 0x50,
      expected: `a size of ${hex(layerSize(shape, mips) * texture.layerCount)}`,
      found: hex(texture.dataSize),
      path: source.path,
    });
  }
  for (let layer = 0; layer < texture.layerCount; layer++) {
    for (const [mip, layout] of mips.entries()) {
      for (let slice = 0; slice < layout.depth; slice++) {
        const offset = texture.mipOffsets[mip]! + layer * stride;
        yield {
          source,
          container: 'BNTX',
          texture: texture.name,
          format,
          formatOffset: texture.offset + 0x1c,
          layer,
          slice,
          mip,
          layout,
          offset,
          channels: texture.channels,
        };
      }
    }
  }
}
