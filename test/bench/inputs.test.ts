import { describe, expect, it } from 'vitest';
import { createKernels } from '../../ts/kernels/index.ts';
import { legalAstcBlocks } from '../support/astc-blocks.ts';

describe('blocks of ASTC that are to be legal', () => {
  it.each(['astc-4x4', 'astc-6x6', 'astc-8x8'] as const)('have no error colour as %s', (format) => {
    const side = Number(format.at(-1));
    const blocks = legalAstcBlocks(400, side);
    const texels = new Uint32Array(
      createKernels()
        .astc.decode(format, blocks, 20 * side, 20 * side)
        .slice().buffer,
    );
    const wrong = Array.from({ length: 400 }, (_, i) => i).filter((i) => {
      const corner = 20 * side * side * Math.floor(i / 20) + side * (i % 20);
      return [0, 1, 2, 3].every((x) => texels[corner + x] === 0xffff00ff);
    });
    expect(wrong).toEqual([]);
  });
});
