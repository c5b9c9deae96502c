import { describe, expect, it } from 'vitest';
import { romflow } from '../support/cli.ts';

interface Result {
  machine: Record<string, unknown>;
  rows: Record<string, unknown>[];
}

describe('romflow bench', () => {
  it('prints a table of a kernel in 80 columns', () => {
    const { status, stdout, stderr } = romflow(['bench', '--only', 'murmur3']);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual(['murmur3 to checksum', '  4 MiB of random bytes']);
    expect(lines.slice(2).map((line) => line.trim().split(/\s+/, 1)[0])).toEqual(['wasm', 'ts']);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('--json prints the machine and the rows of the kernels that --only names', () => {
    const { status, stdout } = romflow(['bench', '--json', '--only', 'crc32,tegra']);
    expect(status).toBe(0);
    const { machine, rows } = JSON.parse(stdout) as Result;
    expect(machine).toMatchObject({ node: process.version });
    expect(rows[0]).toEqual({
      kernel: 'tegra',
      input: '1024 x 1024 RGBA8, block height 16',
      output: 'rows',
      contestant: 'wasm',
      value: expect.any(Number),
      unit: 'MB/s',
      spread: [expect.any(Number), expect.any(Number)],
      runs: expect.any(Number),
    });
    expect(rows.filter(({ kernel }) => kernel === 'crc32').map(({ contestant }) => contestant)).toEqual([
      'wasm',
      'ts',
      'zlib',
    ]);
  });

  it('names the kernels when one is unknown', () => {
    const { status, stdout, stderr } = romflow(['bench', '--only', 'crc32,crc16']);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^romflow: no such kernel: crc16 \(there are tegra, bc1, .*\)\n$/);
  });

  it('is not in the main help, and has one of its own', () => {
    expect(romflow(['--help']).stdout).not.toContain('bench');
    const { status, stdout } = romflow(['bench', '--help']);
    expect(status).toBe(0);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
