import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { FORMATS } from '../../scripts/sample/formats.ts';
import { expectedPixels, makeTexture, sampleSet, SET_NAMES } from '../../scripts/sample/surfaces.ts';
import { filesBelow, romflow, temporaryFolder, type Finished } from '../support/cli.ts';
import { readPng } from '../support/png.ts';
import { sha256 } from '../support/sha256.ts';
import { forgetRuns, jsonLines, put, putDump, QUIRKS } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

describe('textures', () => {
  it('gives the pixels that the sample was made of, and the same PNGs with both backends', () => {
    const dump = putDump(folder);
    const wasm = romflow(['textures', dump, '-o', join(folder, 'wasm'), '--mips', 'all', '--json']);
    const ts = romflow(['textures', dump, '-o', join(folder, 'ts'), '--mips', 'all', '--json', '--backend', 'ts']);
    expect([wasm.status, wasm.stderr, ts.status, ts.stderr]).toEqual([0, '', 0, '']);
    const lines = jsonLines(wasm.stdout).slice(0, -1);
    expect(lines).toEqual(jsonLines(ts.stdout).slice(0, -1));
    const files = filesBelow(join(folder, 'wasm'));
    expect(filesBelow(join(folder, 'ts'))).toEqual(files);
    for (const file of files) {
      expect(readFileSync(join(folder, 'ts', file)).equals(readFileSync(join(folder, 'wasm', file)))).toBe(true);
    }
    const sets = SET_NAMES.flatMap((set) => sampleSet(set).textures);
    const textures = new Map(sets.map((texture) => [texture.name, texture]));
    let exact = 0;
    for (const line of lines) {
      const picture = readPng(readFileSync(join(folder, 'wasm', line['png'] as string)));
      expect(sha256(picture.samples)).toBe(line['rgbaSha256']);
      const texture = textures.get(line['texture'] as string);
      if (!texture || !FORMATS[texture.format].exact) continue;
      const { layer, mip, slice } = line as { layer: number; mip: number; slice: number };
      const pixels = sha256(expectedPixels(texture, { layer, mip, slice }));
      expect([line['png'], pixels]).toEqual([line['png'], line['rgbaSha256']]);
      exact++;
    }
    expect(exact).toBeGreaterThan(200);
  });

  it('names surfaces by layer, slice and mip where there is more than one', () => {
    put(folder, 'in/q.bntx', writeBntx(sampleSet('sky')));
    romflow(['textures', join(folder, 'in'), '-o', join(folder, 'out'), '--mips', '0-1']);
    const files = filesBelow(join(folder, 'out'));
    const cube = sampleSet('sky').textures.find(({ dimension }) => dimension === 'cube')!;
    const volume = sampleSet('sky').textures.find(({ dimension, mips }) => dimension === '3d' && mips > 1)!;
    expect(files).toContain(`q.bntx/${cube.name}.layer5.png`);
    expect(files).toContain(`q.bntx/${cube.name}.layer5.mip1.png`);
    expect(files).toContain(`q.bntx/${volume.name}.slice0.png`);
    expect(files).toContain(`q.bntx/${volume.name}.slice0.mip1.png`);
  });

  it('"textures export" is the same', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    expect(romflow(['textures', 'export', file, '-o', join(folder, 'a'), '--mips', 'all']).status).toBe(0);
    expect(romflow(['textures', '--mips', 'all', file, '-o', join(folder, 'b')]).status).toBe(0);
    expect(filesBelow(join(folder, 'a'))).toEqual(filesBelow(join(folder, 'b')));
  });

  it('writes what is missing beside what is there, and says once that files exist', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    const out = join(folder, 'out');
    romflow(['textures', file, '-o', out]);
    forgetRuns(out);
    const before = filesBelow(out).length;
    const { status, stderr } = romflow(['textures', file, '-o', out, '--mips', 'all']);
    expect(status).toBe(1);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/exists already; --overwrite replaces it$/),
      `romflow: ${before - 1} more files not written for the same reason`,
      '',
    ]);
    expect(filesBelow(out).length).toBeGreaterThan(before);
  });

  it('a run replaces what an earlier one wrote, and nothing else unless told to', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    const out = join(folder, 'out');
    const run = (...more: string[]): Finished => romflow(['textures', file, '-o', out, ...more]);
    expect(run().status).toBe(0);
    const [png, other] = filesBelow(out);
    const good = readFileSync(join(out, png!));
    expect(run('--alpha', 'opaque').status).toBe(0);
    expect(run().status).toBe(0);
    expect(readFileSync(join(out, png!))).toEqual(good);
    // Somebody painted over one, another was cut short when the machine went down.
    writeFileSync(join(out, png!), 'mine');
    truncateSync(join(out, other!), 50);
    const again = run();
    expect(again.status).toBe(1);
    expect(again.stderr).toBe(`romflow: ${join(out, png!)}: exists already; --overwrite replaces it\n`);
    expect(readFileSync(join(out, png!), 'utf8')).toBe('mine');
    expect(readFileSync(join(out, other!)).length).toBeGreaterThan(50);
    expect(run('--overwrite').status).toBe(0);
    expect(readFileSync(join(out, png!))).toEqual(good);
    forgetRuns(out);
    expect(run().status).toBe(1);
    // The same names, out of another file.
    const namesake = put(folder, 'other/q.bntx', QUIRKS);
    expect(run('--overwrite').status).toBe(0);
    expect(romflow(['textures', namesake, '-o', out]).status).toBe(1);
    expect(filesBelow(out).some((path) => path.startsWith('.romflow'))).toBe(false);
  });

  it('--png-level 9 holds the same pixels in less', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    const pngs = (level: string): Buffer[] => {
      const out = join(folder, level);
      expect(romflow(['textures', file, '-o', out, '--png-level', level]).status).toBe(0);
      return filesBelow(out).map((path) => readFileSync(join(out, path)));
    };
    const [fast, small] = [pngs('1'), pngs('9')];
    fast.forEach((png, i) => expect(sha256(readPng(small[i]!).samples)).toBe(sha256(readPng(png).samples)));
    const total = (files: Buffer[]): number => files.reduce((sum, { length }) => sum + length, 0);
    expect(total(small)).toBeLessThan(total(fast));
  });

  it('two textures of one name both come out, and hostile names stay inside', () => {
    const picture = { width: 4, height: 4, rgba: new Uint8Array(64).fill(9) };
    const textures = ['T', 't', '../../x'].map((name) =>
      makeTexture({ name, format: 'R8G8B8A8_UNORM', dimension: '2d', mips: 1, pictures: [picture] }),
    );
    const file = put(folder, 'x.bntx', writeBntx({ name: 'x', version: [4, 0, 0], textures }));
    expect(romflow(['textures', file, '-o', join(folder, 'out')]).status).toBe(0);
    expect(filesBelow(join(folder, 'out'))).toEqual(['x.bntx/.._.._x.png', 'x.bntx/T.png', 'x.bntx/t~2.png']);
  });

  it('goes on after a failure: one line each, exit 1', () => {
    put(folder, 'in/a.bntx', QUIRKS.subarray(0, 500));
    put(folder, 'in/b.bntx', QUIRKS);
    put(folder, 'in/c.txt', 'not a texture at all, really\n');
    const { status, stdout, stderr } = romflow(['textures', join(folder, 'in'), '-o', join(folder, 'out')]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^romflow: \S+\/in\/a\.bntx: BNTX at 0x[0-9a-f]+: expected .+, found .+\n$/);
    expect(stdout).toMatch(/1 failed/);
    expect(stdout).toMatch(/skipped: 1 text/);
    expect(filesBelow(join(folder, 'out')).every((path) => path.startsWith('b.bntx/'))).toBe(true);
  });

  it('names a format that it does not decode', () => {
    const bytes = QUIRKS.slice();
    new DataView(bytes.buffer).setUint32(Buffer.from(bytes).indexOf('BRTI') + 0x1c, 0x2301, true);
    const { status, stderr } = romflow(['textures', put(folder, 'x.bntx', bytes), '-o', join(folder, 'out')]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/expected a format that can be decoded, found ETC1_UNORM \(texture "\w+"\)\n$/);
  });
});

describe('choosing', () => {
  it('--match keeps what matches by its path, or by its last part, and "!" leaves out', () => {
    const dump = putDump(folder);
    const pngs = (...args: string[]): string[] => {
      const out = temporaryFolder();
      expect(romflow(['textures', dump, '-o', out, ...args]).status).toBe(0);
      return filesBelow(out);
    };
    const all = pngs();
    const tree = pngs('--match', 'Model/**');
    expect(tree).toEqual(all.filter((path) => path.startsWith('Model/')));
    const byName = pngs('--match', 'Sky_*', '--match', '*Alb*', '--match', '!Sky_Cube');
    expect(byName).toEqual(all.filter((path) => /\/(Sky_|[^/]*Alb)[^/]*$/.test(path) && !path.includes('Sky_Cube.')));
    expect(byName.length).toBeGreaterThan(3);
    const lines = jsonLines(romflow(['ls', dump, '--json', '--match', '*.bntx']).stdout);
    expect(lines.slice(0, -1).every((line) => line['format'] === 'bntx')).toBe(true);
    romflow(['extract', dump, '-o', join(folder, 'x'), '--recursive', '--match', '*.txt']);
    expect(filesBelow(join(folder, 'x')).every((path) => path.endsWith('.txt'))).toBe(true);
  });

  it('--dry-run writes nothing and tells what it would', () => {
    const dump = putDump(folder);
    const out = join(folder, 'out');
    const dry = jsonLines(romflow(['textures', dump, '-o', out, '--json', '--dry-run', '--mips', 'all']).stdout);
    expect(existsSync(out)).toBe(false);
    romflow(['textures', dump, '-o', out, '--mips', 'all']);
    expect(
      dry
        .slice(0, -1)
        .map((line) => line['png'] as string)
        .toSorted(),
    ).toEqual(filesBelow(out));
    expect(romflow(['textures', dump, '-o', out, '--dry-run']).status).toBe(0);
    // What somebody else put there would fail.
    forgetRuns(out);
    const again = romflow(['textures', dump, '-o', out, '--dry-run']);
    expect(again.status).toBe(1);
    expect(again.stderr).toMatch(/exists already/);
    expect(romflow(['textures', dump, '-o', out, '--dry-run', '--overwrite']).status).toBe(0);
  });

  it.skipIf(!existsSync('/proc/self'))('--dry-run needs no place that can be written to', () => {
    const dump = putDump(folder);
    const out = join(folder, 'out');
    const run = romflow(['textures', dump, '-o', '/proc/romflow/out', '--dry-run']);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    mkdirSync(out);
    const before = statSync(out).mtimeMs;
    expect(romflow(['textures', dump, '-o', out, '--dry-run']).status).toBe(0);
    expect(statSync(out).mtimeMs).toBe(before);
  });

  it('--dry-run finds what is in the way of folders, as a run does', () => {
    const file = put(folder, 'a.bntx', writeBntx(sampleSet('windmill')));
    const file2 = put(folder, 'b.bntx', writeBntx(sampleSet('windmill')));
    const out = join(folder, 'out');
    put(out, 'a.bntx', 'x');
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(out, 'b.bntx'));
    for (const path of [file, file2]) {
      const run = romflow(['textures', path, '-o', out, '--overwrite']);
      expect(run.status).toBe(1);
      expect(run.stderr).toMatch(/where a folder is needed/);
      const dry = romflow(['textures', path, '-o', out, '--overwrite', '--dry-run']);
      expect([dry.status, dry.stderr]).toEqual([1, run.stderr]);
    }
  });

  it('--dry-run knows the same duplicates as --dedupe', () => {
    const dump = putDump(folder);
    const out = join(folder, 'out');
    const dry = jsonLines(romflow(['textures', dump, '-o', out, '--json', '--dry-run', '--dedupe']).stdout);
    expect(existsSync(out)).toBe(false);
    romflow(['textures', dump, '-o', out, '--dedupe']);
    const written = dry.slice(0, -1).filter((line) => !line['duplicate']);
    expect(written.map((line) => line['png'] as string).toSorted()).toEqual(filesBelow(out));
  });

  it('--dedupe takes only what was written for the first of its kind', () => {
    const pixels = writeBntx(sampleSet('windmill'));
    const files = ['a', 'b'].map((name) => put(folder, `in/${name}.bntx`, pixels));
    const out = join(folder, 'out');
    // The first set cannot be written: the second must be there in full.
    put(out, 'a.bntx', 'a file where the folder would be');
    const { status } = romflow(['textures', ...files, '-o', out, '--dedupe']);
    expect(status).toBe(1);
    const alone = join(folder, 'alone');
    romflow(['textures', files[1]!, '-o', alone, '--dedupe']);
    const inB = (path: string): boolean => path.startsWith('b.bntx/');
    expect(filesBelow(out).filter(inB)).toEqual(filesBelow(alone).filter(inB));
    expect(filesBelow(alone).filter(inB).length).toBeGreaterThan(0);
  });

  it('--flat puts all into one folder, names numbered in the order they come', () => {
    const dump = putDump(folder);
    const deep = jsonLines(romflow(['textures', dump, '-o', join(folder, 'a'), '--json']).stdout).slice(0, -1);
    const flat = jsonLines(romflow(['textures', dump, '-o', join(folder, 'b'), '--json', '--flat']).stdout).slice(
      0,
      -1,
    );
    expect(flat.map((line) => line['rgbaSha256'])).toEqual(deep.map((line) => line['rgbaSha256']));
    const files = filesBelow(join(folder, 'b'));
    expect(files).toHaveLength(deep.length);
    expect(files.every((path) => !path.includes('/'))).toBe(true);
    expect(files.some((path) => path.includes('~2'))).toBe(true);
  });

  it('--dedupe writes the same pixels once and lists the rest', () => {
    const dump = putDump(folder);
    const out = join(folder, 'out');
    const lines = jsonLines(romflow(['textures', dump, '-o', out, '--json', '--dedupe']).stdout);
    const surfaces = lines.slice(0, -1);
    const hashes = new Set(surfaces.map((line) => `${String(line['width'])} ${String(line['rgbaSha256'])}`));
    expect(filesBelow(out)).toHaveLength(hashes.size);
    const duplicates = surfaces.filter((line) => line['duplicate']);
    expect(duplicates).toHaveLength(surfaces.length - hashes.size);
    expect(duplicates.length).toBeGreaterThan(10);
    expect(lines.at(-1)).toMatchObject({ summary: { duplicates: duplicates.length } });
    for (const { png, rgbaSha256 } of surfaces) {
      expect(sha256(readPng(readFileSync(join(out, png as string))).samples)).toBe(rgbaSha256);
    }
  });

  it('--alpha opaque makes all pixels opaque; a repeated alpha is hinted at', () => {
    const file = put(folder, 'tree.bntx', writeBntx(sampleSet('windmill')));
    const plain = romflow(['textures', file, '-o', join(folder, 'a')]);
    const lines = jsonLines(romflow(['textures', file, '-o', join(folder, 'b'), '--alpha', 'opaque', '--json']).stdout);
    for (const line of lines.slice(0, -1)) {
      expect(line['channels']).toMatch(/^...1$/);
      const { samples } = readPng(readFileSync(join(folder, 'b', line['png'] as string)));
      expect(samples.every((value, i) => i % 4 !== 3 || value === 255)).toBe(true);
    }
    const repeated = sampleSet('windmill').textures.filter(
      ({ channels = 'RGBA' }) => channels.slice(0, 3).includes(channels[3]!) && !'01'.includes(channels[3]!),
    );
    expect(repeated.length).toBeGreaterThan(0);
    expect(plain.stdout).toMatch(new RegExp(`^${repeated.length} textures? with an alpha that repeats a colour`, 'm'));
  });
});

describe('paths', () => {
  it('an entry, or a folder of entries, can be given', () => {
    const pack = join(putDump(folder), 'Pack/Title.pack.zs');
    expect(romflow(['textures', `${pack}/Font`, '-o', join(folder, 'a')]).status).toBe(0);
    expect(filesBelow(join(folder, 'a'))).toContain('Windmill.bffnt/sheets.bntx/0.layer0.png');
    expect(romflow(['textures', `${pack}/Model/Tree.bfres/textures.bntx`, '-o', join(folder, 'b')]).status).toBe(0);
    expect(filesBelow(join(folder, 'b')).every((path) => path.startsWith('textures.bntx/'))).toBe(true);
    const missing = romflow(['ls', `${pack}/Model/Rock.bfres`]);
    expect([missing.status, missing.stderr]).toEqual([
      1,
      `romflow: ${pack}/Model/Rock.bfres: there is no such entry\n`,
    ]);
  });

  it('a missing file is one failure among others', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    const { status, stderr } = romflow(['textures', join(folder, 'nope'), file, '-o', join(folder, 'out')]);
    expect([status, stderr]).toEqual([1, `romflow: ${folder}/nope: no such file or folder\n`]);
    expect(filesBelow(join(folder, 'out')).length).toBeGreaterThan(0);
  });

  it('- is standard input', () => {
    const { status, stdout } = romflow(['textures', '-', '-o', join(folder, 'out'), '--json'], { input: QUIRKS });
    expect(status).toBe(0);
    expect(jsonLines(stdout)[0]).toMatchObject({ file: 'stdin' });
    expect(filesBelow(join(folder, 'out')).every((path) => path.startsWith('stdin/'))).toBe(true);
  });

  it('an output folder inside the input is not read', () => {
    put(folder, 'in/q.bntx', QUIRKS);
    const out = join(folder, 'in/out');
    romflow(['textures', join(folder, 'in'), '-o', out]);
    const { stdout } = romflow(['textures', join(folder, 'in'), '-o', out, '--overwrite', '--json']);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ summary: { files: 1, skipped: {} } });
    expect(romflow(['textures', join(folder, 'in'), '-o', join(folder, 'in')]).status).toBe(2);
    // the other way round there is no harm
    expect(romflow(['textures', join(folder, 'in'), '-o', folder, '--overwrite']).status).toBe(0);
    expect(filesBelow(join(folder, 'q.bntx')).length).toBeGreaterThan(0);
  });
});
