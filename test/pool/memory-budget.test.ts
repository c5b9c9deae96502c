import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../pipeline/pool/memory-budget.ts';

describe('MemoryBudget', () => {
  it('grants what fits at once, and the rest in the order it was asked for', () => {
    const budget = new MemoryBudget(100);
    const granted: string[] = [];
    for (const [name, bytes] of [
      ['a', 60],
      ['b', 50],
      ['c', 30],
    ] as const) {
      budget.reserve(bytes, () => granted.push(name));
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
    budget.reserve(500, () => granted.push(500));
    budget.reserve(1, () => granted.push(1));
    expect(granted).toEqual([500]);
    budget.release(500);
    expect(granted).toEqual([500, 1]);
  });

  it('lets the first go on when told that nobody gives anything back', () => {
    const budget = new MemoryBudget(100);
    const granted: string[] = [];
    budget.reserve(80, () => granted.push('a'));
    budget.reserve(80, () => granted.push('b'));
    budget.reserve(80, () => granted.push('c'));
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
    budget.reserve(80, () => granted.push('a'));
    const stop = budget.reserve(80, () => granted.push('b'));
    budget.reserve(20, () => granted.push('c'));
    stop();
    expect(granted).toEqual(['a', 'c']);
    budget.release(80);
    expect(granted).toEqual(['a', 'c']);
  });
});
