import { botw } from './botw.ts';
import { generic } from './generic.ts';
import { totk } from './totk.ts';
import type { GameProfile } from './types.ts';

export { isAddOnFolder } from './paths.ts';
export type { GameProfile } from './types.ts';

/** The games that are known, and last the one that stands for all others. */
export const GAMES: readonly GameProfile[] = [totk, botw, generic];
