import { findInputs } from '../node/inputs.ts';
import { nodePlatform } from '../node/platform.ts';

/** How much there is to do; it is counted while the work goes on. */
export interface Total {
  files: number;
  bytes: number;
  /** all is counted */
  complete: boolean;
  /** ends the counting */
  stop(): void;
}

/** How long counting may keep others waiting, in milliseconds. */
const SLICE = 5;

/** Counts what {@link findInputs} will find. */
export function countInputs(paths: string[], exclude: (path: string) => boolean): Total {
  let stopped = false;
  const total: Total = { files: 0, bytes: 0, complete: false, stop: () => void (stopped = true) };
  async function run(): Promise<void> {
    let begun = performance.now();
    for (const { size } of findInputs(paths, exclude)) {
      total.files++;
      total.bytes += size;
      if (performance.now() - begun < SLICE) continue;
      await nodePlatform.yield();
      if (stopped) return;
      begun = performance.now();
    }
    total.complete = true;
  }
  // What cannot be read fails where it is worked on.
  run().catch(() => {});
  return total;
}
