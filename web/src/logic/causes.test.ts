import { expect, test } from 'vitest';
import { causeAt, causesOf, NEVER } from './causes';

test('a container knows the latest floor inside it', () => {
  const root = causesOf({ '["a"]': 4, '["a","b"]': 9, '["a","c",0]': 6 });
  const a = root.kids.get('a');
  expect(a?.own).toBe(4);
  expect(a?.inside).toBe(9);
  expect(a?.kids.get('c')?.own).toBe(NEVER);
  expect(a?.kids.get('c')?.kids.get(0)?.own).toBe(6);
});

test('the words for a cause depend on where one stands', () => {
  expect(causeAt(NEVER, 8)).toEqual({ kind: 'template' });
  expect(causeAt(8, 8)).toEqual({ kind: 'here' });
  expect(causeAt(0, 8)).toEqual({ kind: 'greeting' });
  expect(causeAt(0, 0)).toEqual({ kind: 'here' });
  expect(causeAt(5, 8)).toEqual({ kind: 'floor', floor: 5 });
});

test('a path that cannot be read is passed over', () => {
  expect(causesOf({ 'not json': 3 }).kids.size).toBe(0);
});
