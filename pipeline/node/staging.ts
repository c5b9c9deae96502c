import { closeSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RomflowError } from '../../ts/io/errors.ts';
import type { OutputFile, Staging } from '../output/folder.ts';
import { systemMessage } from './file-source.ts';

/** Runs a call; what it throws becomes `output`, with `path`. */
export function outputError<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof RomflowError) throw error;
    throw new RomflowError('output', `cannot be written: ${systemMessage(error)}`, { path, cause: error });
  }
}

/** Clearing up must not hide what it is for. */
export function quietly(call: () => void): void {
  try {
    call();
  } catch {
    // the next run clears up
  }
}

/**
 * Files without names, written by one thread in the temporary folder of a job: two levels below its output folder, and
 * without links on the way to it.
 */
export class NodeStaging implements Staging {
  readonly #folder: string;
  readonly #thread: string;
  readonly #shown: string;
  #count = 0;

  constructor(folder: string, thread: string) {
    this.#folder = folder;
    this.#thread = thread;
    this.#shown = dirname(dirname(folder));
  }

  create(): OutputFile {
    const id = `${this.#thread}-${this.#count++}`;
    const path = join(this.#folder, id);
    const shown = this.#shown;
    const descriptor = outputError(shown, () => {
      if (realpathSync.native(this.#folder) !== this.#folder) throw new Error('a link stands in for a folder');
      return openSync(path, 'wx');
    });
    let size = 0;
    return {
      write(bytes) {
        for (let done = 0; done < bytes.length;) {
          done += outputError(shown, () => writeSync(descriptor, bytes, done));
        }
        size += bytes.length;
      },
      finish() {
        outputError(shown, () => closeSync(descriptor));
        return { id, size };
      },
      discard() {
        quietly(() => closeSync(descriptor));
        quietly(() => rmSync(path, { force: true }));
      },
    };
  }
}
