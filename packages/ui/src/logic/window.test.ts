import { expect, test } from 'vitest';
import { scrollFor, visibleRange } from './window';

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
