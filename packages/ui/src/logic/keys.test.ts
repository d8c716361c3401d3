import { expect, test } from 'vitest';
import { commandOf, type KeyPress } from './keys';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  inField: false,
  ...more,
});

test('brackets move along the floors, also from a Chinese keyboard', () => {
  expect(commandOf(press('['))).toBe('previous');
  expect(commandOf(press('】'))).toBe('next');
});

test('nothing happens in a field, while composing or with a modifier', () => {
  expect(commandOf(press('g', { inField: true }))).toBeNull();
  expect(commandOf(press('[', { isComposing: true }))).toBeNull();
  expect(commandOf(press('c', { ctrlKey: true }))).toBeNull();
  expect(commandOf(press('c', { metaKey: true }))).toBeNull();
  expect(commandOf(press('/', { altKey: true }))).toBeNull();
});

test('other keys are left to others', () => {
  expect(commandOf(press('x'))).toBeNull();
  expect(commandOf(press('toString'))).toBeNull();
});
