import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { sampleSet } from '../../scripts/sample/surfaces.ts';
import { writeZstd } from '../../scripts/sample/zstd.ts';
import { filesBelow, romflow, temporaryFolder } from '../support/cli.ts';
import { sha256 } from '../support/sha256.ts';
import { jsonLines, put, putDump } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

describe('extract', () => {
  it('writes the entries of an archive as they are, and with --recursive of those inside', () => {
    const pack = join(putDump(folder), 'Pack/Title.pack.zs');
    expect(romflow(['extract', pack, '-o', join(folder, 'a')]).status).toBe(0);
    expect(filesBelow(join(folder, 'a'))).toEqual([
      'Title.pack.zs/Font/Windmill.bffnt',
      'Title.pack.zs/Model/Tree.bfres',
      'Title.pack.zs/UI/Menu.blarc.zs',
    ]);
    const { status, stdout } = romflow(['extract', pack, '-o', join(folder, 'b'), '--recursive', '--json']);
    expect(status).toBe(0);
    expect(filesBelow(join(folder, 'b'))).toEqual([
      'Title.pack.zs/Font/Windmill.bffnt/Windmill.bffnt',
      'Title.pack.zs/Font/Windmill.bffnt/sheets.bntx',
      'Title.pack.zs/Model/Tree.bfres/Tree.bfres',
      'Title.pack.zs/Model/Tree.bfres/notes.txt',
      'Title.pack.zs/Model/Tree.bfres/textures.bntx',
      'Title.pack.zs/UI/Menu.blarc.zs/blyt/Title.txt',
      'Title.pack.zs/UI/Menu.blarc.zs/timg/__Combined.bntx',
    ]);
    for (const line of jsonLines(stdout).slice(0, -1)) {
      const bytes = readFileSync(join(folder, 'b', line['output'] as string));
      expect([sha256(bytes), bytes.length]).toEqual([line['sha256'], line['size']]);
    }
    const combined = readFileSync(join(folder, 'b/Title.pack.zs/UI/Menu.blarc.zs/timg/__Combined.bntx'));
    expect(combined.equals(writeBntx(sampleSet('menu')))).toBe(true);
  });

  it('keeps a compressed file that holds files, among what it holds', () => {
    const file = join(putDump(folder), 'Model/Sky.bfres.zs');
    romflow(['extract', file, '-o', join(folder, 'out')]);
    expect(filesBelow(join(folder, 'out'))).toEqual([
      'Sky.bfres.zs/Sky.bfres',
      'Sky.bfres.zs/notes.txt',
      'Sky.bfres.zs/textures.bntx',
    ]);
  });

  it('takes compression off a file that is no archive', () => {
    const content = 'just text, compressed and called something else\n';
    const packed = writeZstd(text(content));
    const files = [
      put(folder, 'odd.name', packed),
      put(folder, 'plain.txt.zst', packed),
      put(folder, 'X.byml.zs', packed),
    ];
    romflow(['extract', ...files, '-o', join(folder, 'out')]);
    expect(filesBelow(join(folder, 'out'))).toEqual(['X.byml', 'odd.name.out', 'plain.txt']);
    for (const name of filesBelow(join(folder, 'out'))) {
      expect(readFileSync(join(folder, 'out', name), 'utf8')).toBe(content);
    }
  });

  it.skipIf(spawnSync('zstd', ['--version']).status !== 0)(
    'frames of the sample are what the zstd tool makes of them',
    () => {
      const dump = putDump(folder);
      const dictionaries = join(folder, 'dictionaries');
      romflow(['extract', join(dump, 'Pack/ZsDic.pack.zs'), '-o', dictionaries]);
      const dictionary = join(dictionaries, 'ZsDic.pack.zs/zs.zsdic');
      const tool = (file: string): Buffer =>
        spawnSync('zstd', ['-d', '-c', '-q', '-D', dictionary, file], { maxBuffer: 1 << 28 }).stdout;
      romflow(['extract', join(dump, 'Pack/Title.pack.zs'), '-o', join(folder, 'out')]);
      const pack = tool(join(dump, 'Pack/Title.pack.zs'));
      expect(pack.subarray(0, 4).toString()).toBe('SARC');
      for (const path of filesBelow(join(folder, 'out'))) {
        expect(pack.includes(readFileSync(join(folder, 'out', path)))).toBe(true);
      }
    },
  );

  it('hostile names stay in the output folder, and nothing is lost', () => {
    const names = ['../../escape', '/abs/file', 'C:\\x', 'nul', 'a\nb', 'A', 'a', `${'n'.repeat(9000)}.bin`];
    const files = names.map((name, i) => ({ name, data: text(`this is the text of entry number ${i}\n`) }));
    const archive = put(folder, 'x.sarc', writeSarc(files, { alignment: 4, dataOrder: 'given' }));
    const { status, stdout } = romflow(['extract', archive, '-o', join(folder, 'deep/out'), '--json']);
    expect(status).toBe(0);
    expect(existsSync(join(folder, 'escape'))).toBe(false);
    expect(existsSync(join(folder, 'deep/escape'))).toBe(false);
    const lines = jsonLines(stdout).slice(0, -1);
    expect(lines).toHaveLength(names.length);
    expect(filesBelow(join(folder, 'deep/out'))).toHaveLength(names.length);
    for (const line of lines) {
      expect(sha256(readFileSync(join(folder, 'deep/out', line['output'] as string)))).toBe(line['sha256']);
    }
  });

  it('symbolic links in the output folder are not followed', () => {
    const archive = writeSarc([{ name: 'link/file', data: text('some text for the file\n') }], { alignment: 4 });
    mkdirSync(join(folder, 'out/x.sarc'), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/x.sarc/link'));
    const { status, stderr } = romflow([
      'extract',
      put(folder, 'x.sarc', archive),
      '-o',
      join(folder, 'out'),
      '--overwrite',
    ]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/is a symbolic link where a folder is needed/);
    expect(filesBelow(join(folder, 'elsewhere'))).toEqual([]);
  });
});
