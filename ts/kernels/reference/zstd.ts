import type { ZstdKernels } from '../contract.ts';
export const createZstd = (): ZstdKernels => ({}) as ZstdKernels;
