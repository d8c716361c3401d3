import { expect, test } from 'vitest';
import type { Call, FloorLine } from 'storeyline-client';
import { failureKey, isIgnored, stillIgnored, withoutIgnored } from './ignored';

const call = (source: string, start: number, verdict: Call['verdict'] = 'failed'): Call => ({ name: '@.ADD', source, span: [start, start + source.length], verdict, ops: [], diagnostics: [] });
const line = (page: string, failed: number): FloorLine =>
  ({ floor: 0, page, role: 'assistant', name: '', hidden: false, valid: true, preview: '', pages: 1, active: 0, changes: { changed: 2, added: 0, removed: 0, failed }, overridden: false, stale: false });

test('a failure is ignored at its place with its text, and a done call never is', () => {
  const bad = call('@.ADD("a", "x");', 4);
  const pages = new Map([['p', { keys: [failureKey(bad)], failed: 1 }]]);
  expect(isIgnored(pages, 'p', bad)).toBe(true);
  expect(isIgnored(pages, 'q', bad)).toBe(false);
  expect(isIgnored(pages, 'p', call('@.ADD("a", "x");', 9))).toBe(false);
  expect(isIgnored(pages, 'p', call('@.ADD("a", "y");', 4))).toBe(false);
  expect(isIgnored(pages, 'p', { ...bad, verdict: 'done' })).toBe(false);
});

test('lists count without it, as long as the page has as many failures as then', () => {
  const pages = new Map([['p', { keys: ['k'], failed: 2 }]]);
  const rows = [line('p', 2), line('q', 2), line('p', 3), undefined];
  const seen = withoutIgnored(rows, pages);
  expect(seen.map((row) => row?.changes.failed)).toEqual([1, 2, 3, undefined]);
  expect(seen[1]).toBe(rows[1]);
  expect(withoutIgnored(rows, new Map())).toBe(rows);
});

test('a text that was edited brings its failures back', () => {
  const [one, two] = [call('a', 0), call('b', 5)];
  const ignored = { keys: [failureKey(one), failureKey(two)], failed: 2 };
  expect(stillIgnored(ignored, [one, call('c', 5)])).toEqual({ keys: [failureKey(one)], failed: 2 });
  expect(stillIgnored(ignored, [call('c', 5)])).toBeNull();
});
