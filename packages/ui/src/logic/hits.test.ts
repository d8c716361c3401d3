import { expect, test } from 'vitest';
import { piecesOf } from './hits';

test('every occurrence is a piece of its own, in any case', () => {
  expect(piecesOf('Gold, gold!', 'gold')).toEqual([
    { text: 'Gold', hit: true },
    { text: ', ', hit: false },
    { text: 'gold', hit: true },
    { text: '!', hit: false },
  ]);
});

test('without a query, or without a hit, the text stays whole', () => {
  expect(piecesOf('abc', ' ')).toEqual([{ text: 'abc', hit: false }]);
  expect(piecesOf('abc', 'x')).toEqual([{ text: 'abc', hit: false }]);
});

test('pieces always add up to the text', () => {
  for (const text of ['İi', '阿丽娅.信任', 'aaa']) {
    expect(piecesOf(text, 'i').map((piece) => piece.text).join('')).toBe(text);
  }
});
