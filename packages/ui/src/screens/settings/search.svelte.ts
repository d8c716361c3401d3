// The search field of the settings: which rows are shown, and how many.
import { getContext, setContext } from 'svelte';

export class Search {
  query = $state('');
  visible = $state(0);

  /** Every word of the query is in one of the texts. */
  matches(texts: readonly string[]): boolean {
    const all = texts.join(' ').toLowerCase();
    return this.query.toLowerCase().split(/\s+/).every((word) => all.includes(word));
  }
}

const SEARCH = Symbol('settings search');
const SECTION = Symbol('settings section');

export const provideSearch = (search: Search): Search => setContext(SEARCH, search);
export const getSearch = (): Search => getContext<Search>(SEARCH);
export const provideSection = (title: () => string): (() => string) => setContext(SECTION, title);
export const getSection = (): (() => string) => getContext<() => string>(SECTION);
