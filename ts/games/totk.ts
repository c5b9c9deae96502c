import { withoutSuffix } from './paths.ts';
import type { GameProfile } from './types.ts';

/** The dictionaries, ids 1 to 3, lie in one archive that is itself compressed without any (facts archives 5). */
export const totk: GameProfile = {
  id: 'totk',
  name: 'The Legend of Zelda: Tears of the Kingdom',
  dictionaryFiles: ['Pack/ZsDic.pack.zs'],
  signs: ['Pack/ZsDic.pack'],
  packExtensions: ['pack'],
  canonicalPath: withoutSuffix,
};
