import { expect, test } from 'vitest';
import { checkWords } from '../../words/check';
import { TEMPLATE } from './words';

test('the words of the screen follow the rules', () => {
  checkWords(TEMPLATE, [[7, 3], [0, 3], [1, 1], ['you'], ['card'], ['default']]);
});

test('numbers reach the sentence', () => {
  expect(TEMPLATE.en.saved(3)).toBe('Saved. Stories that start now use it. 3 running stories keep theirs.');
  expect(TEMPLATE.en.unsaved(2)).toBe('unsaved · 2 edits');
  expect(TEMPLATE.zh.emptyWhy(0)).toContain('第 0 层');
});
