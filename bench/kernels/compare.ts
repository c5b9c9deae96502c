import type { Contestant } from './measure.ts';

/** How an output may differ from what is right. */
export interface Tolerance {
  /** most that a byte may be off */
  step: number;
  /** most of all bytes, from 0 to 1, that may be off by more */
  share?: number;
  /** what the other decoder does otherwise */
  why: string;
}

/** Runs every contestant once. Throws where one gives nothing, or what differs from the first by more than it may. */
export async function compareOutputs(
  kernel: string,
  contestants: readonly Contestant[],
  normalize = (output: Uint8Array): Uint8Array => output,
): Promise<void> {
  let first: Uint8Array | undefined;
  for (const contestant of contestants) {
    const result = await contestant.run();
    if (!result) continue;
    // A copy, since the next contestant may write to the same place.
    const output = Buffer.concat(result instanceof Uint8Array ? [result] : result);
    const name = `${kernel}: ${contestant.name}`;
    if (!output.length) throw new Error(`${name} gave nothing`);
    const compared = normalize(contestant.normalize?.(output) ?? output);
    first ??= compared;
    compareBytes(`${name} against ${contestants[0]!.name}`, compared, first, contestant.tolerance);
  }
}

function compareBytes(name: string, found: Uint8Array, expected: Uint8Array, tolerance?: Tolerance): void {
  if (found.length !== expected.length) throw new Error(`${name}: ${found.length} bytes, not ${expected.length}`);
  const { step = 0, share = 0 } = tolerance ?? {};
  let off = 0;
  for (let i = 0; i < found.length; i++) if (Math.abs(found[i]! - expected[i]!) > step) off++;
  if (off > share * found.length) {
    throw new Error(`${name}: ${off} of ${found.length} bytes differ by more than ${step}`);
  }
}
