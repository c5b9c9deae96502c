import { describe, expect, it } from 'vitest';
import { createKernels } from '../../ts/kernels/index.ts';
import { sha256 } from '../support/sha256.ts';
import { hashVectors } from './hash.vectors.ts';
import { pngVectors } from './png.vectors.ts';
import type { Vector, WitKernels } from './vectors.ts';
import { yaz0Vectors } from './yaz0.vectors.ts';

const TABLE: Record<string, Vector[]> = { hash: hashVectors, png: pngVectors, yaz0: yaz0Vectors };

const BODIES: Record<string, WitKernels> = {
  wasm: createKernels({ backend: 'wasm' }),
  ts: createKernels({ backend: 'ts' }),
};

for (const [body, kernels] of Object.entries(BODIES)) {
  describe(`${body} kernels`, () => {
    for (const [family, vectors] of Object.entries(TABLE)) {
      describe(family, () => {
        it.each(vectors)('$name', ({ run, expected }) => {
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
