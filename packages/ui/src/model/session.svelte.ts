// The data of the page: stories, the open branch, the current floor, what is shown there, and the status of
// the engine. It uses the engine and the address bar through their interfaces and knows nothing of the
// screen.
import { Away, Changes, Refused, type Branch, type BranchEdit, type Floor, type Json, type Path, type Ref, type RefId, type Story, type StoryId, type Words } from 'storeyline-client';
import { causeAbove, type Cause } from '../logic/causes';
import { changeCount, newestFloor, nextFloor } from '../logic/floors';
import { latest } from '../logic/latest';
import { NOWHERE, type Route, type Tab } from './route';
import type { Row } from '../logic/tree';
import type { Language } from '../words/language';
import type { Address } from './address';
import { CauseBook, type Looked } from './cause_book.svelte';
import type { PageEngine } from './engine';
import { FloorBook } from './floor_book.svelte';
import { Mutations, type Outcome } from './mutations.svelte';
import { Toasts } from './toasts.svelte';

export type Health = 'connecting' | 'ok' | 'lost' | 'locked';

export interface Problem {
  message: Words;
  hint: Words | null;
}

/** What one reply did, announced once. */
export interface Arrival {
  floor: number;
  changes: number;
  failed: number;
}

/** What to show: a location with all its parts known. */
interface Wish {
  story: StoryId;
  ref: RefId;
  floor: number;
  page: number | null;
  epoch: number;
}

const KEPT_FLOORS = 48;
/** While dragging, the page gets this time between two floors to draw and to follow the pointer. */
const LIVE_REST_MS = 32;

export class Session {
  health = $state<Health>('connecting');
  lastContact = $state<number | null>(null);
  stories = $state.raw<Story[] | null>(null);
  place = $state.raw<Route>(NOWHERE);
  shown = $state.raw<Floor | null>(null);
  problem = $state.raw<Problem | null>(null);
  arrival = $state.raw<Arrival | null>(null);
  /** The address names a floor behind the end; the last one is shown instead. */
  pastEnd = $state(false);
  busy = $state(false);
  /** The timeline is being dragged: the floor that is shown follows a little behind the one that is wanted. */
  live = $state(false);

  readonly book: FloorBook;
  readonly toasts = new Toasts();
  readonly mutations: Mutations;
  readonly #causes: CauseBook;
  readonly #engine: PageEngine;
  readonly #address: Address;
  readonly #changes: Changes;
  readonly #settles: boolean;
  /** The branch and the head that the floors were loaded from. */
  #branch: RefId | null = null;
  #head: string | null = null;
  /** Something could not be loaded; it has to be loaded again when the engine is back. */
  #missed = false;
  /** Increases with each head, so that a late answer from before is dropped. */
  #epoch = 0;
  #kept = new Map<string, Floor>();
  #wish = latest(
    (wish: Wish) => this.#read(wish),
    (detail, wish) => this.#show(detail, wish),
    (error) => this.#failed(error),
    () => (this.live ? new Promise((next) => setTimeout(next, LIVE_REST_MS)) : null),
  );

  /** `settles`: an address that names no story opens the newest one. */
  constructor(engine: PageEngine, address: Address, { settles = true }: { settles?: boolean } = {}) {
    this.#engine = engine;
    this.#settles = settles;
    this.#address = address;
    this.book = new FloorBook(engine, (error) => this.#failed(error));
    this.#causes = new CauseBook(engine, (error) => this.#failed(error));
    this.mutations = new Mutations(engine, this.toasts, () => this.#changed());
    this.#changes = new Changes(engine, {
      changed: () => this.refresh(),
      answered: () => this.#answered(),
      failed: (error) => this.#failed(error),
    });
  }

  story = $derived.by((): Story | null => this.stories?.find((story) => story.story === this.place.story) ?? null);
  ref = $derived.by((): Ref | null => this.story?.refs.find((ref) => ref.ref === this.place.ref) ?? null);
  newest = $derived.by((): number | null => newestFloor(this.book.rows));
  /** The current floor; its content may still be loading. */
  target = $derived.by((): number | null => {
    if (this.newest === null) return null;
    const floor = this.place.floor ?? this.newest;
    return floor < this.book.total ? floor : this.newest;
  });
  following = $derived.by(
    (): boolean => this.place.page === null && (this.place.floor === null || this.place.floor >= (this.newest ?? 0)),
  );
  /** The floor to mark in lists: while dragging the one that is shown, so that everything moves at once. */
  marked = $derived.by((): number | null => (this.live && this.shown ? this.shown.floor : this.target));
  previous = $derived.by(() => this.target !== null && nextFloor(this.book.rows, this.target, -1));
  next = $derived.by(() => this.target !== null && nextFloor(this.book.rows, this.target, 1));
  /** The address names a story or branch that does not exist. */
  missing = $derived.by(
    (): boolean => (this.stories?.length ?? 0) > 0 && this.place.story !== null && this.ref === null,
  );

  /** Begins to follow the engine; returns a function that stops it. */
  start(): () => void {
    this.place = this.#address.read();
    const deaf = this.#address.listen((place) => void this.#moved(place));
    this.#changes.start();
    return () => {
      deaf();
      this.#changes.stop();
    };
  }

  pause(paused: boolean): void {
    this.#changes.pause(paused);
  }

  retry(): void {
    this.problem = null;
    this.#changes.wake();
  }

  /** Loads the stories again, and the open branch if its head moved. */
  async refresh(): Promise<void> {
    this.stories = await this.#engine.stories();
    if (this.place.story === null || this.place.ref === null) this.#settle();
    await this.#openBranch();
  }

  openStory(story: StoryId, ref?: RefId): void {
    void this.#moved({ ...NOWHERE, story, ref: ref ?? null, tab: this.place.tab }, 'push');
  }

  /** Opens a floor of any branch; null: its end. */
  openFloor(story: StoryId, ref: RefId, floor: number | null): void {
    void this.#moved({ ...NOWHERE, story, ref, floor, tab: this.place.tab }, 'push');
  }

  /** Opens the example story; the engine creates it if there is none. */
  async openExample(language: Language): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    try {
      const { story, ref } = await this.#engine.example(language);
      // The empty page is no place to go back to.
      this.#set({ ...NOWHERE, story, ref, tab: this.place.tab }, 'replace');
      await this.#changed();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.busy = false;
    }
  }

  openNewest(): void {
    void this.#moved(NOWHERE, 'push');
  }

  openTab(tab: Tab): void {
    this.#set({ ...this.place, tab }, 'push');
  }

  /** Goes to a floor. `live` moves without an entry in the address bar, as while dragging. */
  go(floor: number, how: 'push' | 'live' = 'push'): void {
    if (floor === this.target && this.place.page === null && how === 'live') return;
    this.#set({ ...this.place, floor, page: null }, how);
    this.#ask();
  }

  /** Records the location that live moves led to. */
  settleHere(): void {
    this.#set(this.place, 'push');
  }

  follow(): void {
    this.#set({ ...this.place, floor: null, page: null }, 'push');
    this.#ask();
  }

  async step(direction: 1 | -1): Promise<void> {
    const from = this.target;
    if (from === null) return;
    try {
      let found = nextFloor(this.book.rows, from, direction);
      if (found && 'missing' in found) {
        await this.book.ensure(found.missing);
        found = nextFloor(this.book.rows, from, direction);
      }
      if (found && 'floor' in found) this.go(found.floor);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Views the next or previous page of the floor that is shown. */
  turn(direction: 1 | -1): void {
    const shown = this.shown;
    if (!shown || shown.floor !== this.target) return;
    const at = shown.pages.findIndex((page) => page.page === shown.page) + direction;
    if (at >= 0 && at < shown.pages.length) this.viewPage(at);
  }

  /** Views a page of the floor that is shown, counted from 0. */
  viewPage(index: number): void {
    const shown = this.shown;
    if (!shown) return;
    const page = index === shown.active ? null : index + 1;
    this.#set({ ...this.place, floor: shown.floor, page }, 'push');
    this.#ask();
  }

  /** The cause of a value of the floor that is shown; null while it is unknown. */
  causeOf(row: Row): Cause | null {
    if (row.cause !== 'above') return row.cause && { kind: row.cause };
    const at = this.#looked();
    const floor = at ? this.#causes.of(at, row.path) : undefined;
    return floor === undefined ? null : causeAbove(floor);
  }

  /** Reports the visible values of the floor that is shown. */
  wantCauses(paths: Path[]): void {
    const at = this.#looked();
    if (at) this.#causes.want(at, paths);
  }

  #looked(): Looked | null {
    const { story, ref, shown } = this;
    return story && ref && shown && { story: story.story, ref: ref.ref, floor: shown.floor };
  }

  /** The branch that is open. */
  branch = $derived.by((): Branch | null => this.story && this.ref && { story: this.story.story, ref: this.ref.ref });

  /** Makes a change of the floor that is shown; `said` tells what was done, `seen` is the state that an edit began with. Null: it was refused, which is shown. */
  async mutate(edit: BranchEdit, said: (count: number) => string, seen?: Json): Promise<Outcome | null> {
    const { branch, ref, shown } = this;
    if (!branch || !ref || !shown) return null;
    try {
      return await this.mutations.apply({ branch, head: ref.head ?? null, floor: shown.floor, edit, said, ...(seen !== undefined && { seen }) });
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }

  /** Runs a request of a screen; null if it failed, which is shown. */
  async attempt<T>(work: (engine: PageEngine, branch: Branch) => Promise<T>): Promise<T | null> {
    const { branch } = this;
    if (!branch) return null;
    try {
      return await work(this.#engine, branch);
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }

  /** Something was changed here: everything is loaded again. */
  async reload(): Promise<void> {
    try {
      await this.#changed();
    } catch (error) {
      this.#failed(error);
    }
  }

  async #changed(): Promise<void> {
    this.#head = null;
    await this.refresh();
  }

  /** Makes the viewed page the active one. */
  async usePage(): Promise<void> {
    const { shown, branch } = this;
    if (!shown || !branch || this.busy) return;
    this.busy = true;
    try {
      await this.#engine.change(branch, { kind: 'select', page: shown.page });
      this.#set({ ...this.place, floor: shown.floor, page: null }, 'replace');
      await this.#changed();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.busy = false;
    }
  }

  async #moved(place: Route, how: 'push' | 'replace' | null = null): Promise<void> {
    const branch = place.story !== this.place.story || place.ref !== this.place.ref;
    this.#set(place, how);
    this.problem = null;
    try {
      if (!branch) return this.#ask();
      this.#settle();
      await this.#openBranch();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Fills in the story and branch that an address left open: the newest. */
  #settle(): void {
    if (!this.#settles) return;
    const story = this.place.story === null ? this.stories?.[0] : this.story;
    if (!story || this.place.ref !== null) return;
    const branches = story.refs.filter((ref) => ref.kind === 'branch');
    const [ref] = (branches.length > 0 ? branches : [...story.refs]).sort((a, b) => b.updated - a.updated);
    if (ref) this.#set({ ...NOWHERE, story: story.story, ref: ref.ref, tab: this.place.tab }, 'replace');
  }

  async #openBranch(): Promise<void> {
    const { story, ref } = this;
    if (!story || !ref) {
      this.shown = null;
      this.#branch = null;
      return;
    }
    const head = `${ref.head} ${ref.floors}`;
    const sameBranch = ref.ref === this.#branch;
    if (sameBranch && head === this.#head) return this.#ask();
    const { newest: before, place } = this;
    const wasFollowing = sameBranch && this.following;
    if (!sameBranch) this.shown = null;
    await this.book.open(story.story, ref.ref, ref.floors);
    if (ref.ref !== this.place.ref) return;
    this.#branch = ref.ref;
    this.#head = head;
    this.#epoch++;
    this.#kept.clear();
    this.#causes.forget();
    // A user who moved meanwhile stays there.
    if (wasFollowing && this.place === place && this.newest !== null && this.newest !== before) {
      if (this.place.floor !== null) this.#set({ ...this.place, floor: null }, 'replace');
      this.#announce(this.newest);
    }
    this.#ask();
  }

  #announce(floor: number): void {
    const row = this.book.rows[floor];
    if (row) this.arrival = { floor, changes: changeCount(row.changes), failed: row.changes.failed };
  }

  #set(place: Route, how: 'push' | 'replace' | 'live' | null): void {
    this.place = place;
    this.live = how === 'live';
    if (how === 'push' || how === 'replace') this.#address.write(place, how === 'replace');
  }

  #ask(): void {
    const { story, ref, target } = this;
    if (!story || !ref || target === null) {
      if (this.book.total === 0) this.shown = null;
      return;
    }
    this.pastEnd = this.place.floor !== null && this.place.floor >= this.book.total;
    const wish = { story: story.story, ref: ref.ref, floor: target, page: this.place.page, epoch: this.#epoch };
    const kept = this.#recall(wish);
    if (kept) this.shown = kept;
    else this.#wish.ask(wish);
  }

  /** The page in the address is a number; its id comes from the floor itself. */
  async #read(wish: Wish): Promise<Floor> {
    const { story, ref, floor, page } = wish;
    const active = this.#recall({ ...wish, page: null }) ?? (await this.#engine.floor({ story, ref }, floor));
    this.#keep({ ...wish, page: null }, active);
    const other = page === null ? undefined : active.pages[page - 1];
    if (!other || other.page === active.page) return active;
    return this.#engine.floor({ story, ref }, floor, other.page);
  }

  #show(detail: Floor, wish: Wish): void {
    if (wish.ref !== this.place.ref) return;
    this.#keep(wish, detail);
    this.shown = detail;
    this.#contact();
  }

  #recall(wish: Wish): Floor | undefined {
    return this.#kept.get(`${wish.ref} ${wish.floor} ${wish.page}`);
  }

  #keep(wish: Wish, detail: Floor): void {
    if (wish.epoch !== this.#epoch) return;
    this.#kept.set(`${wish.ref} ${wish.floor} ${wish.page}`, detail);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_FLOORS && oldest !== undefined) this.#kept.delete(oldest);
  }

  #contact(): void {
    this.health = 'ok';
    this.lastContact = Date.now();
  }

  #answered(): boolean {
    this.#contact();
    const missed = this.#missed;
    this.#missed = false;
    if (missed) this.#head = null;
    if (this.mutations.waiting) void this.mutations.resume().catch((error: unknown) => this.#failed(error));
    return missed;
  }

  #failed(error: unknown): void {
    if (error instanceof Away) {
      this.health = 'lost';
      this.#missed = true;
    } else if (error instanceof Refused && error.status === 401) {
      this.health = 'locked';
      this.#missed = true;
    } else if (error instanceof Refused) {
      this.problem = { message: error.words, hint: error.hint };
    } else {
      // A bug of our own: it is logged, and the page continues.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
