import { counted, type ErrorCode, FormatError, hex } from '../io/errors.ts';
import { StreamError, type StreamErrorPayload, type Yaz0Kernels } from '../kernels/contract.ts';

/** What a push decoder of the kernels is made of; zstd's and Yaz0's are alike. */
type DecoderKernels = Pick<Yaz0Kernels, 'decoderPush' | 'decoderPending' | 'decoderFree'>;

const NOTHING = new Uint8Array(0);

/** How an error is told, by its code: error code, what was expected, what was found. */
type Telling = (payload: StreamErrorPayload) => [ErrorCode, string, string];

/** For sections that have no single wrong value. */
function damaged(section: string): Telling {
  return () => ['bad-format', `${section} without errors`, 'one that contradicts itself'];
}

const TELLINGS: Readonly<Record<StreamErrorPayload['code'], Telling>> = {
  truncated: ({ expected }) => ['truncated', counted(expected, 'more byte'), 'the end of the data'],
  'bad-magic': ({ expected, found }) => ['bad-format', `magic ${hex(expected, 8)}`, hex(found, 8)],
  reserved: ({ found }) => ['bad-format', 'reserved bits to be 0', hex(found)],
  'window-too-large': ({ expected, found }) => ['limit', `a window of at most ${expected} KiB`, `${found} KiB`],
  'missing-dictionary': ({ found }) => ['missing-dictionary', `dictionary ${found}`, 'none with this id'],
  'bad-dictionary': () => ['bad-format', 'a dictionary', 'one that contradicts itself'],
  'bad-block-size': ({ expected, found }) => [
    'bad-format',
    `a block of at most ${counted(expected, 'byte')}`,
    String(found),
  ],
  'bad-literals': damaged('a literals section'),
  'bad-huffman': damaged('a Huffman code'),
  'bad-fse': damaged('an FSE table'),
  'bad-sequences': damaged('a sequences section'),
  'bad-offset': ({ expected, found }) => ['bad-format', `a match 1 to ${expected} bytes back`, String(found)],
  'bad-checksum': ({ expected, found }) => ['bad-format', `checksum ${hex(expected, 8)}`, hex(found, 8)],
  'bad-content-size': ({ expected, found }) => ['bad-format', `${counted(expected, 'byte')} of content`, String(found)],
  'out-of-memory': () => ['memory', 'memory for the decoder', 'none'],
};

/** Turns what a push decoder says into an error with format and path. */
export function formatError(error: StreamError, format: string, path: string): FormatError {
  const { payload } = error;
  const [code, expected, found] = TELLINGS[payload.code](payload);
  return new FormatError({ code, format, offset: Number(payload.offset), expected, found, path, cause: error });
}

/** A stream decoder: takes chunks, gives chunks. */
export class PushDecoder {
  readonly #kernels: DecoderKernels;
  readonly #handle: number;
  readonly #format: string;
  readonly #path: string;

  /** Takes over `handle`, an open decoder of `kernels`. `format` and `path` are for errors. */
  constructor(kernels: DecoderKernels, handle: number, format: string, path: string) {
    this.#kernels = kernels;
    this.#handle = handle;
    this.#format = format;
    this.#path = path;
  }

  /** Gives what `chunk` decodes to. `final` says that nothing follows. Throws FormatError. */
  *push(chunk: Uint8Array, final: boolean): Generator<Uint8Array, void, void> {
    try {
      let output = this.#kernels.decoderPush(this.#handle, chunk, final);
      if (output.length) yield output;
      while (this.#kernels.decoderPending(this.#handle)) {
        output = this.#kernels.decoderPush(this.#handle, NOTHING, final);
        if (output.length) yield output;
      }
    } catch (error) {
      throw error instanceof StreamError ? formatError(error, this.#format, this.#path) : error;
    }
  }

  /** Must be called once, whatever happened. */
  free(): void {
    this.#kernels.decoderFree(this.#handle);
  }
}
