import { withoutRoots } from './paths.ts';
import type { GameProfile } from './types.ts';

const ADD_ON_ROOT = 'Aoc/0010/';
/** Extensions that begin with an s of their own. */
const WHOLE = new Set(['sarc', 'stera', 'sh']);

/** Yaz0 is an s before the extension; add-on content has a folder of its own in paths (facts archives 6.4). */
export const botw: GameProfile = {
  id: 'botw',
  name: 'The Legend of Zelda: Breath of the Wild',
  dictionaryFiles: [],
  signs: ['Pack/TitleBG.pack', 'Pack/Bootup.pack', 'Actor/ActorInfo.product.byml', 'Aoc/0010/Pack/AocMainField.pack'],
  packExtensions: ['pack', 'bactorpack', 'beventpack', 'sarc'],
  canonicalPath(path, addOn = false) {
    const { path: rooted, addOn: addOnTitle } = withoutRoots(path, ['romfs', 'content']);
    const plain = rooted.replace(/(?<=[^/]\.)s(?=[^./]+$)/, (s, at: number) => (WHOLE.has(rooted.slice(at)) ? s : ''));
    const [, rest] = /^(?:aoc\/)?0010\/(?:content\/)?(.*)$/is.exec(plain) ?? [];
    if (rest !== undefined && (addOn || addOnTitle || /^aoc/i.test(plain))) return ADD_ON_ROOT + rest;
    return addOn || addOnTitle ? ADD_ON_ROOT + plain : plain;
  },
};
