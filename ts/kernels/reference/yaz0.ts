import type { Yaz0Kernels } from '../contract.ts';
export const createYaz0 = (): Yaz0Kernels => ({}) as Yaz0Kernels;
