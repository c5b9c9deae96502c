import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { sampleSet } from '../../scripts/sample/surfaces.ts';
import { filesBelow, romflow, startRomflow, temporaryFolder, type Finished } from '../support/cli.ts';
import { random } from '../support/random.ts';
import { DUMP, hashesOf, jsonLines, put, QUIRKS } from './support.ts';

let folder = '';
let dump = '';
let out = '';
beforeEach(() => {
  folder = temporaryFolder();
  dump = join(folder, 'dump');
  out = join(folder, 'out');
  for (const [path, bytes] of DUMP) put(dump, path, bytes);
});

/** Puts more files into the dump, some of them of the same names in another case. */
function enlargeDump(): void {
  for (const copy of ['A', 'B', 'C', 'D']) for (const [path, bytes] of DUMP) put(dump, `${copy}/${path}`, bytes);
  for (const [path, bytes] of DUMP) put(dump, `a/${path}`, bytes);
}

const textures = (...more: string[]): Finished => romflow(['textures', dump, '-o', out, ...more]);

/** What a run with these options gives that nothing came before. */
function fresh(command: string, ...options: string[]): Record<string, string> {
  const folderOf = temporaryFolder();
  romflow([command, dump, '-o', folderOf, ...options]);
  return hashesOf(folderOf);
}

const changeTimes = (): Record<string, number> =>
  Object.fromEntries(filesBelow(out).map((path) => [path, statSync(join(out, path)).ctimeMs]));

/** The files that were written since. */
function writtenSince(before: Record<string, number>): string[] {
  return Object.entries(changeTimes()).flatMap(([path, time]) => (before[path] === time ? [] : path));
}

describe('a killed run', () => {
  const next = random(20);

  /** Starts a run and kills it after so many milliseconds, if it is not done before. */
  async function kill(options: string[], after: number): Promise<void> {
    const job = startRomflow(['textures', dump, '-o', out, ...options]);
    job.stdout!.resume();
    job.stderr!.resume();
    const ended = new Promise((resolve) => job.on('close', resolve));
    await Promise.race([setTimeout(after), ended]);
    job.kill('SIGKILL');
    await ended;
  }

  it('leaves whole files alone, and goes on to the same folder: 20 times', { timeout: 180_000 }, async () => {
    enlargeDump();
    const begun = performance.now();
    const whole = fresh('textures');
    const longest = performance.now() - begun;
    let interrupted = 0;
    for (let i = 0; i < 20; i++) {
      const jobs = ['--jobs', String(1 + (next() % 3))];
      await kill(jobs, 100 + (next() % Math.ceil(longest)));
      const left = existsSync(out) ? hashesOf(out) : {};
      const named = Object.entries(left).filter(([path]) => !path.startsWith('.romflow'));
      for (const [path, hash] of named) expect([path, hash]).toEqual([path, whole[path]]);
      if (named.length < Object.keys(whole).length) interrupted++;
      const { status, stderr } = textures('--resume', ...jobs);
      expect([status, stderr]).toEqual([0, '']);
      expect(hashesOf(out)).toEqual(whole);
      expect(readdirSync(join(out, '.romflow'))).toEqual(['textures.jsonl']);
      rmSync(out, { recursive: true });
    }
    expect(interrupted).toBeGreaterThan(10);
  });

  it('can be killed again and again', { timeout: 120_000 }, async () => {
    enlargeDump();
    const whole = fresh('textures', '--dedupe', '--flat');
    for (let i = 0; i < 8; i++) await kill(['--resume', '--dedupe', '--flat'], 150 + 40 * i);
    expect(textures('--resume', '--dedupe', '--flat').status).toBe(0);
    expect(hashesOf(out)).toEqual(whole);
  });

  it('is no reason for a run without --resume to fail', async () => {
    enlargeDump();
    const whole = fresh('textures');
    await kill([], 300);
    expect(textures().status).toBe(0);
    expect(hashesOf(out)).toEqual(whole);
  });
});

describe('--resume', () => {
  it('takes over all that is as it was, with the same lines', () => {
    const first = jsonLines(textures('--json').stdout);
    const before = changeTimes();
    const { stdout, stderr, status } = textures('--json', '--resume');
    expect([status, stderr]).toEqual([0, '']);
    const lines = jsonLines(stdout);
    expect(lines.slice(0, -1)).toEqual(first.slice(0, -1).map((line) => ({ ...line, resumed: true })));
    const { seconds: _, ...summary } = first.at(-1)!['summary'] as { seconds: number; files: number };
    expect(lines.at(-1)!['summary']).toMatchObject({ ...summary, resumed: summary.files, removed: 0 });
    expect(writtenSince(before)).toEqual([]);
    expect(textures('--resume').stdout).toContain(`${summary.files} files as before`);
  });

  it('has the hashes, though the run before did not compute them', () => {
    textures();
    const lines = jsonLines(textures('--resume', '--json').stdout);
    expect(lines.slice(0, -1).every((line) => /^[\da-f]{64}$/.test(line['rgbaSha256'] as string))).toBe(true);
    expect(textures('--resume').stdout).toContain('files as before');
  });

  it('makes deleted and damaged pictures anew, and no others', () => {
    textures();
    const whole = hashesOf(out);
    const before = changeTimes();
    const [deleted, cut, emptied] = [3, 40, 90].map((i) => filesBelow(out)[i]!);
    rmSync(join(out, deleted!));
    truncateSync(join(out, cut!), 100);
    truncateSync(join(out, emptied!), 0);
    expect(textures('--resume').status).toBe(0);
    expect(hashesOf(out)).toEqual(whole);
    const inputOf = (path: string): string => path.split('/').slice(0, 2).join('/');
    const inputs = new Set([deleted, cut, emptied].map((path) => inputOf(path!)));
    expect(writtenSince(before).every((path) => inputs.has(inputOf(path)))).toBe(true);
  });

  it('keeps a picture that somebody painted over', () => {
    textures();
    const [path] = filesBelow(out);
    writeFileSync(join(out, path!), 'a picture of mine');
    const { status, stderr } = textures('--resume');
    expect([status, stderr]).toEqual([1, `romflow: ${join(out, path!)}: exists already; --overwrite replaces it\n`]);
    expect(readFileSync(join(out, path!), 'utf8')).toBe('a picture of mine');
    expect(textures('--resume', '--overwrite').status).toBe(0);
    expect(hashesOf(out)).toEqual(fresh('textures'));
  });

  it('works on a changed input again: what does not come of it any more goes', () => {
    textures();
    put(dump, 'Texture/Quirks.bntx', writeBntx(sampleSet('menu')));
    put(dump, 'Texture/Two.bntx', new TextEncoder().encode('no texture any more\n'));
    const { stdout, status } = textures('--resume');
    expect(status).toBe(0);
    expect(hashesOf(out)).toEqual(fresh('textures'));
    expect(existsSync(join(out, 'Texture/Two.bntx'))).toBe(false);
    expect(stdout).toMatch(/\d+ files of before removed/);
  });

  it('keeps the pictures of files that are not there, and those that it did not come to', async () => {
    enlargeDump();
    textures();
    const before = hashesOf(out);
    renameSync(join(dump, 'Model'), join(folder, 'Model'));
    expect(textures('--resume').status).toBe(0);
    expect(hashesOf(out)).toEqual(before);
    const job = startRomflow(['textures', dump, '-o', out, '--resume', '--alpha', 'opaque', '--flat', '--quiet']);
    const ended = new Promise((resolve) => job.on('close', resolve));
    const begun = (): boolean => readdirSync(join(out, '.romflow')).some((name) => !name.endsWith('.jsonl'));
    while (!begun()) await setTimeout(2);
    job.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(hashesOf(out)).toMatchObject(before);
  });

  it.each([['--alpha', 'opaque'], ['--flat'], ['--mips', 'all'], ['--dedupe'], ['--png-level', '9']])(
    'a changed option (%s) is the same as a run with it alone',
    (...options) => {
      textures('--mips', '0-1');
      expect(textures('--resume', ...options).status).toBe(0);
      expect(hashesOf(out)).toEqual(fresh('textures', ...options));
    },
  );

  it('--match leaves alone what it does not ask for', () => {
    textures();
    const before = filesBelow(out);
    expect(textures('--resume', '--match', 'Model/**').status).toBe(0);
    expect(filesBelow(out)).toEqual(before);
  });

  it('a new file takes the names that are its turn', () => {
    for (const options of [['--flat'], ['--flat', '--dedupe']]) {
      textures(...options);
      // Before all others, with the same pictures as one of them.
      put(dump, 'AAA/First.bntx', QUIRKS);
      expect(textures('--resume', ...options).status).toBe(0);
      expect(hashesOf(out)).toEqual(fresh('textures', ...options));
      rmSync(join(dump, 'AAA'), { recursive: true });
      expect(textures('--resume', ...options).status).toBe(0);
      expect(hashesOf(out)).toEqual(fresh('textures', ...options));
      rmSync(out, { recursive: true });
    }
  });

  it('knows the files of a dump that was moved', () => {
    textures();
    const whole = hashesOf(out);
    renameSync(dump, join(folder, 'elsewhere'));
    dump = join(folder, 'elsewhere');
    expect(textures('--resume').stdout).toContain(`${DUMP.size} files as before`);
    renameSync(dump, join(folder, 'again'));
    dump = join(folder, 'again');
    expect(textures().status).toBe(0);
    expect(hashesOf(out)).toEqual(whole);
  });

  it('remembers files that give nothing of their own', () => {
    const [first, ...others] = ['Texture/Quirks.bntx', 'Texture/Two.bntx'].map((path) => join(dump, path));
    renameSync(others[0]!, join(folder, 'Two.bntx'));
    textures('--dedupe');
    put(dump, 'Texture/Zwei.bntx', readFileSync(first!));
    put(dump, 'Texture/note.txt', 'a note\n');
    textures('--dedupe', '--resume');
    expect(textures('--dedupe', '--resume').stdout).toContain(`${DUMP.size + 1} files as before`);
  });

  it('a dry run tells only what would be made', () => {
    textures();
    rmSync(join(out, 'Texture/Quirks.bntx'), { recursive: true });
    const paths = textures('--resume', '--dry-run')
      .stdout.split('\n')
      .filter((line) => line.endsWith('.png'));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.every((path) => path.startsWith('Texture/Quirks.bntx/'))).toBe(true);
  });

  it('is not led astray by warnings, which come with the first file alone', () => {
    const dictionary = put(folder, 'raw.dict', 'no dictionary by its magic, but content all the same');
    const options = ['--flat', '--dictionary', dictionary, '--jobs', '1'];
    textures(...options);
    put(dump, 'AAA/First.bntx', QUIRKS);
    expect(textures(...options, '--resume').status).toBe(0);
    expect(hashesOf(out)).toEqual(fresh('textures', ...options));
  });

  it('tries again what failed', () => {
    const bad = put(dump, 'Texture/Bad.bntx', QUIRKS.subarray(0, 3000));
    expect(textures().status).toBe(1);
    expect(textures('--resume').status).toBe(1);
    writeFileSync(bad, QUIRKS);
    expect(textures('--resume').status).toBe(0);
    expect(hashesOf(out)).toEqual(fresh('textures'));
  });

  it('with --dry-run tells what would come of it and changes nothing', () => {
    textures();
    const journal = readFileSync(join(out, '.romflow/textures.jsonl'), 'utf8');
    const before = changeTimes();
    rmSync(join(out, filesBelow(out)[0]!));
    put(dump, 'Texture/Quirks.bntx', writeBntx(sampleSet('menu')));
    const { stdout, status } = textures('--resume', '--dry-run');
    expect(status).toBe(0);
    const told = stdout.split('\n').filter((line) => line.endsWith('.png'));
    expect(new Set(told.map((path) => path.split('/')[1]))).toEqual(new Set(['Windmill.bffnt.zs', 'Quirks.bntx']));
    expect(writtenSince(before)).toEqual([]);
    expect(readFileSync(join(out, '.romflow/textures.jsonl'), 'utf8')).toBe(journal);
  });

  it('runs over other files leave each other alone', () => {
    const runOn = (path: string, ...more: string[]): Finished =>
      romflow(['textures', join(dump, path), '-o', out, ...more]);
    runOn('Texture/Quirks.bntx');
    runOn('Texture/Two.bntx');
    const before = changeTimes();
    const { stdout } = runOn('Texture/Two.bntx', '--resume');
    expect(stdout).toContain('1 file as before');
    expect(stdout).not.toContain('removed');
    expect(runOn('Texture/Quirks.bntx', '--resume').stdout).toContain('1 file as before');
    expect(writtenSince(before)).toEqual([]);
  });

  it('is the same for extract', () => {
    const extract = (...more: string[]): Finished => romflow(['extract', dump, '-o', out, '--recursive', ...more]);
    const first = jsonLines(extract('--json').stdout);
    const before = changeTimes();
    const lines = jsonLines(extract('--json', '--resume').stdout);
    expect(lines.slice(0, -1)).toEqual(first.slice(0, -1).map((line) => ({ ...line, resumed: true })));
    expect(writtenSince(before)).toEqual([]);
    rmSync(join(out, filesBelow(out)[2]!));
    expect(extract('--resume').status).toBe(0);
    expect(hashesOf(out)).toEqual(fresh('extract', '--recursive'));
  });

  describe('where files and folders change places', () => {
    const extract = (...more: string[]): Finished => romflow(['extract', dump, '-o', out, ...more]);
    const inner = writeSarc([{ name: 'a/b', data: new TextEncoder().encode('text') }], { alignment: 4 });
    beforeEach(() => {
      rmSync(dump, { recursive: true });
      put(dump, 'x.sarc', writeSarc([{ name: 'inner', data: inner }], { alignment: 4 }));
    });

    it('with changed options, is the same as a run with them alone', () => {
      for (const options of [[], ['--recursive'], [], ['--recursive']]) {
        expect(extract('--resume', ...options)).toMatchObject({ status: 0, stderr: '' });
        expect(hashesOf(out)).toEqual(fresh('extract', ...options));
      }
      expect(extract()).toMatchObject({ status: 0, stderr: '' });
      expect(extract('--recursive')).toMatchObject({ status: 0, stderr: '' });
      expect(hashesOf(out)).toEqual(fresh('extract', '--recursive'));
    });

    it('with changed files, too', () => {
      extract();
      rmSync(join(dump, 'x.sarc'));
      put(dump, 'x.sarc/inner/y.sarc', inner);
      expect(extract('--resume')).toMatchObject({ status: 0, stderr: '' });
      expect(filesBelow(out)).toEqual(['x.sarc/inner/y.sarc/a/b']);
    });

    it('a dry run says that they would, and leaves them', () => {
      put(dump, 'x.sarc', QUIRKS);
      textures();
      const before = hashesOf(out);
      rmSync(join(dump, 'x.sarc'));
      // its first picture becomes a folder
      put(dump, filesBelow(out)[0]!, QUIRKS);
      expect(textures('--resume', '--dry-run')).toMatchObject({ status: 0, stderr: '' });
      expect(hashesOf(out)).toEqual(before);
    });

    it('what is of somebody else stays', () => {
      extract('--recursive');
      put(out, 'x.sarc/inner/a/mine', 'mine');
      const refused = `romflow: ${join(out, 'x.sarc/inner')}: is a folder\n`;
      for (const more of ['--resume', '--overwrite'])
        expect(extract(more)).toMatchObject({ status: 1, stderr: refused });
      expect(filesBelow(out)).toEqual(['x.sarc/inner/a/b', 'x.sarc/inner/a/mine']);
      rmSync(join(out, 'x.sarc/inner'), { recursive: true });
      put(out, 'x.sarc/inner', 'mine, too');
      const { stderr } = extract('--resume', '--recursive', '--overwrite');
      expect(stderr).toBe(`romflow: ${join(out, 'x.sarc/inner')}: is a file where a folder is needed\n`);
    });
  });
});
