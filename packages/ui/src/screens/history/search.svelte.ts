// The search over all branches: words in texts, or floors with a mark. Hits are listed, stepped through, and shown in
// the graph. One request at a time; the newest wins.
import type { PageId, RefId, Schemas } from 'storeyline-client';
import { spotOf, type Spot } from './logic';
import type { HistoryModel } from './model.svelte';

export type Filter = 'none' | 'failed' | 'overridden' | 'tags' | 'path';
export const FILTERS: readonly Filter[] = ['none', 'failed', 'overridden', 'tags', 'path'];

export interface Hit {
  key: string;
  ref: RefId;
  name: string;
  floor: number;
  /** Null: the active page. */
  page: PageId | null;
  /** `2/3`; empty if the floor has one page. */
  number: string;
  read: boolean;
  excerpt: Schemas['Excerpt'] | null;
}

const QUIET_MS = 200;
const MAX_HITS = 500;
const PAGE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class HistorySearch {
  query = $state('');
  filter = $state<Filter>('none');
  path = $state('');
  hits = $state.raw<Hit[] | null>(null);
  total = $state(0);
  more = $state(false);
  /** Index of the hit that is shown; -1: none yet. */
  at = $state(-1);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  constructor(private readonly model: HistoryModel) {}

  active = $derived.by(() => this.query.trim() !== '' || this.filter === 'tags' || this.filter === 'failed' || this.filter === 'overridden' || (this.filter === 'path' && this.path.trim() !== ''));

  /** Where the hits are in the tree. */
  spots = $derived.by((): Spot[] => {
    const { graph } = this.model;
    if (!graph || !this.active || !this.hits) return [];
    return this.hits.map(({ ref, floor }) => spotOf(graph, ref, floor)).filter((spot) => spot !== null);
  });

  /** Something was typed or chosen: searches after a moment. */
  ask(now = false): void {
    clearTimeout(this.#timer);
    this.at = -1;
    const turn = ++this.#turn;
    if (!this.active) {
      this.hits = null;
      this.total = 0;
      this.more = false;
      return;
    }
    this.#timer = setTimeout(() => void this.#search(turn), now ? 0 : QUIET_MS);
  }

  clear(): void {
    this.query = '';
    this.filter = 'none';
    this.path = '';
    this.ask();
  }

  /** The next or previous hit; after the last comes the first. */
  step(direction: 1 | -1): Hit | null {
    const hits = this.hits ?? [];
    if (hits.length === 0) return null;
    this.at = this.at < 0 ? (direction > 0 ? 0 : hits.length - 1) : (this.at + direction + hits.length) % hits.length;
    return hits[this.at] ?? null;
  }

  async #search(turn: number): Promise<void> {
    const story = this.model.session.story?.story;
    if (!story) return;
    const found = this.filter === 'none' ? await this.#words(story) : await this.#marks(story);
    if (turn !== this.#turn || !found) return;
    this.hits = found.hits;
    this.total = found.total;
    this.more = found.more;
  }

  /** An id, as an entry of `世界.事件列表` has it, is found wherever its page is. */
  async #page(story: string, page: PageId): Promise<{ hits: Hit[]; total: number; more: boolean } | null> {
    const found = await this.model.session.attempt(() => this.model.client('get', '/api/v1/stories/{story}/pages/{page}', { params: { path: { story, page } } }));
    if (!found) return null;
    const living = found.places.filter(({ trashed }) => !trashed);
    const hits = living.map(({ ref, name, floor, number, pages, read }) => ({ key: `${page} ${ref}`, ref, name, floor, page: read ? null : page, number: pages > 1 ? `${number}/${pages}` : '', read, excerpt: null }));
    return { hits, total: hits.length, more: false };
  }

  async #words(story: string): Promise<{ hits: Hit[]; total: number; more: boolean } | null> {
    const wanted = this.query.trim().toLowerCase();
    if (PAGE_ID.test(wanted)) return this.#page(story, wanted);
    const query = { q: this.query, story, limit: MAX_HITS };
    const found = await this.model.session.attempt(() => this.model.client('get', '/api/v1/search', { params: { query } }));
    if (!found) return null;
    const hits = found.hits.flatMap(({ page, places, excerpt }) => {
      const living = places.filter(({ trashed }) => !trashed);
      // The open branch first: most hits are on several.
      const place = living.find(({ ref }) => ref === this.model.session.place.ref) ?? living[0];
      if (!place) return [];
      const { ref, name, floor, number, pages, read } = place;
      return [{ key: `${page} ${ref}`, ref, name, floor, page: read ? null : page, number: pages > 1 ? `${number}/${pages}` : '', read, excerpt }];
    });
    hits.sort((a, b) => a.floor - b.floor);
    return { hits, total: hits.length, more: found.total > found.hits.length };
  }

  async #marks(story: string): Promise<{ hits: Hit[]; total: number; more: boolean } | null> {
    const hit = (ref: RefId, name: string, floor: number): Hit => ({ key: `${ref} ${floor} ${name}`, ref, name, floor, page: null, number: '', read: true, excerpt: null });
    if (this.filter === 'tags') {
      const hits = this.model.tags.map((tag) => hit(tag.ref, tag.name, Math.max(0, tag.floors - 1)));
      return { hits, total: hits.length, more: false };
    }
    const query = { failed: this.filter === 'failed', overridden: this.filter === 'overridden', ...(this.filter === 'path' ? { path: this.path.trim() } : {}) };
    const found = await this.model.session.attempt(() => this.model.client('get', '/api/v1/stories/{story}/marks', { params: { path: { story }, query } }));
    if (!found) return null;
    const hits = found.marks.map(({ ref, floor }) => hit(this.#nearest(ref, floor), this.model.nameOf(ref), floor));
    return { hits, total: hits.length, more: found.more };
  }

  /** The open branch, if it has this floor too. */
  #nearest(ref: RefId, floor: number): RefId {
    const { graph, session } = this.model;
    const own = session.place.ref;
    if (!graph || own === null) return ref;
    const [there, here] = [spotOf(graph, ref, floor), spotOf(graph, own, floor)];
    return there && here && there.chain === here.chain ? own : ref;
  }
}
