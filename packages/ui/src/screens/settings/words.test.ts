import { expect, test } from 'vitest';
import { checkWords } from '../../words/check';
import { Search } from './search.svelte';
import { floorsText, SETTINGS, sizeText } from './words';

test('both languages have the same entries, each in its own language', () => {
  checkWords(SETTINGS, [[7, 8, 0, 9], [1, 1, 1, 1]]);
});

test('sizes and floors as people say them', () => {
  expect([0, 999, 1024, 1_887_436, 5e12].map(sizeText)).toEqual(['0 B', '999 B', '1 KB', '1.8 MB', '4.5 TB']);
  expect(floorsText([])).toBe('');
  expect(floorsText([1, 2, 3, 5, 8, 9])).toBe('#1–#3 #5 #8–#9');
  expect(floorsText([1, 3, 5], 2)).toBe('#1 #3 …');
});

test('the search finds settings by all its words, in any place', () => {
  const search = new Search();
  const texts = ['Engine', 'Search index', 'On: text search is fast'];
  const found = (query: string): boolean => {
    search.query = query;
    return search.matches(texts);
  };
  expect([found(''), found('INDEX fast'), found(' engine '), found('index slow')]).toEqual([true, true, true, false]);
});
