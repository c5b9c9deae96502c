import type { OutputFolder } from '../output/folder.ts';
import { safePath, UniqueNames } from '../output/names.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../walk/session.ts';
import { isContainer, type VisitedFile } from '../walk/walk.ts';
import { Failures, kindOf, Turns, visits, type JobFailure, type JobInput } from './job.ts';

export interface ExtractOptions {
  session: Session;
  output: OutputFolder;
  platform: Platform;
  /** go into archives inside archives too, and take inner compression off */
  recursive?: boolean;
  /** compute `sha256` */
  hashes?: boolean;
  signal?: AbortSignal;
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
 * Unpacks archives and compression. Gives an event per file written and failure as they happen, and a summary last.
 * Rejects when nothing can be written at all or the signal aborts it.
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
  const { session, output, platform, recursive, hashes, signal } = { ...EXTRACT_DEFAULTS, ...options };
  const names = new UniqueNames();
  const failures = new Failures();
  const turns = new Turns(platform, signal);
  const start = performance.now();
  const skipped: Record<string, number> = {};
  const count = { files: 0, extracted: 0, bytesIn: 0, bytesOut: 0 };

  async function write(file: VisitedFile, path: string): Promise<ExtractedFile> {
    const hash = hashes ? platform.sha256() : undefined;
    const claimed = names.claim(safePath(path));
    const out = output.create(claimed);
    let size = 0;
    try {
      for (const chunk of file.content.chunks()) {
        hash?.update(chunk);
        out.write(chunk);
        size += chunk.length;
        await turns.take();
      }
      out.commit();
    } catch (error) {
      out.discard();
      throw error;
    }
    count.extracted++;
    count.bytesOut += size;
    return { kind: 'file', file: path, format: file.type.id, size, sha256: hash?.hex() ?? '', output: claimed };
  }

  for (const input of inputs) {
    count.files++;
    count.bytesIn += input.size;
    const isRoot = (path: string): boolean => path === input.path;
    const walked = {
      enter: (file: VisitedFile): boolean => recursive || isRoot(file.path),
      unwrap: (path: string): boolean => recursive || isRoot(path),
    };
    try {
      for (const visit of visits(input, session, walked)) {
        await turns.take();
        try {
          if (visit.kind === 'failure') throw visit.error;
          const root = isRoot(visit.path);
          const path = destination(visit, visit.output, root, recursive);
          if (path !== undefined) yield await write(visit, path);
          else if (root && !isContainer(visit)) skipped[kindOf(visit.type)] = (skipped[kindOf(visit.type)] ?? 0) + 1;
        } catch (error) {
          const failure = failures.report(error, visit.path, visit.output);
          if (failure) yield failure;
        }
      }
    } catch (error) {
      const failure = failures.report(error, input.path, input.output);
      if (failure) yield failure;
    }
    session.recycle();
  }
  const seconds = Math.round(performance.now() - start) / 1000;
  yield { kind: 'summary', ...count, skipped, failed: failures.count, seconds };
}

/** Where a visited file is written; undefined when only its entries are, or nothing. */
function destination(file: VisitedFile, output: string, root: boolean, recursive: boolean): string | undefined {
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
