import { describe, it } from 'vitest';
import { instantiate } from '../../ts/component/index.ts';
import { createKernels } from '../../ts/kernels/index.ts';
import { expectVector } from './expect-vector.ts';
import { bcVectors } from './bc.vectors.ts';
import { hashVectors } from './hash.vectors.ts';
import { pixelVectors } from './pixel.vectors.ts';
import { tegraVectors } from './tegra.vectors.ts';
import type { Vector, WitKernels } from './vectors.ts';

const TABLE: Record<string, Vector[]> = { hash: hashVectors, tegra: tegraVectors, pixel: pixelVectors, bc: bcVectors };

const BODIES: Record<string, WitKernels> = {
  wasm: createKernels({ backend: 'wasm' }),
  ts: createKernels({ backend: 'ts' }),
  component: instantiate(),
};

for (const [body, kernels] of Object.entries(BODIES)) {
  describe(`${body} kernels`, () => {
    for (const [family, vectors] of Object.entries(TABLE)) {
      describe(family, () => {
        it.each(vectors)('$name', (vector) => expectVector(vector, kernels));
      });
    }
  });
}
