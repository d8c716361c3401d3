import type { Json, ValueChange } from 'storeyline-client';
import { expect, test } from 'vitest';
import { sparkline } from './sparkline';

const change = (floor: number, after?: Json): ValueChange => ({ floor, page: 'p', by: null, ...(after === undefined ? {} : { after }) });

test('the line steps from value to value and ends at the last floor', () => {
  expect(sparkline([change(0, 0), change(5, 10), change(8, 5)], 10, 100, 20)).toEqual([
    { x: 0, y: 20 },
    { x: 50, y: 20 },
    { x: 50, y: 0 },
    { x: 80, y: 0 },
    { x: 80, y: 10 },
    { x: 100, y: 10 },
  ]);
});

test('only numbers have a line, and only if they changed', () => {
  expect(sparkline([change(0, 1)], 5, 10, 10)).toBeNull();
  expect(sparkline([change(0, 1), change(2, 'a')], 5, 10, 10)).toBeNull();
  expect(sparkline([change(0, 1), change(2)], 5, 10, 10)).toBeNull();
  expect(sparkline([change(3, 2), change(3, 2)], 3, 10, 10)?.every(({ y }) => y === 5)).toBe(true);
});
