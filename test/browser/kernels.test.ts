/// <reference types="vite/client" />
import { describe, expect, it } from 'vitest';
import { instantiate } from '../../ts/component/index.ts';
import { createKernels } from '../../ts/kernels/index.ts';
import { expectVector } from '../kernels/expect-vector.ts';
import type { Vector, WitKernels } from '../kernels/vectors.ts';

/** Every vector file, so that a new kernel is tested here too without being asked for. */
const FILES = import.meta.glob<Record<string, Vector[]>>('../kernels/*.vectors.ts');

const BODIES: Record<string, WitKernels> = {
  wasm: createKernels({ backend: 'wasm' }),
  ts: createKernels({ backend: 'ts' }),
  component: instantiate(),
};

const families = await Promise.all(
  Object.entries(FILES).map(
    async ([path, load]) => [path.replace(/.*\//, ''), Object.values(await load()).flat()] as const,
  ),
);

it('runs in a browser', () => {
  expect(navigator.userAgent).toContain('Chrom');
  expect(families.length).toBeGreaterThan(0);
});

for (const [body, kernels] of Object.entries(BODIES)) {
  describe(`${body} kernels in a browser`, () => {
    for (const [family, vectors] of families) {
      describe(family, () => {
        it.each(vectors)('$name', (vector) => expectVector(vector, kernels));
      });
    }
  });
}
