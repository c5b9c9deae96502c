import type { PngKernels } from '../contract.ts';
export const createPng = (): PngKernels => ({}) as PngKernels;
