import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NodeFolder } from '../../pipeline/node/folder.ts';
import { NodeStaging } from '../../pipeline/node/staging.ts';
import { writeFile } from '../../pipeline/output/folder.ts';
import { temporaryFolder } from '../support/cli.ts';

const BYTES = new TextEncoder().encode('bytes');

let parent = '';
let root = '';
beforeEach(() => {
  parent = temporaryFolder();
  root = join(parent, 'out');
});

describe.skipIf(process.platform === 'win32')('links that come while files are written', () => {
  /** Moves a folder of the output out of it, and puts a link in its place. */
  function swap(name: string): string {
    const elsewhere = join(parent, 'elsewhere');
    renameSync(join(root, name), elsewhere);
    symlinkSync(elsewhere, join(root, name));
    return elsewhere;
  }

  it.each(['a', 'a/b'])('are not followed where files get their names: %s', (name) => {
    const folder = new NodeFolder(root, { overwrite: true });
    writeFile(folder, 'a/b/c/one', BYTES);
    const elsewhere = swap(name);
    for (const path of ['a/b/c/one', 'a/b/c/two', 'a/b/two']) {
      expect(() => writeFile(folder, path, BYTES)).toThrow(`${name}: is a symbolic link where a folder is needed`);
    }
    expect(existsSync(join(elsewhere, 'two'))).toBe(false);
    expect(readdirSync(elsewhere, { recursive: true })).not.toContainEqual(expect.stringMatching(/two$/));
    writeFile(folder, 'b/fine', BYTES);
    folder.close();
  });

  it('are not followed where files are written', () => {
    const folder = new NodeFolder(root);
    const ofWorker = new NodeStaging(folder.staging, 'w1');
    const elsewhere = swap('.romflow');
    for (const staging of [folder, ofWorker]) expect(() => staging.create()).toThrow(/a link stands in for a folder$/);
    expect(readdirSync(join(elsewhere, basename(folder.staging)))).toEqual([]);
    folder.close();
  });
});

describe('temporary folders', () => {
  /** Puts one there that has a file in it. */
  function leave(name: string): string {
    mkdirSync(join(root, '.romflow', name), { recursive: true });
    writeFileSync(join(root, '.romflow', name, 'm-0'), 'half a file');
    return name;
  }

  /** What a run that begins, and ends, leaves there. */
  function left(): string[] {
    new NodeFolder(root).close();
    return existsSync(join(root, '.romflow')) ? readdirSync(join(root, '.romflow')) : [];
  }

  /** The name of one, in parts. */
  function parts(): { place: string; pid: string; start: string } {
    const folder = new NodeFolder(root);
    const [, place, pid, start] = /^tmp-([^-]+)-([^-]+)-([^-]*)-/.exec(basename(folder.staging))!;
    folder.close();
    return { place: place!, pid: pid!, start: start! };
  }

  it('have names that nobody can guess', () => {
    const folders = [1, 2].map(() => new NodeFolder(root));
    const [one, two] = folders.map(({ staging }) => staging.slice(-36));
    expect(one).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(one).not.toBe(two);
    for (const folder of folders) folder.close();
  });

  it('of processes that are gone are removed, and those of this one are not', () => {
    const { place, pid, start } = parts();
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    leave(`tmp-${place}-${gone}-${start}-x`);
    const own = leave(`tmp-${place}-${pid}-${start}-x`);
    const unclear = leave(`tmp-${place}-${process.ppid}--x`);
    expect(left()).toEqual([own, unclear].toSorted());
  });

  // Where a process began cannot be told elsewhere.
  it.skipIf(!existsSync('/proc/self/stat'))('of an earlier process with the same id are removed', () => {
    const { place, pid } = parts();
    for (const id of [pid, process.ppid]) leave(`tmp-${place}-${id}-1-x`);
    expect(left()).toEqual([]);
  });

  it('of other machines and containers stay while somebody touches them', () => {
    const name = leave('tmp-00000000-1-7-x');
    const others = leave('tmp-of somebody else');
    expect(left()).toEqual([name, others].toSorted());
    const before = new Date(Date.now() - 2 * 3600 * 1000);
    for (const path of [name, others]) utimesSync(join(root, '.romflow', path), before, before);
    expect(left()).toEqual([]);
  });
});
