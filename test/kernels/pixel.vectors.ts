import type { Vector } from './vectors.ts';

const TEXELS = Uint8Array.from({ length: 28 }, (_, i) => 10 * i);
const RGBA = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);

/** Lengths that are no multiple of a vector, so that both the wide and the narrow path run. */
export const pixelVectors: Vector[] = [
  {
    name: 'r8',
    run: (k) => k.pixel.decode('r8', TEXELS.subarray(0, 6)),
    expected: Uint8Array.of(0, 0, 0, 255, 10, 0, 0, 255, 20, 0, 0, 255, 30, 0, 0, 255, 40, 0, 0, 255, 50, 0, 0, 255),
  },
  {
    name: 'r8g8',
    run: (k) => k.pixel.decode('r8g8', TEXELS.subarray(0, 10)),
    expected: Uint8Array.of(0, 10, 0, 255, 20, 30, 0, 255, 40, 50, 0, 255, 60, 70, 0, 255, 80, 90, 0, 255),
  },
  { name: 'rgba8', run: (k) => k.pixel.decode('rgba8', RGBA), expected: RGBA },
  {
    name: 'bgra8',
    run: (k) => k.pixel.decode('bgra8', RGBA),
    expected: Uint8Array.of(3, 2, 1, 4, 7, 6, 5, 8, 11, 10, 9, 12, 15, 14, 13, 16, 19, 18, 17, 20),
  },
  {
    name: 'a last texel that is not whole is left out',
    run: (k) => k.pixel.decode('r8g8', Uint8Array.of(1, 2, 3)),
    expected: Uint8Array.of(1, 2, 0, 255),
  },
  {
    name: 'channels 111R',
    run: (k) => k.pixel.selectChannels(RGBA, 0x02010101),
    expected: Uint8Array.of(255, 255, 255, 1, 255, 255, 255, 5, 255, 255, 255, 9, 255, 255, 255, 13, 255, 255, 255, 17),
  },
  {
    name: 'channels AG0B',
    run: (k) => k.pixel.selectChannels(RGBA, 0x04000305),
    expected: Uint8Array.of(4, 2, 0, 3, 8, 6, 0, 7, 12, 10, 0, 11, 16, 14, 0, 15, 20, 18, 0, 19),
  },
  {
    name: 'channel sources without a meaning give 0',
    run: (k) => k.pixel.selectChannels(RGBA.subarray(0, 4), 0xff0603),
    expected: Uint8Array.of(2, 0, 0, 0),
  },
];
