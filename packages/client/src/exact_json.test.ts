import { expect, test } from 'vitest';
import { ExactNumber, exactNumber, parseExact, writeExact } from './exact_json.ts';

test('a number that prints as it was written stays a number', () => {
  expect(exactNumber(17, '17')).toBe(17);
  expect(exactNumber(-0.5, '-0.5')).toBe(-0.5);
});

test('a number that JavaScript would change keeps its text', () => {
  expect(exactNumber(12345678901234567890, '12345678901234567890')).toHaveProperty('text', '12345678901234567890');
  expect(exactNumber(1.1, '1.10')).toHaveProperty('text', '1.10');
});

test('without source access numbers are read as usual', () => {
  expect(exactNumber(1.5, undefined)).toBe(1.5);
});

test('every digit survives reading and writing, and arithmetic takes the nearest number', () => {
  const text = '{"a":[12345678901234567890,-0.12345678901234567891,1e400,7],"b":9007199254740993}';
  const value = parseExact(text) as { a: number[]; b: number };
  expect(JSON.stringify(value)).toBe(text);
  expect([value.b - 1, value.a[3]]).toEqual([9007199254740991, 7]);
});

test('everything else is plain JSON, a key named __proto__ too', () => {
  const value = parseExact('{"a":[1,"x",null],"__proto__":{"b":true}}') as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['a', '__proto__']);
  expect(value['a']).toEqual([1, 'x', null]);
});

test('writing tells whether a number needs an exact reader, wherever it is', () => {
  expect(writeExact({ a: [{ b: new ExactNumber('12345678901234567890') }] })).toEqual({ text: '{"a":[{"b":12345678901234567890}]}', exact: true });
  expect(writeExact({ a: [1, 'x'] })).toEqual({ text: '{"a":[1,"x"]}', exact: false });
  expect(writeExact(new ExactNumber('1e400'))).toEqual({ text: '1e400', exact: true });
});
