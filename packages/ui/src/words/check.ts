// For tests: the rules that the words of every screen follow.
import { expect } from 'vitest';

type Entries = Record<string, unknown>;

/** Formats an entry with each list of sample arguments; an enumeration is all its words. */
export function speak(entry: unknown, samples: unknown[][]): string[] {
  if (typeof entry === 'string') return [entry];
  if (typeof entry === 'object' && entry !== null) return Object.values(entry).flatMap((word) => speak(word, samples));
  if (typeof entry !== 'function') return [];
  const say = entry as (...args: unknown[]) => unknown;
  return samples.map((args) => say(...args)).filter((text): text is string => typeof text === 'string');
}

/** Equal entries in both languages, none empty, each in its own language. */
export function checkWords({ zh, en }: { zh: Entries; en: Entries }, samples: unknown[][]): void {
  expect(Object.keys(en)).toEqual(Object.keys(zh));
  for (const key of Object.keys(zh)) {
    const [chinese, english] = [speak(zh[key], samples), speak(en[key], samples)];
    expect(chinese.length, key).toBeGreaterThan(0);
    for (const text of [...chinese, ...english]) expect(text.trim(), key).not.toBe('');
    expect(chinese.join(' '), key).toMatch(/\p{Script=Han}/u);
    expect(english.join(' '), key).not.toMatch(/\p{Script=Han}|!|[“”‘’]/u);
    expect(chinese.join(' '), key).not.toMatch(/后端|服务器|角色卡/);
  }
}
