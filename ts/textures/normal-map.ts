import type { ImageFormat } from '../nn/gfx.ts';

/** nn::gfx channel sources of red and green that leave them where they are. */
const RED_GREEN = 0x0302;
const TWO_CHANNELS = /^(?:BC5|R8G8|R16G16)_[US]NORM$/;

/** Whether a texture has the two channels of a normal, and shows them as red and green. */
export function isTwoChannelNormal(format: ImageFormat, channels: number): boolean {
  return TWO_CHANNELS.test(format.name) && (channels & 0xffff) === RED_GREEN;
}

let table: Uint8Array | undefined;

/** The byte of z for those of x and y. */
function zOf(): Uint8Array {
  if (table) return table;
  table = new Uint8Array(65536);
  for (let i = 0; i < table.length; i++) {
    const [x, y] = [((i & 0xff) / 255) * 2 - 1, ((i >> 8) / 255) * 2 - 1];
    table[i] = Math.floor((Math.sqrt(Math.max(0, 1 - x * x - y * y)) * 0.5 + 0.5) * 255 + 0.5);
  }
  return table;
}

/** Makes blue of RGBA8 texels the z of unit normals whose x and y are red and green: -1 is 0, 1 is 255. */
export function reconstructZ(rgba: Uint8Array): void {
  const z = zOf();
  for (let i = 0; i < rgba.length; i += 4) rgba[i + 2] = z[rgba[i]! | (rgba[i + 1]! << 8)]!;
}
