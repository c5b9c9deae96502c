/** TexToGo (KillzXGaming/Switch-Toolbox TXTG.cs, EPD-Libraries txtg, BladesawStudios/TxtgSharp; a public sample file). */
import { counted, hex } from '../../io/errors.ts';
import { Slice } from '../../io/slice.ts';
import type { Source } from '../../io/source.ts';
import { imageFormat, type ImageFormat } from '../../nn/gfx.ts';
import type { Txtg, TxtgFrame } from './types.ts';

const FORMAT = 'TXTG';
export const TXTG_MAGIC = '6PK0';
export const TXTG_MAGIC_OFFSET = 4;
const HEADER_SIZE = 0x50;
const VERSION = 0x11;
const ENTRY_SIZE = 4;
const MAX_EXTENT = 16384; // of the GPU, in texels
const MAX_LAYERS = 2048; // of the GPU
const MAX_MIPS = 16;

const UNORM = 1;
const SRGB = 6;

/** ASTC footprints in the order of nn::gfx. */
const FOOTPRINTS = '4x4 5x4 5x5 6x5 6x6 8x5 8x6 8x8 10x5 10x6 10x8 10x10 12x10 12x12'.split(' ');
const ASTC_4X4 = 0x2d;
/** nn::gfx::ChannelFormat by the high byte of the format. */
const FAMILIES: Readonly<Record<number, number>> = {
  0x02: 0x1a, // BC1
  0x03: 0x1a, // BC1
  0x05: 0x1c, // BC3
  0x06: 0x1d, // BC4
  0x07: 0x1e, // BC5
  0x09: 0x20, // BC7
  0x0a: 0x0b, // RGBA8
  0x0b: 0x09, // R8G8
  0x0c: 0x02, // R8
};
const ASTC_FAMILY = 0x01;
/** ASTC footprints by the format alone, where the other field does not tell. */
const ASTC_8X8_IDS = new Set([0x102, 0x105, 0x106, 0x107, 0x10a, 0x10c]);
const ASTC_4X4_IDS = new Set([0x109]);
const SRGB_IDS = new Set([0x105, 0x109, 0x203, 0x303, 0x305, 0x505]);

/** Reads the header and the tables. Throws FormatError. */
export function readTxtg(source: Source): Txtg {
  const options = { format: FORMAT };
  const header = Slice.read(source, 0, HEADER_SIZE, options);
  header.expectMagic(TXTG_MAGIC_OFFSET, TXTG_MAGIC);
  const inRange = (offset: number, value: number, low: number, high: number, what: string): number => {
    if (value < low || value > high) throw header.error(offset, `${what} of ${low} to ${high}`, String(value));
    return value;
  };
  const headerSize = inRange(0x00, header.u16(0x00), HEADER_SIZE, 0xffff, 'a header size');
  const version = header.u16(0x02);
  if (version !== VERSION) throw header.error(0x02, `version ${hex(VERSION)}`, hex(version), 'unsupported');
  const width = inRange(0x08, header.u16(0x08), 1, MAX_EXTENT, 'a width');
  const height = inRange(0x0a, header.u16(0x0a), 1, MAX_EXTENT, 'a height');
  const layerCount = inRange(0x0c, header.u16(0x0c), 1, MAX_LAYERS, 'a layer count');
  const mipCount = inRange(0x0e, header.u8(0x0e), 1, MAX_MIPS, 'a mip count');
  let channels = 0;
  for (let i = 0; i < 4; i++) {
    const channel = inRange(0x18 + i, header.u8(0x18 + i), 0, 5, 'a channel source');
    channels |= (CHANNEL_SOURCES[channel]! << (8 * i)) >>> 0;
  }
  const formatId = header.u16(0x3c);
  const format = formatOf(formatId, header.u32(0x44));
  const settings = Object.fromEntries(
    [0x14, 0x40, 0x44, 0x48, 0x4c].map((offset) => [hex(offset), header.u32(offset)]),
  );

  const count = layerCount * mipCount;
  const levels = Slice.read(source, headerSize, count * ENTRY_SIZE, options);
  const sizes = Slice.read(source, levels.end, count * SIZE_ENTRY_SIZE, options);
  const frames: TxtgFrame[] = [];
  const seen = new Set<number>();
  let offset = sizes.end;
  for (let i = 0; i < count; i++) {
    const level = levels.start + i * ENTRY_SIZE;
    const layer = levels.u16(level);
    const mip = levels.u8(level + 0x2);
    if (layer >= layerCount) throw levels.error(level, `a layer below ${layerCount}`, String(layer));
    if (mip >= mipCount) throw levels.error(level + 0x2, `a mip level below ${mipCount}`, String(mip));
    if (seen.has(layer * mipCount + mip)) {
      throw levels.error(level, 'a surface of its own', `mip ${mip} of layer ${layer} again`);
    }
    seen.add(layer * mipCount + mip);
    const entryOffset = sizes.start + i * SIZE_ENTRY_SIZE;
    const size = sizes.u32(entryOffset);
    if (offset + size > source.size) {
      const most = source.size - offset;
      throw sizes.error(entryOffset, `at most ${counted(most, 'byte')}, all that is left`, String(size), 'truncated');
    }
    frames.push({ layer, mip, entryOffset, offset, size });
    offset += size;
  }
  const about = { version, width, height, layerCount, mipCount, formatId, format, channels: channels >>> 0 };
  return { ...about, hash: header.bytes(0x1c, 32), settings, frames };
}

const SIZE_ENTRY_SIZE = 8;
/** What nn::gfx calls red, green, blue, alpha, zero and one. */
const CHANNEL_SOURCES = [2, 3, 4, 5, 0, 1];

function formatOf(id: number, setting: number): ImageFormat {
  const family = id >>> 8;
  const channel = family === ASTC_FAMILY ? astcChannel(id, setting) : FAMILIES[family];
  if (channel !== undefined) return imageFormat((channel << 8) | (SRGB_IDS.has(id) ? SRGB : UNORM));
  return { ...imageFormat(0), value: id, name: `TexToGo format ${hex(id, 3)}` };
}

/** The second setting tells the footprint where its bits say so: the same format comes with several. */
function astcChannel(id: number, setting: number): number | undefined {
  let footprint = ASTC_8X8_IDS.has(id) ? '8x8' : ASTC_4X4_IDS.has(id) ? '4x4' : '';
  if ((setting & 0xffffff00) === 0x7f00) footprint = `${((setting >>> 4) & 15) + 1}x${(setting & 15) + 1}`;
  const index = FOOTPRINTS.indexOf(footprint);
  return index < 0 ? undefined : ASTC_4X4 + index;
}
