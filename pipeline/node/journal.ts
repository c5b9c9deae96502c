import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RomflowError } from '../../ts/io/errors.ts';
import type { JobInput } from '../jobs/job.ts';
import type { FileStore } from '../jobs/placer.ts';
import type { Placed, Result } from '../jobs/work.ts';
import { OWN_FOLDER, safePath } from '../output/names.ts';
import { outputError, quietly } from './staging.ts';

/** What a journal is about. */
export interface JournalOptions {
  /** each job has a journal of its own in an output folder */
  job: string;
  /** what the results depend on beside the input; plain data */
  settings: object;
  /** results have the hashes of what was written */
  hashed: boolean;
  /** take over what earlier runs did */
  resume: boolean;
  /** remove what earlier runs wrote that does not come of the inputs any more */
  prune: boolean;
  /** change nothing */
  dryRun: boolean;
  /** Whether the run goes over the input at this (absolute) path, if it is there. */
  covers(input: string): boolean;
}

/** A file that was written. */
interface OutputRecord {
  output: string;
  /** in bytes */
  size: number;
  /** in milliseconds */
  modified: number;
  /** absolute path of what it was made of */
  input: string;
}

/** An input of which everything was written, without a failure. */
interface InputRecord {
  input: string;
  /** the relative path of its outputs */
  as: string;
  size: number;
  modified: number;
  /** digest of {@link JournalOptions.settings} */
  settings: string;
  hashed: boolean;
  results: unknown[];
}

/** Where a line is in the journal. */
interface Line {
  offset: number;
  length: number;
}

/**
 * What a job wrote to its output folder, line by line in `.romflow/JOB.jsonl`: a line for each run, for each file just
 * before it gets its name, and for each input when all of it is there. A line that was cut short by a kill counts for
 * nothing.
 */
export class Journal implements FileStore {
  readonly #root: string;
  readonly #path: string;
  readonly #options: JournalOptions;
  /** digest of the settings */
  readonly #settings: string;
  readonly #outputs = new Map<string, OutputRecord>();
  /** what was recorded of them before that: a run may have been killed before a file got its name */
  readonly #earlier = new Map<string, OutputRecord>();
  readonly #inputs = new Map<string, Line>();
  /** inputs by what they are called in the output, to find them again when the whole dump was moved */
  readonly #byName = new Map<string, Line>();
  /** where inputs of this run were before they were moved */
  readonly #moved = new Map<string, string>();
  /** outputs of this run, written or found as they were */
  readonly #live = new Set<string>();
  /** inputs of this run that did not fail */
  readonly #done = new Set<string>();
  /** another run writes to the folder: what it writes is not ours to replace */
  readonly #isShared: boolean;
  /** lines that wait for the first output, where there is no journal yet: an empty folder needs none */
  #waiting: string[] = [];
  #reader: number | undefined;
  #writer: number | undefined;

  /** Reads what is there. Throws a RomflowError `output` when something else has its name. */
  constructor(root: string, options: JournalOptions) {
    this.#root = root;
    this.#options = options;
    this.#path = join(root, OWN_FOLDER, `${options.job}.jsonl`);
    const { job, settings, resume, dryRun } = options;
    this.#settings = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
    const found = lstatSync(this.#path, { throwIfNoEntry: false });
    if (found && !found.isFile()) {
      throw new RomflowError('output', 'is in the way: it must be a file', { path: this.#path });
    }
    if (found) {
      this.#reader = openSync(this.#path, constants.O_RDONLY | NO_FOLLOW);
      this.#load(this.#reader);
    }
    this.#isShared = !this.#isAlone();
    if (dryRun) return;
    if (this.#reader !== undefined && !resume && !this.#isShared) this.#shorten(this.#reader);
    this.#waiting.push(line({ run: job, settings: this.#settings, options: settings }));
  }

  #load(file: number): void {
    for (const { text, ...place } of linesOf(file)) {
      const record = parse(text);
      if (isOutputRecord(record)) {
        const before = this.#outputs.get(record.output);
        if (before) this.#earlier.set(record.output, before);
        this.#outputs.set(record.output, record);
      } else if (isInputRecord(record)) {
        this.#inputs.set(keyOf(record.input, record.as), place);
        this.#byName.set(record.as, place);
      }
    }
  }

  /** Whether no other run writes to the folder. */
  #isAlone(): boolean {
    return readdirSync(dirname(this.#path)).every(
      (name) => !name.startsWith('tmp-') || name.startsWith(`tmp-${process.pid}-`),
    );
  }

  /** Leaves out of the journal what this run does again. */
  #shorten(file: number): void {
    const temporary = `${this.#path}.${process.pid}.tmp`;
    const shorter = openSync(temporary, 'w');
    try {
      for (const record of this.#outputs.values()) writeSync(shorter, line(record));
      for (const [key, { offset, length }] of this.#inputs) {
        const text = readText(file, offset, length);
        if (this.#options.covers((parse(text) as InputRecord).input)) this.#inputs.delete(key);
        else writeSync(shorter, `${text}\n`);
      }
    } finally {
      closeSync(shorter);
    }
    renameSync(temporary, this.#path);
    this.#inputs.clear();
  }

  recall<R>(input: JobInput): Result<R>[] | undefined {
    const { size, modified } = input;
    const record = this.#find(input);
    if (!record || modified === undefined || !this.#options.resume) return undefined;
    if (record.size !== size || record.modified !== modified || record.settings !== this.#settings) return undefined;
    if (this.#options.hashed && !record.hashed) return undefined;
    const placed = (record.results as Placed[]).flatMap((result) => result.placed ?? []);
    return placed.every((file) => this.#stands(file)) ? (record.results as Result<R>[]) : undefined;
  }

  /** What was recorded of an input, here or, when there is no more such file, where it was before. */
  #find({ path, output, size, modified }: JobInput): InputRecord | undefined {
    const input = resolve(path);
    const place = this.#inputs.get(keyOf(input, output)) ?? this.#byName.get(output);
    const record = place && (parse(readText(this.#reader!, place.offset, place.length)) as InputRecord);
    if (!record || record.input === input) return record;
    if (record.size !== size || record.modified !== modified || existsSync(record.input)) return undefined;
    this.#moved.set(input, record.input);
    return record;
  }

  record<R>({ path, output, size, modified }: JobInput, results: Result<R>[] | undefined): void {
    const input = resolve(path);
    this.#done.add(input).add(this.#moved.get(input) ?? input);
    if (modified === undefined || !results) return;
    const { hashed } = this.#options;
    const settings = this.#settings;
    this.#write({ input, as: output, size, modified, settings, hashed, results } satisfies InputRecord);
  }

  /** To be called before a file gets its name. */
  placing(output: string, { size, mtimeMs }: Stats, input = ''): void {
    const record = { output, size, modified: mtimeMs, input: input && resolve(input) };
    this.#live.add(output);
    this.#outputs.set(output, record);
    this.#write(record, true);
  }

  /** An output of an earlier run becomes one of this run, if it is still there; whether it is. */
  keep(output: string): boolean {
    if (!this.#stands(output)) return false;
    this.#live.add(output);
    return true;
  }

  /** Whether a file was made of an input, or of another that this run goes over. */
  #isOf(record: OutputRecord, input: string | undefined): boolean {
    if (record.input === input || this.#options.covers(record.input)) return true;
    return input !== undefined && this.#moved.get(input) === record.input;
  }

  /** What there is at a path below the folder; nothing where links or files stand in for folders. */
  #look(output: string): Stats | undefined {
    try {
      for (let folder = dirname(output); folder !== '.'; folder = dirname(folder)) {
        if (!lstatSync(join(this.#root, folder)).isDirectory()) return undefined;
      }
      return lstatSync(join(this.#root, output));
    } catch {
      return undefined;
    }
  }

  #stands(output: string): boolean {
    const record = this.#outputs.get(output);
    const found = this.#look(output);
    return record !== undefined && found?.isFile() === true && found.size === record.size;
  }

  /**
   * Whether a file that is there may be replaced: the job wrote it, for an input that this run goes over, and nobody
   * changed it since. A file that is only the beginning of the new one was cut short.
   */
  owns(output: string, found: Stats, input: string | undefined, replacement: string | undefined): boolean {
    const record = this.#outputs.get(output);
    if (!record || !found.isFile() || this.#isShared) return false;
    if (!this.#isOf(record, input && resolve(input))) return false;
    const earlier = this.#earlier.get(output);
    if (isUnchanged(record, found) || (earlier && isUnchanged(earlier, found))) return true;
    return !!replacement && isBeginning(join(this.#root, output), replacement);
  }

  /** Removes what earlier runs wrote for inputs of this run, and this one did not. */
  complete(): number {
    const { prune, dryRun } = this.#options;
    let removed = 0;
    if (!prune || dryRun) return removed;
    for (const record of this.#outputs.values()) {
      const { output, input } = record;
      if (this.#live.has(output) || !this.#done.has(input)) continue;
      const path = join(this.#root, output);
      const found = this.#look(output);
      if (!found || !isUnchanged(record, found)) continue;
      quietly(() => {
        rmSync(path);
        removed++;
        for (let folder = dirname(output); folder !== '.'; folder = dirname(folder))
          rmdirSync(join(this.#root, folder));
      });
    }
    return removed;
  }

  #write(record: object, urgent = false): void {
    if (this.#options.dryRun) return;
    this.#waiting.push(line(record));
    if (this.#writer === undefined && this.#reader === undefined && !urgent) return;
    outputError(this.#path, () => {
      this.#writer ??= this.#open();
      const bytes = Buffer.from(this.#waiting.join(''));
      this.#waiting = [];
      for (let done = 0; done < bytes.length;) done += writeSync(this.#writer, bytes, done);
    });
  }

  #open(): number {
    const { O_WRONLY, O_CREAT, O_APPEND } = constants;
    const file = openSync(this.#path, O_WRONLY | O_CREAT | O_APPEND | NO_FOLLOW, 0o666);
    // A line may have been cut short.
    writeSync(file, '\n');
    return file;
  }

  close(): void {
    for (const file of [this.#reader, this.#writer]) if (file !== undefined) quietly(() => closeSync(file));
  }
}

function keyOf(input: string, as: string): string {
  return `${input}\0${as}`;
}

function line(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOutputRecord(value: unknown): value is OutputRecord {
  const { output, size, modified, input } = Object(value) as Record<keyof OutputRecord, unknown>;
  return isSafe(output) && typeof size === 'number' && typeof modified === 'number' && typeof input === 'string';
}

function isInputRecord(value: unknown): value is InputRecord {
  const { input, as, results } = Object(value) as Record<keyof InputRecord, unknown>;
  return (
    typeof input === 'string' && typeof as === 'string' && Array.isArray(results) && results.every(isRecordedResult)
  );
}

/** Whether a path out of a journal is one that this program writes to. */
function isSafe(path: unknown): path is string {
  return typeof path === 'string' && safePath(path) === path;
}

function isRecordedResult(value: unknown): boolean {
  const { kind, wanted, placed, sameAs } = Object(value) as Record<string, unknown>;
  return (
    typeof kind === 'string' &&
    kind !== 'failure' &&
    [wanted, placed, sameAs].every((path) => path === undefined || isSafe(path))
  );
}

function isUnchanged(record: OutputRecord, found: Stats): boolean {
  return found.isFile() && found.size === record.size && found.mtimeMs === record.modified;
}

/** Not everywhere. */
const NO_FOLLOW = (constants as { O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;
const CHUNK_SIZE = 1024 * 1024;
const NEWLINE = 10;

/** The lines of a file that is open. */
function* linesOf(file: number): Generator<Line & { text: string }, void, void> {
  const chunk = Buffer.alloc(CHUNK_SIZE);
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for (let at = 0; ;) {
    const count = readSync(file, chunk, 0, chunk.length, at);
    if (count === 0) break;
    at += count;
    const bytes = Buffer.concat([rest, chunk.subarray(0, count)]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const length = end - start;
      if (length) yield { text: bytes.toString('utf8', start, end), offset: offset + start, length };
      start = end + 1;
    }
    offset += start;
    rest = bytes.subarray(start);
  }
}

function readText(file: number, offset: number, length: number): string {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length;) {
    const count = readSync(file, bytes, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.toString('utf8');
}

/** Whether a file holds the same as another, as far as it goes. */
function isBeginning(path: string, whole: string): boolean {
  const files = [openSync(path, constants.O_RDONLY | NO_FOLLOW), openSync(whole, 'r')] as const;
  try {
    const [a, b] = [Buffer.alloc(CHUNK_SIZE), Buffer.alloc(CHUNK_SIZE)];
    for (let at = 0; ;) {
      const count = readSync(files[0], a, 0, CHUNK_SIZE, at);
      if (count === 0) return true;
      if (readSync(files[1], b, 0, count, at) < count || a.compare(b, 0, count, 0, count) !== 0) return false;
      at += count;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}
