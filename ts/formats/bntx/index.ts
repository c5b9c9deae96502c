import { hasMagic, type Format } from '../format.ts';
import { BNTX_MAGIC, PREFIX_SIZE, readBntx } from './reader.ts';
import type { Bntx } from './types.ts';

export { bntxSurfaces } from './surfaces.ts';
export { readBntx } from './reader.ts';
export type { Bntx, BntxTexture, UserData } from './types.ts';

/** Texture archives of nn::gfx. */
export const bntx: Format<Bntx[]> = {
  id: 'bntx',
  extensions: ['bntx'],
  magic: 'BNTX',
  detect: (head) => hasMagic(head, BNTX_MAGIC) || hasMagic(head, BNTX_MAGIC, PREFIX_SIZE),
  read: readBntx,
};
