import { expect, test } from 'vitest';
import { checkWords } from './check';
import { FILL } from './fill';
import { PARTS } from './parts';

test('the words of the parts follow the rules', () => {
  const problem = { kind: 'syntax', line: 3, column: 5 };
  checkWords(FILL, []);
  checkWords(PARTS, [[7, 8, 9], ['changed'], [problem]]);
});

test('numbers reach the sentence', () => {
  expect(PARTS.en.problem({ kind: 'syntax', line: 3, column: 5 })).toBe('Line 3, column 5: this is not valid JSON.');
  expect(PARTS.en.countDifferences(1)).toBe('1 difference');
  expect(PARTS.zh.pageOf(1, 200, 450)).toBe('第 1–200 项，共 450 项');
});
