import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hover, LEAVE_MS, OPEN_MS, PRESS_MS } from './hover';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function started() {
  const shown: (string | null)[] = [];
  return { hover: new Hover<string>((key) => shown.push(key)), shown };
}

test('a card opens after resting on a row, and not while passing', () => {
  const { hover, shown } = started();
  hover.over('a');
  vi.advanceTimersByTime(OPEN_MS - 1);
  hover.over('b');
  vi.advanceTimersByTime(OPEN_MS - 1);
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual(['b']);
});

test('it stays on the way into the card and while the pointer is there, and closes after both are left', () => {
  const { hover, shown } = started();
  hover.over('a');
  vi.advanceTimersByTime(OPEN_MS);
  hover.over(null);
  vi.advanceTimersByTime(LEAVE_MS - 1);
  hover.inCard(true);
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual(['a']);
  hover.inCard(false);
  vi.advanceTimersByTime(LEAVE_MS);
  expect(shown).toEqual(['a', null]);
});

test('a row between the row and the card does not take over', () => {
  const { hover, shown } = started();
  hover.over('a');
  vi.advanceTimersByTime(OPEN_MS);
  hover.over('b');
  vi.advanceTimersByTime(LEAVE_MS / 2);
  hover.over(null);
  hover.inCard(true);
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual(['a']);
});

test('a row that was pressed gets no card until the pointer has left it', () => {
  const { hover, shown } = started();
  hover.over('a');
  hover.cancel();
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual([]);
  hover.over(null);
  hover.over('a');
  vi.advanceTimersByTime(OPEN_MS);
  expect(shown).toEqual(['a']);
});

test('a long press opens it and takes the click; a finger that scrolls does not', () => {
  const { hover, shown } = started();
  hover.press('a', 0, 0);
  hover.moved(3, 3);
  vi.advanceTimersByTime(PRESS_MS);
  expect(shown).toEqual(['a']);
  expect([hover.takesClick(), hover.takesClick()]).toEqual([true, false]);
  hover.cancel();
  hover.press('b', 0, 0);
  hover.moved(0, 40);
  vi.advanceTimersByTime(PRESS_MS);
  expect(shown).toEqual(['a', null]);
  expect(hover.takesClick()).toBe(false);
});
