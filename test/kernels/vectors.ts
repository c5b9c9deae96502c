import type { Kernels, StreamErrorPayload } from '../../ts/kernels/contract.ts';

/** What every body of the contract has: the kernels as the WIT describes them. */
export type WitKernels = Pick<Kernels, 'hash' | 'tegra' | 'bc' | 'astc' | 'pixel' | 'png' | 'zstd' | 'yaz0'>;

/** One line of the conformance table: the wasm, the TypeScript twin and the component must all give `expected`. */
export interface Vector {
  name: string;
  run(kernels: WitKernels): Uint8Array | number | bigint | string;
  /** The exact result; for long ones the SHA-256 of the bytes, in hex; for streams that are wrong the error. */
  expected: Uint8Array | number | bigint | { sha256: string } | { error: StreamErrorPayload } | string;
}
