import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
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
import { keepTouching, removeTemporary, temporaryFolders, temporaryName } from './temporary.ts';

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
  /** the folder that files are written in, without links on the way to it; empty in a dry run */
  readonly staging: string;
  readonly #files: NodeStaging;
  readonly #touching: NodeJS.Timeout | undefined;
  /** folders that were made, each after those above it */
  readonly #made: string[];
  /** another run may be writing to the folder */
  readonly #isShared: boolean;

  /** Makes the folder, unless the journal is for a dry run. Throws a RomflowError `output` when it cannot be one. */
  constructor(root: string, { overwrite = false, journal }: NodeFolderOptions = {}) {
    this.#root = root;
    this.#overwrite = overwrite;
    const { made, staging, isShared } = outputError(root, () => prepare(root, journal?.dryRun ?? false));
    this.#made = made;
    this.staging = staging;
    this.#isShared = isShared;
    this.#files = new NodeStaging(staging, 'm');
    this.#touching = staging ? keepTouching(staging) : undefined;
    try {
      this.journal = journal && outputError(root, () => new Journal(root, journal, { staging, isShared }));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  check(path: string, input?: string): void {
    for (const folder of foldersOf(path)) {
      const at = join(this.#root, folder);
      const found = attempt(at, () => lstatSync(at, { throwIfNoEntry: false }));
      if (!found || (!found.isDirectory() && this.journal?.mayGo(folder, input))) return;
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
    const made = this.#made.length;
    try {
      this.#makeFolders(path, input);
      const replace = this.#checkFree(path, input, temporary);
      attempt(target, () => {
        this.journal?.placing(path, lstatSync(temporary), input);
        // As late as can be: a link may stand in for a folder by now.
        this.#checkFolders(path);
        if (replace) renameSync(temporary, target);
        else giveName(temporary, target, () => this.#alreadyThere(target));
      });
    } catch (error) {
      quietly(() => rmSync(temporary, { force: true }));
      removeFolders(this.#made.splice(made));
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
    if (existing.isDirectory()) {
      const goes = temporary ? this.#giveWay(path, input) : this.journal?.mayGo(path, input);
      if (goes) return false;
      throw new RomflowError('exists', 'is a folder', { path: target });
    }
    if (this.#overwrite || this.journal?.owns(path, existing, input, temporary)) return true;
    throw this.#alreadyThere(target);
  }

  #giveWay(path: string, input: string | undefined): boolean {
    return attempt(join(this.#root, path), () => this.journal?.giveWay(path, input)) ?? false;
  }

  #alreadyThere(path: string): RomflowError {
    const others = this.#isShared ? ', and another run may be writing to this folder' : '';
    return new RomflowError('exists', `exists already${others}; --overwrite replaces it`, { path });
  }

  /** Removes what was made and holds nothing. To be called in the end. */
  close(): void {
    clearInterval(this.#touching);
    this.journal?.close();
    if (!this.staging) return;
    quietly(() => rmSync(this.staging, { recursive: true, force: true }));
    quietly(() => rmdirSync(join(this.#root, OWN_FOLDER)));
    // It stays while another job writes here, which may count on the folders.
    if (!existsSync(join(this.#root, OWN_FOLDER))) removeFolders(this.#made);
  }

  /** Makes the folders of a path one by one, so that a symbolic link is never stepped through. */
  #makeFolders(path: string, input: string | undefined): void {
    for (const relative of foldersOf(path)) {
      const folder = join(this.#root, relative);
      const found = attempt(folder, () => lstatSync(folder, { throwIfNoEntry: false }));
      if (found?.isDirectory()) continue;
      if (found && !this.#giveWay(relative, input)) checkFolder(folder, found);
      attempt(folder, () => {
        try {
          mkdirSync(folder);
          this.#made.push(folder);
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') throw error;
        }
      });
    }
  }

  /** Makes sure that the folders of a path are folders. */
  #checkFolders(path: string): void {
    for (const relative of foldersOf(path)) {
      const folder = join(this.#root, relative);
      checkFolder(folder, lstatSync(folder));
    }
  }
}

/** Makes an output folder, and a temporary one in it, unless all is only to be looked at; removes what was left there. */
function prepare(root: string, dryRun: boolean): { made: string[]; staging: string; isShared: boolean } {
  const own = join(root, OWN_FOLDER);
  checkIsFolder(root, statSync(root, { throwIfNoEntry: false }), 'is not a folder');
  checkIsFolder(own, lstatSync(own, { throwIfNoEntry: false }), 'is in the way: it must be a folder');
  const made = dryRun ? [] : makeFolder(resolve(root));
  const staging = dryRun ? '' : join(realpathSync.native(root), OWN_FOLDER, temporaryName());
  // Before others are looked for: of two runs that begin at once, one sees the other.
  if (staging) makeFolder(staging);
  const { used, left } = existsSync(own) ? temporaryFolders(own) : { used: [], left: [] };
  if (!dryRun) removeTemporary(own, left);
  return { made, staging, isShared: used.length > 0 };
}

/** The folders that a relative path lies in, outermost first. */
function* foldersOf(path: string): Generator<string, void, void> {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) yield path.slice(0, slash);
}

/** Removes folders that hold nothing, the last ones first. */
function removeFolders(folders: string[]): void {
  for (const folder of folders.toReversed()) quietly(() => rmdirSync(folder));
}

function checkIsFolder(path: string, found: Stats | undefined, reason: string): void {
  if (found && !found.isDirectory()) throw new RomflowError('output', reason, { path });
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

/** Names a file, unless the name was taken in the meantime. */
function giveName(temporary: string, target: string, alreadyThere: () => RomflowError): void {
  try {
    linkSync(temporary, target);
    rmSync(temporary);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere();
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
