import { describe, expect, it } from 'vitest';
import { foldCase, safeName, safePath, UniqueNames } from '../../pipeline/output/names.ts';

describe('safeName', () => {
  it.each([
    ['Link_Alb', 'Link_Alb'],
    ['CmBaseDummy^r', 'CmBaseDummy^r'],
    ['..', '__'],
    ['.', '_'],
    ['', '_'],
    ['...', '___'],
    ['a/b\\c', 'a_b_c'],
    ['C:', 'C_'],
    ['nul', '_nul'],
    ['NUL.txt', '_NUL.txt'],
    ['com1.tar.gz', '_com1.tar.gz'],
    ['COM¹', '_COM¹'],
    ['aux .png', '_aux .png'],
    ['Lpt1  .a.b', '_Lpt1  .a.b'],
    ['clock$', '_clock$'],
    ['comet', 'comet'],
    ['aux x.png', 'aux x.png'],
    ['trailing. ', 'trailing__'],
    ['a\u0000b\nc', 'a_b_c'],
    ['what?*<>|":', 'what_______'],
    ['e\u0301', '\u00e9'],
    ['\ud800', '\ufffd'],
  ])('%j becomes %j', (name, safe) => expect(safeName(name)).toBe(safe));

  it('long names keep their end, stay apart, and fit', () => {
    const a = safeName(`${'é'.repeat(400)}A.bntx`);
    const b = safeName(`${'é'.repeat(401)}A.bntx`);
    expect(a).not.toBe(b);
    for (const name of [a, b]) {
      expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200);
      expect(name).toMatch(/^é+~[0-9a-f]{8}~é+A\.bntx$/);
    }
  });
});

describe('safePath', () => {
  it.each([
    ['Model/A.bntx', 'Model/A.bntx'],
    ['/etc/passwd', 'etc/passwd'],
    ['../../x', '__/__/x'],
    ['a//b/./c', 'a/b/_/c'],
    ['.romflow/x', '_.romflow/x'],
    ['.rom\ufb02ow/x', '_.rom\ufb02ow/x'],
    ['C:\\Windows\\x', 'C_/Windows/x'],
    ['', '_'],
    ['/', '_'],
  ])('%j becomes %j', (path, safe) => expect(safePath(path)).toBe(safe));
});

describe('UniqueNames', () => {
  it('numbers repeated paths in order, without regard to case, before the extension', () => {
    const names = new UniqueNames();
    const given = ['a/T.png', 'A/t.PNG', 'a/T.png', 'a/T~2.png', 'b', 'B', 'x.d/y', 'x.d/Y'];
    expect(given.map((path) => names.claim(path))).toEqual([
      'a/T.png',
      'a/t~2.PNG',
      'a/T~3.png',
      'a/T~2~2.png',
      'b',
      'B~2',
      'x.d/y',
      'x.d/Y~2',
    ]);
  });

  it('a file and a folder of one name both stay, whichever comes first', () => {
    const names = new UniqueNames();
    const given = ['d', 'd/inside', 'D/other', 'e/inside', 'E', 'd~2', 'd~2/x'];
    expect(given.map((path) => names.claim(path))).toEqual([
      'd',
      'd~2/inside',
      'd~2/other',
      'e/inside',
      'E~2',
      'd~2~2',
      'd~2/x',
    ]);
  });

  it.each([
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['Meſſer', 'messer'],
    ['\u212a', 'k'],
    ['\ufb01n', 'FIN'],
    ['\u00e9', 'E\u0301'],
    ['\u01f0', 'J\u030c'],
    ['ᾳ', 'ΑΙ'],
  ])('%s and %s are the same to some system', (a, b) => {
    expect(foldCase(a)).toBe(foldCase(b));
    const names = new UniqueNames();
    expect([`${a}/x`, `${b}/x`, b].map((path) => names.claim(path))).toEqual([`${a}/x`, `${a}/x~2`, `${b}~2`]);
  });

  it('whatever case, or a form of Unicode, makes of a character is the same', () => {
    const differ: string[] = [];
    for (let code = 0; code < 0x30000; code++) {
      const character = String.fromCodePoint(code);
      const forms = [character.toLowerCase(), character.toUpperCase(), character.normalize('NFD'), foldCase(character)];
      if (forms.some((form) => foldCase(form) !== foldCase(character))) differ.push(code.toString(16));
    }
    expect(differ).toEqual([]);
  });

  it('has no use for paths longer than any system has', () => {
    const names = new UniqueNames();
    const path = `${'a/'.repeat(40_000)}x`;
    const before = performance.now();
    for (let i = 0; i < 50; i++) expect(names.claim(`${i}${path}`)).toHaveLength(path.length + String(i).length);
    expect(performance.now() - before).toBeLessThan(2000);
  });

  it('numbers thousands of equal names quickly', () => {
    const names = new UniqueNames();
    const claimed = Array.from({ length: 20_000 }, () => names.claim('a/T.png'));
    expect(new Set(claimed).size).toBe(20_000);
    expect(claimed.at(-1)).toBe('a/T~20000.png');
  });
});
