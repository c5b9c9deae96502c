import { describe, expect, it } from 'vitest';
import { GAMES, isAddOnFolder } from '../../ts/games/index.ts';

const game = (id: string): (typeof GAMES)[number] => GAMES.find((known) => known.id === id)!;

/** From facts archives 6.4, and what follows from the rules there. */
const TABLE: [game: string, path: string, canonical: string, addOn?: boolean][] = [
  ['totk', 'Pack/Actor/Player.pack.zs', 'Pack/Actor/Player.pack'],
  ['totk', 'Model/Animal_Bass.Animal_Bass_A.bfres.mc', 'Model/Animal_Bass.Animal_Bass_A.bfres'],
  ['totk', 'TerrainArc/MainField/700003234.hght.ta.zs', 'TerrainArc/MainField/700003234.hght.ta.zs'],
  ['totk', 'Cave/cave017/C.crbin.517a15eb/000288.quad', 'Cave/cave017/C.crbin.517a15eb/000288.quad'],
  ['totk', 'RSDB/ActorInfo.Product.110.rstbl.byml.zs', 'RSDB/ActorInfo.Product.110.rstbl.byml'],
  ['totk', 'romfs/Pack/Bootup.Nin_NX_NVN.pack.zs', 'Pack/Bootup.Nin_NX_NVN.pack'],
  ['totk', '0100F2C0115B6000/romfs/Pack/A.pack.zs', 'Pack/A.pack'],
  ['totk', 'A/.zs', 'A/.zs'],
  ['totk', 'A.bfres.zs.zs', 'A.bfres.zs'],
  ['totk', 'A.zs/B.txt', 'A.zs/B.txt'],
  ['generic', 'Model/A.bfres.zs', 'Model/A.bfres'],
  ['generic', 'ObjectData/Mario.szs', 'ObjectData/Mario.szs'],
  ['botw', 'Actor/Pack/Enemy_Bokoblin.sbactorpack', 'Actor/Pack/Enemy_Bokoblin.bactorpack'],
  ['botw', 'Model/Animal_Fox.Tex1.sbfres', 'Model/Animal_Fox.Tex1.bfres'],
  ['botw', 'Pack/TitleBG.pack', 'Pack/TitleBG.pack'],
  ['botw', 'Layout/Title.sarc', 'Layout/Title.sarc'],
  ['botw', 'Message/Msg_EUen.product.ssarc', 'Message/Msg_EUen.product.sarc'],
  ['botw', 'Terrain/A/MainField/5000000000.hght.sstera', 'Terrain/A/MainField/5000000000.hght.stera'],
  [
    'botw',
    'System/Resource/ResourceSizeTable.product.srsizetable',
    'System/Resource/ResourceSizeTable.product.rsizetable',
  ],
  ['botw', 'content/Map/MainField/A-1/A-1_Static.smubin', 'Map/MainField/A-1/A-1_Static.mubin'],
  ['botw', '01007EF00011E000/romfs/Pack/A.pack', 'Pack/A.pack'],
  ['botw', '01007ef00011f001/romfs/Pack/AocMainField.pack', 'Aoc/0010/Pack/AocMainField.pack'],
  ['botw', '0005000C101C9400/content/0010/Pack/AocMainField.pack', 'Aoc/0010/Pack/AocMainField.pack'],
  ['botw', 'aoc/0010/Map/A.smubin', 'Aoc/0010/Map/A.mubin'],
  ['botw', 'Pack/AocMainField.pack', 'Aoc/0010/Pack/AocMainField.pack', true],
  ['botw', 'Aoc/0010/Map/A.smubin', 'Aoc/0010/Map/A.mubin', true],
  ['botw', '0010/Map/A.smubin', 'Aoc/0010/Map/A.mubin', true],
  ['botw', '0010/Map/A.smubin', '0010/Map/A.mubin'],
  ['botw', 'a.s', 'a.s'],
  ['botw', 'dir.sx/file', 'dir.sx/file'],
];

describe('canonical paths', () => {
  it.each(TABLE)('%s: %s -> %s', (id, path, canonical, addOn) => {
    expect(game(id).canonicalPath(path, addOn)).toBe(canonical);
  });

  it.each(TABLE.filter(([, , , addOn]) => !addOn))('%s: that of %s stays as it is', (id, path, canonical) => {
    if (path !== 'A.bfres.zs.zs') expect(game(id).canonicalPath(canonical)).toBe(canonical);
  });

  it('folders of add-on content are known by their title', () => {
    expect(isAddOnFolder('/games/01007EF00011F001/romfs')).toBe(true);
    expect(isAddOnFolder('C:\\games\\0005000C101C9400\\content')).toBe(true);
    expect(isAddOnFolder('games/aoc/0010')).toBe(true);
    expect(isAddOnFolder('/games/01007EF00011E000/romfs')).toBe(false);
    expect(isAddOnFolder('/games/01007EF00011E800/romfs')).toBe(false);
    expect(isAddOnFolder('/games/0005000E101C9400/content')).toBe(false);
  });
});
