import { RomflowError } from '../../ts/io/errors.ts';
import type { Platform } from '../platform.ts';
import type { Turn } from '../walk/content.ts';

const TURN_MILLISECONDS = 30;

/** Turns in which signals are seen, now and then; they reject with an `aborted` error when the signal says so. */
export function turns(platform: Platform, signal: AbortSignal | undefined): Turn {
  let last = performance.now();
  return () => {
    if (performance.now() - last < TURN_MILLISECONDS) return undefined;
    return platform.yield().then(() => {
      last = performance.now();
      if (signal?.aborted) throw new RomflowError('aborted', 'interrupted');
    });
  };
}
