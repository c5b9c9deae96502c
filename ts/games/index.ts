import { totk } from './totk.ts';
import type { GameProfile } from './types.ts';

export type { GameProfile } from './types.ts';

export const GAMES: readonly GameProfile[] = [totk];
