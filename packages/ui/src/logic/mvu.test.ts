import { expect, test } from 'vitest';
import { findMvu, hasMetadata } from './mvu';

test('what is there is counted', () => {
  expect(findMvu({ $meta: {}, a: [1, '$__META_EXTENSIBLE__$', { $arrayMeta: true }], love: [5, 'how much she trusts you'] })).toEqual({ record: false, metadata: 3, pairs: 1 });
  expect(findMvu({ stat_data: { x: 1 } })).toEqual({ record: true, metadata: 0, pairs: 0 });
  expect(findMvu({ bag: ['potion', 'map'] })).toEqual({ record: false, metadata: 0, pairs: 0 });
});

test('pairs of a value and its description are no metadata', () => {
  expect(hasMetadata({ love: [5, 'trust'] })).toBe(false);
  expect(hasMetadata({ stat_data: {} })).toBe(true);
  expect(hasMetadata({ stat_data: {}, own: 1 })).toBe(false);
  expect(hasMetadata({ a: [{ $meta: 1 }] })).toBe(true);
});
