import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Dump } from '../../pipeline/dump/dump.ts';
import type { Overlay } from '../../pipeline/dump/overlay.ts';
import { openDump, openOverlay } from '../../pipeline/node/dump.ts';
import { encodeYaz0 } from '../../scripts/sample/yaz0.ts';
import { writeZstd } from '../../scripts/sample/zstd.ts';
import { filesBelow, temporaryFolder } from '../support/cli.ts';
import { bytes, pack, text, tree } from './support.ts';

let folder = '';
let romfs = '';
let mod = '';
let dump: Dump;
beforeEach(async () => {
  folder = temporaryFolder();
  mod = join(folder, 'mod');
  romfs = tree(join(folder, 'romfs'), {
    'Model/Plain.bfres': 'plain',
    'Model/Packed.bfres.zs': writeZstd(bytes('packed')),
    'Pack/A.pack': pack({ 'in/a': 'a', 'in/both': 'both in a', 'in/dropped': 'x' }),
    'Pack/B.pack': pack({ 'in/both': 'both in b' }),
  });
  dump = await openDump({ layers: [romfs], game: 'totk' });
});

const overlay = (overwrite = false): Promise<Overlay> => openOverlay(dump, mod, { overwrite });

describe('reading', () => {
  it('prefers the mod, and has what the dump has', async () => {
    tree(mod, { 'Model/Plain.bfres': 'modded', 'Model/New.bfres': 'new' });
    const over = await overlay();
    expect(text(await over.open('Model/Plain.bfres'))).toBe('modded');
    expect(text(await over.open('Model/New.bfres'))).toBe('new');
    expect(text(await over.open('Model/Packed.bfres'))).toBe('packed');
    expect(text(await over.open('in/a'))).toBe('a');
    expect(over.files()).toEqual([
      'Model/New.bfres',
      'Model/Packed.bfres',
      'Model/Plain.bfres',
      'Pack/A.pack',
      'Pack/B.pack',
    ]);
    expect(text(await dump.open('Model/Plain.bfres'))).toBe('plain');
  });

  it('packs of the mod replace those of the dump', async () => {
    tree(mod, { 'Pack/B.pack.zs': writeZstd(pack({ 'in/both': 'modded', 'in/new': 'n' })), 'Pack/A.pack': pack({}) });
    const over = await overlay();
    expect(await over.packsHolding('in/both')).toEqual(['Pack/B.pack']);
    expect(text(await over.open('in/both'))).toBe('modded');
    expect(text(await over.open('in/new'))).toBe('n');
    expect(await over.has('in/dropped')).toBe(false);
    expect(await dump.has('in/dropped')).toBe(true);
  });

  it('opens with no folder there, and makes none', async () => {
    const over = await overlay();
    expect(text(await over.open('Model/Plain.bfres'))).toBe('plain');
    over.close();
    expect(existsSync(mod)).toBe(false);
  });
});

describe('writing', () => {
  it('goes to the mod under the name the dump has, and is read from there', async () => {
    const before = filesBelow(romfs).map((file) => [file, readFileSync(join(romfs, file))]);
    const over = await overlay();
    await over.write('Model/Plain.bfres', bytes('mine'));
    await over.write('Model/Packed.bfres', bytes('mine too'), { compression: 'none' });
    await over.write('Model/Brand/New.bfres', bytes('new'));
    expect(text(await over.open('Model/Plain.bfres'))).toBe('mine');
    expect(text(await over.open('Model/Packed.bfres'))).toBe('mine too');
    over.close();
    expect(filesBelow(mod)).toEqual(['Model/Brand/New.bfres', 'Model/Packed.bfres.zs', 'Model/Plain.bfres']);
    expect(readFileSync(join(mod, 'Model/Packed.bfres.zs'), 'utf8')).toBe('mine too');
    expect(filesBelow(romfs).map((file) => [file, readFileSync(join(romfs, file))])).toEqual(before);
    // And by another run.
    expect(text(await (await overlay()).open('Model/Packed.bfres'))).toBe('mine too');
  });

  it('replaces files of the mod only when told to', async () => {
    tree(mod, { 'Model/Plain.bfres': 'by hand' });
    const careful = await overlay();
    await expect(careful.write('Model/Plain.bfres', bytes('x'))).rejects.toMatchObject({ code: 'exists' });
    const over = await overlay(true);
    await over.write('Model/Plain.bfres', bytes('again'));
    expect(readFileSync(join(mod, 'Model/Plain.bfres'), 'utf8')).toBe('again');
  });

  it('refuses what would have to be compressed, or put into packs', async () => {
    const over = await overlay();
    await expect(over.write('Model/Packed.bfres', bytes('x'))).rejects.toMatchObject({
      code: 'unsupported',
      message: `${romfs}/Model/Packed.bfres.zs: is compressed (zstd), which cannot be written yet`,
    });
    await expect(over.write('in/a', bytes('x'))).rejects.toThrow('in/a: lies in Pack/A.pack; packs cannot be written');
    await expect(over.write('Pack/A.pack/in/a', bytes('x'))).rejects.toMatchObject({ code: 'unsupported' });
    expect(existsSync(mod)).toBe(false);
  });

  it.each(['../out', '/etc/x', 'a//b', 'a/../b', '', 'C:/x', 'nul', 'a\0b', 'a\\b', '.romflow/x', 'A.bin.zs'])(
    'refuses the new name %j',
    async (path) => {
      const over = await overlay();
      await expect(over.write(path, bytes('x'))).rejects.toMatchObject({ code: 'name' });
      expect(filesBelow(folder).every((file) => file.startsWith('romfs/'))).toBe(true);
    },
  );

  it.each(['model/New.bfres', 'Model/plain.bfres', 'PACK/a.pack'])('refuses %s: another case', async (path) => {
    await expect((await overlay()).write(path, bytes('x'))).rejects.toMatchObject({ code: 'name' });
  });

  it('refuses the name of a folder of the game', async () => {
    await expect((await overlay()).write('Model', bytes('x'))).rejects.toThrow(/is a folder of the game/);
    expect(existsSync(mod)).toBe(false);
  });

  it('never into the dump, by no way', async () => {
    const link = join(folder, 'link');
    symlinkSync(romfs, link);
    for (const inside of [romfs, join(romfs, 'mod'), link, join(link, 'mod')]) {
      await expect(openOverlay(dump, inside)).rejects.toThrow(/must not lie in the game's folder/);
    }
    // The mod around the dump.
    const game = tree(join(folder, 'game'), { 'A.bin': 'a' });
    const around = await openOverlay(await openDump({ layers: [game] }), folder);
    for (const path of ['game/A.bin', 'game/New.bin']) {
      await expect(around.write(path, bytes('x'))).rejects.toThrow(/must not lie in the game's folder/);
    }
    expect(filesBelow(game)).toEqual(['A.bin']);
    expect(readFileSync(join(game, 'A.bin'), 'utf8')).toBe('a');
    // A link in the mod.
    mkdirSync(mod);
    symlinkSync(join(romfs, 'Model'), join(mod, 'Model'));
    await expect((await overlay(true)).write('Model/Plain.bfres', bytes('x'))).rejects.toThrow();
    expect(readFileSync(join(romfs, 'Model/Plain.bfres'), 'utf8')).toBe('plain');
    expect(filesBelow(romfs)).toHaveLength(4);
  });

  it('a written pack is looked into', async () => {
    const over = await overlay();
    expect(await over.has('in/fresh')).toBe(false);
    await over.write('Pack/B.pack', pack({ 'in/fresh': 'f' }));
    expect(await over.packsHolding('in/fresh')).toEqual(['Pack/B.pack']);
    expect(await over.packsHolding('in/both')).toEqual(['Pack/A.pack']);
  });

  it('add-on content goes to a folder of its own', async () => {
    const base = tree(join(folder, 'base'), { 'Pack/Bootup.pack': pack({}) });
    const addOn = tree(join(folder, '01007EF00011F001'), { 'Map/A.smubin': encodeYaz0(bytes('map')) });
    const botw = await openDump({ layers: [base, addOn] });
    const over = await openOverlay(botw, mod);
    await over.write('Aoc/0010/Map/A.mubin', bytes('new map'), { compression: 'none' });
    expect(text(await over.open('Aoc/0010/Map/A.mubin'))).toBe('new map');
    over.close();
    expect(filesBelow(mod)).toEqual(['Aoc/0010/Map/A.smubin']);
    expect(text(await (await openOverlay(botw, mod)).open('Aoc/0010/Map/A.mubin'))).toBe('new map');
  });
});
