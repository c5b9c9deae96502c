import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Reporter } from '../../pipeline/cli/reporter.ts';

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

  it.each([true, false])('--quiet has none: terminal %s', (terminal) => {
    Object.assign(process.stderr, { isTTY: terminal });
    run(new Reporter({ quiet: true }), 400);
    expect(written).toEqual([]);
  });
});
