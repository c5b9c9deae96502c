import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Reporter, shareOf } from '../../pipeline/cli/reporter.ts';

const { isTTY, columns } = process.stderr;
let written: string[] = [];

beforeEach(() => {
  written = [];
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  Object.assign(process.stderr, { isTTY, columns });
});

/** A picture each 50 ms. */
function run(reporter: Reporter, pictures: number): void {
  for (let i = 1; i <= pictures; i++) {
    vi.advanceTimersByTime(50);
    reporter.progress(i, 'PNG', `Model/${i}.png`);
  }
}

describe('progress', () => {
  it('is one line on a terminal, updated ten times a second and cut to its width', () => {
    Object.assign(process.stderr, { isTTY: true, columns: 28 });
    const reporter = new Reporter({});
    run(reporter, 5);
    reporter.close();
    expect(written).toEqual([
      '\r\u001b[K2 PNGs, 20/s: Model/2.png',
      '\r\u001b[K4 PNGs, 20/s: Model/4.png',
      '\r\u001b[K',
    ]);
    written = [];
    vi.advanceTimersByTime(9750);
    reporter.progress(6, 'PNG', 'Model/six\u001b[2J.png');
    expect(written).toEqual(['\r\u001b[K6 PNGs, 0.6/s: Model/six\\x1']);
  });

  it('is a line every ten seconds elsewhere, and none of a short job', () => {
    Object.assign(process.stderr, { isTTY: false });
    const reporter = new Reporter({});
    run(reporter, 199);
    expect(written).toEqual([]);
    run(reporter, 202);
    reporter.close();
    expect(written).toEqual(['romflow: 1 PNG, 0.1/s: Model/1.png\n', 'romflow: 201 PNGs, 10/s: Model/201.png\n']);
  });

  it('tells of the inputs too, when nothing was made of them yet', () => {
    Object.assign(process.stderr, { isTTY: true, columns: 80 });
    const reporter = new Reporter({});
    vi.advanceTimersByTime(4000);
    const total = { files: 8, bytes: 800, complete: true, stop: () => {} };
    reporter.inputs({ files: 2, bytesIn: 200, resumed: 0, bytesResumed: 0 }, total);
    vi.advanceTimersByTime(1000);
    reporter.progress(3, 'PNG', 'a.png');
    expect(written).toEqual([
      '\r\u001b[K25 % of 8 files, 12 s left',
      '\r\u001b[K3 PNGs, 0.6/s; 25 % of 8 files, 15 s left: a.png',
    ]);
  });

  it('tells of the inputs of the last picture, though the pictures came in between', () => {
    Object.assign(process.stderr, { isTTY: false });
    const reporter = new Reporter({});
    const total = { files: 400, bytes: 400, complete: true, stop: () => {} };
    for (let i = 1; i <= 400; i++) {
      vi.advanceTimersByTime(50);
      reporter.progress(i, 'PNG', `Model/${i}.png`);
      reporter.inputs({ files: i, bytesIn: i, resumed: 0, bytesResumed: 0 }, total);
    }
    expect(written).toEqual([
      'romflow: 200 PNGs, 20/s; 49 % of 400 files, 11 s left: Model/200.png\n',
      'romflow: 400 PNGs, 20/s; 99 % of 400 files, 1 s left: Model/400.png\n',
    ]);
  });

  it.each([true, false])('--quiet has none: terminal %s', (terminal) => {
    Object.assign(process.stderr, { isTTY: terminal });
    run(new Reporter({ quiet: true }), 400);
    expect(written).toEqual([]);
  });
});

describe('shareOf', () => {
  const total = { files: 100, bytes: 100 * 2 ** 20, complete: true, stop: () => {} };
  const at = (files: number, seconds: number, resumed = 0): string => {
    const bytes = 2 ** 20;
    return shareOf({ files, bytesIn: files * bytes, resumed, bytesResumed: resumed * bytes }, total, seconds);
  };

  it('says how much of how many files, and in a while how long the rest takes', () => {
    expect(at(1, 1)).toBe('1 % of 100 files');
    expect(at(1, 3)).toBe('1 % of 100 files, 5 min left');
    expect(at(50, 10)).toBe('50 % of 100 files, 10 s left');
    expect(at(1, 300)).toBe('1 % of 100 files, 8 h 15 min left');
  });

  it('does not count what was done before for the rate', () => {
    expect(at(50, 10, 40)).toBe('50 % of 100 files, 50 s left');
    expect(at(40, 10, 40)).toBe('40 % of 100 files');
  });

  it('says only how many while they are being counted', () => {
    expect(shareOf({ files: 7, bytesIn: 1, resumed: 0, bytesResumed: 0 }, { ...total, complete: false }, 9)).toBe(
      '7 files',
    );
  });
});
