import type { OutputFolder } from '../output/folder.ts';
import { safePath, UniqueNames } from '../output/names.ts';
import { isContainer } from '../walk/walk.ts';
import { Job, type JobFailure, type JobFile, type JobInput, type JobOptions } from './job.ts';

export interface ExtractOptions extends JobOptions {
  output: OutputFolder;
  /** go into archives inside archives too, and take inner compression off */
  recursive?: boolean;
  /** compute `sha256` */
  hashes?: boolean;
}

export const EXTRACT_DEFAULTS = { recursive: false, hashes: false } as const;

/** A file that was written. */
export interface ExtractedFile {
  kind: 'file';
  file: string;
  /** id of what it is */
  format: string;
  /** in bytes */
  size: number;
  /** of what was written; empty unless asked for */
  sha256: string;
  /** relative to the output folder */
  output: string;
}

export interface ExtractSummary {
  kind: 'summary';
  files: number;
  extracted: number;
  /** files that hold nothing, by kind */
  skipped: Record<string, number>;
  failed: number;
  bytesIn: number;
  bytesOut: number;
  seconds: number;
}

export type ExtractEvent = ExtractedFile | JobFailure | ExtractSummary;

/**
 * Unpacks archives and compression. Gives an event per file written and failure as they happen, and a summary last. A
 * failure with code `output` or `aborted` has ended the job.
 *
 * @example
 * for await (const event of extract(inputs, { session, output, platform: nodePlatform })) {
 *   if (event.kind === 'file') console.log(event.output);
 * }
 */
export async function* extract(
  inputs: Iterable<JobInput>,
  options: ExtractOptions,
): AsyncGenerator<ExtractEvent, void, void> {
  const { output, recursive, hashes } = { ...EXTRACT_DEFAULTS, ...options };
  const job = new Job(options);
  const names = new UniqueNames();
  let extracted = 0;
  let bytesOut = 0;

  async function write(file: JobFile, path: string): Promise<ExtractedFile> {
    const hash = hashes ? job.platform.sha256() : undefined;
    const claimed = names.claim(safePath(path));
    const out = output.create(claimed);
    let size = 0;
    try {
      for (const chunk of file.content.chunks()) {
        hash?.update(chunk);
        out.write(chunk);
        size += chunk.length;
        const pause = job.turn();
        if (pause) await pause;
      }
      out.commit();
    } catch (error) {
      out.discard();
      throw error;
    }
    extracted++;
    bytesOut += size;
    return { kind: 'file', file: path, format: file.type.id, size, sha256: hash?.hex() ?? '', output: claimed };
  }

  async function* unpack(file: JobFile, input: JobInput): AsyncGenerator<ExtractedFile, void, void> {
    const root = file.path === input.path;
    const path = destination(file, root, recursive);
    if (options.match && !options.match(path ?? file.output)) return;
    if (path !== undefined) yield await write(file, path);
    else if (root && !isContainer(file)) job.skip(file.type);
  }

  yield* job.run(inputs, unpack, (input) => ({
    enter: (file) => recursive || file.path === input.path,
    unwrap: (path) => recursive || path === input.path,
  }));
  const { files, bytesIn, failed, skipped, seconds } = job;
  yield { kind: 'summary', files, extracted, skipped, failed, bytesIn, bytesOut, seconds };
}

/** Where a visited file is written; undefined when only its entries are, or nothing. */
function destination(file: JobFile, root: boolean, recursive: boolean): string | undefined {
  const { output } = file;
  const packed = file.layers.length > 0;
  const unpacked = packed ? withoutCompression(output) : output;
  if ((root || recursive) && isContainer(file)) {
    // An archive is no more than its entries. Other files that hold files are kept, among what they hold, unless they
    // are there as they are.
    if (file.type.id === 'sarc' || (file.depth === 0 && !packed)) return undefined;
    return `${output}/${unpacked.slice(unpacked.lastIndexOf('/') + 1)}`;
  }
  return file.depth === 0 && !packed ? undefined : unpacked;
}

/** The name that a compressed file has without its compression. */
function withoutCompression(path: string): string {
  return /\.zst?$/.test(path) ? path.replace(/\.zst?$/, '') : `${path}.out`;
}
