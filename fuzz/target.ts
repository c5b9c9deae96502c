import type { Kernels } from '../ts/kernels/index.ts';
import { fields, type Fixture, type Random } from './mutate.ts';
import { Finding, outcomeOf, type Outcome } from './outcome.ts';

/** Treats one input in all ways there are and gives the label of what came of it. Throws a finding when they differ. */
export type Check = (input: Uint8Array, next: Random) => string | Promise<string>;

/** Something that takes hostile input. */
export interface Target {
  name: string;
  /** what `--kernel` or `--format` calls it; absent for the whole walk */
  kernel?: string;
  format?: string;
  /** Inputs to mutate; made when they are needed. */
  fixtures(): Fixture[];
  /** Opens what all inputs share. */
  open(kernels: Backends): Check;
}

/** Both backends, made anew for each target. */
export interface Backends {
  wasm: Kernels;
  ts: Kernels;
}

const CANARY = 0xa5;
const MARGIN = 64;

/** Kernel memory with canaries around inputs and output. */
export class Guarded {
  readonly kernels: Kernels;
  readonly #buffer: { bytes: Uint8Array };
  readonly #image: Uint8Array;

  /** `capacity`: bytes of the inputs and the output of a call together. */
  constructor(kernels: Kernels, capacity: number) {
    this.kernels = kernels;
    this.#image = new Uint8Array(capacity + 8 * MARGIN);
    this.#buffer = kernels.alloc(this.#image.length);
  }

  /** Runs `kernel` where `inputs` and an output of `outputSize` bytes lie in kernel memory, at odd places by `shift`. */
  run<T>(
    inputs: readonly Uint8Array[],
    outputSize: number,
    shift: number,
    kernel: (kernels: Kernels, out: () => Uint8Array, inputs: (() => Uint8Array)[]) => T,
  ): T {
    let end = 0;
    const place = (size: number): (() => Uint8Array) => {
      const margin = MARGIN + ((shift + end) & 15);
      this.#image.fill(CANARY, end, end + margin);
      const start = end + margin;
      end = start + size;
      // Kernel memory moves when it grows.
      return () => this.#buffer.bytes.subarray(start, start + size);
    };
    const sources = inputs.map((input) => {
      const source = place(input.length);
      this.#image.set(input, end - input.length);
      return source;
    });
    const out = place(outputSize);
    this.#image.fill(CANARY, end, end + MARGIN);
    const before = this.#image.subarray(0, end - outputSize);
    const behind = this.#image.subarray(end, end + MARGIN);
    this.#buffer.bytes.set(this.#image.subarray(0, end + MARGIN));
    try {
      return kernel(this.kernels, out, sources);
    } finally {
      const { bytes } = this.#buffer;
      const same = (expected: Uint8Array): boolean =>
        !Buffer.compare(expected, bytes.subarray(expected.byteOffset, expected.byteOffset + expected.length));
      // oxlint-disable-next-line no-unsafe-finally -- worse than whatever else happened
      if (!same(before) || !same(behind)) throw new Finding(`${this.kernels.backend} wrote outside its output`);
    }
  }
}

type Chunks = Generator<[from: number, to: number, final: boolean], void, void>;

/** Cuts input into chunks, the last of which may be followed by an empty one; without `next` it stays in one piece. */
export function* cut(size: number, next?: Random): Chunks {
  if (!next) {
    yield [0, size, true];
    return;
  }
  const longest = [1, 2 + (next() % 16), 2 + (next() % (size + 1))][next() % 3]!;
  const emptyEnd = next() % 4 === 0;
  for (let at = 0; at < size;) {
    const end = Math.min(size, at + 1 + (next() % longest));
    yield [at, end, end === size && !emptyEnd];
    at = end;
  }
  if (emptyEnd || !size) yield [size, size, true];
}

/** The unsigned numbers of 32 bits that an input begins with (0 where it ends before), and what follows them. */
export function splitWords(input: Uint8Array, count: number): { words: number[]; rest: Uint8Array } {
  const front = new Uint8Array(4 * count);
  front.set(input.subarray(0, front.length));
  const view = new DataView(front.buffer);
  const words = Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true));
  return { words, rest: input.subarray(front.length) };
}

/** Numbers in what follows the words, so that these are not all that is aimed at. */
const MORE_FIELDS = 12;

/** The opposite of {@link splitWords}: a fixture whose fields are the words and some of what follows. */
export function joinWords(name: string, words: readonly number[], rest: Uint8Array): Fixture {
  const bytes = new Uint8Array(4 * words.length + rest.length);
  const view = new DataView(bytes.buffer);
  words.forEach((word, i) => view.setUint32(4 * i, word, true));
  bytes.set(rest, 4 * words.length);
  const more = Math.min(MORE_FIELDS, Math.floor(rest.length / 4));
  return { name, bytes, fields: fields(0, ...Array.from({ length: words.length + more }, () => 4)) };
}

/** Outcomes of a kernel, which are all to agree: in guarded memory of both backends, and in wasm with copies. */
export function bothBackends(
  guarded: readonly [wasm: Guarded, ts: Guarded],
  inputs: readonly Uint8Array[],
  outputSize: number,
  next: Random,
  kernel: (kernels: Kernels, inputs: readonly Uint8Array[], out: Uint8Array) => Uint8Array,
): Record<string, Outcome> {
  const inPlace = (memory: Guarded): Outcome =>
    outcomeOf((put) =>
      memory.run(inputs, outputSize, next() % 16, (kernels, out, sources) => {
        const data = sources.map((source) => source());
        put(kernel(kernels, data, out()));
      }),
    );
  const [wasm, ts] = guarded;
  return {
    wasm: inPlace(wasm),
    ts: inPlace(ts),
    'wasm with copies': outcomeOf((put) => put(kernel(wasm.kernels, inputs, new Uint8Array(outputSize)))),
  };
}
