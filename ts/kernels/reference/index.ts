import type { Kernels } from '../contract.ts';
import { astc } from './astc.ts';
import { bc } from './bc.ts';
import { hash } from './hash.ts';
import { pixel } from './pixel.ts';
import { createPng } from './png.ts';
import { tegra } from './tegra.ts';
import { createYaz0 } from './yaz0.ts';
import { createZstd } from './zstd.ts';

/**
 * The kernels in plain TypeScript: the twin that the wasm is checked against, and the fallback where wasm is refused.
 * Arguments are not checked, but handles: see `checked`.
 */
export function createReferenceKernels(): Kernels {
  return {
    backend: 'ts',
    hash,
    tegra,
    bc,
    astc,
    pixel,
    png: createPng(),
    zstd: createZstd(),
    yaz0: createYaz0(),
    alloc: (size) => ({ bytes: new Uint8Array(size), free: () => {} }),
    memorySize: 0,
  };
}
