import { encodeAstc, LINEAR_ASTCENC, SRGB_ASTCENC } from '../../test/support/astcenc.ts';
import type { Outside } from '../kernels/outside.ts';
import { blockDecoders } from './blocks.ts';
import { corpusPictures } from './pictures.ts';
import { deflaters, pngWriters } from './png.ts';
import { packZstd, zstdDecoders, zstdDictionaryDecoders } from './zstd.ts';

const ASTCENC = LINEAR_ASTCENC ?? SRGB_ASTCENC;

/** What this clone has. */
export const OUTSIDE: Outside = {
  blockDecoders,
  zstdDecoders,
  zstdDictionaryDecoders,
  deflaters,
  pngWriters,
  encodeAstc: (picture, footprint) =>
    ASTCENC === undefined ? undefined : encodeAstc(ASTCENC, picture, footprint, '-medium'),
  packZstd,
  pictures: corpusPictures,
};
