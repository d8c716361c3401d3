// What the Floors screen remembers of itself: which part is shown, what is searched and folded.
import { SvelteMap } from 'svelte/reactivity';
import type { Floor, JsonObject, PageId } from 'storeyline-client';
import type { Drafts } from '../../model/drafts';
import type { Look } from '../../look.svelte';

import type { Filter } from './words';

export type Segment = 'changes' | 'values' | 'floors';

/** The state of a floor that is being edited. */
export interface FloorDraft {
  floor: number;
  page: PageId;
  before: JsonObject;
  state: JsonObject;
}

const DRAFT = 'floor state';

export class FloorsView {
  segment = $state<Segment>('changes');
  query = $state('');
  filter = $state<Filter>('all');
  onlyChanges = $state(false);
  folds = new SvelteMap<string, boolean>();
  /** Increases when a command wants the focus in that field. */
  focusFind = $state(0);
  focusGoTo = $state(0);
  /** A new object each time the next or previous hit is wanted. */
  hit = $state.raw<{ step: 1 | -1 } | null>(null);

  /** By story: another one may be opened while a floor is being edited. */
  readonly #edited = new SvelteMap<string, FloorDraft>();
  #story = $state('');
  #drafts: Drafts | null = null;

  constructor(private readonly look: Look) {}

  /** Null: nothing is being edited in this story. */
  get draft(): FloorDraft | null {
    return this.#edited.get(this.#story) ?? null;
  }

  /** Another story is shown. */
  open(story: string): void {
    this.#story = story;
    this.#restore();
  }

  /** Drafts survive a reload; they are known once it is known whose they are. */
  useDrafts(drafts: Drafts): void {
    this.#drafts = drafts;
    this.#restore();
  }

  edit(shown: Floor, state: JsonObject = shown.state as JsonObject): void {
    this.keepDraft({ floor: shown.floor, page: shown.page, before: shown.state as JsonObject, state });
    if (this.look.size !== 'wide') this.segment = 'values';
  }

  keepDraft(draft: FloorDraft): void {
    this.#edited.set(this.#story, draft);
    this.#drafts?.keep(this.#place, draft);
  }

  dropDraft(): void {
    this.#edited.delete(this.#story);
    this.#drafts?.drop(this.#place);
  }

  get #place(): string {
    return `${DRAFT} ${this.#story}`;
  }

  #restore(): void {
    const kept = this.#drafts?.read(this.#place);
    if (!this.#edited.has(this.#story) && isDraft(kept)) this.#edited.set(this.#story, kept);
  }

  toggleOnlyChanges(): void {
    this.onlyChanges = !this.onlyChanges;
    if (this.look.size !== 'wide') this.segment = 'values';
  }

  goToField(): void {
    if (this.look.size !== 'wide') this.segment = 'floors';
    this.focusGoTo++;
  }

  /** Searches for a word without leaving the place of the focus. */
  find(word: string): void {
    if (this.look.size !== 'wide') this.segment = 'values';
    this.query = word;
  }

  findHit(step: 1 | -1): void {
    if (this.look.size !== 'wide') this.segment = 'values';
    this.hit = { step };
  }

  findField(): void {
    if (this.look.size !== 'wide') this.segment = 'values';
    this.focusFind++;
  }
}

function isDraft(kept: unknown): kept is FloorDraft {
  if (typeof kept !== 'object' || kept === null) return false;
  const { floor, page, before, state } = kept as Partial<FloorDraft>;
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof floor === 'number' && typeof page === 'string' && isObject(before) && isObject(state);
}
