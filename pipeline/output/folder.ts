import { RomflowError } from '../../ts/io/errors.ts';

/** Where a job writes files that have no names yet, in any thread. */
export interface Staging {
  /** Starts a file. Throws a RomflowError `output` when that cannot be. */
  create(): OutputFile;
}

/** For jobs that write no files. */
export const NO_STAGING: Staging = {
  create() {
    throw new RomflowError('output', 'there is no output folder');
  },
};

/** A file being written; ends with `finish` or `discard`. */
export interface OutputFile {
  /** Throws a RomflowError `output`, for example on a full disk. */
  write(bytes: Uint8Array): void;
  /** The whole file, for {@link OutputFolder.place}. Throws a RomflowError `output`. */
  finish(): StagedFile;
  /** Leaves nothing behind. Never throws. */
  discard(): void;
}

/** A file that is whole and has no name; can be posted to other threads. */
export interface StagedFile {
  id: string;
  /** in bytes */
  size: number;
}

/** Where a job puts its files; implemented over a file system, or whatever a page has. */
export interface OutputFolder extends Staging {
  /** What a worker needs to write files for this folder; undefined where workers cannot. */
  readonly staging?: string;
  /**
   * Gives a file its name: `path` is safe, relative, with `/`; `input` is what it was made of. Throws a RomflowError:
   * `exists` when there is one that may not be replaced, `name` when no file can be called so, `output` when nothing
   * can be written. The staged file is gone then.
   */
  place(file: StagedFile, path: string, input?: string): void;
  /** Throws when {@link place} would, as far as that can be told without making anything. */
  check(path: string, input?: string): void;
  /** Removes a file that is not wanted. Never throws. */
  drop(file: StagedFile): void;
  /** The bytes of a file, which is then removed. Throws a RomflowError `output`. */
  take(file: StagedFile): Uint8Array;
}

/** Writes a whole file at once. Throws as {@link OutputFolder.place}. */
export function writeFile(folder: OutputFolder, path: string, bytes: Uint8Array): void {
  const file = folder.create();
  let staged: StagedFile;
  try {
    file.write(bytes);
    staged = file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
  folder.place(staged, path);
}
