import type { OutputFile, OutputFolder, StagedFile } from '../../pipeline/output/folder.ts';

/** An output folder in memory. `failAfter` bytes in all, every write fails as on a full disk. */
export class MemoryFolder implements OutputFolder {
  readonly files = new Map<string, Uint8Array>();
  readonly #staged = new Map<string, Uint8Array>();
  #count = 0;
  #left: number;

  constructor(
    failAfter = Infinity,
    readonly failure: () => Error = () => new Error('no space'),
  ) {
    this.#left = failAfter;
  }

  /** files that were neither placed nor dropped */
  get staged(): number {
    return this.#staged.size;
  }

  /** bytes that can still be written */
  get left(): number {
    return this.#left;
  }

  check(): void {}

  create(): OutputFile {
    const parts: Uint8Array[] = [];
    return {
      write: (bytes) => {
        this.#left -= bytes.length;
        if (this.#left < 0) throw this.failure();
        parts.push(bytes.slice());
      },
      finish: () => {
        const id = String(this.#count++);
        const bytes = new Uint8Array(Buffer.concat(parts));
        this.#staged.set(id, bytes);
        return { id, size: bytes.length };
      },
      discard: () => {},
    };
  }

  place({ id }: StagedFile, path: string): void {
    this.files.set(path, this.#staged.get(id)!);
    this.#staged.delete(id);
  }

  drop({ id }: StagedFile): void {
    this.#staged.delete(id);
  }

  take(file: StagedFile): Uint8Array {
    const bytes = this.#staged.get(file.id)!;
    this.drop(file);
    return bytes;
  }
}
