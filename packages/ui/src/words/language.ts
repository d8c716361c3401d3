// Selects the language: the user's earlier choice, else what the browser prefers.
import type { Language } from 'storeyline-client';
import { en } from './en';
import { zh, type Words } from './zh';

export type { Language };

const WORDS: Record<Language, Words> = { zh, en };
export const LANG_TAG: Record<Language, string> = { zh: 'zh-CN', en: 'en' };

export function wordsIn(language: Language): Words {
  return WORDS[language];
}

export function pickLanguage(remembered: string | null, preferred: readonly string[]): Language {
  if (remembered === 'zh' || remembered === 'en') return remembered;
  const first = preferred.map((tag) => tag.toLowerCase().slice(0, 2)).find((tag) => tag === 'zh' || tag === 'en');
  return first === 'zh' ? 'zh' : 'en';
}
