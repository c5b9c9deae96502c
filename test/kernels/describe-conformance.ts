/// <reference types="vite/client" />
import { describe, expect, it } from 'vitest';
import { instantiate } from '../../ts/component/index.ts';
import { createKernels } from '../../ts/kernels/index.ts';
import { expectVector } from './expect-vector.ts';
import type { Vector, WitKernels } from './vectors.ts';

/** Every vector file, so that a new kernel is tested everywhere without being asked for; exports `<family>Vectors`. */
const FILES = import.meta.glob<Record<string, Vector[]>>('./*.vectors.ts');

/** The conformance table through the three bodies of the contract. */
export async function describeConformance(): Promise<void> {
  const bodies: Record<string, WitKernels> = {
    wasm: createKernels({ backend: 'wasm' }),
    ts: createKernels({ backend: 'ts' }),
    component: instantiate(),
  };
  const families = await Promise.all(
    Object.entries(FILES).map(async ([path, load]) => {
      const exported = Object.entries(await load()).filter(([name]) => name.endsWith('Vectors'));
      return [path.slice(2), exported.flatMap(([, vectors]) => vectors)] as const;
    }),
  );

  it('has vectors', () => expect(families.length).toBeGreaterThan(0));

  for (const [body, kernels] of Object.entries(bodies)) {
    describe(`${body} kernels`, () => {
      for (const [family, vectors] of families) {
        describe(family, () => {
          it.each(vectors)('$name', (vector) => expectVector(vector, kernels));
        });
      }
    });
  }
}
