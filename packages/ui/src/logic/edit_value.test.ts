import { ExactNumber, type Json } from 'storeyline-client';
import { expect, test } from 'vitest';
import { editText, kindOf, readValue, sameJson, valueAt } from './edit_value';

test('what is shown and not changed is read back as it was', () => {
  const values: Json[] = ['calm', '', '12', '"', 'a\nb', 0, -1.5, true, null, [1, 'a'], { a: { b: [] } }, new ExactNumber('12345678901234567890')];
  for (const value of values) expect(sameJson(readValue(editText(value), value), value), editText(value)).toBe(true);
});

test('a text stays a text, elsewhere JSON is read, and the rest is a text', () => {
  expect(readValue('35', 'calm')).toBe('35');
  expect(readValue('"a \\"quoted\\" one"', 'calm')).toBe('a "quoted" one');
  expect(readValue(' 35 ', 30)).toBe(35);
  expect(readValue('wary', 30)).toBe('wary');
  expect(readValue('"35"', 30)).toBe('35');
  expect(readValue('[1, 2]', undefined)).toEqual([1, 2]);
  expect(readValue('{oops', {})).toBe('{oops');
  expect(kindOf(readValue('12345678901234567890', 1))).toBe('number');
  expect(JSON.stringify(readValue('12345678901234567890', 1))).toBe('12345678901234567890');
});

test('a path leads to its value, and nowhere else', () => {
  const state = { a: [{ 'b.c': 1 }], '': 2 };
  expect(valueAt(state, ['a', 0, 'b.c'])).toBe(1);
  expect(valueAt(state, [''])).toBe(2);
  expect(valueAt(state, [])).toBe(state);
  expect(valueAt(state, ['a', '0'])).toBeUndefined();
  expect(valueAt(state, ['constructor'])).toBeUndefined();
});
