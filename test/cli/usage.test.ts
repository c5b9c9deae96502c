import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, romflow } from '../support/cli.ts';

describe('help and usage', () => {
  it.each([[[]], [['ls']], [['extract']], [['textures']], [['textures', 'export']], [['hash']]])(
    '%j --help fits 80 columns',
    (command) => {
      const { status, stdout } = romflow([...command, '--help']);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^Usage: romflow/);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    },
  );

  it('--version is that of the package', () => {
    const { version } = JSON.parse(readFileSync(join(dirname(CLI), '../package.json'), 'utf8')) as { version: string };
    expect(romflow(['--version']).stdout).toBe(`${version}\n`);
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['frobnicate']],
    ['an unknown option', ['ls', '--frobnicate', 'x']],
    ['no path', ['ls']],
    ['no output folder', ['textures', 'x']],
    ['an odd mip range', ['textures', 'x', '-o', 'y', '--mips', '3-1']],
    ['a mip that is no number', ['textures', 'x', '-o', 'y', '--mips', 'first']],
    ['a PNG level of 0', ['textures', 'x', '-o', 'y', '--png-level', '0']],
    ['an unknown backend', ['ls', '--backend', 'gpu', 'x']],
    ['an unknown algorithm', ['hash', 'md5', 'x']],
    ['nothing to hash', ['hash', 'crc32']],
    ['texts and lines to hash', ['hash', 'crc32', 'x', '--lines', 'y']],
    ['files and lines to hash', ['hash', 'crc32', '--file', 'x', '--lines', 'y']],
    ['a seed that is no number', ['hash', 'crc32', '--seed', 'one', 'x']],
    ['a seed of 33 bits', ['hash', 'murmur3', '--seed', '0x100000000', 'x']],
    ['a seed of fnv1a', ['hash', 'fnv1a', '--seed', '1', 'x']],
    ['a dictionary that is not there', ['ls', '--dictionary', 'nowhere/x', 'x']],
    ['a game that is not there', ['ls', '--romfs', 'nowhere/x', 'x']],
    ['a depth that is no number', ['ls', '--depth', '-1', 'x']],
  ])('%s is bad usage: exit 2, nothing on standard output', (_, args) => {
    const { status, stdout, stderr } = romflow(args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
  });
});
