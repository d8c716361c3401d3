import { expect, test } from 'vitest';
import { pickLanguage } from './language';
import { en } from './en';
import { TABS } from '../model/route';
import { zh } from './zh';

type Entry = (typeof zh)[keyof typeof zh];

/** Formats an entry with sample arguments; for enumerations every word of it. */
function say(entry: Entry): string[] {
  if (typeof entry === 'string') return [entry];
  if (typeof entry !== 'function') return entry.flatMap((row) => [...row]);
  const speak = entry as unknown as (...args: unknown[]) => unknown;
  const samples: unknown[][] = [[7, 3, 2, 1], ['changed'], ['added'], ['done'], ['failed'], ['branch'], ['tag'], ...TABS.map((tab) => [tab])];
  const causes = [{ kind: 'here' }, { kind: 'template' }, { kind: 'greeting' }, { kind: 'floor', floor: 7 }];
  return [...samples, ...causes.map((cause) => [cause])]
    .map((args) => speak(...args))
    .filter((text): text is string => typeof text === 'string');
}

test('both languages have the same entries, none of them empty', () => {
  expect(Object.keys(en)).toEqual(Object.keys(zh));
  for (const [key, entry] of [...Object.entries(zh), ...Object.entries(en)]) {
    const texts = say(entry);
    expect(texts.length, key).toBeGreaterThan(0);
    for (const text of texts) expect(text.trim(), key).not.toBe('');
  }
});

const SPOKEN_BY_THE_OTHER = ['switchLanguage', 'otherLanguage'];

test('no Chinese was left in the English words', () => {
  for (const [key, entry] of Object.entries(en)) {
    if (!SPOKEN_BY_THE_OTHER.includes(key)) expect(say(entry).join(' '), key).not.toMatch(/\p{Script=Han}/u);
  }
});

test('every Chinese sentence is Chinese', () => {
  const symbols = ['locale', 'keyList', ...SPOKEN_BY_THE_OTHER];
  for (const [key, entry] of Object.entries(zh)) {
    if (!symbols.includes(key)) expect(say(entry).join(' '), key).toMatch(/\p{Script=Han}/u);
  }
});

test('English has no exclamation marks, Chinese uses 引擎', () => {
  expect(Object.values(en).flatMap(say).join(' ')).not.toMatch(/!/);
  expect(Object.values(zh).flatMap(say).join(' ')).not.toMatch(/后端|服务器|角色卡/);
});

test('numbers reach the sentence', () => {
  expect(zh.lookingAtFloor(96, 128)).toBe('你在看 #96 · 对话在 #128');
  expect(en.noOwnState(127, 126)).toBe('Floor 127 is your message; it has no state of its own. Showing #126, which it builds on.');
  expect(en.failedCalls(1)).toBe('1 call failed');
  expect(en.failedCalls(2)).toBe('2 calls failed');
});

test('the remembered language wins, then the first that we speak, then English', () => {
  expect(pickLanguage('en', ['zh-CN'])).toBe('en');
  expect(pickLanguage(null, ['fr', 'zh-TW', 'en'])).toBe('zh');
  expect(pickLanguage('xx', ['fr'])).toBe('en');
});
