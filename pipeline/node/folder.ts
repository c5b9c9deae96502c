import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RomflowError } from '../../ts/io/errors.ts';
import type { OutputFile, OutputFolder } from '../output/folder.ts';
import { OWN_FOLDER } from '../output/names.ts';
import { systemMessage } from './file-source.ts';

export interface NodeFolderOptions {
  /** replace files that are there already */
  overwrite?: boolean;
}

/** Codes of errors that spoil the files that come after as well; all others are about one file alone. */
const FATAL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ENOENT', 'EMFILE', 'ENFILE']);
/** For what all files need. */
const ALL = 'all';
/** What file systems without hard links say. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/**
 * An output folder of the file system. Files are written in a folder of the run's own below `.romflow` and get their
 * names when they are whole; what killed runs left there is removed. Symbolic links below the folder are not followed.
 */
export class NodeFolder implements OutputFolder {
  readonly #root: string;
  readonly #overwrite: boolean;
  readonly #temporary: string;
  /** folders that were made, each after those above it */
  #made: string[] = [];
  readonly #folders = new Set<string>();
  #count = 0;

  /** Makes the folder. Throws a RomflowError `output` when it cannot be one. */
  constructor(root: string, { overwrite = false }: NodeFolderOptions = {}) {
    this.#root = root;
    this.#overwrite = overwrite;
    this.#temporary = join(root, OWN_FOLDER, `tmp-${process.pid}-${randomUUID().slice(0, 8)}`);
    attempt(root, ALL, () => {
      const found = statSync(root, { throwIfNoEntry: false });
      if (found && !found.isDirectory()) throw new RomflowError('output', 'is not a folder', { path: root });
      this.#made = makeFolder(resolve(root));
      prepareOwn(join(root, OWN_FOLDER));
      // From now on, so that no other job takes the folder for one that nobody writes to.
      makeFolder(resolve(this.#temporary));
    });
  }

  check(path: string): void {
    for (const folder of foldersOf(path)) {
      const at = join(this.#root, folder);
      const found = attempt(at, FATAL, () => lstatSync(at, { throwIfNoEntry: false }));
      if (!found) return;
      checkFolder(at, found);
    }
    this.#checkFree(join(this.#root, path));
  }

  #checkFree(target: string): void {
    const existing = attempt(target, FATAL, () => lstatSync(target, { throwIfNoEntry: false }));
    if (existing && !this.#overwrite) throw alreadyThere(target);
    if (existing?.isDirectory()) throw new RomflowError('exists', 'is a folder', { path: target });
  }

  create(path: string): OutputFile {
    const target = join(this.#root, path);
    this.#makeFolders(path);
    this.#checkFree(target);
    const temporary = join(this.#temporary, String(this.#count++));
    const descriptor = attempt(target, ALL, () => openSync(temporary, 'wx'));
    return {
      write: (bytes) => {
        for (let done = 0; done < bytes.length;) {
          done += attempt(target, ALL, () => writeSync(descriptor, bytes, done));
        }
      },
      commit: () =>
        attempt(target, FATAL, () => {
          closeSync(descriptor);
          if (this.#overwrite) renameSync(temporary, target);
          else giveName(temporary, target);
        }),
      discard: () => {
        quietly(() => closeSync(descriptor));
        quietly(() => rmSync(temporary, { force: true }));
      },
    };
  }

  /** Removes what was made and holds nothing. To be called in the end. */
  close(): void {
    quietly(() => rmSync(this.#temporary, { recursive: true, force: true }));
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
      attempt(folder, FATAL, () => {
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

/** Runs a call; what it throws becomes `output`, which ends a job, if its code is one of `fatal`, else `name`. */
function attempt<T>(path: string, fatal: ReadonlySet<string> | typeof ALL, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof RomflowError) throw error;
    const kind = fatal === ALL || fatal.has(codeOf(error)) ? 'output' : 'name';
    throw new RomflowError(kind, `cannot be written: ${systemMessage(error)}`, { path, cause: error });
  }
}

/** Clearing up must not hide what it is for. */
function quietly(call: () => void): void {
  try {
    call();
  } catch {
    // the next run clears up
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
