import { expect } from 'vitest';
import type { Vector, WitKernels } from './vectors.ts';

/** What a run throws, as far as the bodies must agree on it: `StreamError` and the component's error have a payload. */
function payloadOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return (error as { payload?: unknown }).payload ?? error;
  }
  return 'no error';
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Runs one line of the conformance table, in Node or a browser. */
export async function expectVector(vector: Vector, kernels: WitKernels): Promise<void> {
  const { expected } = vector;
  if (typeof expected === 'object' && 'error' in expected) {
    expect(payloadOf(() => vector.run(kernels))).toEqual(expected.error);
    return;
  }
  const result = vector.run(kernels);
  if (expected instanceof Uint8Array) {
    expect(hex(result as Uint8Array)).toBe(hex(expected));
  } else if (typeof expected === 'object') {
    const bytes = new Uint8Array(result as Uint8Array);
    expect(hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))).toBe(expected.sha256);
  } else {
    expect(result).toBe(expected);
  }
}
