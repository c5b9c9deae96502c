import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { makeTexture } from '../../scripts/sample/surfaces.ts';
import { filesBelow, romflow, startRomflow, temporaryFolder } from '../support/cli.ts';
import { DUMP, jsonLines, put, putDump, QUIRKS } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const file = (name: string): { name: string; data: Uint8Array } => ({
  name,
  data: text(`the text of ${name.length}\n`),
});

describe('names', () => {
  it('entries named "." or nothing, and a file beside a folder of its name, all come out', () => {
    const names = ['.', '', './x', 'dir', 'dir/inside', 'good'];
    const archive = writeSarc(names.map(file), { alignment: 4, dataOrder: 'given' });
    const { status } = romflow(['extract', put(folder, 'x.sarc', archive), '-o', join(folder, 'out')]);
    expect(status).toBe(0);
    const files = filesBelow(join(folder, 'out'));
    expect(files).toHaveLength(names.length);
    expect(files.every((path) => path.startsWith('x.sarc/'))).toBe(true);
    expect(files).toContain('x.sarc/dir');
    expect(files).toContain('x.sarc/dir~2/inside');
  });

  it('a path that the file system refuses is one failure, and the rest goes on', () => {
    const deep = ['component', 'c'].map((name, i) => `${name}/`.repeat(i ? 2500 : 600) + name);
    const archive = writeSarc([...deep.map(file), file('good')], { alignment: 4, dataOrder: 'given' });
    const inputs = [put(folder, 'x.sarc', archive), put(folder, 'y.sarc', writeSarc([file('z')], { alignment: 4 }))];
    const { status, stderr } = romflow(['extract', ...inputs, '-o', join(folder, 'out')]);
    expect(status).toBe(1);
    const refused = expect.stringMatching(/cannot be written: the name is too long$/);
    expect(stderr.trimEnd().split('\n')).toEqual([refused, refused]);
    expect(stderr.length).toBeLessThan(2 * 2200);
    expect(filesBelow(join(folder, 'out'))).toEqual(['x.sarc/good', 'y.sarc/z']);
    expect(readdirSync(join(folder, 'out/x.sarc'))).toEqual(['good']);
  });

  it('nothing in a file reaches the terminal as a control character', () => {
    const picture = { width: 4, height: 4, rgba: new Uint8Array(64) };
    const options = { format: 'R8G8B8A8_UNORM', dimension: '2d', mips: 1, pictures: [picture] } as const;
    const bytes = writeBntx({
      name: 'x',
      version: [4, 0, 0],
      textures: [makeTexture({ ...options, name: 'a\u001b]0;title\u0007\nb\u202e' })],
    });
    // the target platform, which ls shows
    bytes.set([0x1b, 0x63, 0x0a, 0x21], 0x20);
    const archive = writeSarc([{ name: 'e\u001b[2J\nf.bntx', data: bytes }], { alignment: 0x1000 });
    const { stdout, stderr } = romflow(['ls', put(folder, 'x.sarc', archive)]);
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(4);
  });

  it('an input folder named as our own does no harm', () => {
    put(folder, 'in/.romflow/q.bntx', QUIRKS);
    expect(romflow(['textures', join(folder, 'in'), '-o', join(folder, 'out')]).status).toBe(0);
    expect(filesBelow(join(folder, 'out')).every((path) => path.startsWith('_.romflow/q.bntx/'))).toBe(true);
  });
});

describe('odd inputs', () => {
  it.skipIf(process.platform === 'win32')(
    'links in circles, pipes and unreadable names are failures or passed over',
    () => {
      put(folder, 'in/z.bntx', QUIRKS);
      symlinkSync('loop', join(folder, 'in/loop'));
      symlinkSync('.', join(folder, 'in/self'));
      spawnSync('mkfifo', [join(folder, 'in/pipe')]);
      const { status, stderr, stdout } = romflow(['textures', join(folder, 'in'), '-o', join(folder, 'out')]);
      expect(status).toBe(1);
      expect(stderr).toBe(`romflow: ${folder}/in/loop: too many symbolic links\n`);
      expect(stdout).toMatch(/in 2 files/);
      const pipe = romflow(['ls', join(folder, 'in/pipe'), `/${'n'.repeat(300)}`]);
      expect(pipe.stderr).toMatch(
        /pipe: is no regular file; its bytes can be piped to "-"\n.+: the name is too long\n$/,
      );
    },
  );

  it('an empty file and one given twice are nothing special', () => {
    const { status, stdout } = romflow([
      'ls',
      '--json',
      put(folder, 'empty', ''),
      put(folder, 'q', QUIRKS),
      join(folder, 'q'),
    ]);
    expect(status).toBe(0);
    expect(jsonLines(stdout).map((line) => line['format'])).toEqual(['unknown', 'bntx', 'bntx', undefined]);
  });

  it('dictionaries are there for any frame of a file', () => {
    const dump = putDump(folder);
    const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4);
    writeFileSync(join(dump, 'UI/Skip.blarc.zs'), Buffer.concat([skippable, DUMP.get('UI/Menu.blarc.zs')!]));
    expect(romflow(['ls', join(dump, 'UI/Skip.blarc.zs')]).status).toBe(0);
  });

  it('a raw dictionary is taken with a warning', () => {
    const { stderr } = romflow([
      'ls',
      put(folder, 'q', QUIRKS),
      '--dictionary',
      put(folder, 'raw', 'eight bytes and more'),
    ]);
    expect(stderr).toMatch(/warning: \S+raw: no zstd dictionary by its magic, taken as raw content\n$/);
  });

  it('Ctrl-C is heard in the middle of one large file', async () => {
    // 20 GiB of zeros in RLE blocks
    const blocks = 160 * 1024;
    const bomb = new Uint8Array(6 + 4 * blocks);
    bomb.set([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
    const header = (128 * 1024 * 8) | 2;
    for (let i = 0; i < blocks; i++) bomb.set([header & 255, (header >> 8) & 255, header >> 16, 0], 6 + 4 * i);
    const out = join(folder, 'out');
    const options = ['-o', out, '--max-size', '100000', '--backend', 'ts'];
    const job = startRomflow(['textures', put(folder, 'bomb.zs', bomb), ...options]);
    const ended = new Promise<number | null>((resolve) => job.on('close', resolve));
    // the folder is made just before the work begins
    while (!existsSync(out)) await setTimeout(5);
    await setTimeout(100);
    job.kill('SIGINT');
    const start = performance.now();
    expect(await ended).toBe(130);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('a link in the place of our own folder is refused', () => {
    mkdirSync(join(folder, 'out'));
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/.romflow'));
    const { status, stderr } = romflow(['textures', put(folder, 'q.bntx', QUIRKS), '-o', join(folder, 'out')]);
    expect([status, stderr]).toEqual([1, `romflow: ${folder}/out/.romflow: is in the way: it must be a folder\n`]);
  });
});
