import { expect, test } from 'vitest';
import type { Json } from 'storeyline-client';
import { depthOf, jsonRows, pageStart, rowAfter, rowId, type JsonView } from './json_rows';
import { keyLabel, valueText } from './value_text';

const VIEW: JsonView = { folds: new Map(), pages: new Map(), query: '' };
const lines = (value: Json, view: Partial<JsonView> = {}): string[] =>
  jsonRows(value, { ...VIEW, ...view }).map((row) =>
    row.kind === 'pager' ? `${row.from}-${row.to}/${row.of}` : `${'.'.repeat(row.level - 1)}${keyLabel(row.key)}: ${valueText(row.value)}`,
  );

const STATE = { world: { place: 'gate', sub: { deep: { x: 1 } } }, bag: ['map', []], n: null };

test('the top two levels are open, deeper ones when asked', () => {
  expect(lines(STATE)).toEqual(['world: { 2 }', '.place: "gate"', '.sub: { 1 }', '..deep: { 1 }', 'bag: [ 2 ]', '.0: "map"', '.1: [ 0 ]', 'n: null']);
  expect(lines(STATE, { folds: new Map([[rowId(['world']), false], [rowId(['bag']), false]]) })).toEqual(['world: { 2 }', 'bag: [ 2 ]', 'n: null']);
  expect(lines(STATE, { folds: new Map([[rowId(['world', 'sub', 'deep']), true]]) })).toContain('...x: 1');
});

test('a search keeps matches with what leads there, and everything below a matching key', () => {
  expect(lines(STATE, { query: 'GATE' })).toEqual(['world: { 2 }', '.place: "gate"']);
  expect(lines(STATE, { query: 'sub' })).toEqual(['world: { 2 }', '.sub: { 1 }', '..deep: { 1 }', '...x: 1']);
  expect(lines(STATE, { query: 'nowhere' })).toEqual([]);
});

test('a large container is shown in pages of 200; a search looks at all of it', () => {
  const large = Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`k${n}`, n]));
  expect(lines(large)).toHaveLength(201);
  expect(lines(large)[0]).toBe('0-200/450');
  const last = lines(large, { pages: new Map([[rowId([]), 400]]) });
  expect([last[0], last[1], last.length]).toEqual(['400-450/450', 'k400: 400', 51]);
  expect(lines(large, { query: 'k449' })).toEqual(['k449: 449']);
  expect([pageStart(449, 450), pageStart(9999, 450), pageStart(-1, 450), pageStart(0, 0)]).toEqual([400, 400, 0, 0]);
});

test('positions count all items, not only those of the page', () => {
  const rows = jsonRows(Array.from({ length: 450 }, () => 0), { ...VIEW, pages: new Map([[rowId([]), 200]]) });
  expect(rows[1]).toMatchObject({ position: 201, siblings: 450, key: 200, named: false });
});

test('after a deletion the cursor is on the next row of that level or above', () => {
  const rows = jsonRows(STATE, VIEW);
  expect(rowAfter(rows, 0)).toBe(rowId(['bag']));
  expect(rowAfter(rows, rows.length - 1)).toBe(rowId(['bag', 1]));
  expect(rowAfter([], 0)).toBeNull();
});

test('depth counts containers', () => {
  expect([depthOf(1), depthOf({}), depthOf({ a: [1, { b: [] }] })]).toEqual([0, 1, 4]);
});
