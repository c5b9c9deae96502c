import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import type { FormatName } from '../../scripts/sample/formats.ts';
import { pixels, type Picture } from '../../scripts/sample/picture.ts';
import { makeTexture, type SampleTexture } from '../../scripts/sample/surfaces.ts';
import { filesBelow, romflow, temporaryFolder, type Finished } from '../support/cli.ts';
import { readPng } from '../support/png.ts';
import { DUMP, jsonLines, put, putDump, QUIRKS } from './support.ts';

let folder = '';
let out = '';
beforeEach(() => {
  folder = temporaryFolder();
  out = join(folder, 'out');
});

const textures = (file: string, ...options: string[]): Finished =>
  romflow(['textures', file, '-o', out, '--contact-sheet', ...options]);
const read = (path: string): Buffer => readFileSync(join(out, path));

const bntxOf = (...all: SampleTexture[]): Uint8Array => writeBntx({ name: 'x', version: [4, 1, 0], textures: all });

function textureOf(name: string, picture: Picture, format: FormatName = 'R8G8B8A8_UNORM'): SampleTexture {
  return makeTexture({ name, format, dimension: '2d', mips: 1, pictures: [picture] });
}

interface Place {
  png: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Sheet {
  sheet: string;
  width: number;
  height: number;
  pictures: Place[];
}

const sheetsOf = ({ stdout }: Finished): Sheet[] => jsonLines(stdout).filter((line) => 'sheet' in line) as never;

/** A pixel of a sheet. */
function pixelsOf(sheet: string): (x: number, y: number) => number[] {
  const { width, samples } = readPng(read(sheet));
  return (x, y) => [...samples.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
}

const BACKGROUND = [0x20, 0x20, 0x20, 255];
const INK = [0xe0, 0xe0, 0xe0, 255];

describe('--contact-sheet', () => {
  it('shows small pictures as they are, in the middle of their cells', () => {
    const file = put(
      folder,
      'x.bntx',
      bntxOf(
        textureOf(
          'A',
          pixels(20, 10, (x, y) => [10 * x, 20 * y, 7, 255]),
        ),
        textureOf(
          'B',
          pixels(128, 128, (x, y) => [x, y, 9, 255]),
        ),
      ),
    );
    const [sheet] = sheetsOf(textures(file, '--json'));
    // Cells of 136 x 156 with a gap of 4 around; (136 - 20) / 2, and (128 - 10) / 2 below the gap.
    expect(sheet).toEqual({
      sheet: 'contact-sheet.png',
      width: 272,
      height: 156,
      pictures: [
        { png: 'x.bntx/A.png', x: 58, y: 63, width: 20, height: 10 },
        { png: 'x.bntx/B.png', x: 140, y: 4, width: 128, height: 128 },
      ],
    });
    expect(filesBelow(out)).toEqual(['contact-sheet.png', 'x.bntx/A.png', 'x.bntx/B.png']);
    const at = pixelsOf('contact-sheet.png');
    for (const [x, y] of [
      [0, 0],
      [7, 3],
      [19, 9],
    ] as const) {
      expect(at(58 + x, 63 + y)).toEqual([10 * x, 20 * y, 7, 255]);
      expect(at(140 + x, 4 + y)).toEqual([x, y, 9, 255]);
    }
    for (const [x, y] of [
      [57, 63],
      [78, 63],
      [58, 62],
      [58, 73],
      [0, 0],
      [271, 155],
    ] as const)
      expect(at(x, y)).toEqual(BACKGROUND);
  });

  it('reduces large pictures by the means of boxes, and shows a pattern behind what is transparent', () => {
    const large = pixels(256, 512, (x, y) => [(x % 4) * 20, y < 256 ? 200 : 100, (y % 4) * 10, 255]);
    const clear = pixels(16, 8, (x) => (x % 8 === 0 ? [200, 100, 0, 51] : [255, 255, 255, 0]));
    const [sheet] = sheetsOf(
      textures(put(folder, 'x.bntx', bntxOf(textureOf('A', large), textureOf('B', clear))), '--json'),
    );
    const [a, b] = sheet!.pictures as [Place, Place];
    expect([a.width, a.height, b.width, b.height]).toEqual([64, 128, 16, 8]);
    const at = pixelsOf('contact-sheet.png');
    // 4 x 4: (0 + 20 + 40 + 60) / 4, and (0 + 10 + 20 + 30) / 4
    expect([at(a.x, a.y), at(a.x + 63, a.y + 127)]).toEqual([
      [30, 200, 15, 255],
      [30, 100, 15, 255],
    ]);
    // A fifth of the colour, and four fifths of 0x66 and, eight pixels on, of 0x99: 81.6 and 122.4
    expect([at(b.x, b.y), at(b.x + 8, b.y)]).toEqual([
      [122, 102, 82, 255],
      [162, 142, 122, 255],
    ]);
    expect([at(b.x + 1, b.y), at(b.x + 9, b.y)]).toEqual([
      [0x66, 0x66, 0x66, 255],
      [0x99, 0x99, 0x99, 255],
    ]);
  });

  it('has the names below, the end of long ones in a second line', () => {
    const picture = pixels(4, 4, () => [0, 0, 0, 255]);
    const long = 'I'.repeat(40);
    const file = put(
      folder,
      'x.bntx',
      bntxOf(textureOf('IL', picture), textureOf(long, picture), textureOf(`${long}${long}L`, picture)),
    );
    textures(file);
    const at = pixelsOf('contact-sheet.png');
    const drawn = (x: number, y: number, width: number): string[] =>
      Array.from({ length: 8 }, (_, row) =>
        Array.from({ length: width }, (_unused, column) => {
          const pixel = at(x + column, y + row);
          expect([BACKGROUND, INK]).toContainEqual(pixel);
          return pixel[0] === INK[0] ? '#' : '.';
        }).join(''),
      );
    const letters = [
      '###.#....',
      '.#..#....',
      '.#..#....',
      '.#..#....',
      '.#..#....',
      '.#..#....',
      '###.#####',
      '.........',
    ];
    expect(drawn(4, 134, 9)).toEqual(letters);
    // An I takes four pixels with its gap, so that 32 of 40 are in the first line and 8 in the second.
    expect(drawn(140 + 4 * 31, 134, 4)[0]).toBe('###.');
    expect(drawn(140 + 4 * 7, 144, 5)[0]).toBe('###..');
    // Two dots of two pixels and a gap each, and then the last of 31 letters.
    const second = drawn(276, 144, 128);
    expect(second[0]!.startsWith('......###.###')).toBe(true);
    expect(second[6]!.startsWith('##.##.###.###')).toBe(true);
    expect(second[6]!.trimEnd().replace(/\.+$/, '').endsWith('###.#####')).toBe(true);
  });

  it('is the same whatever the number of threads, and of PNGs in their order', () => {
    const dump = putDump(folder);
    const lines = jsonLines(textures(dump, '--json', '--jobs', '1').stdout);
    const one = read('contact-sheet.png');
    const [sheet] = lines.filter((line) => 'sheet' in line) as unknown as Sheet[];
    expect(sheet!.pictures.map(({ png }) => png)).toEqual(lines.flatMap(({ png }) => png ?? []));
    rmSync(out, { recursive: true });
    expect(textures(dump, '--jobs', '3').stdout).toMatch(/\d+ PNGs and 1 contact sheet of/);
    expect(read('contact-sheet.png').equals(one)).toBe(true);
    expect(readdirSync(join(out, '.romflow'))).toEqual(['textures.jsonl']);
  });

  it('is many when there are many pictures', () => {
    const pictures = Array.from({ length: 258 }, (_, z) => pixels(1, 1, () => [z & 255, z >> 8, 0, 255]));
    const volume = makeTexture({ name: 'V', format: 'R8G8B8A8_UNORM', dimension: '3d', mips: 1, pictures });
    const sheets = sheetsOf(textures(put(folder, 'x.bntx', bntxOf(volume)), '--json'));
    expect(sheets.map(({ sheet, width, height, pictures: shown }) => [sheet, width, height, shown.length])).toEqual([
      ['contact-sheet.png', 16 * 136, 16 * 156, 256],
      ['contact-sheet~2.png', 2 * 136, 156, 2],
    ]);
    for (const { sheet, pictures: shown } of sheets) {
      const at = pixelsOf(sheet);
      for (const { png, x, y } of shown) {
        const slice = Number(/slice(\d+)/.exec(png)![1]);
        expect(at(x, y)).toEqual([slice & 255, slice >> 8, 0, 255]);
      }
    }
  });

  it('has the pictures of an earlier run on it', () => {
    const dump = putDump(folder);
    textures(dump);
    const whole = read('contact-sheet.png');
    rmSync(out, { recursive: true });
    romflow(['textures', dump, '-o', out]);
    rmSync(join(out, 'Texture'), { recursive: true });
    const names = (): string[] => filesBelow(out);
    for (let i = 0; i < 2; i++) {
      const { status, stderr } = textures(dump, '--resume');
      expect([status, stderr]).toEqual([0, '']);
      expect(read('contact-sheet.png').equals(whole)).toBe(true);
    }
    // It does not come of the run without it, to which all pictures are as before.
    const before = names();
    expect(romflow(['textures', dump, '-o', out, '--resume']).stdout).toContain(
      `${DUMP.size} files as before, 1 file of before removed`,
    );
    expect(names()).toEqual(before.filter((path) => path !== 'contact-sheet.png'));
  });

  it('goes with a dump that was moved', () => {
    const dump = putDump(folder);
    textures(dump);
    renameSync(dump, `${dump}2`);
    const { status, stderr } = textures(`${dump}2`, '--resume');
    expect([status, stderr]).toEqual([0, '']);
  });

  it('works again only on files with pictures', () => {
    put(folder, 'in/q.bntx', QUIRKS);
    put(folder, 'in/notes.txt', 'no textures\n');
    textures(join(folder, 'in'));
    expect(textures(join(folder, 'in'), '--resume').stdout).toContain('1 file as before');
  });

  it('has what --match and --dedupe leave', () => {
    const pixel = (v: number): Picture => pixels(1, 1, () => [v, 0, 0, 255]);
    const file = put(
      folder,
      'x.bntx',
      bntxOf(textureOf('A', pixel(1)), textureOf('B', pixel(1)), textureOf('C', pixel(2))),
    );
    const shown = (...options: string[]): string[] =>
      sheetsOf(textures(file, '--json', ...options))[0]!.pictures.map(({ png }) => png);
    expect(shown('--dedupe')).toEqual(['x.bntx/A.png', 'x.bntx/C.png']);
    expect(shown('--match', 'B')).toEqual(['x.bntx/B.png']);
  });

  it('is foretold by --dry-run', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    expect(textures(file, '--dry-run').stdout.split('\n')).toContain('contact-sheet.png');
    const dry = sheetsOf(textures(file, '--dry-run', '--json'));
    expect(existsSync(out)).toBe(false);
    expect(dry).toEqual(sheetsOf(textures(file, '--json')));
  });

  it('replaces nothing that was there, unless told so', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    put(out, 'contact-sheet.png', 'mine');
    for (const more of [[], ['--dry-run']]) {
      const { status, stderr } = textures(file, ...more);
      expect([status, stderr]).toEqual([1, expect.stringContaining('contact-sheet.png: exists already')]);
    }
    expect(read('contact-sheet.png').toString()).toBe('mine');
    expect(textures(file, '--overwrite').status).toBe(0);
    expect(textures(file).status).toBe(0);
    expect(readPng(read('contact-sheet.png')).height).toBe(156);
  });

  it('is of pictures', () => {
    const file = put(folder, 'q.bntx', QUIRKS);
    for (const to of ['dds', 'astc']) expect(textures(file, '--to', to).status).toBe(2);
    expect(textures(file, '--match', 'nothing').stdout).toContain('0 PNGs of 0 textures');
    expect(existsSync(out)).toBe(false);
  });
});
