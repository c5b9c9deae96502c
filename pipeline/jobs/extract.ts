import type { OutputFolder, StagedFile } from '../output/folder.ts';
import { safePath } from '../output/names.ts';
import { isContainer } from '../walk/walk.ts';
import { Job, type JobFailure, type JobInput, type JobOptions } from './job.ts';
import { Placer, type FileStore, type Made } from './placer.ts';
import type { ShapesOf } from './shapes.ts';
import { skippedResult, type JobFile, type WorkFactory } from './work.ts';

/** What is to be unpacked; can be posted to workers. */
export interface UnpackOptions {
  /** go into archives inside archives too, and take inner compression off */
  recursive?: boolean;
  /** compute `sha256` */
  hashes?: boolean;
}

export interface ExtractOptions extends JobOptions, UnpackOptions {
  output: OutputFolder;
  /** what was written before, to be taken over */
  store?: FileStore;
}

export const EXTRACT_DEFAULTS = { recursive: false, hashes: false } as const satisfies Required<UnpackOptions>;

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
  /** an earlier run wrote it */
  resumed?: true;
}

export interface ExtractSummary {
  kind: 'summary';
  files: number;
  extracted: number;
  /** files that hold nothing, by kind */
  skipped: Record<string, number>;
  failed: number;
  bytesIn: number;
  /** of the files of this run and of those taken over */
  bytesOut: number;
  seconds: number;
  /** files that were done by an earlier run */
  resumed: number;
  /** files of earlier runs that do not come of the inputs any more, and were removed */
  removed: number;
}

export type ExtractEvent = ExtractedFile | JobFailure | ExtractSummary;

/**
 * Unpacks archives and compression. Gives an event per file written and failure, in the order of the inputs, and a
 * summary last. A failure with code `output` or `aborted` has ended the job.
 *
 * @example
 * for await (const event of extract(inputs, { session, output, platform: nodePlatform })) {
 *   if (event.kind === 'file') console.log(event.output);
 * }
 */
export async function* extract(
  inputs: Iterable<JobInput>,
  { output, store, ...rest }: ExtractOptions,
): AsyncGenerator<ExtractEvent, void, void> {
  const { recursive, hashes } = { ...EXTRACT_DEFAULTS, ...rest };
  const job = new Job(rest);
  const placer = new Placer(output, store);
  let extracted = 0;
  let bytesOut = 0;

  function finish(
    result: FileMade,
    input: JobInput,
    resumed: boolean,
  ): Iterable<ExtractedFile | JobFailure> | undefined {
    try {
      if (!placer.place(result, input, resumed)) return undefined;
    } catch (error) {
      return job.failure(error, result.path, result.file);
    }
    extracted++;
    bytesOut += result.size;
    const { file, format, size, sha256 } = result;
    return [{ kind: 'file', file, format, size, sha256, output: result.placed!, ...(resumed && { resumed: true }) }];
  }

  yield* job.run<Required<UnpackOptions>, FileMade, ExtractedFile>(inputs, {
    name: 'extract',
    work: extractWork,
    options: { recursive, hashes },
    output,
    store,
    shapes: SHAPES,
    finish,
    discard: (result) => placer.discard(result),
  });
  const { files, bytesIn, failed, skipped, seconds, resumed } = job;
  const removed = (job.complete && store?.complete()) || 0;
  yield { kind: 'summary', files, extracted, skipped, failed, bytesIn, bytesOut, seconds, resumed, removed };
}

/** A file without a name. */
interface FileMade extends Omit<ExtractedFile, 'output' | 'resumed'>, Made {}

const SHAPES = {
  file: { file: 'string', format: 'string', size: 'number', sha256: 'string', wanted: 'string', path: 'string' },
} as const satisfies ShapesOf<FileMade>;

/** Writes what is in archives and compressed files. */
export const extractWork: WorkFactory<Required<UnpackOptions>, FileMade> = ({ recursive, hashes }, tools) => {
  const { platform, staging, turn, match } = tools;

  async function write(file: JobFile, path: string): Promise<FileMade> {
    const hash = hashes ? platform.sha256() : undefined;
    const out = staging.create();
    let staged: StagedFile;
    try {
      for (const chunk of file.content.chunks()) {
        hash?.update(chunk);
        out.write(chunk);
        const pause = turn();
        if (pause) await pause;
      }
      staged = out.finish();
    } catch (error) {
      out.discard();
      throw error;
    }
    const { size } = staged;
    const sha256 = hash?.hex() ?? '';
    const wanted = safePath(path);
    return { kind: 'file', file: path, format: file.type.id, size, sha256, wanted, path: file.path, staged };
  }

  return {
    async *file(file, input) {
      const root = file.path === input.path;
      const path = destination(file, root, recursive);
      if (!match(path ?? file.output)) return;
      if (path !== undefined) yield await write(file, path);
      else if (root && !isContainer(file)) yield skippedResult(file.type);
    },
    walk: (input) => ({
      enter: (file) => recursive || file.path === input.path,
      unwrap: (path) => recursive || path === input.path,
    }),
  };
};

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
