import { RomflowError } from '../../ts/io/errors.ts';

/** Whether an error ends a job, since whatever comes next would fail in the same way. */
export function isFatal(error: unknown): error is RomflowError {
  return error instanceof RomflowError && (error.code === 'output' || error.code === 'aborted');
}

/** Any error as a RomflowError: what is thrown by chance becomes an `input` or `memory` error with its message. */
export function asRomflowError(error: unknown, path: string): RomflowError {
  if (error instanceof RomflowError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RomflowError(error instanceof RangeError ? 'memory' : 'input', message, { path, cause: error });
}
