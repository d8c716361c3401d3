import { Look } from 'storeyline-ui';
import { expect, test } from 'vitest';
import { followBrowser, pageServices, switchLanguage } from './browser';

function fakeWindow(stored: Record<string, string> | null, dark = true) {
  const listeners: (() => void)[] = [];
  const system = { matches: dark, addEventListener: (_: string, told: () => void) => listeners.push(told), removeEventListener: () => {} };
  const storage = {
    getItem: (key: string) => {
      if (!stored) throw new Error('no storage');
      return stored[key] ?? null;
    },
    setItem: (key: string, value: string) => {
      if (!stored) throw new Error('no storage');
      stored[key] = value;
    },
  };
  const other = { ...system, matches: false };
  const window = { navigator: { languages: ['en'] }, localStorage: storage, matchMedia: (query: string) => (query.includes('dark') ? system : other) };
  return { window: window as unknown as Window, system, changed: () => listeners.forEach((told) => told()) };
}

test('the theme that was chosen is remembered by the browser and wins over the system', () => {
  const stored = {};
  const { window, system, changed } = fakeWindow(stored);
  const look = new Look();
  followBrowser(look, window);
  const services = pageServices(look, window);
  expect([look.tone, services.setting('theme')]).toEqual(['dark', 'system']);
  services.set('theme', 'light');
  expect([look.tone, stored]).toEqual(['light', { 'storeyline.theme': 'light' }]);
  changed();
  expect(look.tone).toBe('light');
  services.set('theme', 'system');
  system.matches = false;
  changed();
  expect(look.tone).toBe('light');

  const next = new Look();
  followBrowser(next, fakeWindow({ 'storeyline.theme': 'dark', 'storeyline.language': 'zh' }, false).window);
  expect([next.tone, next.language]).toEqual(['dark', 'zh']);
});

test('what is no theme and no language changes nothing; a stored word that is none counts as not chosen', () => {
  const { window } = fakeWindow({ 'storeyline.theme': 'pink' });
  const look = new Look();
  followBrowser(look, window);
  const services = pageServices(look, window);
  services.set('theme', 'pink');
  services.set('language', 'fr');
  services.set('statusBar', 'off');
  expect([look.tone, look.language, services.setting('theme'), services.setting('statusBar')]).toEqual(['dark', 'en', 'system', undefined]);
});

test('without storage a choice lasts as long as the page', () => {
  const { window } = fakeWindow(null);
  const look = new Look();
  followBrowser(look, window);
  pageServices(look, window).set('theme', 'light');
  expect([look.tone, pageServices(look, window).setting('theme')]).toEqual(['light', 'light']);
  switchLanguage(look, window);
  expect(look.language).toBe('zh');
});
