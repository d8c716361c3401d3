import { expect, test } from 'vitest';
import type { FloorLine, Role } from 'storeyline-client';
import { nearestFloor, newestFloor, nextFloor, readFloorNumber, type Rows } from './floors';

const LETTERS: Record<string, Role> = { a: 'assistant', n: 'narrator', u: 'user', o: 'other' };

/** One letter per floor; a dot is a row that is not loaded. */
function story(letters: string): Rows {
  return [...letters].map((letter, floor): FloorLine | undefined => {
    const role = LETTERS[letter];
    if (!role) return undefined;
    const changes = { changed: 0, added: 0, removed: 0, failed: 0 };
    const page = `p${floor}`;
    return { floor, page, role, name: '', time: null, hidden: false, valid: true, preview: '', pages: 1, active: 0, changes, overridden: false, stale: false };
  });
}

test('stepping passes over messages without a state', () => {
  expect(nextFloor(story('auoua'), 0, 1)).toEqual({ floor: 4 });
  expect(nextFloor(story('nuoua'), 4, -1)).toEqual({ floor: 0 });
  expect(nextFloor(story('aua'), 2, 1)).toBeNull();
});

test('stepping into rows that are not loaded says which one is missing', () => {
  expect(nextFloor(story('au.a'), 0, 1)).toEqual({ missing: 2 });
});

test('the newest floor is the last one with a state', () => {
  expect(newestFloor(story('auau'))).toBe(2);
  expect(newestFloor(story('uu'))).toBe(1);
  expect(newestFloor([])).toBeNull();
});

test('the nearest floor with a state, the later of two', () => {
  expect(nearestFloor(story('aua'), 1)).toBe(2);
  expect(nearestFloor(story('auuua'), 1)).toBe(0);
  expect(nearestFloor(story('uu'), 9)).toBe(1);
});

test('a floor number may be written in several ways', () => {
  expect(['128', '#128', ' ＃１２８ ', '第128层', '第 128 层'].map(readFloorNumber)).toEqual([128, 128, 128, 128, 128]);
  expect(['', 'abc', '12a', '-3', '1.5'].map(readFloorNumber)).toEqual([null, null, null, null, null]);
});
