import { expect, test } from 'vitest';
import { Drafts, type DraftStore } from '../../model/drafts';
import { SnapshotDraft } from './draft.svelte';
import type { Content } from './logic';

function memory(): DraftStore & { items: Map<string, string> } {
  const items = new Map<string, string>();
  return { items, getItem: (key) => items.get(key) ?? null, setItem: (key, text) => void items.set(key, text), removeItem: (key) => void items.delete(key) };
}

const BASE: Content = { name: 'Gate', description: '', tags: ['town'], state: { hp: 1 } };

test('labels and state are kept until they are saved or thrown away', () => {
  const store = memory();
  const first = new SnapshotDraft(new Drafts('local', store), 'a', BASE);
  expect([first.dirty, first.restored, first.tags]).toEqual([false, false, 'town']);
  first.tags = 'town, boss';
  first.change({ hp: 2 });
  expect(first.dirty).toBe(true);
  const second = new SnapshotDraft(new Drafts('local', store), 'a', BASE);
  expect([second.restored, second.content]).toEqual([true, { name: 'Gate', description: '', tags: ['town', 'boss'], state: { hp: 2 } }]);
  second.reset(BASE);
  expect([second.dirty, second.content, store.items.size]).toEqual([false, BASE, 0]);
});

test('another snapshot and another account have drafts of their own', () => {
  const store = memory();
  new SnapshotDraft(new Drafts('ann', store), 'a', BASE).change({ hp: 2 });
  expect(new SnapshotDraft(new Drafts('ann', store), 'b', BASE).restored).toBe(false);
  expect(new SnapshotDraft(new Drafts('bob', store), 'a', BASE).restored).toBe(false);
});

test('going back to what is saved leaves no draft', () => {
  const store = memory();
  const draft = new SnapshotDraft(new Drafts('local', store), 'a', BASE);
  draft.change({ hp: 2 });
  draft.change({ hp: 1 });
  expect(store.items.size).toBe(0);
});
