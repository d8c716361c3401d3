import { expect, test } from 'vitest';
import { reuse, scrollFor, visibleRange } from './window';

test('only the visible rows and a few around them', () => {
  expect(visibleRange(2800, 560, 28, 5000)).toEqual({ from: 90, to: 130 });
  expect(visibleRange(0, 560, 28, 5)).toEqual({ from: 0, to: 5 });
  expect(visibleRange(0, 560, 28, 0)).toEqual({ from: 0, to: 0 });
});

test('a scroll position behind the end of a list that became shorter shows its last rows', () => {
  const range = visibleRange(28_000, 560, 28, 50);
  expect(range.from).toBeLessThan(range.to);
  expect(range.to).toBe(50);
});

test('revealing a row moves as little as possible', () => {
  expect(scrollFor(10, 28, 0, 560)).toBe(0);
  expect(scrollFor(2, 28, 100, 560)).toBe(56);
  expect(scrollFor(30, 28, 0, 560)).toBe(308);
});

test('rows that stay keep their elements, and a jump fills the elements that are there', () => {
  const names = ({ range, shift }: ReturnType<typeof reuse>): number[] => Array.from({ length: range.to - range.from }, (_, i) => range.from + i - shift);
  const first = reuse({ range: { from: 0, to: 0 }, shift: 0 }, { from: 0, to: 4 });
  expect(names(first)).toEqual([0, 1, 2, 3]);
  const scrolled = reuse(first, { from: 1, to: 5 });
  expect(names(scrolled)).toEqual([1, 2, 3, 4]);
  const jumped = reuse(scrolled, { from: 900, to: 904 });
  expect(names(jumped)).toEqual([1, 2, 3, 4]);
  expect(names(reuse(jumped, { from: 901, to: 906 }))).toEqual([2, 3, 4, 5, 6]);
});
