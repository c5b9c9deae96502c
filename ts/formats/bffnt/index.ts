import { hasMagic, type Format } from '../format.ts';
import { readBffnt, type Bffnt } from './reader.ts';

export { readBffnt, type Bffnt } from './reader.ts';

/** Bitmap fonts of nn::font. */
export const bffnt: Format<Bffnt> = {
  id: 'bffnt',
  extensions: ['bffnt'],
  magic: 'FFNT',
  detect: (head) => hasMagic(head, 'FFNT'),
  read: readBffnt,
};
