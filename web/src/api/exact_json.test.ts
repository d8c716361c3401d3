import { expect, test } from 'vitest';
import { exactNumber, parseExact } from './exact_json';
import { ExactNumber } from './types';

test('a number that prints as it was written stays a number', () => {
  expect(exactNumber(17, '17')).toBe(17);
  expect(exactNumber(-0.5, '-0.5')).toBe(-0.5);
});

test('a number that JavaScript would change keeps its text', () => {
  expect(exactNumber(12345678901234567890, '12345678901234567890')).toEqual(new ExactNumber('12345678901234567890'));
  expect(exactNumber(1.1, '1.10')).toEqual(new ExactNumber('1.10'));
});

test('without source access numbers are read as usual', () => {
  expect(exactNumber(1.5, undefined)).toBe(1.5);
});

test('everything else is plain JSON, a key named __proto__ too', () => {
  const value = parseExact('{"a":[1,"x",null],"__proto__":{"b":true}}') as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['a', '__proto__']);
  expect(value['a']).toEqual([1, 'x', null]);
});
