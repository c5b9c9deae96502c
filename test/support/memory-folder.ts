import type { OutputFolder } from '../../pipeline/output/folder.ts';

/** An output folder in memory. `failAfter` bytes in all, every write fails as on a full disk. */
export class MemoryFolder implements OutputFolder {
  readonly files = new Map<string, Uint8Array>();
  #left: number;

  constructor(
    failAfter = Infinity,
    readonly failure: () => Error = () => new Error('no space'),
  ) {
    this.#left = failAfter;
  }

  check(): void {}

  create(path: string): ReturnType<OutputFolder['create']> {
    const parts: Uint8Array[] = [];
    return {
      write: (bytes) => {
        this.#left -= bytes.length;
        if (this.#left < 0) throw this.failure();
        parts.push(bytes.slice());
      },
      commit: () => void this.files.set(path, new Uint8Array(Buffer.concat(parts))),
      discard: () => {},
    };
  }
}
