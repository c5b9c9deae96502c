import { addAbortSignal } from 'node:stream';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { SARC_HASH_MULTIPLIER } from '../../ts/formats/sarc/index.ts';
import { oneLine, RomflowError } from '../../ts/io/errors.ts';
import {
  createKernels,
  HASH_ALGORITHMS,
  HASH_SEED_MAX,
  HASH_SIZE,
  type HashAlgorithm,
  type Kernels,
} from '../../ts/kernels/index.ts';
import { hashFiles } from '../jobs/hash-files.ts';
import { asRomflowError } from '../jobs/failures.ts';
import { openFile } from '../node/file-source.ts';
import { nodePlatform } from '../node/platform.ts';
import { withCommonOptions, type CommonOptions } from './options.ts';
import type { Reporter } from './reporter.ts';
import { runCommand } from './run.ts';
import { withWork } from './work.ts';

interface HashOptions extends CommonOptions {
  file?: string[];
  lines?: string;
  seed?: bigint;
}

export function addHash(program: Command): void {
  const command = program
    .command('hash')
    .description('hash names, or files, as games and tools do')
    .addArgument(new Argument('<algorithm>', 'how to hash').choices(HASH_ALGORITHMS))
    .argument('[text...]', 'texts, hashed as UTF-8')
    .option(
      '--file <path...>',
      'hash files as they lie there: files, folders, paths into archives, or - for standard input',
    )
    .option('--lines <file>', 'hash every line of a file, or of standard input (-)')
    .option('--seed <n>', 'seed; for sarc, the multiplier (default: 0; sarc: 0x65)', parseSeed);
  withCommonOptions(command).action((algorithm: HashAlgorithm, texts: string[], options: HashOptions) => {
    const { file, lines, seed = algorithm === 'sarc' ? BigInt(SARC_HASH_MULTIPLIER) : 0n } = options;
    if (Number(texts.length > 0) + Number(file !== undefined) + Number(lines !== undefined) !== 1) {
      command.error("error: one of 'text', '--file <path...>' and '--lines <file>' is needed");
    }
    const most = HASH_SEED_MAX[algorithm];
    if (seed > most) command.error(`error: ${algorithm} takes ${most ? `a --seed up to ${most}` : 'no --seed'}`);
    return runCommand(options, async (reporter, signal) => {
      if (file) return hashWholeFiles(file, algorithm, seed, options, reporter, signal);
      const hasher = new Hasher(algorithm, seed, options, reporter);
      if (lines === undefined) await hasher.hash(itemsOf(texts));
      else await hashLines(lines, hasher, reporter, signal);
      reporter.line({ summary: { hashed: hasher.hashed, failed: Number(reporter.failed) } });
    });
  });
}

function parseSeed(text: string): bigint {
  if (/^(?:\d+|0x[\da-f]+)$/i.test(text)) return BigInt(text);
  throw new InvalidArgumentError('A whole number is needed, decimal or hexadecimal (0x...).');
}

async function hashWholeFiles(
  paths: string[],
  algorithm: HashAlgorithm,
  seed: bigint,
  options: HashOptions,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<void> {
  await withWork(paths, options, reporter, signal, async ({ inputs, settings }) => {
    for await (const event of hashFiles(inputs, { ...settings, algorithm, seed })) {
      await reporter.behind();
      switch (event.kind) {
        case 'file': {
          const { kind: _, ...line } = event;
          reporter.line(line);
          reporter.print(`${event.hash}  ${oneLine(event.path)}`);
          break;
        }
        case 'failure':
          reporter.failure(event);
          break;
        case 'summary': {
          const { kind: _, ...summary } = event;
          reporter.line({ summary });
        }
      }
    }
  });
}

/** Texts for one call of the kernel: their bytes end to end, and where each ends. */
interface Items {
  data: Uint8Array;
  ends: Uint32Array;
}

function itemsOf(texts: string[]): Items {
  const parts = texts.map((text) => Buffer.from(text));
  let end = 0;
  return { data: Buffer.concat(parts), ends: Uint32Array.from(parts, (part) => (end += part.length)) };
}

/** Hashes texts and prints them, many at a time. */
class Hasher {
  readonly #algorithm: HashAlgorithm;
  readonly #seed: bigint;
  readonly #kernels: Kernels;
  readonly #reporter: Reporter;
  /** texts so far */
  hashed = 0;

  constructor(algorithm: HashAlgorithm, seed: bigint, { backend }: { backend: 'wasm' | 'ts' }, reporter: Reporter) {
    this.#algorithm = algorithm;
    this.#seed = seed;
    this.#kernels = createKernels({ backend });
    this.#reporter = reporter;
  }

  async hash(items: Items): Promise<void> {
    const hashes = Buffer.from(this.#kernels.hash.batch(this.#algorithm, items.data, items.ends, this.#seed));
    const size = HASH_SIZE[this.#algorithm];
    const digits = (size === 8 ? hashes.swap64() : hashes.swap32()).toString('hex');
    this.hashed += items.ends.length;
    await this.#reporter.lines(
      () => jsonLines(items, digits, 2 * size),
      () => textLines(items, digits, 2 * size),
    );
  }
}

/** The items as they are behind their hashes, of which each has `width` of the digits. */
function textLines({ data, ends }: Items, digits: string, width: number): Uint8Array {
  const hashes = Buffer.from(digits, 'latin1');
  const lines = new Uint8Array(data.length + ends.length * (width + 3));
  let at = 0;
  let start = 0;
  for (let i = 0; i < ends.length; i++) {
    for (let k = width * i; k < width * (i + 1); k++) lines[at++] = hashes[k]!;
    lines[at++] = SPACE;
    lines[at++] = SPACE;
    for (const end = ends[i]!; start < end; start++) lines[at++] = data[start]!;
    lines[at++] = LINE_FEED;
  }
  return lines;
}

function jsonLines({ data, ends }: Items, digits: string, width: number): string {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  let lines = '';
  let start = 0;
  for (const [i, end] of ends.entries()) {
    const hash = digits.slice(width * i, width * (i + 1));
    lines += `${JSON.stringify({ text: bytes.toString('utf8', start, end), hash })}\n`;
    start = end;
  }
  return lines;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const CHUNK_SIZE = 1024 * 1024;
/** A line is hashed and printed as a whole. */
const LONGEST_LINE = 256 * 1024 * 1024;

async function hashLines(path: string, hasher: Hasher, reporter: Reporter, signal: AbortSignal): Promise<void> {
  const name = path === '-' ? 'stdin' : path;
  try {
    for await (const lines of wholeLines(path === '-' ? inputChunks(signal) : fileChunks(path), name)) {
      await hasher.hash(splitLines(lines));
      await nodePlatform.yield();
      signal.throwIfAborted();
    }
  } catch (thrown) {
    const error = signal.aborted ? new RomflowError('aborted', 'interrupted') : asRomflowError(thrown, name);
    reporter.failure({ kind: 'failure', file: name, error });
  }
}

function inputChunks(signal: AbortSignal): AsyncIterable<Uint8Array> {
  return addAbortSignal(signal, process.stdin) as AsyncIterable<Uint8Array>;
}

function* fileChunks(path: string): Generator<Uint8Array, void, void> {
  const content = openFile(path);
  try {
    const { random, size } = content;
    for (let at = 0; at < size; at += CHUNK_SIZE) yield random.read(at, Math.min(CHUNK_SIZE, size - at));
  } finally {
    content.close();
  }
}

/** Chunks anew, so that each is whole lines; all but the last end with a line feed. */
async function* wholeLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array, void, void> {
  let held: Uint8Array[] = [];
  let size = 0;
  let first = true;
  /** Editors of Windows begin files with a byte order mark, which is no part of the first line. */
  const withoutMark = (lines: Buffer): Buffer => {
    const marked = first && lines.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    first = false;
    return marked ? lines.subarray(BYTE_ORDER_MARK.length) : lines;
  };
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end) {
      yield withoutMark(Buffer.concat([...held, chunk.subarray(0, end)]));
      held = [];
      size = 0;
    }
    held.push(chunk.subarray(end));
    size += chunk.length - end;
    if (size > LONGEST_LINE) throw new RomflowError('limit', `has a line of more than ${LONGEST_LINE} bytes`, { path });
  }
  if (size) yield withoutMark(Buffer.concat(held));
}

/** The lines without what ends them: a line feed, or carriage return and line feed. */
function splitLines(bytes: Uint8Array): Items {
  const data = new Uint8Array(bytes.length);
  const ends: number[] = [];
  let size = 0;
  let start = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte !== LINE_FEED) {
      data[size++] = byte;
      continue;
    }
    if (size > start && data[size - 1] === CARRIAGE_RETURN) size--;
    ends.push(size);
    start = size;
  }
  if (bytes.at(-1) !== LINE_FEED) ends.push(size);
  return { data: data.subarray(0, size), ends: new Uint32Array(ends) };
}
