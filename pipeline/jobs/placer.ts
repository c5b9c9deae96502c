import type { OutputFolder, StagedFile } from '../output/folder.ts';
import { UniqueNames } from '../output/names.ts';
import type { JobInput, ResultStore } from './job.ts';
import type { Placed } from './work.ts';

/** A result with a file that has no name yet. */
export interface Made extends Placed {
  /** where the file is to be, if that is free */
  wanted: string;
  /** as messages name what it was made of */
  path: string;
  /** in bytes */
  size: number;
  /** undefined when nothing was to be written, and of what an earlier run made */
  staged?: StagedFile | undefined;
}

/** What keeps the results of earlier runs; `keep` takes a file over if it is still there, and says whether it is. */
export interface FileStore extends ResultStore {
  keep(path: string): boolean;
  /** All inputs were gone over: may remove what does not come of them any more; gives how many files it removed. */
  complete(): number;
}

/** Gives files their names, in the order in which a job comes across them. */
export class Placer {
  readonly #output: OutputFolder;
  readonly #store: FileStore | undefined;
  readonly #names = new UniqueNames();
  /** the name of a file that could not stay as it was: it is for the one made instead */
  #claimed: string | undefined;

  constructor(output: OutputFolder, store: FileStore | undefined) {
    this.#output = output;
    this.#store = store;
  }

  /** The name for a file, which no other can have any more. */
  claim({ wanted }: Made): string {
    const name = this.#claimed ?? this.#names.claim(wanted);
    this.#claimed = undefined;
    return name;
  }

  /**
   * Places a file under its name, or sees whether a `resumed` one is there. False when it is not: then the next file is
   * the one made instead. Throws as {@link OutputFolder.place}.
   */
  place(made: Made, input: JobInput, resumed: boolean, name = this.claim(made)): boolean {
    if (resumed) {
      if (made.placed === name && this.#store?.keep(name)) return true;
      this.again(name);
      return false;
    }
    if (made.staged) this.#output.place(made.staged, name, input.path);
    else this.#output.check(name, input.path);
    delete made.staged;
    made.placed = name;
    return true;
  }

  /** Keeps a claimed name for the next file. */
  again(name: string): void {
    this.#claimed = name;
  }

  /** Removes the file of a result that is not wanted. */
  discard(made: Made): void {
    if (made.staged) this.#output.drop(made.staged);
    delete made.staged;
  }
}
