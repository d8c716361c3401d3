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

  /** Null: nothing is being edited. */
  draft = $state.raw<FloorDraft | null>(null);
  #drafts: Drafts | null = null;

  constructor(private readonly look: Look) {}

  /** Drafts survive a reload; they are known once it is known whose they are. */
  useDrafts(drafts: Drafts): void {
    this.#drafts = drafts;
    const kept = drafts.read(DRAFT);
    if (this.draft === null && isDraft(kept)) this.draft = kept;
  }

  edit(shown: Floor, state: JsonObject = shown.state as JsonObject): void {
    this.keepDraft({ floor: shown.floor, page: shown.page, before: shown.state as JsonObject, state });
    if (this.look.size !== 'wide') this.segment = 'values';
  }

  keepDraft(draft: FloorDraft): void {
    this.draft = draft;
    this.#drafts?.keep(DRAFT, draft);
  }

  dropDraft(): void {
    this.draft = null;
    this.#drafts?.drop(DRAFT);
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
