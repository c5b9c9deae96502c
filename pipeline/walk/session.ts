import { ZstdDictionaries } from '../../ts/formats/zstd/index.ts';
import { createKernels, type Kernels } from '../../ts/kernels/index.ts';
import type { TextureOptions } from '../../ts/textures/texture-files.ts';
import { OWN_MEMORY, type Memory } from './content.ts';

/** Bounds on what hostile files may ask for. */
export interface Limits {
  /** bytes that one compressed layer or entry may unpack to */
  maxSize: number;
  /** how deep archives and compression may be nested */
  maxDepth: number;
  /** entries that one file may hold, those of archives inside counted */
  maxEntries: number;
  /** bytes of window a zstd frame may ask for */
  windowLimit: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxSize: 512 * 1024 * 1024,
  maxDepth: 16,
  maxEntries: 250_000,
  windowLimit: 256 * 1024 * 1024,
};

export interface SessionOptions {
  backend?: 'wasm' | 'ts';
  limits?: Partial<Limits>;
  /** told of oddities that are no errors, one line each */
  onWarning?: (message: string) => void;
  /** shared with other sessions; default: this one's own */
  memory?: Memory;
  /** the compiled kernels, where they were compiled already */
  module?: WebAssembly.Module;
  /** asked once, before the first zstd frame is decoded, to add the dictionaries that can be found */
  findDictionaries?: (session: Session) => Promise<void>;
}

/** Kernel memory above which an instance is not kept: wasm memory never shrinks. */
const MAX_KEPT_MEMORY = 128 * 1024 * 1024;

/** What one worker has: kernels, dictionaries, limits. */
export class Session {
  readonly limits: Limits;
  readonly onWarning: (message: string) => void;
  readonly memory: Memory;
  readonly dictionaries = new ZstdDictionaries();
  /** dictionaries were given by hand, so that frames which name none may be tried with them */
  hasGivenDictionaries = false;
  readonly #options: SessionOptions;
  #kernels: Kernels;
  #searched = false;

  constructor(options: SessionOptions = {}) {
    this.#options = options;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.onWarning = options.onWarning ?? (() => {});
    this.memory = options.memory ?? OWN_MEMORY;
    this.#kernels = createKernels(options);
  }

  get kernels(): Kernels {
    return this.#kernels;
  }

  /** What reading textures needs. */
  get textureOptions(): TextureOptions {
    const { kernels, dictionaries, limits } = this;
    return { kernels, dictionaries, windowLimit: limits.windowLimit };
  }

  /** Looks for dictionaries, the first time it is called. */
  async findDictionaries(): Promise<void> {
    if (this.#searched) return;
    this.#searched = true;
    await this.#options.findDictionaries?.(this);
  }

  /** To be called between items: drops kernels whose memory has grown large. */
  recycle(): void {
    if (this.#kernels.memorySize > MAX_KEPT_MEMORY) this.#kernels = createKernels(this.#options);
  }
}
