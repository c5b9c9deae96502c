import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Dump } from '../../pipeline/dump/dump.ts';
import type { Layer } from '../../pipeline/dump/layer.ts';
import { openDump, type OpenDumpOptions } from '../../pipeline/node/dump.ts';
import { SourceContent } from '../../pipeline/walk/content.ts';
import { Session } from '../../pipeline/walk/session.ts';
import { sampleDump } from '../../scripts/sample/dump.ts';
import { encodeYaz0 } from '../../scripts/sample/yaz0.ts';
import { writeZstd, writeZstdDictionary } from '../../scripts/sample/zstd.ts';
import { BufferSource } from '../../ts/io/source.ts';
import { filesBelow, temporaryFolder } from '../support/cli.ts';
import { randomBytes } from '../support/random.ts';
import { bytes, pack, text, tree } from './support.ts';

const SAMPLE = sampleDump();

let folder = '';
let warnings: string[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  warnings = [];
});

const open = (options: OpenDumpOptions): Promise<Dump> =>
  openDump({ onWarning: (message) => warnings.push(message), ...options });

/** A layer in memory that counts how often its files are opened. */
function memoryLayer(files: Record<string, Uint8Array>): Layer & { opened: string[] } {
  const opened: string[] = [];
  return {
    id: 'memory',
    addOn: false,
    opened,
    files: () =>
      Object.entries(files).map(([path, data]) => ({
        path,
        size: data.length,
        modified: 0,
        open() {
          opened.push(path);
          return new SourceContent(new BufferSource(path, data));
        },
      })),
  };
}

describe('a dump', () => {
  it('has its files by canonical path, sorted, and opens them without compression', async () => {
    const dump = await open({ layers: [tree(join(folder, 'romfs'), Object.fromEntries(SAMPLE))] });
    expect(dump.game.id).toBe('totk');
    expect(dump.files()).toEqual([
      'Font/Windmill.bffnt',
      'Model/Island.bfres',
      'Model/Sky.bfres',
      'Model/Tree.szs',
      'Model/Windmill.bfres',
      'Pack/Title.pack',
      'Pack/ZsDic.pack',
      'TexToGo/Boulder_Alb.txtg',
      'Texture/Astc.bntx',
      'Texture/Formats.bntx',
      'Texture/Prefixed.bntx',
      'Texture/Quirks.bntx',
      'Texture/Two.bntx',
      'UI/Menu.blarc',
    ]);
    const quirks = await dump.open('Texture/Quirks.bntx');
    expect(quirks.read(0, quirks.size)).toEqual(SAMPLE.get('Texture/Quirks.bntx'));
    // with a dictionary, which the dump has
    const menu = await dump.open('UI/Menu.blarc');
    expect(text(menu)).toMatch(/^SARC/);
    expect(warnings).toEqual([]);
  });

  it('opens what lies in packs alone through them, and what is in a certain pack by its place', async () => {
    const dump = await open({ layers: [tree(join(folder, 'romfs'), Object.fromEntries(SAMPLE))] });
    expect(await dump.packsHolding('Model/Tree.bfres')).toEqual(['Pack/Title.pack']);
    expect(await dump.packsHolding('Model/Sky.bfres')).toEqual([]);
    expect(await dump.members()).toEqual(['Font/Windmill.bffnt', 'Model/Tree.bfres', 'UI/Menu.blarc', 'zs.zsdic']);
    const tree1 = await dump.open('Model/Tree.bfres');
    const tree2 = await dump.open('Model/Tree.szs/Tree.bfres');
    expect(tree1.path).toBe(`${folder}/romfs/Pack/Title.pack.zs/Model/Tree.bfres`);
    expect(tree1.read(0, tree1.size)).toEqual(tree2.read(0, tree2.size));
    expect(text(await dump.open('Pack/Title.pack/UI/Menu.blarc/blyt/Title.txt'))).toBe('the layout would be here\n');
    expect(text(await dump.open('Model/Sky.bfres/notes.txt'))).toBe('Sky: textures of the romflow sample\n');
    expect(await dump.has('Model/Tree.bfres')).toBe(true);
    expect(await dump.has('Pack/Title.pack/Model/Tree.bfres')).toBe(true);
    expect(await dump.has('Pack/Title.pack/Model/Bush.bfres')).toBe(false);
    expect(await dump.has('Model/Bush.bfres')).toBe(false);
  });

  it('says which file is missing, and that only the case is wrong', async () => {
    const dump = await open({ layers: [tree(folder, { 'Model/A.bin': 'a' })] });
    await expect(dump.open('Model/B.bin')).rejects.toMatchObject({ code: 'not-found', path: 'Model/B.bin' });
    await expect(dump.open('model/a.bin')).rejects.toThrow(/Model\/A\.bin is spelt in another case/);
  });

  it('keeps files apart that differ in case alone', async () => {
    const dump = await Dump.open({ layers: [memoryLayer({ 'A.bin': bytes('upper'), 'a.bin': bytes('lower') })] });
    expect(dump.files()).toEqual(['A.bin', 'a.bin']);
    expect(text(await dump.open('a.bin'))).toBe('lower');
  });

  it('knows no game but those it knows', async () => {
    await expect(open({ layers: [folder], game: 'pong' })).rejects.toThrow(/there are auto, totk, botw, generic/);
    await expect(open({ layers: [join(folder, 'nowhere')] })).rejects.toMatchObject({ code: 'input' });
  });
});

describe('layers', () => {
  it('later ones hide earlier ones, packs too, whatever their compression', async () => {
    const base = tree(join(folder, 'base'), {
      'A.bin': 'old',
      'B.bin.zs': writeZstd(bytes('base')),
      'Pack/P.pack': pack({ 'in/one': '1', 'in/two': '2' }),
    });
    const update = tree(join(folder, 'update'), {
      'A.bin.zs': writeZstd(bytes('new')),
      'Pack/P.pack.zs': writeZstd(pack({ 'in/one': 'updated' })),
    });
    const dump = await open({ layers: [base, update], game: 'totk' });
    expect(dump.files()).toEqual(['A.bin', 'B.bin', 'Pack/P.pack']);
    expect(text(await dump.open('A.bin'))).toBe('new');
    expect(text(await dump.open('B.bin'))).toBe('base');
    expect(text(await dump.open('in/one'))).toBe('updated');
    expect(await dump.has('in/two')).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('those of add-on content have a path of their own in Breath of the Wild, packs and what they hold', async () => {
    const base = tree(join(folder, '01007EF00011E000', 'romfs'), {
      'Pack/TitleBG.pack': pack({ 'Actor/Pack/Fox.sbactorpack': encodeYaz0(pack({ 'Actor/AI/Fox.baiprog': 'fox' })) }),
    });
    const addOn = tree(join(folder, '01007EF00011F001', 'romfs'), {
      'Pack/AocMainField.pack': pack({ 'Map/A.smubin': encodeYaz0(bytes('map')), 'Aoc/0010/Map/B.mubin': 'b' }),
    });
    const dump = await open({ layers: [base, addOn] });
    expect(dump.game.id).toBe('botw');
    expect(dump.files()).toEqual(['Aoc/0010/Pack/AocMainField.pack', 'Pack/TitleBG.pack']);
    expect(await dump.members()).toEqual([
      'Actor/AI/Fox.baiprog',
      'Actor/Pack/Fox.bactorpack',
      'Aoc/0010/Map/A.mubin',
      'Aoc/0010/Map/B.mubin',
    ]);
    expect(await dump.packsHolding('Actor/AI/Fox.baiprog')).toEqual(['Pack/TitleBG.pack/Actor/Pack/Fox.bactorpack']);
    expect(text(await dump.open('Actor/AI/Fox.baiprog'))).toBe('fox');
    expect(text(await dump.open('Aoc/0010/Map/A.mubin'))).toBe('map');
  });

  it('one folder may hold titles, the later of which hides the earlier', async () => {
    const layer = tree(folder, {
      '0100F2C0115B6000/romfs/A.bin': 'game',
      '0100F2C0115B6800/romfs/A.bin': 'update',
      '0100F2C0115B6800/romfs/B.bin': 'b',
    });
    const dump = await open({ layers: [layer] });
    expect(dump.files()).toEqual(['A.bin', 'B.bin']);
    expect(text(await dump.open('A.bin'))).toBe('update');
    expect(warnings).toEqual([expect.stringMatching(/: 1 file .*B6800\/romfs\/A\.bin hides 0100F2C0115B6000/)]);
  });
});

describe('packs', () => {
  it('two may hold the same path; the first is read', async () => {
    const files = { 'Pack/B.pack': pack({ same: 'b' }), 'Pack/A.pack': pack({ same: 'a', only: 'x' }) };
    const dump = await open({ layers: [tree(folder, files)], game: 'totk' });
    expect(await dump.packsHolding('same')).toEqual(['Pack/A.pack', 'Pack/B.pack']);
    expect(await dump.packsHolding('only')).toEqual(['Pack/A.pack']);
    expect(text(await dump.open('same'))).toBe('a');
    expect(text(await dump.open('Pack/B.pack/same'))).toBe('b');
  });

  it('damaged ones are warned of and the others go on', async () => {
    const good = pack({ good: 'yes' });
    const badTable = pack({ bad: 'no' });
    badTable[0x14] = 0x58;
    const files = {
      'Pack/A.pack': badTable,
      'Pack/B.pack.zs': writeZstd(good).subarray(0, 20),
      'Pack/C.pack.zs': bytes('not a pack at all'),
      'Pack/D.pack': good.subarray(0, 0x18),
      'Pack/E.pack': new Uint8Array(0),
      'Pack/F.pack.zs': writeZstd(good),
    };
    const dump = await open({ layers: [tree(folder, files)], game: 'totk' });
    expect(await dump.members()).toEqual(['good']);
    expect(warnings).toEqual([
      expect.stringMatching(/Pack\/A\.pack: SARC at 0x14: expected "SFAT"/),
      expect.stringMatching(/Pack\/B\.pack\.zs: zstd at/),
      expect.stringMatching(/Pack\/D\.pack: SARC at/),
    ]);
    await expect(dump.open('Pack/A.pack/bad')).rejects.toThrow(/SARC at 0x14/);
  });

  it('are read no further than their tables, unless there are packs in them', async () => {
    const inner = pack({ deep: 'd' });
    const noise = randomBytes(600_000, 1);
    const damaged = writeZstd(pack({ a: 'x', noise }));
    damaged.fill(0xff, 400_000);
    const layer = memoryLayer({ 'A.pack.zs': damaged, 'B.pack.zs': writeZstd(pack({ 'I.pack': inner, noise })) });
    const dump = await Dump.open({ layers: [layer], game: 'totk', onWarning: (message) => warnings.push(message) });
    expect(await dump.members()).toEqual(['I.pack', 'a', 'deep', 'noise']);
    expect(warnings).toEqual([]);
    await expect(dump.open('A.pack')).rejects.toThrow(/zstd at/);
    expect(layer.opened).toEqual(['A.pack.zs', 'B.pack.zs', 'A.pack.zs']);
  });

  it('all archives count in games that are not known', async () => {
    const files = { 'Obj/A.szs': encodeYaz0(pack({ 'A.bfres': 'model' })), 'B.sarc': pack({ '/B.byml': 'b' }) };
    const dump = await open({ layers: [tree(folder, files)] });
    expect(dump.game.id).toBe('generic');
    expect(await dump.members()).toEqual(['A.bfres', 'B.byml']);
    expect(text(await dump.open('B.byml'))).toBe('b');
  });
});

describe('the index of packs', () => {
  const P = 'Pack/P.pack';
  const made = (): { romfs: string; cache: string; file: string } => {
    const romfs = tree(join(folder, 'romfs'), { [P]: pack({ one: '1' }), 'Pack/Q.pack': pack({ one: '1', q: 'q' }) });
    const cache = join(folder, 'out');
    return { romfs, cache, file: join(cache, '.romflow', 'packs.json') };
  };
  const holding = async (options: OpenDumpOptions, path: string): Promise<string[]> =>
    (await open({ game: 'totk', ...options })).packsHolding(path);

  it('is made when it is needed, and kept beside the output', async () => {
    const { romfs, cache, file } = made();
    const dump = await open({ layers: [romfs], cache, game: 'totk' });
    expect(await dump.has(P)).toBe(true);
    expect(existsSync(cache)).toBe(false);
    const before = filesBelow(romfs);
    expect(await dump.packsHolding('one')).toEqual([P, 'Pack/Q.pack']);
    expect(filesBelow(cache)).toEqual(['.romflow/packs.json']);
    expect(filesBelow(romfs)).toEqual(before);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ members: ['one', 'q'] });
  });

  it('is used again as long as size and time of a file are the same, and only what changed is read', async () => {
    const { romfs, cache, file } = made();
    utimesSync(join(romfs, P), 1000, 1000);
    await holding({ layers: [romfs], cache }, 'one');
    // Another name of the same length and the old time: nobody can tell, so what is kept is used.
    writeFileSync(join(romfs, P), pack({ two: '1' }));
    utimesSync(join(romfs, P), 1000, 1000);
    const text1 = readFileSync(file, 'utf8');
    expect(await holding({ layers: [romfs], cache }, 'one')).toEqual([P, 'Pack/Q.pack']);
    expect(readFileSync(file, 'utf8')).toBe(text1);
    // A second later it is another file.
    utimesSync(join(romfs, P), 1000, 1001);
    expect(await holding({ layers: [romfs], cache }, 'one')).toEqual(['Pack/Q.pack']);
    expect(await holding({ layers: [romfs], cache }, 'two')).toEqual([P]);
    // And so it is with another size.
    writeFileSync(join(romfs, P), pack({ three: 'longer' }));
    expect(await holding({ layers: [romfs], cache }, 'three')).toEqual([P]);
    expect(readFileSync(file, 'utf8')).not.toContain('two');
  });

  it('is made anew for other layers or another game, and when the file is damaged', async () => {
    const { romfs, cache, file } = made();
    await holding({ layers: [romfs], cache }, 'one');
    const whole = readFileSync(file, 'utf8');
    const index = JSON.parse(whole) as { members: unknown; packs: unknown[]; scope: string };
    const lies = [
      '',
      'null',
      '[]',
      whole.slice(0, -10),
      JSON.stringify({ ...index, members: 7 }),
      JSON.stringify({ ...index, members: [1, 2] }),
      JSON.stringify({ ...index, packs: [[1, 2, 3]] }),
      whole.replace('"Pack/P.pack",0]', '"Pack/P.pack",99]'),
      whole.replace('romflow pack index 1', 'romflow pack index 0'),
    ];
    for (const lie of lies) {
      expect(lie).not.toBe(whole);
      writeFileSync(file, lie);
      expect(await holding({ layers: [romfs], cache }, 'one')).toEqual([P, 'Pack/Q.pack']);
      expect(readFileSync(file, 'utf8')).toBe(whole);
    }
    await holding({ layers: [romfs], cache, game: 'generic' }, 'one');
    expect(readFileSync(file, 'utf8')).not.toBe(whole);
  });

  it('remembers damage, but not what another run may do better', async () => {
    const { romfs, cache, file } = made();
    const bad = pack({ bad: 'no' });
    bad[0x14] = 0x58;
    const dictionary = writeZstdDictionary([bytes('some words that dictionaries like '.repeat(50))], 7);
    tree(romfs, { 'Pack/R.pack': bad, 'Pack/S.pack.zs': writeZstd(pack({ s: 's' }), { dictionary }) });
    const expected = [expect.stringMatching(/R\.pack: SARC/), expect.stringMatching(/S\.pack\.zs: .* dictionary 7/)];
    for (let run = 0; run < 2; run++) {
      warnings = [];
      expect(await holding({ layers: [romfs], cache }, 's')).toEqual([]);
      expect(warnings).toEqual(expected);
      expect(readFileSync(file, 'utf8')).toContain('R.pack');
      expect(readFileSync(file, 'utf8')).not.toContain('S.pack');
    }
    tree(romfs, { 'Pack/ZsDic.pack.zs': writeZstd(pack({ 'zs.zsdic': dictionary.bytes })) });
    expect(await holding({ layers: [romfs], cache }, 's')).toEqual(['Pack/S.pack']);
  });

  it('is never kept in the dump, not by a link either', async () => {
    const { romfs } = made();
    const link = join(folder, 'link');
    symlinkSync(romfs, link);
    for (const cache of [romfs, join(romfs, 'a', 'b'), link, join(link, 'new')]) {
      await expect(open({ layers: [romfs], cache })).rejects.toMatchObject({ code: 'usage' });
    }
    expect(filesBelow(romfs)).toEqual([P, 'Pack/Q.pack']);
  });

  it('that cannot be kept is warned of', async () => {
    const { romfs } = made();
    const cache = join(folder, 'file');
    writeFileSync(cache, '');
    expect(await holding({ layers: [romfs], cache }, 'q')).toEqual(['Pack/Q.pack']);
    expect(warnings).toEqual([expect.stringMatching(/file: is not a folder/)]);
  });

  it('ends when it is told to, and begins again when asked again', async () => {
    let stopped = true;
    const layer = memoryLayer({ 'P.pack': pack({ one: '1' }) });
    const dump = await Dump.open({
      layers: [layer],
      game: 'totk',
      turn: () => (stopped ? Promise.reject(new Error('stopped')) : undefined),
    });
    await expect(dump.packsHolding('one')).rejects.toThrow('stopped');
    stopped = false;
    expect(await dump.packsHolding('one')).toEqual(['P.pack']);
  });
});

describe('odd folders', () => {
  it('links in circles, pipes and folders that cannot be read leave the rest', async () => {
    tree(folder, { 'A/one': '1', 'B/two': '2', 'locked/three': '3' });
    symlinkSync(folder, join(folder, 'A', 'loop'));
    symlinkSync(join(folder, 'A', 'me'), join(folder, 'A', 'me'));
    symlinkSync(join(folder, 'B', 'two'), join(folder, 'A', 'linked'));
    mkdirSync(join(folder, '.romflow'));
    writeFileSync(join(folder, '.romflow', 'own'), '');
    chmodSync(join(folder, 'locked'), 0);
    try {
      const dump = await open({ layers: [folder] });
      const canRead = process.getuid?.() === 0;
      const expected = ['A/linked', 'A/me', 'A/one', 'B/two', ...(canRead ? ['locked/three'] : [])];
      expect(dump.files()).toEqual(expected);
      expect(warnings).toHaveLength(canRead ? 0 : 1);
      expect(text(await dump.open('A/linked'))).toBe('2');
      await expect(dump.open('A/me')).rejects.toMatchObject({ code: 'input' });
    } finally {
      chmodSync(join(folder, 'locked'), 0o700);
    }
  });

  it('what a layer warns of reaches the dump', async () => {
    const layer: Layer = {
      id: 'x',
      addOn: false,
      *files(onWarning) {
        onWarning('x/locked: permission denied');
        yield* memoryLayer({ a: bytes('a') }).files(onWarning) as Iterable<never>;
      },
    };
    const dump = await Dump.open({ layers: [layer], onWarning: (message) => warnings.push(message) });
    expect(dump.files()).toEqual(['a']);
    expect(warnings).toEqual(['x/locked: permission denied']);
  });
});

describe('dictionaries', () => {
  it('of the dump can be had by other sessions', async () => {
    const dump = await open({ layers: [tree(folder, Object.fromEntries(SAMPLE))] });
    const session = new Session();
    await dump.addDictionaries(session);
    expect(session.dictionaries.has(1)).toBe(true);
    expect(session.dictionaries.places).toEqual([`${folder}/Pack/ZsDic.pack.zs`]);
  });

  it('where there are none, the places say where they were looked for', async () => {
    const dump = await open({ layers: [tree(folder, { a: 'a' })] });
    const session = new Session();
    await dump.addDictionaries(session);
    expect(session.dictionaries.size).toBe(0);
    expect(session.dictionaries.places).toEqual([`${folder}/Pack/ZsDic.pack.zs`]);
  });
});
