import { expect, test } from 'vitest';
import { ExactNumber, type Json } from 'storeyline-client';
import { differences, edits, filtered, groupsOf, jsonPatch, restText, type PatchOp } from './differences';

const A: Json = { world: { place: 'gate', time: 20 }, bag: ['a', 'b', 'c'], hero: { gold: 1 } };
const B: Json = { world: { place: 'gate', time: 21, day: 2 }, bag: ['a', 'c'], mood: 'calm' };

test('only differing paths, each once', () => {
  expect(differences(A, B)).toEqual([
    { path: ['world', 'time'], kind: 'changed', a: 20, b: 21 },
    { path: ['world', 'day'], kind: 'added', b: 2 },
    { path: ['bag', 1], kind: 'removed', a: 'b' },
    { path: ['hero'], kind: 'removed', a: { gold: 1 } },
    { path: ['mood'], kind: 'added', b: 'calm' },
  ]);
  expect(edits(A, B)).toBe(5);
  expect(edits(A, structuredClone(A))).toBe(0);
});

test('a value of another shape is one change; exact numbers are compared by their text', () => {
  expect(differences({ a: [1] }, { a: { 0: 1 } })).toHaveLength(1);
  expect(edits({ a: new ExactNumber('12345678901234567890') }, { a: new ExactNumber('12345678901234567890') })).toBe(0);
  expect(edits({ a: new ExactNumber('12345678901234567890') }, { a: new ExactNumber('12345678901234567891') })).toBe(1);
  expect(edits([1], [2])).toBe(1);
});

test('groups by the top key and filters by path and value', () => {
  const found = differences(A, B);
  expect(groupsOf(found).map(({ key, items }) => `${key} ${items.length}`)).toEqual(['world 2', 'bag 1', 'hero 1', 'mood 1']);
  expect(filtered(found, 'WORLD')).toHaveLength(2);
  expect(filtered(found, 'calm')).toHaveLength(1);
  expect(filtered(found, ' ')).toHaveLength(5);
  expect(restText(['bag', 1])).toBe('[1]');
  expect(restText(['mood'])).toBe('mood');
});

/** Applies a patch as RFC 6902 says. */
function apply(state: Json, patch: PatchOp[]): Json {
  const root = { '': structuredClone(state) } as Record<string, Json>;
  for (const { op, path, value } of patch) {
    const steps = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = steps.pop() as string;
    let parent: any = root;
    for (const step of steps) parent = parent[step];
    if (Array.isArray(parent)) {
      if (op === 'replace') parent[Number(last)] = value;
      else parent.splice(Number(last), op === 'remove' ? 1 : 0, ...(op === 'add' ? [value] : []));
    } else if (op === 'remove') delete parent[last];
    else parent[last] = value;
  }
  return root[''] as Json;
}

test('the patch turns the first state into the second', () => {
  const cases: [Json, Json][] = [
    [A, B],
    [B, A],
    [{ l: [1, 2, 3, 4, 5] }, { l: [9] }],
    [{ l: [] }, { l: [1, [2], { 'a/b~c': 3 }] }],
    [{ 'a/b~c': [1, 2], x: [[1, 2], [3]] }, { 'a/b~c': [2], x: [[1], [3, 4], 5] }],
    [{ l: [{ a: [1, 2, 3] }, 7, 7] }, { l: [{ a: [3] }, 8] }],
    [1, { a: 1 }],
  ];
  for (const [a, b] of cases) expect(apply(a, jsonPatch(differences(a, b)))).toEqual(b);
});
