import { landscape, brickAlbedo, brickNormal, coinIcon, leaves, logo } from '../scripts/sample/scenes.ts';
import type { Picture } from '../scripts/sample/picture.ts';
import { HAS_CORPUS, readCorpus } from '../test/support/corpus.ts';
import { readPng } from '../test/support/png.ts';
import { random } from '../test/support/random.ts';

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

/** Decoded textures of the corpus, where it is. */
export function corpusPictures(): BenchPicture[] {
  const folder = 'textures/tinybcdec/src/test/resources';
  if (!HAS_CORPUS) return [];
  return ['bc1', 'bc2', 'bc3', 'bc7'].map((name) => {
    const { width, height, channels, samples } = readPng(readCorpus(`${folder}/${name}.png`));
    const rgba = Uint8Array.from({ length: 4 * width * height }, (_, i) => {
      const texel = Math.floor(i / 4) * channels;
      return i % 4 < channels ? samples[texel + (i % 4)]! : 255;
    });
    return { name: `corpus ${name}`, width, height, rgba };
  });
}

/** Code-made pictures of the kinds that textures are. */
export function pictures(): BenchPicture[] {
  return [
    enlarged('bricks with noise', brickAlbedo(512, 512), 1024, 2),
    enlarged('landscape', landscape(512, 512), 512, 0),
    enlarged('normal map', brickNormal(256, 256), 512, 1),
    enlarged('leaves with alpha', leaves(256, 256), 512, 1),
    enlarged('icon', coinIcon(256, 256), 256, 0),
    enlarged('logo', logo(512, 128, ['ROMFLOW', 'BENCH']), 512, 0),
  ];
}
