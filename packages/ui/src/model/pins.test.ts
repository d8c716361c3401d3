import { expect, test } from 'vitest';
import { Drafts, type DraftStore } from './drafts';
import { Pins } from './pins.svelte';

function memory(): DraftStore & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return { texts, getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => void texts.set(key, text), removeItem: (key) => void texts.delete(key) };
}

test('pins are kept by account and story, in the order in which they were set', () => {
  const store = memory();
  let told = 0;
  const pins = new Pins(() => told++);
  pins.open(new Drafts('ann', store), 's1');
  pins.toggle(['hero', 'gold']);
  pins.toggle(['bag', 2]);
  expect([pins.has(['hero', 'gold']), pins.has(['hero']), told]).toEqual([true, false, 2]);
  const again = (owner: string, story: string): unknown => {
    const other = new Pins();
    other.open(new Drafts(owner, store), story);
    return other.paths;
  };
  expect(again('ann', 's1')).toEqual([['hero', 'gold'], ['bag', 2]]);
  expect([again('bo', 's1'), again('ann', 's2')]).toEqual([[], []]);
  pins.toggle(['hero', 'gold']);
  pins.toggle(['bag', 2]);
  expect(store.texts.size).toBe(0);
});

test('what is no path is left out', () => {
  const store = memory();
  const drafts = new Drafts('ann', store);
  drafts.keep('pins s1', [['a'], 'b', [], [null], { x: 1 }, ['c', 1]]);
  const pins = new Pins();
  pins.open(drafts, 's1');
  expect(pins.paths).toEqual([['a'], ['c', 1]]);
});
