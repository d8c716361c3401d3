// How everything looks: language, tone and size. A shell sets them, every part reads them from the context.
import { getContext, setContext } from 'svelte';
import { LANG_TAG, wordsIn, type Language } from './words/language';
import type { Words } from './words/zh';

export type Size = 'wide' | 'medium' | 'compact';
export type Tone = 'dark' | 'light';

export class Look {
  language = $state<Language>('en');
  tone = $state<Tone>('dark');
  /** Of our root element, in pixels. */
  width = $state(1280);
  /** Whether the pointer is a finger. */
  coarse = $state(false);

  words: Words = $derived(wordsIn(this.language));
  lang = $derived(LANG_TAG[this.language]);
  size: Size = $derived(this.width >= 900 ? 'wide' : this.width >= 720 ? 'medium' : 'compact');
  /** Fingers need more space than a pointer. */
  rowHeight = $derived(this.size === 'compact' || this.coarse ? 40 : 28);

  /** Chooses the sentence of this language. */
  say(words: { zh: string; en: string }): string {
    return words[this.language];
  }

  /** Chooses the words of a screen in this language. */
  of<T>(words: { zh: T; en: T }): T {
    return words[this.language];
  }
}

const KEY = Symbol('storeyline look');

export function provideLook(look: Look): Look {
  return setContext(KEY, look);
}

export function getLook(): Look {
  return getContext<Look>(KEY);
}
