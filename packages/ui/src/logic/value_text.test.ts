import { expect, test } from 'vitest';
import { ExactNumber } from 'storeyline-client';
import { cut, equal, keyLabel, pathText, valueText, wholeText } from './value_text';

test('leaves are JSON, containers are counted', () => {
  expect(valueText('a"\n<b>')).toBe('"a\\"\\n<b>"');
  expect(valueText(null)).toBe('null');
  expect(valueText(new ExactNumber('1.10'))).toBe('1.10');
  expect(valueText({ a: 1, b: 2 })).toBe('{ 2 }');
  expect(valueText([1, 2, 3])).toBe('[ 3 ]');
  expect(valueText(undefined)).toBe('');
});

test('the whole text is JSON that reads back to the same value', () => {
  const value = { a: [1, { 'b"': 'c\n' }, []], d: {}, e: null };
  expect(JSON.parse(wholeText(value))).toEqual(value);
  expect(wholeText([new ExactNumber('9007199254740993')])).toBe('[\n  9007199254740993\n]');
});

test('long text is cut, but never inside a character', () => {
  expect(cut('abc', 3)).toEqual({ text: 'abc', more: false });
  expect(cut('abcd', 3)).toEqual({ text: 'abc…', more: true });
  expect(cut('ab😀cd', 3)).toEqual({ text: 'ab…', more: true });
});

test('paths read as people write them', () => {
  expect(pathText(['阿丽娅', '信任'])).toBe('阿丽娅.信任');
  expect(pathText(['背包', 2, 'name'])).toBe('背包[2].name');
  expect(pathText(['a.b', '', 'c'])).toBe('["a.b"][""].c');
});

test('equality looks into containers and does not mind the order of keys', () => {
  expect(equal({ a: [1, 2], b: 'x' }, { b: 'x', a: [1, 2] })).toBe(true);
  expect(equal({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(equal([1], { 0: 1 })).toBe(false);
  expect(equal(new ExactNumber('1.0'), new ExactNumber('1.0'))).toBe(true);
});

test('marks that turn or hide text are seen, and the text stays JSON', () => {
  expect(valueText('abc\u202edcba')).toBe('"abc\\u202edcba"');
  expect(JSON.parse(valueText('a\u200b\ufeff'))).toBe('a\u200b\ufeff');
  expect(valueText('👩‍👧')).toBe('"👩‍👧"');
});

test('a key is quoted only where it would mislead', () => {
  expect(['信任', 'a b', '', ' x', 'a\u202eb', 'q"', 3].map(keyLabel)).toEqual(['信任', 'a b', '""', '" x"', '"a\\u202eb"', '"q\\""', '3']);
});
