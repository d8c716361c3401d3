import { expect, test } from 'vitest';
import { placeBeside } from './placing';

const around = { left: 100, top: 50, width: 800, height: 600 };
const size = { width: 300, height: 200 };
const at = (left: number, top: number) => placeBeside({ left, top, width: 40, height: 28 }, size, around);

test('below its row, and above it near the lower edge', () => {
  expect(at(200, 100)).toEqual({ left: 200, top: 130 });
  expect(at(200, 500)).toEqual({ left: 200, top: 298 });
});

test('it stays inside at the left and right edge', () => {
  expect(at(880, 100).left).toBe(594);
  expect(at(20, 100).left).toBe(106);
});

test('where it fits nowhere its beginning is seen', () => {
  const low = { left: 0, top: 0, width: 200, height: 100 };
  expect(placeBeside({ left: 10, top: 70, width: 40, height: 28 }, size, low)).toEqual({ left: 6, top: 6 });
});
