/** Makes TexToGo textures. */
import { ByteWriter } from './bytes.ts';
import { FORMATS, type FormatName } from './formats.ts';
import type { SampleTexture } from './surfaces.ts';
import { swizzleSurface } from './swizzle.ts';
import { writeZstd } from './zstd.ts';

/** The numbers that games use. */
const FORMAT_IDS: Partial<Record<FormatName, number>> = {
  BC1_UNORM: 0x202,
  BC1_SRGB: 0x203,
  BC3_SRGB: 0x505,
  BC4_UNORM: 0x602,
  BC5_UNORM: 0x702,
  BC7_UNORM: 0x901,
  R8G8B8A8_UNORM: 0xa0a,
  R8G8_UNORM: 0xb0b,
  R8_UNORM: 0xc0c,
};
const CHANNELS = 'RGBA01';

export interface TxtgOptions {
  /** surfaces in the order of mips and then layers, as the modding tools write them */
  mipsFirst?: boolean;
  /** how many bytes of the last block of each surface are left out */
  cut?: number;
}

/** Rows of elements that a surface of so many rows is padded to, in GOBs of 8. */
function blockHeightOf(rows: number): number {
  let gobs = 1;
  while (gobs < 16 && gobs * 8 < rows) gobs *= 2;
  return gobs;
}

/** A texture whose surfaces are zstd frames of their own. */
export function writeTxtg(texture: SampleTexture, { mipsFirst = false, cut = 0 }: TxtgOptions = {}): Uint8Array {
  const { width, height, layers, mips, format, channels = 'RGBA', levels } = texture;
  const { extent, bytesPerElement } = FORMATS[format];
  const id = FORMAT_IDS[format];
  if (id === undefined) throw new RangeError(`${format} has no number`);
  const places = Array.from({ length: layers * mips }, (_, i) =>
    mipsFirst ? { layer: i % layers, mip: Math.floor(i / layers) } : { layer: Math.floor(i / mips), mip: i % mips },
  );
  const frames = places.map(({ layer, mip }) => {
    const [w, h] = [Math.max(1, width >> mip), Math.max(1, height >> mip)];
    const surface = swizzleSurface([[levels[layer]![mip]!]], {
      width: w,
      height: h,
      depth: 1,
      layers: 1,
      mips: 1,
      extent,
      bytesPerElement,
      tileMode: 'optimal',
      blockHeight: blockHeightOf(Math.ceil(h / extent[1])),
      blockDepth: 1,
    });
    return writeZstd(surface.subarray(0, surface.length - cut));
  });
  const out = new ByteWriter();
  out.le(0x50, 2);
  out.le(0x11, 2);
  out.bytes(new TextEncoder().encode('6PK0'));
  out.le(width, 2);
  out.le(height, 2);
  out.le(layers, 2);
  out.u8(mips);
  out.u8(2);
  out.u8(1);
  out.le(0, 3);
  out.le(0x0003_0a09, 4);
  for (const channel of channels) out.u8(CHANNELS.indexOf(channel));
  for (let i = 0; i < 32; i++) out.u8(7 * i);
  out.le(id, 2);
  out.le(0x300, 2);
  out.le(0x428c_0000, 4);
  out.le(0x7f33, 4);
  out.le(0, 4);
  out.le(0, 4);
  for (const { layer, mip } of places) {
    out.le(layer, 2);
    out.u8(mip);
    out.u8(1);
  }
  for (const frame of frames) {
    out.le(frame.length, 4);
    out.le(6, 4);
  }
  for (const frame of frames) out.bytes(frame);
  return out.take();
}
