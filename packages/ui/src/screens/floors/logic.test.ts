import { expect, test } from 'vitest';
import { recorded } from '../../model/fake_engine';
import { zh } from '../../words/zh';
import { FILTERS, filtered, rulesText } from './logic';
import { FLOORS } from './words';

const none = { changed: 0, added: 0, removed: 0, failed: 0 };
const row = recorded.floors.floors[2]!;
const rows = [
  { ...row, floor: 0, changes: none },
  { ...row, floor: 1, changes: { ...none, added: 1 }, overridden: true },
  undefined,
  { ...row, floor: 3, changes: { ...none, failed: 2 }, stale: true },
  { ...row, floor: 4, role: 'user' as const, changes: none },
];

test('every filter shows the floors that fit, and none that is not loaded', () => {
  const found = Object.fromEntries(FILTERS.map((filter) => [filter, filtered(rows, filter)]));
  expect(found).toEqual({ all: [0, 1, 3, 4], ai: [0, 1, 3], changed: [1], failed: [3], overridden: [1], stale: [3] });
});

test('both languages have the same sentences, and English has no Chinese', () => {
  expect(Object.keys(FLOORS.en)).toEqual(Object.keys(FLOORS.zh));
  const say = (entry: unknown): string[] =>
    typeof entry === 'function' ? [String((entry as (...given: unknown[]) => unknown)(2, 2, true)), String((entry as (...given: unknown[]) => unknown)(1, null, false))] : typeof entry === 'object' ? Object.values(entry as object).map(String) : [String(entry)];
  for (const [key, entry] of Object.entries(FLOORS.en)) expect(say(entry).join(' '), key).not.toMatch(/\p{Script=Han}|!/u);
  for (const [key, entry] of Object.entries(FLOORS.zh)) expect(say(entry).join(' '), key).toMatch(/\p{Script=Han}|#/u);
});

test('a re-process tells from which rules it goes to which', () => {
  const now = new Date(2026, 10, 17, 12).getTime();
  const step = { floors: 34, since: new Date(2026, 10, 17, 9, 5).getTime(), settings: ['schema', 'unheard'], functions: ['SUB', 'Clock'] };
  expect(rulesText(step, now, FLOORS.zh, zh)).toBe('规则：今天 09:05 → 现在，34 层用的是旧规则，2 个函数变了，变了的设置：schema, unheard。');
  expect(rulesText({ ...step, since: null, settings: [], functions: [] }, now, FLOORS.zh, zh)).toBe('规则：较早 → 现在，34 层用的是旧规则。');
  expect(rulesText(undefined, now, FLOORS.zh, zh)).toBe(FLOORS.zh.rulesSame);
});
