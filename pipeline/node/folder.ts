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
import { systemMessage } from './file-source.ts';

export interface NodeFolderOptions {
  /** replace files that are there already */
  overwrite?: boolean;
}

/** The job's own folder in the output folder, for what is not finished. */
const OWN = '.romflow';

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

  /** Makes the folder. Throws a RomflowError `output` when it cannot be one. */
  constructor(root: string, { overwrite = false }: NodeFolderOptions = {}) {
    this.#root = root;
    this.#overwrite = overwrite;
    this.#temporary = join(root, OWN, `tmp-${process.pid}`);
    this.#try(root, () => {
      const found = statSync(root, { throwIfNoEntry: false });
      if (found && !found.isDirectory()) throw new RomflowError('output', 'is not a folder', { path: root });
      this.#made = mkdirSync(root, { recursive: true });
      removeStale(join(root, OWN));
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
      if (!this.#folders.has(OWN)) mkdirSync(this.#temporary, { recursive: true });
      this.#folders.add(OWN);
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
      rmdirSync(join(this.#root, OWN));
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
      throw new RomflowError('output', `cannot be written: ${systemMessage(error)}`, { path, cause: error });
    }
  }
}

/** Removes the temporary folders of processes that are gone. */
function removeStale(own: string): void {
  const stat = lstatSync(own, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return;
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
