import { hasMagic, type Format } from '../format.ts';
import { readSarc } from './reader.ts';
import type { Sarc } from './types.ts';

export { entryName, inDataOrder, readSarc, SARC_HASH_MULTIPLIER, sarcHash } from './reader.ts';
export { SarcSplitter, type SarcPiece, type SarcSplitterOptions } from './splitter.ts';
export type { Sarc, SarcEntry } from './types.ts';

/** File archives of sead. */
export const sarc: Format<Sarc> = {
  id: 'sarc',
  extensions: ['sarc', 'pack', 'arc', 'blarc', 'bfarc', 'bkres', 'genvb', 'ta'],
  magic: 'SARC',
  detect: (head) => hasMagic(head, 'SARC'),
  read: readSarc,
};
