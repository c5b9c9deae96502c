import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { RomflowError } from '../../ts/io/errors.ts';
import { checkRange, type Source } from '../../ts/io/source.ts';
import { SourceContent } from '../walk/content.ts';

/** Small reads are served from a page of this size, so that reading a table costs few calls. */
const PAGE_SIZE = 64 * 1024;
/** Most that one call reads; systems refuse 2 GiB. */
const MAX_READ = 1 << 30;

/** Random access to a file. */
class FileSource implements Source {
  readonly path: string;
  readonly size: number;
  readonly #descriptor: number;
  readonly #page: Uint8Array;
  #pageStart = 0;
  #pageLength = 0;

  constructor(path: string, descriptor: number, size: number) {
    this.path = path;
    this.size = size;
    this.#descriptor = descriptor;
    this.#page = new Uint8Array(Math.min(PAGE_SIZE, size));
  }

  read(offset: number, length: number): Uint8Array {
    checkRange(this, offset, length);
    if (length > PAGE_SIZE / 4) {
      const bytes = new Uint8Array(length);
      this.readInto(offset, bytes);
      return bytes;
    }
    if (offset < this.#pageStart || offset + length > this.#pageStart + this.#pageLength) {
      this.#pageStart = offset;
      this.#pageLength = Math.min(PAGE_SIZE, this.size - offset);
      this.readInto(offset, this.#page.subarray(0, this.#pageLength));
    }
    const at = offset - this.#pageStart;
    // A copy, since the page is used again.
    return this.#page.slice(at, at + length);
  }

  readInto(offset: number, target: Uint8Array): void {
    checkRange(this, offset, target.length);
    let done = 0;
    while (done < target.length) {
      const length = Math.min(target.length - done, MAX_READ);
      const count = fileError(this.path, () => readSync(this.#descriptor, target, done, length, offset + done));
      if (count === 0)
        throw new RomflowError('input', 'the file became shorter while it was read', { path: this.path });
      done += count;
    }
  }
}

/** Runs a file system call; what it throws becomes an `input` error with the path. */
export function fileError<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new RomflowError('input', systemMessage(error), { path, cause: error });
  }
}

const SYSTEM_MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
  EEXIST: 'exists already',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  EDQUOT: 'the disk quota is used up',
  EIO: 'input/output error',
};

/** What a system error says, for people. */
export function systemMessage(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && SYSTEM_MESSAGES[code]) ?? message;
}

/** Opens a file; `path` is also how messages name it, with `/`. Its content is to be closed. Throws a RomflowError. */
export function openFile(path: string, name = path): SourceContent {
  // Asked first, since opening a pipe would wait for whoever writes to it.
  const stats = fileError(name, () => statSync(path));
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? 'is a folder' : 'is no regular file; its bytes can be piped to "-"';
    throw new RomflowError('input', what, { path: name });
  }
  const descriptor = fileError(name, () => openSync(path, 'r'));
  const { size } = fstatSync(descriptor);
  return new FileContent(new FileSource(name, descriptor, size), descriptor);
}

class FileContent extends SourceContent {
  readonly #descriptor: number;

  constructor(source: Source, descriptor: number) {
    super(source);
    this.#descriptor = descriptor;
  }

  override close(): void {
    closeSync(this.#descriptor);
  }
}
