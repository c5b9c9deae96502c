import { landscape, brickAlbedo, brickNormal, coinIcon, leaves, logo } from '../../scripts/sample/scenes.ts';
import type { Picture } from '../../scripts/sample/picture.ts';
import { random } from '../../test/support/random.ts';

export interface BenchPicture {
  name: string;
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** A picture repeated with a little noise, which is how textures differ from drawings. */
function enlarged(name: string, picture: Picture, extent: number, amplitude: number): BenchPicture {
  const next = random(name.length);
  const rgba = new Uint8Array(4 * extent * extent);
  for (let y = 0, o = 0; y < extent; y++) {
    for (let x = 0; x < extent; x++, o += 4) {
      const s = 4 * ((y % picture.height) * picture.width + (x % picture.width));
      for (let c = 0; c < 3; c++) {
        const noise = amplitude ? (next() % (2 * amplitude + 1)) - amplitude : 0;
        rgba[o + c] = Math.max(0, Math.min(255, picture.rgba[s + c]! + noise));
      }
      rgba[o + 3] = picture.rgba[s + 3]!;
    }
  }
  return { name, width: extent, height: extent, rgba };
}

let madeBricks: BenchPicture | undefined;

/** The first of {@link pictures}. */
export function bricks(): BenchPicture {
  return (madeBricks ??= enlarged('bricks with noise', brickAlbedo(512, 512), 1024, 2));
}

/** Code-made pictures of the kinds that textures are. */
export function pictures(): BenchPicture[] {
  return [
    bricks(),
    enlarged('landscape', landscape(512, 512), 512, 0),
    enlarged('normal map', brickNormal(256, 256), 512, 1),
    enlarged('leaves with alpha', leaves(256, 256), 512, 1),
    enlarged('icon', coinIcon(256, 256), 256, 0),
    enlarged('logo', logo(512, 128, ['ROMFLOW', 'BENCH']), 512, 0),
  ];
}
