import { randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RomflowError } from '../../ts/io/errors.ts';
import type { OutputFile, OutputFolder, StagedFile } from '../output/folder.ts';
import { OWN_FOLDER } from '../output/names.ts';
import { systemMessage } from './file-source.ts';
import { Journal, type JournalOptions } from './journal.ts';
import { NodeStaging, outputError, quietly } from './staging.ts';

export interface NodeFolderOptions {
  /** replace files that are there already */
  overwrite?: boolean;
  /** remembers what was written, for {@link NodeFolder.journal} */
  journal?: JournalOptions;
}

/** Codes of errors that spoil the files that come after as well; all others are about one file alone. */
const FATAL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ENOENT', 'EMFILE', 'ENFILE']);
/** What file systems without hard links say. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/**
 * An output folder of the file system. Files are written in a folder of the run's own below `.romflow` and get their
 * names when they are whole; what killed runs left there is removed. Symbolic links below the folder are not followed.
 */
export class NodeFolder implements OutputFolder {
  readonly #root: string;
  readonly #overwrite: boolean;
  /** what earlier runs of the job wrote; there when it was asked for */
  readonly journal: Journal | undefined;
  /** the folder that files are written in */
  readonly staging: string;
  readonly #files: NodeStaging;
  /** folders that were made, each after those above it */
  #made: string[] = [];
  readonly #folders = new Set<string>();

  /** Makes the folder. Throws a RomflowError `output` when it cannot be one. */
  constructor(root: string, { overwrite = false, journal }: NodeFolderOptions = {}) {
    this.#root = root;
    this.#overwrite = overwrite;
    const own = join(root, OWN_FOLDER);
    this.staging = join(own, `tmp-${process.pid}-${randomUUID().slice(0, 8)}`);
    this.#files = new NodeStaging(this.staging, 'm');
    this.journal = outputError(root, () => {
      const found = statSync(root, { throwIfNoEntry: false });
      if (found && !found.isDirectory()) throw new RomflowError('output', 'is not a folder', { path: root });
      this.#made = makeFolder(resolve(root));
      prepareOwn(own);
      // From now on, so that no other job takes the folder for one that nobody writes to.
      makeFolder(resolve(this.staging));
      return journal && new Journal(root, journal);
    });
  }

  check(path: string, input?: string): void {
    for (const folder of foldersOf(path)) {
      const at = join(this.#root, folder);
      const found = attempt(at, () => lstatSync(at, { throwIfNoEntry: false }));
      if (!found) return;
      checkFolder(at, found);
    }
    this.#checkFree(path, input);
  }

  create(): OutputFile {
    return this.#files.create();
  }

  place({ id }: StagedFile, path: string, input?: string): void {
    const temporary = join(this.staging, id);
    const target = join(this.#root, path);
    try {
      this.#makeFolders(path);
      const replace = this.#checkFree(path, input, temporary);
      attempt(target, () => {
        this.journal?.placing(path, lstatSync(temporary), input);
        if (replace) renameSync(temporary, target);
        else giveName(temporary, target);
      });
    } catch (error) {
      quietly(() => rmSync(temporary, { force: true }));
      throw error;
    }
  }

  drop({ id }: StagedFile): void {
    quietly(() => rmSync(join(this.staging, id), { force: true }));
  }

  take(file: StagedFile): Uint8Array {
    const bytes = outputError(this.#root, () => readFileSync(join(this.staging, file.id)));
    this.drop(file);
    return bytes;
  }

  /** Whether there is a file at `path` that may be replaced; throws when there is one that may not. */
  #checkFree(path: string, input: string | undefined, temporary?: string): boolean {
    const target = join(this.#root, path);
    const existing = attempt(target, () => lstatSync(target, { throwIfNoEntry: false }));
    if (!existing) return false;
    if (existing.isDirectory()) throw new RomflowError('exists', 'is a folder', { path: target });
    if (this.#overwrite || this.journal?.owns(path, existing, input, temporary)) return true;
    throw alreadyThere(target);
  }

  /** Removes what was made and holds nothing. To be called in the end. */
  close(): void {
    this.journal?.close();
    quietly(() => rmSync(this.staging, { recursive: true, force: true }));
    quietly(() => rmdirSync(join(this.#root, OWN_FOLDER)));
    // It stays while another job writes here, which may count on the folders.
    if (existsSync(join(this.#root, OWN_FOLDER))) return;
    for (const folder of this.#made.toReversed()) quietly(() => rmdirSync(folder));
  }

  /** Makes the folders of a path one by one, so that a symbolic link is never stepped through. */
  #makeFolders(path: string): void {
    for (const relative of foldersOf(path)) {
      if (this.#folders.has(relative)) continue;
      const folder = join(this.#root, relative);
      attempt(folder, () => {
        try {
          mkdirSync(folder);
          this.#made.push(folder);
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') throw error;
          checkFolder(folder, lstatSync(folder));
        }
      });
      this.#folders.add(relative);
    }
  }
}

/** The folders that a relative path lies in, outermost first. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

function checkFolder(path: string, found: Stats): void {
  if (found.isDirectory()) return;
  const what = found.isSymbolicLink() ? 'a symbolic link' : 'a file';
  throw new RomflowError('exists', `is ${what} where a folder is needed`, { path });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** Runs a call; what it throws becomes `output`, which ends a job, if its code is one of {@link FATAL}, else `name`. */
function attempt<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof RomflowError) throw error;
    const kind = FATAL.has(codeOf(error)) ? 'output' : 'name';
    throw new RomflowError(kind, `cannot be written: ${systemMessage(error)}`, { path, cause: error });
  }
}

function alreadyThere(path: string): RomflowError {
  return new RomflowError('exists', 'exists already; --overwrite replaces it', { path });
}

/** Names a file, unless the name was taken in the meantime. */
function giveName(temporary: string, target: string): void {
  try {
    linkSync(temporary, target);
    rmSync(temporary);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(target);
    if (!NO_LINKS.has(codeOf(error))) throw error;
    renameSync(temporary, target);
  }
}

/** Makes a folder and those above it; gives the ones that were not there. Node's own way loops for ever in /proc. */
function makeFolder(path: string): string[] {
  const missing: string[] = [];
  for (let folder = path; !statSync(folder, { throwIfNoEntry: false }); folder = dirname(folder))
    missing.unshift(folder);
  for (const folder of missing) {
    try {
      mkdirSync(folder);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  return missing;
}

/** Removes the temporary folders of processes that are gone. Throws when the folder is not one. */
function prepareOwn(own: string): void {
  const stat = lstatSync(own, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) throw new RomflowError('output', 'is in the way: it must be a folder', { path: own });
  for (const name of readdirSync(own)) {
    const pid = Number(/^tmp-(\d+)-/.exec(name)?.[1]);
    if (pid && pid !== process.pid && !isRunning(pid)) rmSync(join(own, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
