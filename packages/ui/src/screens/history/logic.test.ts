import type { Ref } from 'storeyline-client';
import { expect, test } from 'vitest';
import { branchName, coloursOf, goesOn, inOrder, lastShared, marksOf, refsThrough, spotOf, ticks, type Graph, type SiblingPage } from './logic';

const ref = (id: string, more: Partial<Ref> = {}): Ref => ({ ref: id, name: id, kind: 'branch', note: '', colour: '', current: false, floors: 10, operation: 1, updated: 0, ...more });

/** main 0–9; side leaves after #3 and has 4–5; deep leaves side after #4; a tag at #3 of main. */
const GRAPH: Graph = {
  chains: [
    { parent: null, from: 0, to: 9, ref: 'main', lines: [] },
    { parent: 0, from: 4, to: 5, ref: 'side', lines: [] },
    { parent: 1, from: 5, to: 6, ref: 'deep', lines: [] },
  ],
  refs: [
    { ref: 'main', chain: 0, floor: 9, made: 0 },
    { ref: 'side', chain: 1, floor: 5, made: 1 },
    { ref: 'deep', chain: 2, floor: 6, made: 2 },
    { ref: 'tag', chain: 0, floor: 3, made: 3 },
  ],
  left_out: 0,
};
const REFS = [ref('deep'), ref('tag', { kind: 'tag' }), ref('main'), ref('side')];

test('a floor of a branch is on its own chain or on one above', () => {
  expect(spotOf(GRAPH, 'deep', 6)).toEqual({ chain: 2, floor: 6 });
  expect(spotOf(GRAPH, 'deep', 4)).toEqual({ chain: 1, floor: 4 });
  expect(spotOf(GRAPH, 'deep', 3)).toEqual({ chain: 0, floor: 3 });
  expect([spotOf(GRAPH, 'deep', 7), spotOf(GRAPH, 'deep', -1), spotOf(GRAPH, 'nobody', 0)]).toEqual([null, null, null]);
});

test('the last shared floor of two places', () => {
  const shared = (a: [number, number], b: [number, number]) => lastShared(GRAPH, { chain: a[0], floor: a[1] }, { chain: b[0], floor: b[1] });
  expect([shared([0, 9], [1, 5]), shared([1, 5], [2, 6]), shared([0, 2], [2, 6]), shared([0, 5], [0, 8])]).toEqual([3, 4, 2, 5]);
  const apart: Graph = { ...GRAPH, chains: [GRAPH.chains[0]!, { ...GRAPH.chains[1]!, parent: null, from: 0 }] };
  expect(lastShared(apart, { chain: 0, floor: 3 }, { chain: 1, floor: 3 })).toBe(-1);
});

test('tags and forks of a branch', () => {
  const { tags, forks } = marksOf(GRAPH, REFS, 'main');
  expect([...tags]).toEqual([[3, ['tag']]]);
  expect([...forks]).toEqual([[3, 1]]);
  // From side, main is what leaves; but main is no chain of its own there, so the fork of deep is the only one.
  expect([...marksOf(GRAPH, REFS, 'side').forks]).toEqual([[4, 1]]);
  expect(refsThrough(GRAPH, { chain: 0, floor: 2 }).sort()).toEqual(['deep', 'main', 'side', 'tag']);
  expect(refsThrough(GRAPH, { chain: 1, floor: 4 })).toEqual(['side', 'deep']);
});

test('colours and order are those of making, whatever was used last', () => {
  expect(inOrder(REFS, GRAPH).map(({ name }) => name)).toEqual(['main', 'side', 'deep', 'tag']);
  expect([...coloursOf(REFS, GRAPH)].sort()).toEqual([['deep', 2], ['main', 0], ['side', 1]]);
  expect(coloursOf([ref('main', { colour: '5' })], GRAPH).get('main')).toBe(5);
  expect(coloursOf([ref('main', { colour: 'red;}' })], GRAPH).get('main')).toBe(0);
});

test('a new branch gets the next free number', () => {
  expect(branchName('Main', [{ name: 'Main' }])).toBe('Main · 2');
  expect(branchName('Main · 2', [{ name: 'Main' }, { name: 'Main · 2' }])).toBe('Main · 3');
  expect(branchName('', [])).toBe('Branch · 2');
});

test('a page goes on here, on another branch, or not', () => {
  const page: SiblingPage = { page: 'p', preview: '', valid: true, branches: [] };
  expect(goesOn(page, REFS, 3)).toEqual([]);
  expect(goesOn({ ...page, continues: 0 }, REFS, 3)).toEqual([]);
  expect(goesOn({ ...page, continues: 6, branches: ['side', 'gone'] }, [ref('side', { floors: 6 })], 3).map(({ floors, on }) => [floors, on?.name])).toEqual([[6, undefined], [2, 'side']]);
});

test('of the marks in one place the worst is shown', () => {
  const row = (failed: number, overridden = false) => ({ changes: { failed }, overridden });
  expect(ticks([row(0), row(1), row(0, true), undefined], new Set([0, 1, 3]), 4)).toEqual(['tag', 'failed', 'hand', 'tag']);
  expect(ticks([row(0), row(1), row(0, true), row(0)], new Set([0]), 1)).toEqual(['failed']);
  expect(ticks([], new Set(), 0)).toEqual([null]);
});
