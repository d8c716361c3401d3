import { it } from 'vitest';
import { checkWords } from '../../words/check';
import { FUNCTIONS } from './words';

it('has the same sentences in both languages', () => {
  checkWords(FUNCTIONS, [
    [2, 'x'],
    ['noName', 'x'],
    ['calls', 3],
  ]);
});
