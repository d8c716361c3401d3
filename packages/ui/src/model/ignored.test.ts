import { expect, test } from 'vitest';
import type { Call } from 'storeyline-client';
import { Drafts, type DraftStore } from './drafts';
import { Ignored } from './ignored.svelte';

const store = (): DraftStore => {
  const texts = new Map<string, string>();
  return { getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => void texts.set(key, text), removeItem: (key) => void texts.delete(key) };
};
const bad = (source: string): Call => ({ name: 'x', source, span: [0, source.length], verdict: 'failed', ops: [], diagnostics: [] });

test('what is ignored is kept by account, and can be taken back', () => {
  const kept = store();
  const floor = { page: 'p', calls: [bad('a')] };
  const ignored = new Ignored();
  ignored.open(new Drafts('ann', kept));
  ignored.toggle(floor, floor.calls[0]!);
  const again = (owner: string): boolean => {
    const other = new Ignored();
    other.open(new Drafts(owner, kept));
    return other.has('p', floor.calls[0]!);
  };
  expect([again('ann'), again('bo')]).toEqual([true, false]);
  ignored.toggle(floor, floor.calls[0]!);
  expect(again('ann')).toBe(false);
});

test('an edited text is told anew, and unreadable storage counts as none', () => {
  const kept = store();
  const drafts = new Drafts('ann', kept);
  drafts.keep('ignored failures', [['p', { keys: [1] }], 'x', ['q', null], ['r', { keys: ['k'], failed: 1 }]]);
  const ignored = new Ignored();
  ignored.open(drafts);
  expect([...ignored.pages.keys()]).toEqual(['r']);
  ignored.seen({ page: 'r', calls: [bad('a')] });
  expect(ignored.pages.size).toBe(0);
});
