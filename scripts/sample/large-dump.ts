/** Makes dumps of any size, quickly, for measuring: few textures, again and again, in compressed archives. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeBntx } from './bntx.ts';
import { FORMATS, type FormatName } from './formats.ts';
import type { Picture } from './picture.ts';
import { brickAlbedo, landscape } from './scenes.ts';
import { writeSarc } from './sarc.ts';
import { repeatingFrame } from './zstd-repeats.ts';

export interface LargeDumpOptions {
  /** of all archives together, unpacked */
  bytes: number;
  /** of each archive, unpacked; the last is smaller */
  archiveBytes: number;
}

const TILE = 256;

/** A BNTX of one square texture, a picture repeated over it. */
function tiled(format: FormatName, extent: number, picture: Picture): Uint8Array {
  const {
    bytesPerElement,
    extent: [texels],
  } = FORMATS[format];
  const tile = FORMATS[format].encode(picture);
  const elements = TILE / texels;
  const row = elements * bytesPerElement;
  const level = new Uint8Array((extent / texels) ** 2 * bytesPerElement);
  for (let at = 0, y = 0; at < level.length; y++) {
    const source = tile.subarray((y % elements) * row, ((y % elements) + 1) * row);
    for (let x = 0; x < extent / TILE; x++, at += row) level.set(source, at);
  }
  const texture = { name: `${format}_${extent}`, format, dimension: '2d', width: extent, height: extent } as const;
  return writeBntx({
    name: 'large',
    version: [4, 1, 0],
    textures: [{ ...texture, depth: 1, layers: 1, mips: 1, levels: [[level]] }],
  });
}

/** Writes archives `Pack/0.pack.zs`, `Pack/1.pack.zs`, ... of BC7 and RGBA8 textures of 1 to 16 MiB to a folder. */
export function writeLargeDump(folder: string, { bytes, archiveBytes }: LargeDumpOptions): void {
  const [bricks, land] = [brickAlbedo(TILE, TILE), landscape(TILE, TILE)];
  const kinds = [
    tiled('BC7_UNORM', 2048, bricks),
    tiled('R8G8B8A8_UNORM', 1024, land),
    tiled('BC7_UNORM', 1024, land),
    tiled('R8G8B8A8_UNORM', 2048, bricks),
    tiled('BC7_UNORM', 2048, land),
  ];
  let left = bytes;
  for (let archive = 0, entry = 0; left > 0; archive++) {
    const files: { name: string; data: Uint8Array }[] = [];
    for (let room = Math.min(left, archiveBytes); room > 0; entry++) {
      const data = kinds[entry % kinds.length]!;
      files.push({ name: `Tex/T${String(entry).padStart(5, '0')}.bntx`, data });
      room -= data.length;
      left -= data.length;
    }
    const content = writeSarc(files, { alignment: 0x1000, dataOrder: 'given' });
    const path = join(folder, `Pack/${archive}.pack.zs`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, repeatingFrame(content));
  }
}
