import { HAS_CORPUS, readCorpus } from '../../test/support/corpus.ts';
import { readPng } from '../../test/support/png.ts';
import type { BenchPicture } from '../kernels/pictures.ts';

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
