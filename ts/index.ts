/** The public face of romflow: formats and kernels. Everything here also runs in browsers. */
export * from './kernels/index.ts';
