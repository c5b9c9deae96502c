import { sampleFont, writeBffnt } from './bffnt.ts';
import { writeBfres } from './bfres.ts';
import { concatenated, prefixed, writeBntx } from './bntx.ts';
import { writeSarc } from './sarc.ts';
import { ground, GROUND_NAMES } from './scenes.ts';
import { makeTexture, sampleSet, type SetName } from './surfaces.ts';
import { writeTxtg } from './txtg.ts';
import { encodeYaz0 } from './yaz0.ts';
import { writeZstd, writeZstdDictionary } from './zstd.ts';

/** Two sides of a boulder. */
const BOULDER = makeTexture({
  name: 'Boulder_Alb',
  format: 'BC1_SRGB',
  dimension: '2d-array',
  pictures: GROUND_NAMES.slice(0, 2).map((name) => ground(name, 128, 96)),
});

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

function bfres(name: string, set: SetName, version: Parameters<typeof writeBfres>[0]['version']): Uint8Array {
  const notes = text(`${name}: textures of the romflow sample\n`);
  return writeBfres({
    name,
    version,
    files: [
      { name: 'textures.bntx', data: writeBntx(sampleSet(set)) },
      { name: 'notes.txt', data: notes },
    ],
  });
}

/** The files of the sample dump, a small game that never was, by their path: textures in all the places games have them. */
export function sampleDump(): Map<string, Uint8Array> {
  const windmill = bfres('Windmill', 'windmill', [10, 0, 0]);
  const tree = bfres('Tree', 'tree', [8, 0, 0]);
  const menu = writeSarc(
    [
      { name: 'timg/__Combined.bntx', data: writeBntx(sampleSet('menu')) },
      { name: 'blyt/Title.txt', data: text('the layout would be here\n') },
    ],
    { alignment: 0x1000 },
  );
  const font = writeBffnt(sampleFont());
  const dictionary = writeZstdDictionary([menu, font, tree], 1);
  const quirks = writeBntx(sampleSet('quirks'));
  const title = writeSarc(
    [
      { name: 'Font/Windmill.bffnt', data: font },
      { name: 'UI/Menu.blarc.zs', data: writeZstd(menu, { dictionary }) },
      { name: 'Model/Tree.bfres', data: tree },
    ],
    { alignment: 0x1000 },
  );
  return new Map([
    ['Font/Windmill.bffnt.zs', writeZstd(font, { checksum: true })],
    ['Model/Island.bfres', bfres('Island', 'island', [5, 0, 3])],
    ['Model/Sky.bfres.zs', writeZstd(bfres('Sky', 'sky', [9, 0, 0]))],
    [
      'Model/Tree.szs',
      encodeYaz0(writeSarc([{ name: 'Tree.bfres', data: tree }], { alignment: 0x2000 }), { alignment: 0x2000 }),
    ],
    ['Model/Windmill.bfres.zs', writeZstd(windmill, { dictionary })],
    ['Pack/Title.pack.zs', writeZstd(title, { dictionary })],
    ['Pack/ZsDic.pack.zs', writeZstd(writeSarc([{ name: 'zs.zsdic', data: dictionary.bytes }], { alignment: 8 }))],
    ['TexToGo/Boulder_Alb.txtg', writeTxtg(BOULDER)],
    ['Texture/Astc.bntx', writeBntx(sampleSet('astc'))],
    ['Texture/Formats.bntx', writeBntx(sampleSet('formats'))],
    ['Texture/Prefixed.bntx', prefixed(quirks)],
    ['Texture/Quirks.bntx', quirks],
    ['Texture/Two.bntx', concatenated([quirks, writeBntx(sampleSet('menu'))])],
    ['UI/Menu.blarc.zs', writeZstd(menu, { dictionary })],
  ]);
}
