import { expect, test } from 'vitest';
import { checkWords } from '../../words/check';
import { SNAPSHOTS } from './words';

test('the words of the screen follow the rules', () => {
  checkWords(SNAPSHOTS, [[7, 3, 'Main'], [1, 1, 'Main']]);
});

test('numbers reach the sentence', () => {
  expect(SNAPSHOTS.en.origin('Aria', 42, 'Main')).toBe('Aria #42, Main');
  expect(SNAPSHOTS.en.countValues(1)).toBe('1 value');
});
