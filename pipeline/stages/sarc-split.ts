import type { Transform } from 'node:stream';
import { SarcSplitter, type SarcPiece } from '../../ts/formats/sarc/index.ts';
import { HIGH_WATER_MARK, pushTransform } from './push-transform.ts';

export interface SarcSplitOptions {
  /** how errors name the archive */
  path?: string;
  /** told when entries share bytes, so that the whole archive must be held */
  onWarning?: (message: string) => void;
  /** bytes that may wait at the input */
  highWaterMark?: number;
  signal?: AbortSignal;
}

export const SARC_SPLIT_DEFAULTS = { path: 'stream', highWaterMark: HIGH_WATER_MARK } as const;

/**
 * Splits a SARC into {@link SarcPiece} objects, entries in the order of their data. Errors are FormatErrors.
 *
 * @example
 * for await (const { entry, data, last } of createReadStream('A.sarc').pipe(sarcSplit())) { ... }
 */
export function sarcSplit(options: SarcSplitOptions = {}): Transform {
  const { highWaterMark, signal, ...splitter } = { ...SARC_SPLIT_DEFAULTS, ...options };
  return pushTransform(
    () => {
      const core = new SarcSplitter(splitter);
      return { push: (chunk, final) => copied(core.push(chunk, final)) };
    },
    { highWaterMark, objectMode: true, signal },
  );
}

/** Pieces wait in the stream longer than the chunk they are views of. */
function* copied(pieces: Iterable<SarcPiece>): Generator<SarcPiece, void, void> {
  for (const { entry, data, last } of pieces) yield { entry, data: data.slice(), last };
}
