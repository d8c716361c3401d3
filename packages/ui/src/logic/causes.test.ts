import { expect, test } from 'vitest';
import type { Change } from 'storeyline-client';
import { causeAbove, setHere } from './causes';

const op = (path: Change['path'], kind: Change['kind'] = 'changed'): Change => ({ path, kind });

test('a container knows whether anything inside it was set', () => {
  const root = setHere([{ ops: [op(['a', 'b'])] }, { ops: [op(['c'])] }]);
  expect(root.kids.get('a')).toMatchObject({ own: false, inside: true });
  expect(root.kids.get('a')?.kids.get('b')).toMatchObject({ own: true, inside: true });
  expect(root.kids.get('c')?.own).toBe(true);
});

test('an item taken out of a list sets the list', () => {
  const list = setHere([{ ops: [op(['list', 0], 'removed')] }]).kids.get('list');
  expect(list).toMatchObject({ own: true });
  expect(list?.kids.size).toBe(0);
});

test('the words for an earlier floor depend on which it is', () => {
  expect(causeAbove(null)).toEqual({ kind: 'template' });
  expect(causeAbove(0)).toEqual({ kind: 'greeting' });
  expect(causeAbove(5)).toEqual({ kind: 'floor', floor: 5 });
});
