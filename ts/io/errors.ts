/** What kind of thing went wrong; stable, for programs. */
export type ErrorCode =
  | 'bad-format'
  | 'truncated'
  | 'unsupported'
  | 'missing-dictionary'
  | 'limit'
  | 'not-found'
  | 'exists'
  | 'name'
  | 'output'
  | 'input'
  | 'memory'
  | 'worker'
  | 'usage'
  | 'aborted';

/** Base of every error romflow throws on purpose. The message fits on one line. */
export class RomflowError extends Error {
  override readonly name: string = 'RomflowError';
  readonly code: ErrorCode;
  /** Where it happened, with `/` into archives. */
  readonly path: string | undefined;
  /** the message without the path */
  readonly reason: string;

  constructor(code: ErrorCode, reason: string, options: { path?: string | undefined; cause?: unknown } = {}) {
    super(oneLine(options.path === undefined ? reason : `${options.path}: ${reason}`), { cause: options.cause });
    this.code = code;
    this.path = options.path;
    this.reason = reason;
  }
}

/** What a {@link FormatError} knows of the wrong field. */
export interface FormatErrorDetails {
  code?: ErrorCode;
  /** such as `BNTX` */
  format: string;
  /** byte offset of the wrong field in the innermost decompressed layer of `path` */
  offset: number;
  expected: string;
  found: string;
  path: string;
  cause?: unknown;
}

/** Bytes that are not what the format demands. */
export class FormatError extends RomflowError {
  override readonly name = 'FormatError';
  readonly format: string;
  readonly offset: number;
  readonly expected: string;
  readonly found: string;

  constructor({ code = 'bad-format', format, offset, expected, found, path, cause }: FormatErrorDetails) {
    super(code, `${format} at 0x${offset.toString(16)}: expected ${expected}, found ${found}`, { path, cause });
    this.format = format;
    this.offset = offset;
    this.expected = expected;
    this.found = found;
  }
}

/** An error as data that can be posted to another thread; {@link errorOf} makes it an error again. */
export type PostedError = { stack: string | undefined } & (
  | { details: FormatErrorDetails }
  | { code: ErrorCode; reason: string; path: string | undefined; cause: unknown }
);

/** What a thread posts of an error. */
export function postedError(error: RomflowError): PostedError {
  const { stack, code, reason, path, cause } = error;
  if (!(error instanceof FormatError)) return { stack, code, reason, path, cause: plainCause(cause) };
  const { format, offset, expected, found } = error;
  return { stack, details: { code, format, offset, expected, found, path: path ?? '', cause: plainCause(cause) } };
}

/** Structured clones keep the message and stack of a plain error, and nothing of others. */
function plainCause(cause: unknown): unknown {
  return cause instanceof Error ? Object.assign(new Error(cause.message), { stack: cause.stack }) : undefined;
}

/** The error that was posted. */
export function errorOf(posted: PostedError): RomflowError {
  const error =
    'details' in posted ? new FormatError(posted.details) : new RomflowError(posted.code, posted.reason, posted);
  return Object.defineProperty(error, 'stack', { value: posted.stack, writable: true, configurable: true });
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const LONGEST_LINE = 2000;

/** Text on one line of bearable length: control characters of hostile names would break it, or worse the terminal. */
export function oneLine(text: string): string {
  const half = LONGEST_LINE / 2;
  const short = text.length <= LONGEST_LINE ? text : `${text.slice(0, half)} ... ${text.slice(-half)}`;
  return short.replace(CONTROL, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** `3 files`, `1 file`. */
export function counted(n: number | bigint, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 || n === 1n ? noun : plural}`;
}

/** A number for an error message: `0x10` style. */
export function hex(value: number | bigint, digits = 0): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}
