import { expect, it } from 'vitest';
import { codeNames, statePaths } from './names';

it('offers what a function sees, then the paths of the state', () => {
  const labels = codeNames({ 角色: { 金币: 1, 背包: [{ a: 1 }] } }).map(({ label }) => label);
  expect(labels.slice(0, 3)).toEqual(['snapshot', 'args', 'context']);
  expect(labels.slice(-3)).toEqual(['角色', '角色.金币', '角色.背包']);
});

it('is bounded for any state', () => {
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, { a: n }]));
  expect(statePaths(wide).length).toBeLessThanOrEqual(500);
  expect(statePaths('x')).toEqual([]);
});
