import { expect, test } from 'vitest';
import { Drafts, type DraftStore } from './drafts';

class Memory implements DraftStore {
  items = new Map<string, string>();
  room = Infinity;
  getItem = (key: string): string | null => this.items.get(key) ?? null;
  removeItem = (key: string): void => void this.items.delete(key);
  setItem(key: string, text: string): void {
    if (text.length > this.room) throw new DOMException('full', 'QuotaExceededError');
    this.items.set(key, text);
  }
}

test('a draft survives a reload, with every digit', () => {
  const store = new Memory();
  new Drafts('local', store).keep('template/Aria.png', { value: { gold: 1 }, text: 'x' });
  expect(new Drafts('local', store).read('template/Aria.png')).toEqual({ value: { gold: 1 }, text: 'x' });
  const drafts = new Drafts('local', store);
  drafts.drop('template/Aria.png');
  expect([drafts.read('template/Aria.png'), store.items.size]).toEqual([undefined, 0]);
});

test('accounts and places do not see each other', () => {
  const store = new Memory();
  new Drafts('ann', store).keep('a/b', 1);
  expect(new Drafts('bob', store).read('a/b')).toBeUndefined();
  expect(new Drafts('ann/a', store).read('b')).toBeUndefined();
  expect(new Drafts('ann', store).read('a')).toBeUndefined();
});

test('a full store keeps the draft in memory, and no older one comes back', () => {
  const store = new Memory();
  const drafts = new Drafts('local', store);
  drafts.keep('p', 'old');
  store.room = 10;
  drafts.keep('p', 'a long draft that does not fit');
  expect(drafts.read('p')).toBe('a long draft that does not fit');
  expect(store.items.size).toBe(0);
  store.room = Infinity;
  drafts.keep('p', 'new');
  expect(new Drafts('local', store).read('p')).toBe('new');
});

test('forbidden storage and broken entries are no failure', () => {
  const forbidden = (): never => {
    throw new DOMException('no', 'SecurityError');
  };
  const drafts = new Drafts('local', { getItem: forbidden, setItem: forbidden, removeItem: forbidden });
  drafts.keep('p', 1);
  expect(drafts.read('p')).toBe(1);
  drafts.drop('p');
  expect(drafts.read('p')).toBeUndefined();
  const broken = new Memory();
  broken.getItem = () => '{';
  expect(new Drafts('local', broken).read('p')).toBeUndefined();
  const none = new Drafts('local', null);
  none.keep('p', 2);
  expect(none.read('p')).toBe(2);
});
