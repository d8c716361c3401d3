import { expect, test } from 'vitest';
import { readObject } from '../logic/json_problem';
import { Drafts, type DraftStore } from './drafts';
import { Edited } from './edited.svelte';

function memory(): DraftStore & { items: Map<string, string> } {
  const items = new Map<string, string>();
  return { items, getItem: (key) => items.get(key) ?? null, setItem: (key, text) => void items.set(key, text), removeItem: (key) => void items.delete(key) };
}

function problemIn(text: string) {
  const read = readObject(text);
  return 'problem' in read ? read.problem : null;
}

test('edits are counted; another order of keys is one', () => {
  const edited = new Edited(new Drafts('local', memory()), 'p');
  edited.open({ a: 1, b: { c: 2 } }, 3);
  expect([edited.edits, edited.dirty]).toEqual([0, false]);
  edited.change({ a: 2, b: {} });
  expect(edited.edits).toBe(2);
  edited.change({ b: { c: 2 }, a: 1 });
  expect(edited.edits).toBe(1);
  edited.change([1]);
  expect(edited.value).toEqual({ b: { c: 2 }, a: 1 });
});

test('a draft is there after a reload, with the version it was typed on, and gone when saved or discarded', () => {
  const store = memory();
  const at = (): Edited => new Edited(new Drafts('local', store), 'p');
  const first = at();
  first.open({ a: 1 }, 3);
  first.change({ a: 2 });
  const second = at();
  expect(second.open({ a: 9 }, 4)).toEqual({ draft: true, on: 3 });
  expect(second.value).toEqual({ a: 2 });
  second.took({ a: 2 }, 5);
  expect([second.dirty, store.items.size]).toEqual([false, 0]);
  second.change({ a: 3 });
  second.discard();
  expect([second.value, store.items.size]).toEqual([{ a: 2 }, 0]);
});

test('a text that is no JSON survives as well', () => {
  const store = memory();
  const first = new Edited(new Drafts('local', store), 'p');
  first.open({ a: 1 }, 1);
  first.tell(problemIn('{"a": '));
  expect(first.dirty).toBe(true);
  const second = new Edited(new Drafts('local', store), 'p');
  second.open({ a: 1 }, 1);
  expect([second.text, second.problem?.column, second.dirty]).toEqual(['{"a": ', 7, true]);
});

test('nonsense in the store is no draft', () => {
  const store = memory();
  for (const text of ['17', '{"value":[1]}', 'null', '{"on":1}']) {
    store.getItem = () => text;
    const edited = new Edited(new Drafts('local', store), 'p');
    expect(edited.open({ a: 1 }, 1)).toEqual({ draft: false, on: 1 });
  }
});
