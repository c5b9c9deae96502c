import { StreamError, type Kernels } from '../../kernels/contract.ts';
import { formatError } from '../push-decoder.ts';

/** A dictionary as a file holds it. */
interface Dictionary {
  /** where it is from, for messages */
  label: string;
  bytes: Uint8Array;
  id: number;
}

/** zstd dictionaries by their id; each is parsed once per set of kernels and then shared by all decoders. */
export class ZstdDictionaries {
  readonly #list: Dictionary[] = [];
  readonly #opened = new WeakMap<Kernels, Map<Dictionary, number>>();

  /** Where dictionaries were looked for, whether or not there were any. */
  readonly places: string[] = [];

  get size(): number {
    return this.#list.length;
  }

  /**
   * Adds a dictionary in the standard format, or (without its magic) raw content. A second one with an id that is
   * there already is left out. Throws FormatError when it cannot be parsed.
   */
  add(kernels: Kernels, label: string, bytes: Uint8Array): void {
    let handle: number;
    try {
      handle = kernels.zstd.dictionaryOpen(bytes);
    } catch (error) {
      throw error instanceof StreamError ? formatError(error, 'zstd dictionary', label) : error;
    }
    const id = kernels.zstd.dictionaryId(handle);
    if (id && this.has(id)) {
      kernels.zstd.dictionaryFree(handle);
      return;
    }
    const dictionary = { label, bytes, id };
    this.#list.push(dictionary);
    this.#handles(kernels).set(dictionary, handle);
  }

  has(id: number): boolean {
    return this.#list.some((dictionary) => dictionary.id === id);
  }

  /** Handles of all dictionaries for `kernels`, with their labels. */
  open(kernels: Kernels): { label: string; handle: number }[] {
    const handles = this.#handles(kernels);
    return this.#list.map((dictionary) => {
      let handle = handles.get(dictionary);
      if (handle === undefined) {
        handle = kernels.zstd.dictionaryOpen(dictionary.bytes);
        handles.set(dictionary, handle);
      }
      return { label: dictionary.label, handle };
    });
  }

  #handles(kernels: Kernels): Map<Dictionary, number> {
    let handles = this.#opened.get(kernels);
    if (!handles) this.#opened.set(kernels, (handles = new Map()));
    return handles;
  }
}
