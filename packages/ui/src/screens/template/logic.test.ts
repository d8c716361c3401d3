import { expect, test } from 'vitest';
import type { Call, Story } from 'storeyline-client';
import { cardLabel, cardsOf, factsOf, greetingEffects, hintCount, missingValues, runningStories } from './logic';

function call(name: string, ...ops: Call['ops']): Call {
  return { name, source: '', span: [0, 0], verdict: 'done', reason: null, ops, diagnostics: [] } as unknown as Call;
}

const story = (card: string): Story => ({ card }) as Story;

test('a card is named without the ending of its file', () => {
  expect([cardLabel('Aria.png'), cardLabel('阿丽娅'), cardLabel('v1.5')]).toEqual(['Aria', '阿丽娅', 'v1.5']);
});

test('the open card is the first to choose, each card once, none without a name', () => {
  expect(cardsOf('b', [story('a'), story(''), story('b')], ['a', 'c'])).toEqual(['b', 'a', 'c']);
  expect(cardsOf(null, [story('')], [])).toEqual([]);
  expect(runningStories([story('a'), story('b'), story('a')], 'a')).toBe(2);
});

test('values that are counted with and missing are found once', () => {
  const calls = [
    call('@.ADD', { path: ['hero', 'gold'], kind: 'added', new: 5 }),
    call('@.ADD', { path: ['hero', 'gold'], kind: 'added', new: 5 }),
    call('_.add', { path: ['hero', 'fame'], kind: 'added', new: 1 }),
    call('@.SET', { path: ['place'], kind: 'added', new: 'gate' }),
    call('@.ADD', { path: ['hero', 'hp'], kind: 'changed', old: 1, new: 2 }),
    call('@.SUB', { path: ['other'], kind: 'added', new: { luck: -1 } }),
  ];
  expect(missingValues(calls, { hero: { fame: 3 } })).toEqual([
    { path: ['hero', 'gold'], by: 'ADD' },
    { path: ['other', 'luck'], by: 'SUB' },
  ]);
});

test('facts and hints', () => {
  expect(factsOf({}, []).values).toBe(0);
  const facts = factsOf({ $meta: {}, love: [5, 'trust'], a: { b: 1 } }, [call('@.ADD', { path: ['x'], kind: 'added', new: 1 })]);
  expect([facts.values, hintCount(facts)]).toEqual([4, 3]);
});

test('what a greeting sets is one line each', () => {
  const calls = [call('@.SET', { path: ['世界', '地点'], kind: 'changed', old: 1, new: '酒馆' }), call('@.DEL', { path: ['x'], kind: 'removed', old: 1 })];
  expect(greetingEffects(calls)).toEqual(['SET 世界.地点 = "酒馆"', 'DEL x']);
});
