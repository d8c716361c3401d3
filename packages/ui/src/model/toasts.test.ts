import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SHOWN_MS, Toasts } from './toasts.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const deleted = (count: number): string => `${count} deleted`;

test('repeated actions become one message and are taken back together, the newest first', async () => {
  const toasts = new Toasts();
  const undone: string[] = [];
  for (const name of ['a', 'b', 'c']) toasts.show({ kind: 'delete', text: deleted, undo: () => void undone.push(name) });
  toasts.show({ kind: 'delete', amount: 2, text: deleted, undo: () => void undone.push('two') });
  toasts.show({ kind: 'save', text: () => 'saved' });
  expect(toasts.shown.map(({ text, undos }) => `${text} ${undos.length}`)).toEqual(['5 deleted 4', 'saved 0']);
  await toasts.undo(toasts.shown[0]!.id);
  expect(undone).toEqual(['two', 'c', 'b', 'a']);
  expect(toasts.shown.map(({ text }) => text)).toEqual(['saved']);
});

test('a message goes after its time, counted from the last action', () => {
  const toasts = new Toasts();
  toasts.show({ kind: 'delete', text: deleted });
  vi.advanceTimersByTime(SHOWN_MS - 1);
  toasts.show({ kind: 'delete', text: deleted });
  vi.advanceTimersByTime(SHOWN_MS - 1);
  expect(toasts.shown).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.shown).toEqual([]);
});

test('it stays while someone is at it, and goes after that', () => {
  const toasts = new Toasts();
  toasts.show({ kind: 'delete', text: deleted });
  const { id } = toasts.shown[0]!;
  toasts.hold(id, true);
  vi.advanceTimersByTime(SHOWN_MS * 3);
  expect(toasts.shown).toHaveLength(1);
  toasts.hold(id, false);
  vi.advanceTimersByTime(SHOWN_MS);
  expect(toasts.shown).toEqual([]);
  toasts.hold(id, false);
  expect(vi.getTimerCount()).toBe(0);
});
