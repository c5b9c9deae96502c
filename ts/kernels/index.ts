import { checked } from './checked.ts';
import type { Kernels } from './contract.ts';
import { createReferenceKernels } from './reference/index.ts';
import { createWasmKernels } from './wasm.ts';

export * from './contract.ts';
export { compileKernels } from './wasm.ts';

export interface KernelsOptions {
  /** `wasm` (SIMD WebAssembly, the default) or `ts` (plain TypeScript); both give the same bytes. */
  backend?: 'wasm' | 'ts';
  /** The compiled module, for a worker that was posted one; default: the embedded module. */
  module?: WebAssembly.Module;
}

/** Makes an independent set of kernels. Throws where the platform refuses to compile WebAssembly. */
export function createKernels({ backend = 'wasm', module }: KernelsOptions = {}): Kernels {
  return checked(backend === 'ts' ? createReferenceKernels() : createWasmKernels(module));
}
