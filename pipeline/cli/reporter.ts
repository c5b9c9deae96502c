import { once } from 'node:events';
import { counted as count, FormatError, oneLine, RomflowError } from '../../ts/io/errors.ts';
import type { JobFailure, JobProgress } from '../jobs/job.ts';
import type { Total } from './total.ts';

export { count };

const MOST_WARNINGS = 50;
/** Between two updates of the progress, in milliseconds. */
const UPDATE_MS = 100;
const PLAIN_LINE_MS = 10_000;

/** What a command prints, and what exit code it ends with. */
export class Reporter {
  readonly json: boolean;
  readonly #quiet: boolean;
  readonly #debug: boolean;
  #progressShown = false;
  readonly #begun = performance.now();
  #progressTime = this.#begun;
  /** how far the job is by what went in */
  #inputs: { progress: JobProgress; total: Total } | undefined;
  #made = { done: 0, noun: 'file', latest: '' };
  failed = false;
  #existing = 0;
  readonly #warnings = new Set<string>();
  #muted = false;
  /** the job was interrupted */
  interrupted = false;

  constructor({ json = false, quiet = false, debug = false }: { json?: boolean; quiet?: boolean; debug?: boolean }) {
    this.json = json;
    this.#quiet = quiet;
    this.#debug = debug;
  }

  /** Says nothing any more: nobody listens. */
  mute(): void {
    this.#muted = true;
  }

  /** A JSON line, with `--json`. */
  line(value: object): void {
    if (this.json && !this.#muted) process.stdout.write(`${JSON.stringify(value)}\n`);
  }

  /** A line for people: standard output, unless it is for JSON or `--quiet`. */
  print(text: string): void {
    if (this.json || this.#quiet || this.#muted) return;
    this.#clearProgress();
    process.stdout.write(`${text}\n`);
  }

  /**
   * Thousands of lines at once: what `json` gives, with `--json`, else what `text` gives, unless `--quiet`. Waits while
   * whoever reads them is behind.
   */
  async lines(json: () => string, text: () => Uint8Array): Promise<void> {
    if (this.#muted || (this.#quiet && !this.json)) return;
    this.#clearProgress();
    process.stdout.write(this.json ? json() : text());
    await this.behind();
  }

  /** Waits while whoever reads standard output is behind; undefined when nobody is. */
  behind(): Promise<unknown> | undefined {
    if (!process.stdout.writableNeedDrain) return undefined;
    // An error is seen to where standard output is watched.
    return once(process.stdout, 'drain').catch(() => {});
  }

  warn(message: string): void {
    // What is wrong with what all threads use, each of them says.
    if (this.#quiet || this.#warnings.size > MOST_WARNINGS || this.#warnings.has(message)) return;
    const last = this.#warnings.size === MOST_WARNINGS;
    this.#warnings.add(message);
    this.#clearProgress();
    process.stderr.write(`romflow: warning: ${last ? 'there are more warnings' : oneLine(message)}\n`);
  }

  /**
   * How far a job is: what it made so far, how fast, and what came last. One updating line on a terminal, elsewhere a
   * line now and then. Of a job that is done sooner, nothing.
   */
  progress(done: number, noun: string, latest: string): void {
    this.#made = { done, noun, latest };
    this.#update();
  }

  /** What of the inputs is done, and how many there are. */
  inputs(progress: JobProgress, total: Total): void {
    this.#inputs = { progress, total };
    this.#update();
  }

  #isDue(): boolean {
    const wait = process.stderr.isTTY ? UPDATE_MS : PLAIN_LINE_MS;
    return !this.#quiet && !this.#muted && performance.now() - this.#progressTime >= wait;
  }

  #update(): void {
    if (!this.#isDue()) return;
    const { isTTY, columns } = process.stderr;
    const { done, noun, latest } = this.#made;
    this.#progressTime = performance.now();
    const perSecond = (1000 * done) / (this.#progressTime - this.#begun);
    const made = done ? `${count(done, noun)}, ${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s` : '';
    const seconds = (this.#progressTime - this.#begun) / 1000;
    const share = this.#inputs ? shareOf(this.#inputs.progress, this.#inputs.total, seconds) : '';
    const text = oneLine([made, share].filter(Boolean).join('; ') + (latest && `: ${latest}`));
    this.#progressShown = isTTY;
    process.stderr.write(isTTY ? `\r\u001b[K${text.slice(0, columns - 1)}` : `romflow: ${text}\n`);
  }

  #clearProgress(): void {
    if (this.#progressShown) process.stderr.write('\r\u001b[K');
    this.#progressShown = false;
  }

  /** Reports one failure of a job. */
  failure({ file, error }: JobFailure): void {
    const { code, message, path } = error;
    const offset = error instanceof FormatError ? { offset: error.offset } : {};
    this.line({ file, error: { code, message, ...offset, ...(path !== undefined && { path }) } });
    if (code === 'aborted') this.interrupted = true;
    if (code === 'exists' && this.#existing++) this.failed = true;
    else this.error(error);
  }

  /** Reports what ended a command before or beside its job. */
  fatal(error: unknown): void {
    if (error instanceof RomflowError && error.code === 'aborted') this.interrupted = true;
    const { code = 'input', path } = error instanceof RomflowError ? error : {};
    const message = error instanceof Error ? error.message : String(error);
    this.line({ error: { code, message, ...(path !== undefined && { path }) } });
    this.error(error);
  }

  /** What was left out of the reports of failures; to be called in the end. */
  close(): void {
    this.#clearProgress();
    const more = this.#existing - 1;
    if (more > 0 && !this.#muted)
      process.stderr.write(`romflow: ${count(more, 'more file')} not written for the same reason\n`);
  }

  /** Reports an error; the exit code becomes 1. */
  error(error: unknown): void {
    this.#clearProgress();
    this.failed = true;
    if (this.#muted) return;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`romflow: ${oneLine(message)}\n`);
    if (this.#debug && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
    if (this.#debug && error instanceof RomflowError && error.cause instanceof Error) {
      process.stderr.write(`caused by: ${error.cause.stack ?? error.cause.message}\n`);
    }
  }
}

/** What a file costs beside its bytes, as so many bytes. */
const FILE_COST = 16 * 1024;
/** Seconds after which the time that is left can be told. */
const LEAST_SECONDS = 2;

/** How much of the inputs is done, and how long the rest will take at this rate, such as `12 % of 9 files, 2 min left`. */
export function shareOf({ files, bytesIn, resumed, bytesResumed }: JobProgress, total: Total, seconds: number): string {
  const all = total.bytes + total.files * FILE_COST;
  const done = bytesIn + files * FILE_COST;
  if (!total.complete || !all || done > all) return count(files, 'file');
  const before = bytesResumed + resumed * FILE_COST;
  const share = `${Math.floor((100 * done) / all)} % of ${count(total.files, 'file')}`;
  if (seconds < LEAST_SECONDS || done === before) return share;
  return `${share}, ${duration((seconds * (all - done)) / (done - before))} left`;
}

/** `40 s`, `5 min`, `2 h 10 min`. */
function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 99.5) return `${Math.ceil(seconds)} s`;
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `1.2 MB` style, in powers of 1000. */
export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit && value < 99.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `skipped: 3 byml, 1 unknown`, or nothing. */
export function skippedText(skipped: Record<string, number>): string {
  const kinds = Object.entries(skipped);
  return kinds.length ? `skipped: ${kinds.map(([kind, n]) => `${n} ${kind}`).join(', ')}` : '';
}
