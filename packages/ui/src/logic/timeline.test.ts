import { expect, test } from 'vitest';
import type { FloorLine, Role } from 'storeyline-client';
import { barHeight, barsOf, floorAtX, floorX, ticksOf } from './timeline';

function row(floor: number, role: Role, changed: number, failed = 0): FloorLine {
  const changes = { changed, added: 0, removed: 0, failed };
  const page = `p${floor}`;
  return { floor, page, role, name: '', time: null, hidden: false, valid: true, preview: '', pages: 1, active: 0, changes, overridden: false, stale: false };
}

test('one bar per floor with a state, none for messages of the user or rows not loaded', () => {
  const rows = [row(0, 'assistant', 2), row(1, 'user', 0), undefined, row(3, 'narrator', 1)];
  expect(barsOf(rows, 100).map((bar) => bar.floor)).toEqual([0, 3]);
});

test('with too little room the bucket takes the maximum and the failed floor wins', () => {
  const rows = Array.from({ length: 100 }, (_, i) => row(i, 'assistant', i % 10, i === 42 ? 1 : 0));
  const bars = barsOf(rows, 10);
  expect(bars).toHaveLength(10);
  expect(bars[4]).toEqual({ floor: 42, changes: 9, failed: 1, overridden: false, stale: false });
  expect(bars[3]).toEqual({ floor: 39, changes: 9, failed: 0, overridden: false, stale: false });
});

test('heights grow with the logarithm', () => {
  expect(barHeight(0, 7)).toBe(0);
  expect(barHeight(7, 7)).toBe(1);
  expect(barHeight(1, 7)).toBeCloseTo(1 / 3);
  expect(barHeight(0, 0)).toBe(0);
});

test('ticks are round, keep their distance and end at the last floor', () => {
  expect(ticksOf(132, 5)).toEqual([0, 50, 100, 131]);
  expect(ticksOf(101, 5)).toEqual([0, 20, 40, 60, 80, 100]);
  expect(ticksOf(3, 5)).toEqual([0, 1, 2]);
  expect(ticksOf(1, 5)).toEqual([0]);
  expect(ticksOf(0, 5)).toEqual([]);
});

test('a place on the strip and its floor belong together', () => {
  for (const floor of [0, 64, 131]) expect(floorAtX(floorX(floor, 132, 1256, 4), 132, 1256, 4)).toBe(floor);
  expect(floorAtX(-50, 132, 1256, 4)).toBe(0);
  expect(floorAtX(9999, 132, 1256, 4)).toBe(131);
});
