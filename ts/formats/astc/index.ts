export const ASTC_HEADER_SIZE = 16;

/** The header of an .astc file (ARM astcenc, FileFormat.md); the blocks follow in rows. Extents in texels. */
export function astcHeader(blockWidth: number, blockHeight: number, width: number, height: number): Uint8Array {
  const bytes = Uint8Array.of(0x13, 0xab, 0xa1, 0x5c, blockWidth, blockHeight, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0);
  const put24 = (offset: number, value: number): void =>
    bytes.set([value & 0xff, (value >> 8) & 0xff, value >> 16], offset);
  put24(0x07, width);
  put24(0x0a, height);
  return bytes;
}
