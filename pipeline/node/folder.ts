import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
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

/** What spoils one file alone is told apart from what spoils them all. */
const FATAL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE']);

/**
 * An output folder of the file system. Files are written in `.romflow/tmp-PID` and renamed when they are whole; what
 * killed runs left there is removed. Symbolic links below the folder are not followed.
 */
export class NodeFolder implements OutputFolder {
  readonly #root: string;
  readonly #overwrite: boolean;
  readonly #temporary: string;
  /** the outermost folder that was made for this one */
  #made: string | undefined;
  readonly #folders = new Set<string>();
  #count = 0;
  #begun = false;

  /** Makes the folder. Throws a RomflowError `output` when it cannot be one. */
  constructor(root: string, { overwrite = false }: NodeFolderOptions = {}) {
    this.#root = root;
    this.#overwrite = overwrite;
    this.#temporary = join(root, OWN_FOLDER, `tmp-${process.pid}`);
    this.#try(root, () => {
      const found = statSync(root, { throwIfNoEntry: false });
      if (found && !found.isDirectory()) throw new RomflowError('output', 'is not a folder', { path: root });
      const made = mkdirSync(root, { recursive: true });
      this.#made = made && resolve(made);
      prepareOwn(join(root, OWN_FOLDER));
    });
  }

  create(path: string): OutputFile {
    const target = join(this.#root, path);
    this.#makeFolders(path);
    const existing = this.#try(target, () => lstatSync(target, { throwIfNoEntry: false }));
    if (existing && !this.#overwrite) {
      throw new RomflowError('exists', 'exists already; --overwrite replaces it', { path: target });
    }
    if (existing?.isDirectory()) throw new RomflowError('exists', 'is a folder', { path: target });
    const temporary = join(this.#temporary, String(this.#count++));
    const descriptor = this.#try(target, () => {
      if (!this.#begun) mkdirSync(this.#temporary, { recursive: true });
      this.#begun = true;
      return openSync(temporary, 'wx');
    });
    return {
      write: (bytes) => {
        for (let done = 0; done < bytes.length;) {
          done += this.#try(target, () => writeSync(descriptor, bytes, done));
        }
      },
      commit: () =>
        this.#try(target, () => {
          closeSync(descriptor);
          renameSync(temporary, target);
        }),
      discard: () => {
        try {
          closeSync(descriptor);
        } catch {
          // closed already by a commit that failed
        }
        rmSync(temporary, { force: true });
      },
    };
  }

  /** Removes what was made and holds nothing. To be called in the end. */
  close(): void {
    rmSync(this.#temporary, { recursive: true, force: true });
    try {
      rmdirSync(join(this.#root, OWN_FOLDER));
    } catch {
      // another run uses it, or it never was
    }
    if (this.#made === undefined) return;
    try {
      for (let folder = resolve(this.#root); folder.startsWith(this.#made); folder = dirname(folder)) rmdirSync(folder);
    } catch {
      // it has files
    }
  }

  /** Makes the folders of a path one by one, so that a symbolic link is never stepped through. */
  #makeFolders(path: string): void {
    const parts = path.split('/').slice(0, -1);
    for (let i = 1; i <= parts.length; i++) {
      const relative = parts.slice(0, i).join('/');
      if (this.#folders.has(relative)) continue;
      const folder = join(this.#root, relative);
      this.#try(folder, () => {
        const found = lstatSync(folder, { throwIfNoEntry: false });
        if (!found) mkdirSync(folder);
        else if (!found.isDirectory()) {
          const what = found.isSymbolicLink() ? 'a symbolic link' : 'a file';
          throw new RomflowError('exists', `is ${what} where a folder is needed`, { path: folder });
        }
      });
      this.#folders.add(relative);
    }
  }

  #try<T>(path: string, call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (error instanceof RomflowError) throw error;
      const { code = '' } = error as NodeJS.ErrnoException;
      const kind = FATAL.has(code) || path === this.#root ? 'output' : 'name';
      throw new RomflowError(kind, `cannot be written: ${systemMessage(error)}`, { path, cause: error });
    }
  }
}

/** Removes the temporary folders of processes that are gone. Throws when the folder is not one. */
function prepareOwn(own: string): void {
  const stat = lstatSync(own, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) throw new RomflowError('output', 'is in the way: it must be a folder', { path: own });
  for (const name of readdirSync(own)) {
    const pid = Number(/^tmp-(\d+)$/.exec(name)?.[1]);
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
