/** Where a job puts its files; implemented over a file system, or whatever a page has. */
export interface OutputFolder {
  /**
   * Starts a file at `path` (safe, relative, with `/`). It appears under its name only when it is committed. Throws a
   * RomflowError: `exists` when there is one that may not be replaced, `output` when it cannot be written.
   */
  create(path: string): OutputFile;
  /** Throws when {@link create} would, as far as that can be told without making anything. */
  check(path: string): void;
}

/** A file being written; ends with `commit` or `discard`. */
export interface OutputFile {
  /** Throws a RomflowError `output`, for example on a full disk. */
  write(bytes: Uint8Array): void;
  commit(): void;
  /** Leaves nothing behind. Never throws. */
  discard(): void;
}
