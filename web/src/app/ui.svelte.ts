// What concerns the screen alone: language, tone, size, what is folded, searched and in view.
import { getContext, setContext } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { LANG_TAG, pickLanguage, wordsIn, type Language } from '../i18n/language';
import type { Words } from '../i18n/words.zh';
import type { Session } from './session.svelte';

export type Size = 'wide' | 'medium' | 'compact';
export type Segment = 'changes' | 'values' | 'floors';

const REMEMBERED = 'storeyline.language';

export class Ui {
  language = $state<Language>('en');
  words: Words = $derived(wordsIn(this.language));
  lang = $derived(LANG_TAG[this.language]);
  tone = $state<'dark' | 'light'>('dark');
  width = $state(1280);
  coarse = $state(false);
  size: Size = $derived(this.width >= 900 ? 'wide' : this.width >= 720 ? 'medium' : 'compact');
  /** Fingers need more space than a pointer. */
  rowHeight = $derived(this.size === 'compact' || this.coarse ? 40 : 28);

  segment = $state<Segment>('changes');
  query = $state('');
  onlyChanges = $state(false);
  folds = new SvelteMap<string, boolean>();
  /** Increases when a command wants the focus in that field. */
  focusFind = $state(0);
  focusGoTo = $state(0);

  /** Reads the preferences of the browser and follows them; returns a function that stops it. */
  start(window: Window): () => void {
    this.language = pickLanguage(remembered(window), window.navigator.languages);
    const stops = [
      follow(window.matchMedia('(prefers-color-scheme: dark)'), (dark) => (this.tone = dark ? 'dark' : 'light')),
      follow(window.matchMedia('(pointer: coarse)'), (coarse) => (this.coarse = coarse)),
    ];
    return () => stops.forEach((stop) => stop());
  }

  switchLanguage(window: Window): void {
    this.language = this.language === 'zh' ? 'en' : 'zh';
    try {
      window.localStorage.setItem(REMEMBERED, this.language);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  toggleOnlyChanges(): void {
    this.onlyChanges = !this.onlyChanges;
    if (this.size !== 'wide') this.segment = 'values';
  }

  goToField(): void {
    if (this.size !== 'wide') this.segment = 'floors';
    this.focusGoTo++;
  }

  findField(): void {
    if (this.size !== 'wide') this.segment = 'values';
    this.focusFind++;
  }
}

function remembered(window: Window): string | null {
  try {
    return window.localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

function follow(query: MediaQueryList, tell: (matches: boolean) => void): () => void {
  const listener = (): void => tell(query.matches);
  listener();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

const KEY = Symbol('storeyline');

interface App {
  ui: Ui;
  session: Session;
}

export function provideApp(app: App): void {
  setContext(KEY, app);
}

export function getApp(): App {
  return getContext<App>(KEY);
}
