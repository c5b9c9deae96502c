import { FormatError, RomflowError } from '../ts/io/errors.ts';
import { StreamError } from '../ts/kernels/contract.ts';

/** What must not be. */
export class Finding extends Error {
  override readonly name = 'Finding';
}

/** What came of one way to treat an input. */
export interface Outcome {
  /** of what kind it is, for statistics */
  label: string;
  /** the error in full, or what was read; must be the same in every way */
  detail: string;
  /** what was given, also before an error; must be the same in every way */
  bytes: Uint8Array;
}

/** How kernels refuse arguments (ts/kernels/checked.ts); every other RangeError is one of the engine's. */
const REFUSED = /^(the result|\w+) (is|has) [-\w]+( bytes?)?: /;

/** What a way may collect: more is not compared, and ends it. */
export const MOST_BYTES = 1 << 18;

class Enough extends Error {}

/** Collects what a way gives. */
export class Sink {
  readonly #parts: Uint8Array[] = [];
  #size = 0;

  readonly put = (bytes: Uint8Array): void => {
    this.#parts.push(bytes.slice());
    this.#size += bytes.length;
    if (this.#size > MOST_BYTES) throw new Enough();
  };

  bytes(): Uint8Array {
    return this.#parts.length === 1 ? this.#parts[0]! : new Uint8Array(Buffer.concat(this.#parts));
  }
}

/** Label and detail of an error that is meant to be; throws all others on. */
export function describeError(error: unknown): Pick<Outcome, 'label' | 'detail'> {
  if (error instanceof StreamError) {
    const { code, offset, expected, found } = error.payload;
    return { label: code, detail: `${code} ${offset} ${expected} ${found}` };
  }
  if (error instanceof FormatError) {
    const { format, code, expected, message } = error;
    return { label: `${format} ${code} ${expected.replace(/0x[0-9a-f]+|\d+|".*"/g, '*')}`, detail: message };
  }
  if (error instanceof RomflowError) return { label: error.code, detail: error.message };
  if (error instanceof RangeError && REFUSED.test(error.message)) {
    return { label: `refused ${error.message.split(' ', 1)[0]}`, detail: error.message };
  }
  throw error;
}

/** Runs one way. What it returns is compared, too. */
export function outcomeOf(way: (put: (bytes: Uint8Array) => void) => string | void): Outcome {
  const sink = new Sink();
  try {
    const detail = way(sink.put) ?? '';
    return { label: 'ok', detail, bytes: sink.bytes() };
  } catch (error) {
    if (error instanceof Enough) return { label: 'long', detail: '', bytes: sink.bytes().subarray(0, MOST_BYTES) };
    return { ...describeError(error), bytes: sink.bytes() };
  }
}

function difference(a: Outcome, b: Outcome): string | undefined {
  if (a.detail !== b.detail || a.label !== b.label) {
    return `${a.label} (${a.detail}) and ${b.label} (${b.detail})`;
  }
  if (!Buffer.compare(a.bytes, b.bytes)) return undefined;
  if (a.bytes.length !== b.bytes.length) return `${a.bytes.length} and ${b.bytes.length} bytes`;
  const at = a.bytes.findIndex((byte, i) => byte !== b.bytes[i]);
  return `byte ${at} of ${a.bytes.length} is ${a.bytes[at]} and ${b.bytes[at]}`;
}

/** The label of outcomes that are all the same; throws a finding when they are not. */
export function agree(outcomes: Readonly<Record<string, Outcome>>): string {
  const [[name, first] = ['', undefined], ...others] = Object.entries(outcomes);
  for (const [other, outcome] of others) {
    const found = difference(first!, outcome);
    if (found) throw new Finding(`${name} and ${other} differ: ${found}`);
  }
  return first!.label;
}
