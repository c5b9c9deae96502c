import { createHash, randomUUID } from 'node:crypto';
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
import { crc32 } from 'node:zlib';
import { RomflowError } from '../../ts/io/errors.ts';
import type { JobInput } from '../jobs/job.ts';
import type { FileStore } from '../jobs/placer.ts';
import { isResult, type ResultShapes } from '../jobs/shapes.ts';
import type { Placed, Result } from '../jobs/work.ts';
import { isSafePath, OWN_FOLDER } from '../output/names.ts';
import { fileError } from './file-source.ts';
import { lineOf, linesOf, recordOf } from './journal-lines.ts';
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

/** Something that came of an input. */
interface ResultRecord {
  /** which going over an input this is part of: lines of several runs, or of failed inputs, may lie among them */
  of: string;
  result: object;
}

/** An input of which everything was written, without a failure. */
interface InputRecord {
  of: string;
  input: string;
  /** the relative path of its outputs */
  as: string;
  size: number;
  modified: number;
  /** digest of {@link JournalOptions.settings} */
  settings: string;
  hashed: boolean;
  /** how many there are, in lines before this one */
  results: number;
  /** CRC-32 of these lines */
  check: number;
}

/** Where the lines of an input are in the journal. */
interface Place {
  of: string;
  /** of the first line with a result */
  start: number;
  /** of the line with the input */
  last: number;
  end: number;
}

/** An input whose results are being written. */
interface Current extends Pick<InputRecord, 'of' | 'results' | 'check'> {
  input: JobInput;
  /** no result was too long for a line */
  isWhole: boolean;
}

/**
 * What a job wrote to its output folder, line by line in `.romflow/JOB.jsonl`: a line for each run, for each file just
 * before it gets its name, for each result, and for each input when all of it is there. A line that was cut short by a
 * kill, damaged or edited counts for nothing, and so do inputs of which a line is missing.
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
  readonly #inputs = new Map<string, Place>();
  /** inputs by what they are called in the output, to find them again when the whole dump was moved */
  readonly #byName = new Map<string, Place>();
  /** where inputs of this run were before they were moved */
  readonly #moved = new Map<string, string>();
  /** outputs of this run, written or found as they were */
  readonly #live = new Set<string>();
  /** inputs of this run that did not fail */
  readonly #done = new Set<string>();
  /** another run writes to the folder: what it writes is not ours to replace */
  readonly #isShared: boolean;
  /** the input that results come of */
  #current: Current | undefined;
  /** lines that wait for the first output, where there is no journal yet: an empty folder needs none */
  #waiting: string[] = [];
  #waitingLength = 0;
  #reader: number | undefined;
  #writer: number | undefined;

  /** Reads what is there. Throws a RomflowError when it cannot be read, or something else has its name. */
  constructor(root: string, options: JournalOptions, { staging, isShared }: { staging: string; isShared: boolean }) {
    this.#root = root;
    this.#isShared = isShared;
    this.#options = options;
    this.#path = join(root, OWN_FOLDER, `${options.job}.jsonl`);
    const { job, settings, resume, dryRun } = options;
    this.#settings = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
    const found = lstatSync(this.#path, { throwIfNoEntry: false });
    if (found && !found.isFile()) {
      throw new RomflowError('output', 'is in the way: it must be a file', { path: this.#path });
    }
    if (found) {
      fileError(this.#path, () => {
        this.#reader = openSync(this.#path, constants.O_RDONLY | NO_FOLLOW);
        this.#load(this.#reader);
      });
    }
    if (dryRun) return;
    if (this.#reader !== undefined && !resume && !isShared) {
      outputError(this.#path, () => this.#shorten(join(staging, 'journal')));
    }
    this.#add({ run: job, settings: this.#settings, options: settings });
  }

  #load(file: number): void {
    const begun = new Map<string, { start: number; results: number; check: number }>();
    for (const { text, start, end } of linesOf(file)) {
      const record = recordOf(text);
      if (isOutputRecord(record)) {
        const before = this.#outputs.get(record.output);
        if (before) this.#earlier.set(record.output, before);
        this.#outputs.set(record.output, record);
      } else if (isResultRecord(record)) {
        const before = begun.get(record.of) ?? { start, results: 0, check: 0 };
        begun.set(record.of, { ...before, results: before.results + 1, check: crc32(text, before.check) });
      } else if (isInputRecord(record)) {
        const { of, input, as } = record;
        const found = begun.get(of) ?? { start, results: 0, check: 0 };
        begun.delete(of);
        if (found.results !== record.results || found.check !== record.check) continue;
        const place = { of, start: found.start, last: start, end };
        this.#inputs.set(keyOf(input, as), place);
        this.#byName.set(as, place);
      }
    }
  }

  /** Leaves out of the journal what this run does again. */
  #shorten(temporary: string): void {
    const shorter = openSync(temporary, 'wx');
    try {
      for (const record of this.#outputs.values()) writeSync(shorter, `${lineOf(record)}\n`);
      for (const [key, place] of this.#inputs) {
        const { input } = this.#inputAt(place)!;
        if (this.#options.covers(input)) this.#inputs.delete(key);
        else for (const text of this.#linesAt(place)) writeSync(shorter, `${text}\n`);
      }
    } finally {
      closeSync(shorter);
    }
    renameSync(temporary, this.#path);
    this.#inputs.clear();
  }

  recall<R>(input: JobInput, shapes: ResultShapes): Iterable<Result<R>> | undefined {
    const { size, modified } = input;
    const [place, record] = this.#find(input) ?? [];
    if (!place || !record || modified === undefined || !this.#options.resume) return undefined;
    if (record.size !== size || record.modified !== modified || record.settings !== this.#settings) return undefined;
    if (this.#options.hashed && !record.hashed) return undefined;
    const results = { [Symbol.iterator]: () => this.#resultsAt(place) };
    for (const result of results) {
      if (!isResult(result, shapes)) return undefined;
      const { placed } = result as Placed;
      if (placed !== undefined && !this.#stands(placed)) return undefined;
    }
    return results as Iterable<Result<R>>;
  }

  /** What was recorded of an input, here or, when there is no more such file, where it was before. */
  #find({ path, output, size, modified }: JobInput): [Place, InputRecord] | undefined {
    const input = resolve(path);
    const place = this.#inputs.get(keyOf(input, output)) ?? this.#byName.get(output);
    const record = place && this.#inputAt(place);
    if (!record) return undefined;
    if (record.input !== input) {
      if (record.size !== size || record.modified !== modified || existsSync(record.input)) return undefined;
      this.#moved.set(input, record.input);
    }
    return [place, record];
  }

  #inputAt({ last, end }: Place): InputRecord | undefined {
    for (const { text } of linesOf(this.#reader!, last, end)) {
      const record = recordOf(text);
      if (isInputRecord(record)) return record;
    }
    return undefined;
  }

  /** The lines of an input, without those of other things among them. */
  *#linesAt({ of, start, end }: Place): Generator<string, void, void> {
    for (const { text } of linesOf(this.#reader!, start, end)) {
      const record = recordOf(text);
      if ((isResultRecord(record) || isInputRecord(record)) && record.of === of) yield text;
    }
  }

  *#resultsAt(place: Place): Generator<object, void, void> {
    for (const text of this.#linesAt(place)) {
      const record = recordOf(text);
      if (isResultRecord(record)) yield record.result;
    }
  }

  add<R>(input: JobInput, result: Result<R>): void {
    if (this.#options.dryRun || input.modified === undefined) return;
    if (this.#current?.input !== input) this.#current = this.#begin(input);
    const current = this.#current;
    const text = this.#add({ of: current.of, result: result as object } satisfies ResultRecord);
    if (text === undefined) current.isWhole = false;
    else current.check = crc32(text, current.check);
    current.results++;
  }

  #begin(input: JobInput): Current {
    return { input, of: randomUUID().slice(0, 13), results: 0, check: 0, isWhole: true };
  }

  record(given: JobInput, recalled: boolean): void {
    const { path, output, size, modified } = given;
    const input = resolve(path);
    this.#done.add(input).add(this.#moved.get(input) ?? input);
    if (modified === undefined || recalled) return;
    const { of, results, check, isWhole } = this.#current?.input === given ? this.#current : this.#begin(given);
    if (!isWhole) return;
    const { hashed } = this.#options;
    const settings = this.#settings;
    this.#add({ of, input, as: output, size, modified, settings, hashed, results, check } satisfies InputRecord);
    if (this.#writer !== undefined || this.#reader !== undefined) this.#write();
  }

  /** To be called before a file gets its name. */
  placing(output: string, { size, mtimeMs }: Stats, input = ''): void {
    const record = { output, size, modified: mtimeMs, input: input && resolve(input) };
    this.#live.add(output);
    this.#outputs.set(output, record);
    this.#add(record);
    this.#write();
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

  /** Whether what is there, in the way of an output of this run, is only what {@link owns} earlier ones. */
  mayGo(output: string, input: string | undefined): boolean {
    return this.#inTheWay(output, input) !== undefined;
  }

  /** Removes what is in the way, if all of it {@link mayGo}; whether it is. Throws what the file system does. */
  giveWay(output: string, input: string | undefined): boolean {
    const removals = this.#inTheWay(output, input);
    for (const remove of removals ?? []) remove();
    return removals !== undefined;
  }

  /** What removes a file, or a folder with all its files; undefined when something must stay, or nothing is there. */
  #inTheWay(output: string, input: string | undefined): (() => void)[] | undefined {
    const found = this.#look(output);
    const path = join(this.#root, output);
    if (!found?.isDirectory()) {
      const goes = found && !this.#live.has(output) && this.owns(output, found, input, undefined);
      return goes ? [() => rmSync(path)] : undefined;
    }
    const inside = readdirSync(path).map((name) => this.#inTheWay(`${output}/${name}`, input));
    if (!inside.length || !inside.every((removals) => removals !== undefined)) return undefined;
    return [...inside.flat(), () => rmdirSync(path)];
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

  /** Has a line written with the next ones; undefined, and none, when it is too long. */
  #add(record: object): string | undefined {
    const text = lineOf(record);
    if (text === undefined || this.#options.dryRun) return text;
    this.#waiting.push(`${text}\n`);
    this.#waitingLength += text.length;
    const isOpen = this.#writer !== undefined || this.#reader !== undefined;
    if (isOpen && this.#waitingLength > MOST_WAITING) this.#write();
    return text;
  }

  #write(): void {
    if (this.#options.dryRun) return;
    outputError(this.#path, () => {
      this.#writer ??= this.#open();
      const bytes = Buffer.from(this.#waiting.join(''));
      this.#waiting = [];
      this.#waitingLength = 0;
      for (let done = 0; done < bytes.length;) done += writeSync(this.#writer, bytes, done);
    });
  }

  #open(): number {
    if (!lstatSync(dirname(this.#path)).isDirectory()) throw new Error('the folder was replaced');
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

function isOutputRecord(value: unknown): value is OutputRecord {
  const { output, size, modified, input } = Object(value) as Record<keyof OutputRecord, unknown>;
  return isSafePath(output) && typeof size === 'number' && typeof modified === 'number' && typeof input === 'string';
}

function isResultRecord(value: unknown): value is ResultRecord {
  const { of, result } = Object(value) as Record<keyof ResultRecord, unknown>;
  return typeof of === 'string' && typeof result === 'object' && result !== null;
}

/** The other fields are only compared. */
function isInputRecord(value: unknown): value is InputRecord {
  const { of, input, as } = Object(value) as Record<keyof InputRecord, unknown>;
  return typeof of === 'string' && typeof input === 'string' && typeof as === 'string';
}

function isUnchanged(record: OutputRecord, found: Stats): boolean {
  return found.isFile() && found.size === record.size && found.mtimeMs === record.modified;
}

/** Not everywhere. */
const NO_FOLLOW = (constants as { O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;
const CHUNK_SIZE = 1024 * 1024;
/** Characters of lines that are written together, at most. */
const MOST_WAITING = 64 * 1024;

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
