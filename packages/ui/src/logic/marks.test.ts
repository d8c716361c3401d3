import { expect, test } from 'vitest';
import type { Change, Json, Path } from 'storeyline-client';
import { hasMarks, marksOf, type MarkNode } from './marks';

const changed = (path: Path, old: Json, now: Json): Change => ({ path, kind: 'changed', old, new: now });
const added = (path: Path, now: Json): Change => ({ path, kind: 'added', new: now });
const removed = (path: Path, old: Json): Change => ({ path, kind: 'removed', old });

function at(ops: Change[], ...path: Path): MarkNode | undefined {
  let node: MarkNode | undefined = marksOf([{ ops }]);
  for (const key of path) node = node?.kids.get(key);
  return node;
}

test('two changes of one value are one mark with the first old value', () => {
  const ops = [changed(['信任'], 30, 35), changed(['信任'], 35, 40)];
  expect(at(ops, '信任')?.mark).toEqual({ kind: 'changed', old: 30 });
});

test('a value that ends as it began has no mark', () => {
  expect(hasMarks(at([changed(['a'], 1, 2), changed(['a'], 2, 1)]))).toBe(false);
});

test('what came and went on the same floor leaves nothing', () => {
  expect(hasMarks(at([added(['a'], 1), removed(['a'], 1)]))).toBe(false);
});

test('removed and set again is a change', () => {
  const root = at([removed(['a'], 1), added(['a'], 2)]);
  expect(root?.gone).toEqual([]);
  expect(root?.kids.get('a')?.mark).toEqual({ kind: 'changed', old: 1 });
});

test('a key that was changed and then removed is gone with its first value', () => {
  expect(at([changed(['a'], 1, 2), removed(['a'], 2)])?.gone).toEqual([{ key: 'a', old: 1 }]);
});

test('a new value that is changed again stays new', () => {
  expect(at([added(['a'], 1), changed(['a'], 1, 2)], 'a')?.mark).toEqual({ kind: 'added' });
});

test('marks behind a removed list item move up', () => {
  const list = at([added(['bag', 2], 'key'), removed(['bag', 0], 'map')], 'bag');
  expect(list?.kids.get(1)?.mark).toEqual({ kind: 'added' });
  expect(list?.kids.has(2)).toBe(false);
  expect(list?.gone).toEqual([{ key: 0, old: 'map' }]);
});

test('marks behind an inserted list item move down', () => {
  const list = at([changed(['bag', 1], 'a', 'b'), added(['bag', 0], 'new')], 'bag');
  expect(list?.kids.get(0)?.mark).toEqual({ kind: 'added' });
  expect(list?.kids.get(2)?.mark).toEqual({ kind: 'changed', old: 'a' });
});

test('an object replaced as a whole is marked where it differs', () => {
  const node = at([changed(['hero'], { hp: 1, mp: 2, old: 3 }, { hp: 1, mp: 5, fresh: 4 })], 'hero');
  expect(node?.mark).toBeNull();
  expect([...(node?.kids.keys() ?? [])]).toEqual(['mp', 'fresh']);
  expect(node?.gone).toEqual([{ key: 'old', old: 3 }]);
});

test('a list replaced as a whole keeps its equal ends unmarked', () => {
  const node = at([changed(['bag'], ['a', 'b', 'c'], ['a', 'c'])], 'bag');
  expect(node?.kids.size).toBe(0);
  expect(node?.gone).toEqual([{ key: 1, old: 'b' }]);
  const longer = at([changed(['bag'], ['a'], ['a', 'b', 'c'])], 'bag');
  expect([...(longer?.kids.keys() ?? [])]).toEqual([1, 2]);
});

test('a value that became a container is one change', () => {
  expect(at([changed(['a'], 1, { b: 2 })], 'a')?.mark).toEqual({ kind: 'changed', old: 1 });
});

test('the text key "2" and the list place 2 are different', () => {
  const root = at([added(['2'], 1)]);
  expect(root?.kids.has('2')).toBe(true);
  expect(root?.kids.has(2)).toBe(false);
});
