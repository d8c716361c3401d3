// Which failed calls this account ignores, kept in the browser.
import { SvelteMap } from 'svelte/reactivity';
import type { Call, Floor, PageId } from 'storeyline-client';
import { failureKey, isIgnored, stillIgnored, type IgnoredPage } from '../logic/ignored';
import type { Drafts } from './drafts';
import { IGNORED_PLACE, readIgnored } from './ignored';

/** The oldest are forgotten first. */
const MAX_PAGES = 2000;

export class Ignored {
  readonly pages = new SvelteMap<PageId, IgnoredPage>();
  #drafts: Drafts | null = null;

  /** `changed` is called after each change by the user. */
  constructor(private readonly changed: () => void = () => {}) {}

  open(drafts: Drafts | null): void {
    this.#drafts = drafts;
    this.pages.clear();
    for (const [page, ignored] of readIgnored(drafts?.read(IGNORED_PLACE))) this.pages.set(page, ignored);
  }

  has(page: PageId, call: Call): boolean {
    return isIgnored(this.pages, page, call);
  }

  toggle(floor: Pick<Floor, 'page' | 'calls'>, call: Call): void {
    const key = failureKey(call);
    const before = this.pages.get(floor.page)?.keys ?? [];
    const keys = before.includes(key) ? before.filter((other) => other !== key) : [...before, key];
    this.#put(floor.page, stillIgnored({ keys, failed: 0 }, floor.calls));
    this.changed();
  }

  /** A page is seen: what is no longer in its text is forgotten. */
  seen(floor: Pick<Floor, 'page' | 'calls'>): void {
    const known = this.pages.get(floor.page);
    if (!known) return;
    const now = stillIgnored(known, floor.calls);
    if (JSON.stringify(now) !== JSON.stringify(known)) this.#put(floor.page, now);
  }

  #put(page: PageId, ignored: IgnoredPage | null): void {
    this.pages.delete(page);
    if (ignored) this.pages.set(page, ignored);
    const [oldest] = this.pages.keys();
    if (this.pages.size > MAX_PAGES && oldest !== undefined) this.pages.delete(oldest);
    if (this.pages.size > 0) this.#drafts?.keep(IGNORED_PLACE, [...this.pages]);
    else this.#drafts?.drop(IGNORED_PLACE);
  }
}
