import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { lineOf } from '../../pipeline/node/journal-lines.ts';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { makeTexture } from '../../scripts/sample/surfaces.ts';
import { filesBelow, romflow, temporaryFolder, type Finished } from '../support/cli.ts';
import { DUMP, hashesOf, jsonLines, put, putDump } from './support.ts';

let folder = '';
let dump = '';
let out = '';
beforeEach(() => {
  folder = temporaryFolder();
  dump = putDump(folder);
  out = join(folder, 'out');
});

const textures = (...more: string[]): Finished => romflow(['textures', dump, '-o', out, ...more]);

/** Changes the results in a journal, and its checksums so that they are right; gives one of its inputs. */
function forge(journal: string, change: (result: object) => void): { input: string } {
  const checks = new Map<string, number>();
  let input = '';
  const lines = readFileSync(journal, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((text) => {
      const { sum: _, ...record } = JSON.parse(text) as Record<string, unknown>;
      const of = record['of'] as string;
      if (record['result']) change(record['result']);
      if (record['check'] !== undefined) record['check'] = checks.get(of) ?? 0;
      input = (record['input'] as string | undefined) ?? input;
      const line = lineOf(record)!;
      if (record['result']) checks.set(of, crc32(line, checks.get(of)));
      return `${line}\n`;
    });
  writeFileSync(journal, lines.join(''));
  return { input };
}

/** A SARC whose entries have all the same name, which is there once. */
function archiveOfOneName(entries: number, length: number): Uint8Array {
  const data = new TextEncoder().encode('data');
  const names = ['n'.repeat(length), ...Array.from({ length: entries - 1 }, (_, i) => String(i))];
  const bytes = writeSarc(
    names.map((name) => ({ name, data })),
    { alignment: 4 },
  );
  const view = new DataView(bytes.buffer);
  const places = names.map((_, i) => 0x20 + 0x10 * i + 4);
  const isLong = (place: number, i: number): boolean =>
    ((view.getUint32(places[i + 1] ?? place, true) - view.getUint32(place, true)) & 0xffffff) > length / 4;
  const long = places.find(isLong) ?? places.at(-1)!;
  const name = view.getUint32(long, true);
  for (const place of places) view.setUint32(place, name, true);
  return bytes;
}

describe('the journal', () => {
  const journal = (): string => join(out, '.romflow/textures.jsonl');

  it('may be cut short, or hold what is no journal', () => {
    textures();
    const whole = hashesOf(out);
    truncateSync(journal(), statSync(journal()).size - 70);
    const rubbish = ['{"input":', 'null', '[]', '{"output":1}', '{"input":"x","as":"y","results":[1]}', '\u0000\u0001'];
    appendFileSync(journal(), rubbish.join('\n'));
    expect(textures('--resume').status).toBe(0);
    expect(hashesOf(out)).toEqual(whole);
    expect(textures('--resume').stdout).toContain('files as before');
  });

  it('leads nowhere else, whatever somebody wrote into it', () => {
    textures('--dedupe');
    const victim = put(folder, 'victim.txt', 'mine');
    const { size, mtimeMs: modified } = statSync(victim);
    const temporary = '../../../victim.txt';
    for (const change of [
      { wanted: '../escaped.png' },
      { placed: '../victim.txt' },
      { sameAs: '../victim.txt' },
      { staged: { id: temporary, size } },
      { thumbnail: { id: temporary, size } },
    ]) {
      const { input } = forge(journal(), (result) => void Object.assign(result, change));
      appendFileSync(journal(), `${lineOf({ output: '../victim.txt', size, modified, input })}\n`);
      textures('--resume', '--dedupe');
      textures('--resume', '--flat');
      textures('--resume', '--dedupe', '--contact-sheet');
      textures('--dedupe');
      expect(readFileSync(victim, 'utf8')).toBe('mine');
      expect(existsSync(join(folder, 'escaped.png'))).toBe(false);
    }
  });

  it('counts for nothing where it was edited or damaged', () => {
    textures();
    const whole = hashesOf(out);
    const good = readFileSync(journal(), 'utf8');
    const pictures = good.match(/"wanted":"Texture.Quirks[^"]+"/g)!;
    for (const bad of [
      good.replaceAll(/"size":\d+/g, '"size":"abc"'),
      good.replaceAll(/"results":\d+/g, '"results":0'),
      good.replaceAll(/"kind":"surface"/g, '"kind":"texture"'),
      good.replaceAll(/"placed":"([^"]+)"/g, '"placed":"x$1"'),
      // one result of each input less, with the checksum of the input as it was
      good.replaceAll(/^\{"of":"([^"]+)","result":\{"kind":"surface".+\n(?=(?:.+\n)?\{"of":"\1","input")/gm, ''),
    ]) {
      expect(bad).not.toBe(good);
      writeFileSync(journal(), bad);
      rmSync(join(out, pictures.at(-1)!.slice('"wanted":"'.length, -1)));
      expect(textures('--resume', '--overwrite').status).toBe(0);
      expect(hashesOf(out)).toEqual(whole);
      writeFileSync(journal(), good);
    }
  });

  it('counts for nothing where results are not what they are to be', () => {
    const first = jsonLines(textures('--json').stdout).at(-1)!['summary'] as Record<string, unknown>;
    const good = readFileSync(journal(), 'utf8');
    for (const change of [
      { size: 'abc' },
      { size: -1 },
      { size: 1e300 },
      { width: null },
      { file: 7 },
      { texture: undefined },
      { kind: 'unheard of' },
      { kind: 'toString' },
      { kind: 'failure', error: {} },
      { kind: 'warning', message: 'x' },
      { kind: 'skipped' },
    ]) {
      forge(journal(), (result) => void Object.assign(result, change));
      const { stdout, stderr } = textures('--resume', '--json');
      expect(stderr).toBe('');
      const { bytesOut, surfaces, failed, skipped } = first;
      const summary = jsonLines(stdout).at(-1)!['summary'];
      expect(summary).toMatchObject({ bytesOut, surfaces, failed, skipped });
      writeFileSync(journal(), good);
    }
  });

  it('may hold half a gigabyte that is no line', () => {
    textures();
    const lines = readFileSync(journal());
    truncateSync(journal(), 1 << 29);
    appendFileSync(journal(), Buffer.concat([Buffer.from('\n'), lines]));
    const begun = performance.now();
    expect(textures('--resume').stdout).toContain(`${DUMP.size} files as before`);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('holds long names, and is no longer for longer ones', () => {
    const extract = (...more: string[]): Finished => romflow(['extract', dump, '-o', out, '--quiet', ...more]);
    const record = join(out, '.romflow/extract.jsonl');
    rmSync(dump, { recursive: true });
    put(dump, 'long.sarc', archiveOfOneName(200, 20_000));
    expect(extract('--json').status).toBe(0);
    expect(statSync(record).size).toBeGreaterThan(200 * 40_000);
    expect(jsonLines(extract('--resume', '--json').stdout).at(-1)).toMatchObject({ summary: { resumed: 1 } });
    put(dump, 'long.sarc', archiveOfOneName(4500, 65_000));
    expect(extract('--resume')).toMatchObject({ status: 0, stderr: '' });
    expect(filesBelow(out)).toHaveLength(4500);
    expect(statSync(record).size).toBeLessThan(20e6);
  });

  it('knows pictures whose names are as long as they get', () => {
    rmSync(dump, { recursive: true });
    const picture = { width: 4, height: 4, rgba: new Uint8Array(64) };
    const options = { format: 'R8G8B8A8_UNORM', dimension: '2d', mips: 2, pictures: [picture] } as const;
    const name = 'n'.repeat(200);
    put(dump, 'x.bntx', writeBntx({ name: 'x', version: [4, 0, 0], textures: [makeTexture({ ...options, name })] }));
    textures('--mips', 'all');
    expect(textures('--mips', 'all', '--resume').stdout).toContain('1 file as before');
  });

  it.skipIf(process.platform === 'win32')('leads through no link', () => {
    textures();
    renameSync(join(out, 'Texture'), join(folder, 'elsewhere'));
    symlinkSync('../elsewhere', join(out, 'Texture'));
    const before = filesBelow(join(folder, 'elsewhere'));
    textures('--resume', '--flat');
    expect(filesBelow(join(folder, 'elsewhere'))).toEqual(before);
  });

  it('a file where a folder was is no reason to end', () => {
    textures();
    rmSync(join(out, 'Texture'), { recursive: true });
    writeFileSync(join(out, 'Texture'), 'a file');
    const { stdout, status } = textures('--resume');
    expect(status).toBe(1);
    expect(stdout).toMatch(/PNGs of \d+ textures/);
  });

  it('does not grow with every run', () => {
    textures();
    const { size } = statSync(journal());
    for (let i = 0; i < 3; i++) textures();
    expect(statSync(journal()).size).toBeLessThan(2.5 * size);
    for (let i = 0; i < 3; i++) textures('--resume');
    expect(statSync(journal()).size).toBeLessThan(2.5 * size);
  });

  it.skipIf(process.platform === 'win32')('is never followed elsewhere, and a folder in its place is an error', () => {
    textures();
    renameSync(journal(), join(folder, 'elsewhere'));
    const before = readFileSync(join(folder, 'elsewhere'), 'utf8');
    symlinkSync(join(folder, 'elsewhere'), journal());
    for (const options of [[], ['--resume']]) {
      const { status, stderr } = textures(...options);
      expect([status, stderr]).toEqual([1, `romflow: ${journal()}: is in the way: it must be a file\n`]);
    }
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe(before);
    rmSync(journal());
    mkdirSync(journal());
    expect(textures().status).toBe(1);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('that cannot be read is named', () => {
    textures();
    chmodSync(journal(), 0);
    expect(textures()).toMatchObject({ status: 1, stderr: `romflow: ${journal()}: permission denied\n` });
    expect(readdirSync(join(out, '.romflow'))).toEqual(['textures.jsonl']);
  });

  it('counts for nothing while another run may write to the folder, which the message tells', () => {
    textures();
    mkdirSync(join(out, '.romflow/tmp-of another machine'));
    const { status, stderr } = textures();
    expect(status).toBe(1);
    expect(stderr).toContain('exists already, and another run may be writing to this folder; --overwrite replaces it');
    const before = new Date(Date.now() - 120_000);
    utimesSync(join(out, '.romflow/tmp-of another machine'), before, before);
    expect(textures().status).toBe(0);
  });

  it('is not left in a folder without pictures', () => {
    put(folder, 'notes/a.txt', 'no texture\n');
    romflow(['textures', join(folder, 'notes'), '-o', join(folder, 'none')]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
