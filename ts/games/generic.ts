import { sarc } from '../formats/sarc/index.ts';
import { withoutSuffix } from './paths.ts';
import type { GameProfile } from './types.ts';

/** Any game of which nothing is known: all its archives count as packs. */
export const generic: GameProfile = {
  id: 'generic',
  name: 'another game',
  dictionaryFiles: [],
  signs: [],
  packExtensions: [...sarc.extensions.filter((extension) => extension !== 'ta'), 'szs', 'ta.zs'],
  canonicalPath: withoutSuffix,
};
