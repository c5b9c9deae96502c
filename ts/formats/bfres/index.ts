import { hasMagic, type Format } from '../format.ts';
import { BFRES_MAGIC, readBfres, type Bfres } from './reader.ts';

export { readBfres, type Bfres } from './reader.ts';

/** Models, animations and embedded files of nn::g3d. */
export const bfres: Format<Bfres> = {
  id: 'bfres',
  extensions: ['bfres'],
  magic: BFRES_MAGIC,
  detect: (head) => hasMagic(head, BFRES_MAGIC),
  read: readBfres,
};
