import { describe, expect, it } from 'vitest';
import { compareOutputs } from '../../bench/kernels/compare.ts';

const given = (name: string, bytes: number[]): { name: string; run(): Uint8Array } => ({
  name,
  run: () => Uint8Array.from(bytes),
});

describe('outputs of a benchmark', () => {
  it('may be in parts, and in another form', async () => {
    await compareOutputs('k', [
      given('whole', [1, 2, 3]),
      { name: 'parts', run: () => [Uint8Array.of(1), Uint8Array.of(2, 3)] },
      { ...given('turned', [3, 2, 1]), normalize: (output) => output.toReversed() },
      { name: 'none', run: () => {} },
    ]);
  });

  it.each([
    ['other bytes', given('other', [1, 2, 4]), 'k: other against whole: 1 of 3 bytes differ by more than 0'],
    ['fewer bytes', given('other', [1, 2]), 'k: other against whole: 2 bytes, not 3'],
    ['no bytes', given('other', []), 'k: other gave nothing'],
    [
      'bytes beyond the tolerance',
      { ...given('other', [2, 4, 5]), tolerance: { step: 1, share: 0.4, why: 'rounds' } },
      'k: other against whole: 2 of 3 bytes differ by more than 1',
    ],
  ])('are refused: %s', async (_, other, message) => {
    await expect(compareOutputs('k', [given('whole', [1, 2, 3]), other])).rejects.toThrow(message);
  });

  it('may be off within the tolerance', async () => {
    const other = { ...given('other', [2, 2, 9]), tolerance: { step: 1, share: 0.4, why: 'rounds' } };
    await compareOutputs('k', [given('whole', [1, 2, 3]), other]);
  });
});
