import { readdirSync, statSync, type Dirent, type Stats } from 'node:fs';
import { basename, sep } from 'node:path';
import { counted, RomflowError } from '../../ts/io/errors.ts';
import { BufferSource } from '../../ts/io/source.ts';
import type { JobInput } from '../jobs/job.ts';
import { SourceContent } from '../walk/content.ts';
import { openFile, systemMessage } from './file-source.ts';

/** Bytes from standard input, collected; more than `maxSize` are an error. */
export async function readStandardInput(maxSize: number, signal?: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const abort = (): void => void process.stdin.destroy(new RomflowError('aborted', 'interrupted'));
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  try {
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxSize)
        throw new RomflowError('limit', `holds more than ${counted(maxSize, 'byte')}`, { path: 'stdin' });
      chunks.push(chunk);
    }
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  return Buffer.concat(chunks);
}

/**
 * The files that arguments name, in the order given, folders walked in sorted order.
 *
 * An argument is a file (its outputs belong to its base name), a folder (to the paths below it), or a path into an
 * archive; what is none of these fails when it is opened. `exclude` leaves out folders met in folders.
 */
export function* findInputs(
  args: readonly string[],
  exclude: (path: string) => boolean = () => false,
): Generator<JobInput, void, void> {
  for (const arg of args) {
    const path = (sep === '/' ? arg : arg.replaceAll(sep, '/')).replace(/(?<=.)\/+$/, '');
    const stats = statOrUndefined(path);
    if (stats?.isDirectory()) for (const found of walkFolder(path, exclude)) yield foundInput(found);
    else if (stats) yield fileInput(path, path, basename(path), stats);
    else yield insideInput(path);
  }
}

/** Undefined for what is not there, or cannot be looked at: opening it says why. */
function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function fileInput(file: string, path: string, output: string, stats: Stats | undefined): JobInput {
  const { size = 0, mtimeMs } = stats ?? {};
  return { path, output, size, ...(mtimeMs !== undefined && { modified: mtimeMs }), file, open: () => openFile(file) };
}

/** A path whose beginning is a file: the rest names an entry in it. */
function insideInput(path: string): JobInput {
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    const file = path.slice(0, slash);
    const stats = statOrUndefined(file);
    if (stats?.isFile()) return fileInput(file, path, basename(path), stats);
    if (stats) break;
  }
  return fileInput(path, path, basename(path), undefined);
}

/** A file of a folder, or a folder in it that cannot be read. */
export interface FoundFile {
  path: string;
  /** below the folder that was walked, with `/` */
  relative: string;
  /** undefined when it cannot be looked at */
  stats?: Stats | undefined;
  /** why a folder could not be read */
  error?: RomflowError;
}

/** The files in a folder and those below it, in sorted order; `exclude` leaves out folders. */
export function* walkFolder(
  folder: string,
  exclude: (path: string) => boolean = () => false,
  parent = '',
): Generator<FoundFile, void, void> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const failure = new RomflowError('input', systemMessage(error), { path: folder, cause: error });
    yield { path: folder, relative: parent, error: failure };
    return;
  }
  // By code units: the same order on every system and in every language.
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '/' ? `/${entry.name}` : `${folder}/${entry.name}`;
    const relative = parent ? `${parent}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (!exclude(path)) yield* walkFolder(path, exclude, relative);
      continue;
    }
    // A link to a file counts as the file; links to folders could lead in circles. Pipes and devices are passed over.
    const stats = statOrUndefined(path);
    if (entry.isFile() || stats?.isFile() || !stats) yield { path, relative, stats };
  }
}

function foundInput({ path, relative, stats, error }: FoundFile): JobInput {
  if (!error) return fileInput(path, path, relative, stats);
  const open = (): never => {
    throw error;
  };
  return { path, output: relative, size: 0, open };
}

/** Standard input as a file named `stdin`. */
export function standardInput(bytes: Uint8Array): JobInput {
  const open = (): SourceContent => new SourceContent(new BufferSource('stdin', bytes));
  return { path: 'stdin', output: 'stdin', size: bytes.length, open };
}
