// The guides for players and authors name parts of the interface in bold; they must be called so.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TABS } from '../model/route';
import { FLOORS } from '../screens/floors/words';
import { FUNCTIONS } from '../screens/functions/words';
import { HISTORY } from '../screens/history/words';
import { TEMPLATE } from '../screens/template/words';
import { wordsIn, type Language } from './language';
import { PARTS } from './parts';

type Sentence = (...given: unknown[]) => unknown;

/** All texts in a list of words; a sentence with numbers is made with 1. */
function texts(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  if (typeof words === 'function') return [1, ...TABS].flatMap((sample) => texts(made(words as Sentence, sample)));
  return words !== null && typeof words === 'object' ? Object.values(words).flatMap(texts) : [];
}

/** Some sentences are about other things than numbers. */
function made(words: Sentence, sample: unknown): unknown {
  try {
    return words(sample, 1, 1, 1);
  } catch {
    return null;
  }
}

const named = (file: string): string[] => {
  const guide = readFileSync(new URL(`../../../../docs/guide/${file}.md`, import.meta.url), 'utf8');
  return [...guide.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name!.replace(/\n\s*/g, ' '));
};

test.each<Language>(['zh', 'en'])('the guide for players calls everything by its name (%s)', (language) => {
  const known = new Set([...texts(wordsIn(language)), ...texts(FLOORS[language]), ...texts(HISTORY[language]), ...texts(PARTS[language])]);
  expect(named(language).length).toBeGreaterThan(15);
  expect(named(language).filter((name) => !known.has(name))).toEqual([]);
});

test.each<Language>(['zh', 'en'])('the guide for authors calls everything by its name (%s)', (language) => {
  const known = new Set([...texts(wordsIn(language)), ...texts(FUNCTIONS[language]), ...texts(TEMPLATE[language])]);
  const words = named(`authors.${language}`);
  expect(words.length).toBeGreaterThan(15);
  expect(words.filter((name) => !known.has(name))).toEqual([]);
});
