import { expect, test } from 'vitest';
import { Refused } from 'storeyline-client';
import { Access } from './access.svelte';

function fakeWindow(hash: string, stored: Record<string, string> = {}) {
  const location = { hash };
  const listeners = new Map<string, (event: unknown) => void>();
  const window = {
    location,
    document: { baseURI: 'http://127.0.0.1:4000/' },
    history: { replaceState: (_state: unknown, _title: string, to: string) => (location.hash = to) },
    localStorage: { getItem: (key: string) => stored[key] ?? null, setItem: (key: string, value: string) => (stored[key] = value) },
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
  };
  return { window: window as unknown as Window, location, stored, listeners };
}

const refuse = (code: string) => () => Promise.reject(new Refused(403, code, { zh: '', en: '' }, null));

test('a link is exchanged for a token that stays in the storage of this origin', async () => {
  const { window, location, stored } = fakeWindow('#open=abc123', { 'storeyline.token': 'old' });
  const asked: unknown[] = [];
  const access = new Access(window, (base, code, old) => {
    expect(location.hash).toBe('#/'); // The code is gone from the address bar before anything is sent.
    asked.push([base.href, code, old]);
    return Promise.resolve('new');
  });
  await access.open();
  expect(asked).toEqual([['http://127.0.0.1:4000/', 'abc123', 'old']]);
  expect(stored).toEqual({ 'storeyline.token': 'new' });
  expect(access.token()).toBe('new');
});

test('a used link is told, and the token that was there stays', async () => {
  const { window } = fakeWindow('#open=abc', { 'storeyline.token': 'old' });
  const access = new Access(window, refuse('bad_link'));
  await access.open();
  expect([access.linkUsed, access.token()]).toEqual([true, 'old']);
});

test('without a link nothing is asked', async () => {
  const { window, location } = fakeWindow('#/story/x');
  const access = new Access(window, refuse('bad_link'));
  await access.open();
  expect([access.linkUsed, access.token(), location.hash]).toEqual([false, null, '#/story/x']);
});

test('a link opened in the same window, or a token of another window, gives access', async () => {
  const { window, location, listeners } = fakeWindow('#/');
  const access = new Access(window, () => Promise.resolve('new'));
  let changed = 0;
  const stop = access.listen(() => changed++);
  location.hash = '#open=abc';
  listeners.get('hashchange')?.({});
  await new Promise((resolve) => setTimeout(resolve));
  listeners.get('storage')?.({ key: 'storeyline.token' });
  listeners.get('storage')?.({ key: 'storeyline.language' });
  expect([access.token(), changed]).toEqual(['new', 2]);
  stop();
  expect(listeners.size).toBe(0);
});
