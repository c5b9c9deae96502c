import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { makeTexture } from '../../scripts/sample/surfaces.ts';
import { romflow, temporaryFolder } from '../support/cli.ts';
import { DUMP, jsonLines, put, putDump } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

describe('ls', () => {
  it('lists entries, their types and textures', () => {
    const dump = putDump(folder);
    const { status, stdout, stderr } = romflow(['ls', join(dump, 'Model/Tree.szs')]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ +\d+ {2}sarc 1\.0 +\S+Tree\.szs {2}\[yaz0\]$/m);
    expect(stdout).toMatch(/^ +\d+ {2}bfres 8\.0\.0 Switch +\S+Tree\.szs\/Tree\.bfres$/m);
    expect(stdout).toMatch(/^ +\d+ {2}bntx 4\.\d\.0 Switch +\S+Tree\.szs\/Tree\.bfres\/textures\.bntx$/m);
  });

  it('--json has a line for each, and nothing else', () => {
    const dump = putDump(folder);
    const lines = jsonLines(romflow(['ls', '--json', join(dump, 'Pack/Title.pack.zs')]).stdout);
    const packed = DUMP.get('Pack/Title.pack.zs')!;
    expect(lines[0]).toMatchObject({
      format: 'sarc',
      version: '1.0',
      compressedSize: packed.length,
      compression: ['zstd'],
    });
    expect(lines.map((line) => line['format'])).toContain('bffnt');
    expect(lines.at(-1)).toEqual({ summary: { files: 1, entries: lines.length - 2, failed: 0 } });
  });

  it('--depth 0 stays outside', () => {
    const lines = jsonLines(romflow(['ls', '--json', '--depth', '0', putDump(folder)]).stdout);
    expect(lines).toHaveLength(DUMP.size + 1);
  });

  it('shows the user data of textures in the JSON', () => {
    const texture = makeTexture({
      name: 'T',
      format: 'R8_UNORM',
      dimension: '2d',
      mips: 1,
      pictures: [{ width: 2, height: 2, rgba: new Uint8Array(16) }],
      userData: [
        { name: 'numbers', type: 'int', values: [1, -2] },
        { name: 'words', type: 'string', values: ['a', 'bc'] },
        { name: 'half', type: 'float', values: [0.5] },
        { name: 'raw', type: 'byte', values: [1, 255] },
      ],
    });
    const file = put(folder, 'x.bntx', writeBntx({ name: 'x', version: [4, 1, 0], textures: [texture] }));
    const [line] = jsonLines(romflow(['ls', '--json', file]).stdout);
    expect((line!['textures'] as object[])[0]).toMatchObject({
      name: 'T',
      userData: { numbers: [1, -2], words: ['a', 'bc'], half: [0.5], raw: [1, 255] },
    });
  });

  it('finds dictionaries in the dump, or says where it looked', () => {
    const dump = putDump(folder);
    const file = put(folder, 'alone/Menu.blarc.zs', DUMP.get('UI/Menu.blarc.zs')!);
    const alone = romflow(['ls', file]);
    expect(alone.status).toBe(1);
    expect(alone.stderr).toMatch(/zstd at 0x5: expected dictionary 1, found none: give one with --dictionary/);
    expect(alone.stdout).toMatch(/\? {2}zstd .*Menu\.blarc\.zs/);
    expect(romflow(['ls', join(dump, 'UI/Menu.blarc.zs')]).status).toBe(0);
    expect(romflow(['ls', file, '--romfs', dump]).status).toBe(0);
    expect(romflow(['ls', file, '--dictionary', join(dump, 'Pack/ZsDic.pack.zs')]).status).toBe(0);
    const wrong = romflow(['ls', file, '--romfs', join(folder, 'alone')]);
    expect(wrong.stderr).toMatch(/found none with this id in \S+\/alone\/Pack\/ZsDic\.pack\.zs\n$/);
  });
});
