import type { Call, Change, Floor } from 'storeyline-client';
import { expect, test } from 'vitest';
import { failureKey } from 'storeyline-ui/marks';
import type { ChatMessage } from '../logic/message';
import { barFloor, fit, itemsOf, pinnedOf, sayBar, type Item } from './bar';

const ai = (more: Partial<ChatMessage> = {}): ChatMessage => ({ name: 'Aria', mes: 'text', ...more });
const user: ChatMessage = { name: 'You', is_user: true, mes: 'hi' };
const call = (ops: Change[], verdict: Call['verdict'] = 'done'): Call => ({ name: '@.SET', source: '', span: [0, 0], verdict, ops, diagnostics: [] });
const changed = (path: Change['path'], before: Change['old'], after: Change['new']): Change => ({ kind: 'changed', path, old: before!, new: after! });
const floorOf = (floor: number, calls: Call[], stale = false): Floor =>
  ({ floor, calls, stale, active: 0, diagnostics: [], hash: '', hidden: false, name: 'Aria', overridden: false, page: '', pages: [], role: 'assistant', state: {}, text: '' });

test('the bar belongs to the last reply, not to the user, a tool or a comment', () => {
  expect(barFloor([ai(), user, ai(), user])).toBe(2);
  expect(barFloor([ai(), user, ai({ extra: { type: 'comment' } })])).toBe(0);
  expect(barFloor([ai(), { ...ai(), extra: { type: 'narrator' } }])).toBe(1);
  expect(barFloor([user])).toBeNull();
  expect(sayBar({ chat: [user], away: true, inStep: false, floor: null })).toBeNull();
});

test('changes of the floor in words, and failed calls', () => {
  const floor = floorOf(1, [
    call([changed(['Aria', 'trust'], 30, 35)]),
    call([{ kind: 'added', path: ['bag', 2], new: 'rusty key' }]),
    call([], 'failed'),
  ]);
  const bar = sayBar({ chat: [user, ai()], away: false, inStep: true, floor });
  expect(bar).toEqual({
    kind: 'changes',
    floor: 1,
    failed: 1,
    items: [
      { kind: 'changed', label: 'trust', old: '30', new: '35' },
      { kind: 'added', label: 'bag', old: '', new: 'rusty key' },
    ],
  });
});

test('its states: nothing changed, pending swipe, computing, stale, away', () => {
  const say = (more: Partial<Parameters<typeof sayBar>[0]>) => sayBar({ chat: [user, ai()], away: false, inStep: true, floor: floorOf(1, []), ...more });
  expect(say({})).toEqual({ kind: 'none', floor: 1 });
  expect(say({ chat: [user, ai({ swipes: ['a'], swipe_id: 1 })] })).toEqual({ kind: 'waiting', floor: 0 });
  expect(say({ inStep: false })).toEqual({ kind: 'computing', floor: 1 });
  expect(say({ floor: floorOf(0, []) })).toEqual({ kind: 'computing', floor: 1 });
  expect(say({ floor: null })).toEqual({ kind: 'computing', floor: 1 });
  expect(say({ floor: floorOf(1, [], true) })).toEqual({ kind: 'stale', floor: 1 });
  expect(say({ away: true, floor: null })).toEqual({ kind: 'away', floor: 1 });
});

test('a value that changed several times is told once; one that came back not at all', () => {
  const items = itemsOf({
    calls: [call([changed(['gold'], 1, 2), changed(['hp'], 5, 6)]), call([changed(['gold'], 2, 9), changed(['hp'], 6, 5)])],
  });
  expect(items).toEqual([{ kind: 'changed', label: 'gold', old: '1', new: '9' }]);
  const added = itemsOf({ calls: [call([{ kind: 'added', path: ['a'], new: 1 }, changed(['a'], 1, 2)])] });
  expect(added).toEqual([{ kind: 'added', label: 'a', old: '', new: '2' }]);
  expect(itemsOf({ calls: [call([{ kind: 'added', path: ['a'], new: 1 }, { kind: 'removed', path: ['a'], old: 1 }])] })).toEqual([]);
  expect(itemsOf({ calls: [call([changed(['a'], 1, 2), { kind: 'removed', path: ['a'], old: 2 }])] })).toEqual([{ kind: 'removed', label: 'a', old: '1', new: '' }]);
});

test('equal names are told apart, long texts are cut, containers are counted', () => {
  const items = itemsOf({
    calls: [call([changed(['Aria', 'trust'], 1, 2), changed(['Bo', 'trust'], 1, 2), changed(['note'], { a: 1 }, `${'字'.repeat(100)}\n<b>`), changed(['list'], [], [1, 2])])],
  });
  expect(items.map(({ label }) => label)).toEqual(['Aria.trust', 'Bo.trust', 'note', 'list']);
  expect(items[2]).toMatchObject({ old: '{1}', new: `${'字'.repeat(24)}…` });
  expect(items[3]).toMatchObject({ old: '[0]', new: '[2]' });
});

test('what does not fit into its lines is counted', () => {
  const items: Item[] = Array.from({ length: 20 }, (_, index) => ({ kind: 'changed', label: `值${index}`, old: '十', new: '百' }));
  expect(fit(items, 1000, 2, 5)).toBe(12);
  expect(fit(items.slice(0, 3), 1000, 2, 5)).toBe(3);
  const narrow = fit(items, 14, 2, 5);
  expect(narrow).toBeGreaterThan(0);
  expect(narrow).toBeLessThan(6);
  expect(fit(items, 14, 3, 5)).toBeGreaterThan(narrow);
  expect(fit(items, 3, 2, 5)).toBe(1);
});

test('pinned values are told as they are, with the old one where the floor changed them', () => {
  const floor = { ...floorOf(1, [call([changed(['Aria', 'trust'], 30, 35), changed(['hp'], 1, 2)])]), state: { Aria: { trust: 35 }, gold: 17, Bo: { trust: 2 }, hp: 2 } };
  const pins = [['Aria', 'trust'], ['gold'], ['Bo', 'trust'], ['gone'], ['gold', 'toString']];
  expect(pinnedOf(floor, pins)).toEqual([
    { kind: 'changed', label: 'Aria.trust', old: '30', new: '35' },
    { kind: 'same', label: 'gold', old: '', new: '17' },
    { kind: 'same', label: 'Bo.trust', old: '', new: '2' },
  ]);
  expect(sayBar({ chat: [user, ai()], away: false, inStep: true, floor, pins: [] })).toEqual({ kind: 'pinned', floor: 1, items: [], failed: 0 });
});

test('an ignored failure is not counted', () => {
  const floor = floorOf(1, [call([], 'failed'), { ...call([], 'failed'), source: 'x' }]);
  const ignored = new Map([['', { keys: ['0 0'], failed: 2 }]]);
  const say = (pages: typeof ignored) => sayBar({ chat: [user, ai()], away: false, inStep: true, floor, ignored: pages });
  expect(say(ignored)).toMatchObject({ failed: 2 });
  expect(say(new Map([['', { keys: [failureKey(floor.calls[1]!)], failed: 2 }]]))).toMatchObject({ failed: 1 });
});
