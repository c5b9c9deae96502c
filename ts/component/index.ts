/**
 * `romflow/component`: the kernels as a WebAssembly component, through the JavaScript that jco makes for it. The functions
 * and types are those of `asm/wit/kernels.wit`, with its names in camel case.
 *
 * ```js
 * import { instantiate } from 'romflow/component';
 * const { hash, zstd } = instantiate();
 * hash.crc32(bytes, 0);
 * ```
 *
 * It runs wherever WebAssembly does, as the core module is embedded and compiled synchronously. For other component
 * hosts (wasmtime, jco) there is the component itself, `romflow/kernels.component.wasm`.
 */
import { compileKernels } from '../kernels/wasm.ts';
import type { StreamError } from './generated/interfaces/romflow-kernels-types.js';
import { instantiate as instantiateCore, type Kernels } from './generated/kernels.js';

export type * from './generated/interfaces/romflow-kernels-types.js';

/** An instance of the component: its interfaces under their short and their full names. */
export type KernelsComponent = Omit<Kernels, 'types' | 'romflow:kernels/types@0.1.0'>;

/** What a function throws whose WIT result is an error: `payload` is the `stream-error`. */
export interface ComponentError extends Error {
  readonly payload: StreamError;
}

/** Options of {@link instantiate}. */
export interface InstantiateOptions {
  /** `romflow/kernels.wasm`, compiled; default: the embedded copy of it. */
  module?: WebAssembly.Module;
}

/**
 * Makes an independent instance with a memory of its own.
 *
 * Handles are only good for the instance that gave them. A handle that is not open is a trap
 * (`WebAssembly.RuntimeError`), after which the instance can no longer be used; an argument out of its range gives an
 * empty list.
 */
export function instantiate({ module = compileKernels() }: InstantiateOptions = {}): KernelsComponent {
  return instantiateCore(() => module, {});
}
