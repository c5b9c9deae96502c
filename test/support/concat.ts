import { concat as concatAll } from '../../ts/io/concat.ts';

/** Some arrays, one after the other. */
export function concat(...parts: Uint8Array[]): Uint8Array {
  return concatAll(parts);
}
