// Rows of four texels out of a vector that holds up to four RGBA8 values.

/** Entry `b`: the swizzle that puts value `(b >>> 2 * x) & 3` at texel `x`. */
const SELECT: usize = memory.data(256 * 16, 16);

function init(): void {
  for (let b: u32 = 0; b < 256; b++) {
    for (let x: u32 = 0; x < 4; x++) {
      store<u32>(SELECT + (b << 4) + (x << 2), 0x03020100 + 0x04040404 * ((b >>> (x << 1)) & 3));
    }
  }
}
init();

/** The swizzle for row `y` of a block, whose 2-bit indices are in `indices`. */
export function rowSelect(indices: u32, y: u32): v128 {
  return v128.load(SELECT + (<usize>((indices >>> (y << 3)) & 255) << 4));
}
