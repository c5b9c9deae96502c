import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeLargeDump } from '../../scripts/sample/large-dump.ts';
import { repeatingFrame } from '../../scripts/sample/zstd-repeats.ts';
import { CLI, filesBelow, temporaryFolder } from '../support/cli.ts';
import { put, putSparseTexture } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

/** Runs romflow; gives the most resident memory that it had, in bytes. */
function peakOf(args: string[]): number {
  // VmHWM begins anew with a program; maxRSS would begin with that of whoever started it.
  const script = `await import(${JSON.stringify(CLI)});
    const { readFileSync } = await import('node:fs');
    process.on('exit', () => process.stderr.write(readFileSync('/proc/self/status', 'utf8').match(/VmHWM.*/)[0]));`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^VmHWM:\s+\d+ kB$/)]);
  return Number(/(\d+) kB/.exec(stderr)![1]) * 1024;
}

describe.skipIf(!existsSync('/proc/self/status'))('memory', () => {
  it('a texture of 1 GiB is written with less than 400 MB', () => {
    const extent = 16384;
    const file = putSparseTexture(folder, extent);
    expect(peakOf(['textures', file, '-o', join(folder, 'out')])).toBeLessThan(400e6);
    const png = readFileSync(join(folder, 'out/large.bntx/Large.png'));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([extent, extent]);
  });

  it('files that unpack to 228 MB each are held one at a time when --memory says so', { timeout: 120_000 }, () => {
    const large = putSparseTexture(folder, 7552);
    const packed = repeatingFrame(readFileSync(large));
    rmSync(large);
    for (let i = 0; i < 6; i++) put(folder, `in/${i}.bntx.zs`, packed);
    const args = ['textures', join(folder, 'in'), '-o', join(folder, 'out'), '--jobs', '3'];
    expect(peakOf([...args, '--memory', '256', '--quiet'])).toBeLessThan(600e6);
  });

  // When garbage is collected is left to the engine, so it is measured again if it was late.
  it(
    'two workers take the same for 256 and 768 MB of textures in archives, below 400 MB',
    { retry: 2, timeout: 180_000 },
    () => {
      const peaks = [256e6, 768e6].map((bytes) => {
        const [dump, out] = [join(folder, 'dump'), join(folder, 'out')];
        writeLargeDump(dump, { bytes, archiveBytes: 100e6 });
        const peak = peakOf(['textures', dump, '-o', out, '--jobs', '2', '--quiet']);
        expect(filesBelow(out).length).toBeGreaterThan(bytes / 7e6);
        rmSync(dump, { recursive: true });
        rmSync(out, { recursive: true });
        return peak;
      });
      const [less, more] = peaks.toSorted((a, b) => a - b) as [number, number];
      expect(more).toBeLessThan(400e6);
      expect(more / less).toBeLessThan(1.1);
    },
  );

  it('lists 60,000 files with hardly more than 20,000', { retry: 2, timeout: 120_000 }, () => {
    const bytes = new TextEncoder().encode('BY\u0001\u0000 and nothing that follows it');
    let files = 0;
    const peaks = [20_000, 60_000].map((count) => {
      for (; files < count; files++) put(folder, `many/${files % 50}/${files}.byml`, bytes);
      return peakOf(['ls', join(folder, 'many'), '--jobs', '2']);
    });
    expect(peaks[1]! - peaks[0]!).toBeLessThan(40e6);
  });
});
