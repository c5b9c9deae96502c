import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../pipeline/pool/memory-budget.ts';

/** Takes bytes now or later; gives a function that stops waiting. */
function reserve(budget: MemoryBudget, bytes: number, grant: () => void): () => void {
  if (!budget.tryReserve(bytes)) return budget.wait(bytes, grant);
  grant();
  return () => {};
}

describe('MemoryBudget', () => {
  it('grants what fits at once, and the rest in the order it was asked for', () => {
    const budget = new MemoryBudget(100);
    const granted: string[] = [];
    for (const [name, bytes] of [
      ['a', 60],
      ['b', 50],
      ['c', 30],
    ] as const) {
      reserve(budget, bytes, () => granted.push(name));
    }
    // c would fit, but came after b.
    expect(granted).toEqual(['a']);
    expect(budget.tryReserve(10)).toBe(false);
    budget.release(60);
    expect(granted).toEqual(['a', 'b', 'c']);
    expect(budget.tryReserve(30)).toBe(false);
    expect(budget.tryReserve(20)).toBe(true);
  });

  it('grants more than there is when nothing else is held', () => {
    const budget = new MemoryBudget(100);
    const granted: number[] = [];
    reserve(budget, 500, () => granted.push(500));
    reserve(budget, 1, () => granted.push(1));
    expect(granted).toEqual([500]);
    budget.release(500);
    expect(granted).toEqual([500, 1]);
  });

  it('lets the first go on when told that nobody gives anything back', () => {
    const budget = new MemoryBudget(100);
    const granted: string[] = [];
    reserve(budget, 80, () => granted.push('a'));
    reserve(budget, 80, () => granted.push('b'));
    reserve(budget, 80, () => granted.push('c'));
    budget.force();
    expect(granted).toEqual(['a', 'b']);
    budget.release(80);
    expect(granted).toEqual(['a', 'b']);
    budget.release(80);
    expect(granted).toEqual(['a', 'b', 'c']);
  });

  it('who stops waiting is not granted, and those behind are', () => {
    const budget = new MemoryBudget(100);
    const granted: string[] = [];
    reserve(budget, 80, () => granted.push('a'));
    const stop = reserve(budget, 80, () => granted.push('b'));
    reserve(budget, 20, () => granted.push('c'));
    stop();
    expect(granted).toEqual(['a', 'c']);
    budget.release(80);
    expect(granted).toEqual(['a', 'c']);
  });
});
