import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLI, filesBelow, romflow, startRomflow, temporaryFolder } from '../support/cli.ts';
import { jsonLines, put, putDump, putSparseTexture, QUIRKS } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

describe('what cannot be read or written', () => {
  it('an output folder below a file is one line, exit 1', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    put(folder, 'file', 'x');
    const { status, stderr } = romflow(['textures', file, '-o', join(folder, 'file/out')]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^romflow: .+: cannot be written: .+\n$/);
  });

  it('a file as output folder is told so; a folder that stays empty is not left behind', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    expect(romflow(['textures', file, '-o', file]).stderr).toBe(`romflow: ${file}: is not a folder\n`);
    expect(romflow(['textures', join(folder, 'nope'), '-o', join(folder, 'new/out')]).status).toBe(1);
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  it('an output folder inside --romfs is refused', () => {
    const dump = putDump(folder);
    const { status, stderr } = romflow(['textures', dump, '--romfs', dump, '-o', join(dump, 'out')]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/must not lie in the game's folder/);
    expect(existsSync(join(dump, 'out'))).toBe(false);
    expect(romflow(['textures', join(dump, 'Font'), '-o', join(dump, 'Font/out')]).status).toBe(2);
    expect(existsSync(join(dump, 'Font/out'))).toBe(false);
    expect(romflow(['ls', dump, '--romfs', join(folder, 'nope')]).stderr).toMatch(/nope is no folder/);
  });

  it.skipIf(!existsSync('/dev/full'))('a full standard output is one line, exit 1', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    const command = `"${process.execPath}" "${CLI}" ls "${file}" > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^romflow: standard output cannot be written: .+\n$/);
  });

  it.skipIf(process.platform === 'win32')('a closed pipe ends quietly', () => {
    const dump = putDump(folder);
    const command = `"${process.execPath}" "${CLI}" ls --json "${dump}" "${dump}" "${dump}" | head -n 1`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(jsonLines(stdout)).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')('errors that nobody reads do not keep it from its work', () => {
    const dump = putDump(folder);
    for (let i = 0; i < 2000; i++) put(folder, `dump/bad/${i}.bntx`, QUIRKS.subarray(0, 100));
    const out = join(folder, 'out');
    const { status } = spawnSync('sh', [
      '-c',
      `("${process.execPath}" "${CLI}" textures "${dump}" -o "${out}"; echo $? >"${folder}/code") 2>&1 >/dev/null | head -n 1`,
    ]);
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'code'), 'utf8')).toBe('1\n');
    expect(existsSync(join(out, 'UI/Menu.blarc.zs'))).toBe(true);
    expect(readdirSync(join(out, '.romflow'))).toEqual(['textures.jsonl']);
  });

  it.skipIf(process.platform === 'win32')('a closed pipe or a full disk leaves nothing half done behind', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    for (const [name, target] of [
      ['a', '| head -c 1 >/dev/null'],
      ['b', '> /dev/full'],
    ]) {
      const out = join(folder, name!);
      spawnSync('sh', ['-c', `"${process.execPath}" "${CLI}" textures --json "${file}" -o "${out}" ${target}`]);
      if (existsSync(out)) expect(filesBelow(out).every((path) => path.endsWith('.png'))).toBe(true);
    }
  });

  it("two jobs in one folder do not take each other's files", async () => {
    const inputs = Array.from({ length: 40 }, (_, i) => put(folder, `in/${i}.bntx`, QUIRKS));
    const out = join(folder, 'out');
    const jobs = [0, 1].map(() => startRomflow(['textures', ...inputs, '-o', out, '--json']));
    const written = await Promise.all(
      jobs.map(async (job) => {
        let stdout = '';
        job.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
        job.stderr!.resume();
        await new Promise((resolve) => job.on('close', resolve));
        return jsonLines(stdout).flatMap((line) => (line['png'] as string | undefined) ?? []);
      }),
    );
    const all = written.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(filesBelow(out)).toEqual(all.toSorted());
  });

  it.skipIf(process.platform === 'win32')('a folder that goes away, or cannot be, ends the job', async () => {
    const inputs = Array.from({ length: 600 }, () => put(folder, 'q.bntx', QUIRKS));
    const out = join(folder, 'out');
    const job = startRomflow(['textures', ...inputs, '-o', out]);
    let stderr = '';
    job.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => job.on('close', resolve));
    while (!existsSync(out) || !filesBelow(out).length) await setTimeout(2);
    renameSync(out, join(folder, 'gone'));
    expect(await ended).toBe(1);
    expect(stderr).toMatch(/^romflow: .+: cannot be written: no such file or folder\n$/);
    if (existsSync('/proc/self')) {
      const nowhere = romflow(['textures', put(folder, 'q.bntx', QUIRKS), '-o', '/proc/romflow']);
      expect([nowhere.status, nowhere.stderr.split('\n').length]).toEqual([1, 2]);
    }
  });

  // Nothing shows when the program has begun to wait, so it is tried again on a machine that is slow to start it.
  it('Ctrl-C is heard while standard input is awaited', { retry: 3 }, async () => {
    const job = spawn(process.execPath, [CLI, 'ls', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    job.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => job.on('close', resolve));
    await setTimeout(1000);
    job.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(stderr).toBe('romflow: interrupted\n');
  });

  it('there is no stack trace, unless asked for', () => {
    const file = put(folder, 'a.bntx', QUIRKS.subarray(0, 500));
    expect(romflow(['ls', file]).stderr).not.toMatch(/^\s+at /m);
    expect(romflow(['ls', '--debug', file]).stderr).toMatch(/^\s+at /m);
  });

  it.skipIf(process.getuid?.() === 0)('a file that may not be read is one failure', () => {
    const file = put(folder, 'a.bntx', QUIRKS);
    chmodSync(file, 0);
    expect(romflow(['ls', file]).stderr).toBe(`romflow: ${file}: permission denied\n`);
  });
});

describe('a texture of 1 GiB', () => {
  const EXTENT = 16384;

  /** Starts a job and waits until it writes. */
  async function startJob(
    out: string,
  ): Promise<{ kill(signal: NodeJS.Signals): void; ended: Promise<[number | null, string]> }> {
    const job = startRomflow(['textures', putSparseTexture(folder, EXTENT), '-o', out]);
    let stderr = '';
    job.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<[number | null, string]>((resolve) => job.on('close', (code) => resolve([code, stderr])));
    while (!existsSync(join(out, '.romflow')) || !filesBelow(out).length) await setTimeout(10);
    return { kill: (signal) => job.kill(signal), ended };
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends the job with one line, exit 130, and nothing half done',
    async (signal) => {
      const out = join(folder, 'out');
      const job = await startJob(out);
      job.kill(signal);
      expect(await job.ended).toEqual([130, 'romflow: interrupted\n']);
      expect(existsSync(out)).toBe(false);
    },
  );

  it('what a killed run left is removed by the next', async () => {
    const out = join(folder, 'out');
    const job = await startJob(out);
    job.kill('SIGKILL');
    await job.ended;
    expect(filesBelow(out)).toHaveLength(1);
    romflow(['textures', put(folder, 'q.bntx', QUIRKS), '-o', out]);
    expect(filesBelow(out).every((path) => path.startsWith('q.bntx/'))).toBe(true);
  });
});
