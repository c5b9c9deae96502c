import { hasMagic, type Format } from '../format.ts';
import { readTxtg, TXTG_MAGIC, TXTG_MAGIC_OFFSET } from './reader.ts';
import type { Txtg } from './types.ts';

export { readTxtg } from './reader.ts';
export { txtgSurfaces } from './surfaces.ts';
export type { Txtg, TxtgFrame } from './types.ts';

/** TexToGo: one texture, each surface in a zstd frame of its own. */
export const txtg: Format<Txtg> = {
  id: 'txtg',
  extensions: ['txtg'],
  magic: TXTG_MAGIC,
  magicOffset: TXTG_MAGIC_OFFSET,
  detect: (head) => hasMagic(head, TXTG_MAGIC, TXTG_MAGIC_OFFSET),
  read: readTxtg,
};
