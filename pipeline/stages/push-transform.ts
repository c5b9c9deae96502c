import type { Transform as NodeTransform } from 'node:stream';
import { Transform } from '#stream';

/** Bytes that stages let wait at either end; the platforms' own defaults are small and differ. */
export const HIGH_WATER_MARK = 256 * 1024;

/** What a push core looks like to a stage. */
export interface PushCore<T> {
  push(chunk: Uint8Array, final: boolean): Iterable<T>;
  free?(): void;
}

export interface PushTransformOptions {
  /** bytes that may wait at the input */
  highWaterMark: number;
  /** results are objects and not bytes */
  objectMode: boolean;
  signal?: AbortSignal | undefined;
}

/** A Transform around a push core, which is made when the first chunk comes. */
export function pushTransform<T>(open: () => PushCore<T>, options: PushTransformOptions): NodeTransform {
  const { highWaterMark, objectMode, signal } = options;
  let core: PushCore<T> | undefined;
  const run = (stream: Transform, chunk: Uint8Array, final: boolean, done: (error?: Error | null) => void): void => {
    try {
      core ??= open();
      for (const result of core.push(chunk, final)) stream.push(result);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  const stream = new Transform({
    writableHighWaterMark: highWaterMark,
    readableObjectMode: objectMode,
    readableHighWaterMark: objectMode ? 16 : highWaterMark,
    transform(chunk: Uint8Array, _encoding, done) {
      run(this, chunk, false, done);
    },
    flush(done) {
      run(this, new Uint8Array(0), true, done);
    },
    destroy(error, done) {
      core?.free?.();
      core = undefined;
      done(error);
    },
  });
  const abort = (): void => void stream.destroy(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return stream;
}
