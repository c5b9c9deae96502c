import { describe, expect, it } from 'vitest';
import { instantiate } from '../../ts/component/index.ts';
import { createKernels } from '../../ts/kernels/index.ts';
import { sha256 } from '../support/sha256.ts';
import { hashVectors } from './hash.vectors.ts';
import type { Vector, WitKernels } from './vectors.ts';

const TABLE: Record<string, Vector[]> = { hash: hashVectors };

const BODIES: Record<string, WitKernels> = {
  wasm: createKernels({ backend: 'wasm' }),
  ts: createKernels({ backend: 'ts' }),
  component: instantiate(),
};

/** What a run throws, as far as the bodies must agree on it: `StreamError` and the component's error have a payload. */
function payload(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return (error as { payload?: unknown }).payload ?? error;
  }
  return 'no error';
}

for (const [body, kernels] of Object.entries(BODIES)) {
  describe(`${body} kernels`, () => {
    for (const [family, vectors] of Object.entries(TABLE)) {
      describe(family, () => {
        it.each(vectors)('$name', ({ run, expected }) => {
          if (typeof expected === 'object' && 'error' in expected) {
            expect(payload(() => run(kernels))).toEqual(expected.error);
            return;
          }
          const result = run(kernels);
          if (expected instanceof Uint8Array) {
            expect(Buffer.from(result as Uint8Array).toString('hex')).toBe(Buffer.from(expected).toString('hex'));
          } else if (typeof expected === 'object') {
            expect(sha256(result as Uint8Array)).toBe(expected.sha256);
          } else {
            expect(result).toBe(expected);
          }
        });
      });
    }
  });
}
