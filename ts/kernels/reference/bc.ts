import type { BcKernels, TexelFormat } from '../contract.ts';

/** One row of blocks at `s` to `texelRows` (1 to 4) rows of `width` RGBA8 texels at `o`. */
export function decodeBlockRow(
  format: TexelFormat,
  out: Uint8Array,
  o: number,
  src: Uint8Array,
  s: number,
  width: number,
  texelRows: number,
): void {
  void [format, out, o, src, s, width, texelRows];
}

export const bc: BcKernels = {
  decode() {
    throw new Error('');
  },
};
