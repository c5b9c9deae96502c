import { random } from '../test/support/random.ts';

/** A code-made RGBA8 picture: smooth shading, edges and a little noise, like a painted texture. */
export function picture(width: number, height: number, seed = 1): Uint8Array {
  const next = random(seed);
  const rgba = new Uint8Array(4 * width * height);
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++, o += 4) {
      const brick = (Math.floor(y / 32) & 1) * 32;
      const mortar = y % 32 < 3 || (x + brick) % 64 < 3;
      const shade = 96 + 64 * Math.sin(x / 97) + 48 * Math.cos(y / 61);
      const noise = (next() >>> 29) - 4;
      rgba[o] = clamp(mortar ? 200 + noise : shade + 40 + noise);
      rgba[o + 1] = clamp(mortar ? 196 + noise : shade * 0.6 + noise);
      rgba[o + 2] = clamp(mortar ? 188 + noise : shade * 0.4 + noise);
      rgba[o + 3] = 255;
    }
  }
  return rgba;
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
