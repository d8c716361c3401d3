import { expect, test } from 'vitest';
import { sourcePage } from './row_acts';

const ID = '9f30ac41-0c8d-4d3c-9a3e-0d1c2b3a4f5e';

test('an event names the page that it came from, as an entry and as a value', () => {
  expect(sourcePage({ key: 0, value: { 名称: '下雨', sourceMessageId: ID } })).toBe(ID);
  expect(sourcePage({ key: 'sourceMessageId', value: ID.toUpperCase() })).toBe(ID);
});

test('anything else is no page', () => {
  for (const value of ['../x', 7, null, [ID], { sourceMessageId: 'page 3' }, { id: ID }]) expect(sourcePage({ key: 0, value })).toBeNull();
  expect(sourcePage({ key: 'id', value: ID })).toBeNull();
  expect(sourcePage({ key: 'sourceMessageId', value: 'no id' })).toBeNull();
});
