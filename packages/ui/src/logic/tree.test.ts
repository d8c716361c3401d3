import { expect, test } from 'vitest';
import type { Change, Json } from 'storeyline-client';
import { setHere } from './causes';
import { marksOf } from './marks';
import { nextHit, rowsOf, type Row, type TreeView } from './tree';
import { valueText } from './value_text';

interface Given {
  ops?: Change[];
  view?: Partial<TreeView>;
}

function rows(state: Json, given: Given = {}): Row[] {
  const input = {
    state,
    marks: marksOf([{ ops: given.ops ?? [] }]),
    set: setHere([{ ops: given.ops ?? [] }]),
  };
  return rowsOf(input, { folds: new Map(), onlyChanges: false, query: '', ...given.view });
}

const SIGNS = { changed: '~', added: '+', removed: '-' };
const draw = (row: Row): string =>
  `${row.mark ? SIGNS[row.mark] : ' '}${'  '.repeat(row.level - 1)}${row.key}: ${valueText(row.value)}`;

const inn = { 世界: { 地点: '酒馆', 时间: '20:52' }, 背包: ['药水', '地图'] };

test('keys stand as stored, list places are numbers', () => {
  expect(rows(inn).map(draw)).toEqual([
    ' 世界: { 2 }',
    '   地点: "酒馆"',
    '   时间: "20:52"',
    ' 背包: [ 2 ]',
    '   0: "药水"',
    '   1: "地图"',
  ]);
});

test('integer-like keys come first, as JavaScript keeps them', () => {
  expect(rows(JSON.parse('{"b":1,"10":2,"2":3}') as Json).map((row) => row.key)).toEqual(['2', '10', 'b']);
});

test('a changed value carries its old one', () => {
  const ops: Change[] = [{ path: ['世界', '时间'], kind: 'changed', old: '20:40', new: '20:52' }];
  const row = rows(inn, { ops }).find((r) => r.key === '时间');
  expect(row).toMatchObject({ mark: 'changed', hasOld: true, old: '20:40', cause: 'here' });
});

test('a removed list item stands at its old place, a removed key at the end of its object', () => {
  const ops: Change[] = [
    { path: ['背包', 1], kind: 'removed', old: '戒指' },
    { path: ['世界', '天气'], kind: 'removed', old: '雨' },
  ];
  expect(rows(inn, { ops }).map(draw)).toEqual([
    ' 世界: { 2 }',
    '   地点: "酒馆"',
    '   时间: "20:52"',
    '-  天气: "雨"',
    ' 背包: [ 2 ]',
    '   0: "药水"',
    '-  1: "戒指"',
    '   1: "地图"',
  ]);
});

test('a list that lost everything can still be opened', () => {
  const ops: Change[] = [{ path: ['背包', 0], kind: 'removed', old: '戒指' }];
  expect(rows({ 背包: [] }, { ops }).map(draw)).toEqual([' 背包: [ 0 ]', '-  0: "戒指"']);
});

test('everything inside an added container is added', () => {
  const ops: Change[] = [{ path: ['世界'], kind: 'added', new: inn.世界 }];
  expect(rows(inn, { ops }).filter((row) => row.mark === 'added').map((row) => row.key)).toEqual(['世界', '地点', '时间']);
});

test('only changes keeps the ancestors of what changed', () => {
  const ops: Change[] = [{ path: ['世界', '时间'], kind: 'changed', old: '20:40', new: '20:52' }];
  expect(rows(inn, { ops, view: { onlyChanges: true } }).map(draw)).toEqual([' 世界: { 2 }', '~  时间: "20:52"']);
});

test('find looks at keys and values, keeps ancestors and opens what was folded', () => {
  const folds = new Map([['["世界"]', false]]);
  expect(rows(inn, { view: { query: ' 酒馆 ', folds } }).map((row) => row.key)).toEqual(['世界', '地点']);
  expect(rows(inn, { view: { query: '背包' } }).map((row) => row.key)).toEqual(['背包', 0, 1]);
  expect(rows(inn, { view: { query: '没有' } })).toEqual([]);
});

test('find within only changes shows no unchanged neighbour', () => {
  const ops: Change[] = [{ path: ['世界', '时间'], kind: 'changed', old: '20:40', new: '20:52' }];
  const found = rows(inn, { ops, view: { query: '世界', onlyChanges: true } });
  expect(found.map((row) => row.key)).not.toContain('地点');
});

test('deep containers start folded unless something changed inside', () => {
  const deep = { a: { b: { c: { d: 1 } } } };
  expect(rows(deep).map((row) => row.key)).toEqual(['a', 'b', 'c']);
  const ops: Change[] = [{ path: ['a', 'b', 'c', 'd'], kind: 'changed', old: 0, new: 1 }];
  expect(rows(deep, { ops }).map((row) => row.key)).toEqual(['a', 'b', 'c', 'd']);
  const folded = rows(deep, { ops, view: { folds: new Map([['["a"]', false]]) } });
  expect(folded).toHaveLength(1);
  expect(folded[0]).toMatchObject({ open: false, changesInside: true });
});

test('a value was set here if this floor set it, its container or something inside it', () => {
  const ops: Change[] = [{ path: ['世界'], kind: 'changed', old: null, new: inn.世界 }];
  const found = rows(inn, { ops });
  expect(found.find((row) => row.key === '地点')?.cause).toBe('here');
  expect(found.find((row) => row.key === 0)?.cause).toBe('above');
  expect(found.find((row) => row.key === '背包')?.cause).toBeNull();
  const folds = new Map([['["背包"]', false]]);
  expect(rows(inn, { view: { folds } }).find((row) => row.key === '背包')?.cause).toBe('above');
});

test('rows know their level, place and number of siblings', () => {
  const row = rows(inn).find((r) => r.key === '时间');
  expect(row).toMatchObject({ level: 2, position: 2, siblings: 2 });
});

test('row ids are unique, also for two removed items of the same place', () => {
  const ops: Change[] = [
    { path: ['背包', 0], kind: 'removed', old: 'a' },
    { path: ['背包', 0], kind: 'removed', old: 'b' },
  ];
  const ids = rows(inn, { ops }).map((row) => row.id);
  expect(new Set(ids).size).toBe(ids.length);
});

// Quadratic work would exceed the time limit of a test.
test('fifty thousand keys are fifty thousand rows', () => {
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i]));
  expect(rows(wide)).toHaveLength(50_000);
});

test('a state that is no container has no rows', () => {
  expect(rows(null)).toEqual([]);
  expect(rows({})).toEqual([]);
});

test('the next hit is a row that itself contains the words, around both ends', () => {
  const state = { 金币: 1, 角色: { 金币: 5, 力气: 2 }, 铭文: '金币之歌' };
  const found = rows(state, { view: { query: '金币' } });
  const keys = (from: number, step: 1 | -1): unknown => found[nextHit(found, from, '金币', step) ?? -1]?.path.join('.');
  expect(keys(-1, 1)).toBe('金币');
  expect(keys(0, 1)).toBe('角色.金币');
  expect(keys(2, 1)).toBe('铭文');
  expect(keys(found.length - 1, 1)).toBe('金币');
  expect(keys(0, -1)).toBe('铭文');
  expect(nextHit(found, 0, '  ', 1)).toBeNull();
  expect(nextHit([], 0, 'x', 1)).toBeNull();
});
