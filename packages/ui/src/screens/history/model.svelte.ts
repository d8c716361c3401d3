// The data of the History screen: branches with those in the trash, the tree, the pages of visible floors, the log, and
// what is selected. Changes of a branch go through the session; changes of branches and tags are made here, each with
// a way back.
import type { BranchEdit, Client, Floor, PageId, Ref, RefId, Schemas, Story, StoryId } from 'storeyline-client';
import type { Session } from '../../model/session.svelte';
import type { Outcome } from '../../model/mutations.svelte';
import type { HostServices } from '../../shell/host';
import { coloursOf, inOrder, marksOf, type FloorMarks, type Graph, type SiblingPage } from './logic';

export type HistorySegment = 'messages' | 'graph' | 'operations' | 'trash';
export const SEGMENTS: readonly HistorySegment[] = ['messages', 'graph', 'operations', 'trash'];

type LoggedOperation = Schemas['StoryOperation'];

/** A floor that the user looks at, without going there. */
export interface Selected {
  ref: RefId;
  floor: number;
  /** Null: the active page. */
  page: PageId | null;
}

const STORY = '/api/v1/stories/{story}';
const REF = '/api/v1/stories/{story}/refs/{ref}';
const SIBLINGS = 100;
const NO_MARKS: FloorMarks = { tags: new Map(), forks: new Map() };

/** A host takes the screen away while it opens another chat; what was shown is shown again. */
const lastSegments = new WeakMap<Session, HistorySegment>();

export class HistoryModel {
  #segment = $state<HistorySegment>('messages');
  /** All branches and tags, those in the trash included, the last changed first. */
  refs = $state.raw<Ref[]>([]);
  graph = $state.raw<Graph | null>(null);
  selected = $state.raw<Selected | null>(null);
  /** The selected floor as it is on its branch; null while it is loading. */
  detail = $state.raw<Floor | null>(null);
  /** Pages of floors that have several, of the open branch. */
  pages = $state.raw<ReadonlyMap<number, SiblingPage[]>>(new Map());

  #asked = new Set<number>();
  #epoch = 0;
  #loaded: string | null = null;
  #loading: Promise<void> = Promise.resolve();
  #last: Promise<Outcome | null> = Promise.resolve(null);

  constructor(
    readonly session: Session,
    readonly client: Client,
    readonly host: HostServices,
  ) {
    this.#segment = lastSegments.get(session) ?? 'messages';
  }

  get segment(): HistorySegment {
    return this.#segment;
  }

  set segment(segment: HistorySegment) {
    this.#segment = segment;
    lastSegments.set(this.session, segment);
  }

  living = $derived.by(() => inOrder(this.refs.filter((ref) => ref.trashed == null), this.graph));
  branches = $derived.by(() => this.living.filter((ref) => ref.kind === 'branch'));
  tags = $derived.by(() => this.living.filter((ref) => ref.kind === 'tag'));
  colours = $derived.by(() => coloursOf(this.refs, this.graph));
  marks = $derived.by((): FloorMarks => {
    const { graph, session } = this;
    return graph && session.ref ? marksOf(graph, this.refs, session.ref.ref) : NO_MARKS;
  });

  /** The name of a branch or tag; never empty. */
  nameOf(ref: RefId | null | undefined): string {
    return this.refs.find((other) => other.ref === ref)?.name || '—';
  }

  colourOf(ref: RefId | null | undefined): number {
    return (ref ? this.colours.get(ref) : undefined) ?? 7;
  }

  /** Loads what depends on the story again, if it changed since; ends when it is there. */
  load(): Promise<void> {
    const { story, ref } = this.session;
    const now = story && `${story.story} ${ref?.ref} ${story.refs.map(({ ref: id, operation }) => `${id} ${operation}`).join()}`;
    if (story && now !== this.#loaded) {
      this.#loaded = now;
      this.#loading = this.#load(story);
    }
    return this.#loading;
  }

  async #load(story: Story): Promise<void> {
    const epoch = ++this.#epoch;
    this.pages = new Map();
    this.#asked.clear();
    const found = await this.session.attempt(() =>
      Promise.all([
        this.client('get', `${STORY}/refs`, { params: { path: { story: story.story } } }),
        this.client('get', `${STORY}/graph`, { params: { path: { story: story.story } } }),
      ]),
    );
    // A newer one is under way; who waits for this one waits for that.
    if (epoch !== this.#epoch) return this.#loading;
    if (!found) {
      this.#loaded = null;
      return;
    }
    this.refs = found[0].refs;
    this.graph = found[1];
    if (this.selected) await this.#detail(this.selected);
  }

  /** These floors of the open branch are visible: their pages are asked for. */
  async wantPages(from: number, to: number): Promise<void> {
    const { branch } = this.session;
    if (!branch) return;
    const epoch = this.#epoch;
    for (let chunk = Math.floor(from / SIBLINGS); chunk <= Math.floor(Math.max(from, to - 1) / SIBLINGS); chunk++) {
      if (this.#asked.has(chunk)) continue;
      this.#asked.add(chunk);
      const query = { from: chunk * SIBLINGS, limit: SIBLINGS };
      const answer = await this.session.attempt(() => this.client('get', `${REF}/siblings`, { params: { path: branch, query } }));
      if (epoch !== this.#epoch) return;
      if (!answer) this.#asked.delete(chunk);
      else if (answer.floors.length > 0) this.pages = new Map([...this.pages, ...answer.floors.map(({ floor, pages }) => [floor, pages] as const)]);
    }
  }

  async select(selected: Selected | null): Promise<void> {
    this.selected = selected;
    this.detail = null;
    if (selected) await this.#detail(selected);
  }

  async #detail(selected: Selected): Promise<void> {
    const story = this.session.story?.story;
    if (!story) return;
    const { ref, floor, page } = selected;
    const detail = await this.session.attempt((engine) => engine.floor({ story, ref }, floor, page));
    if (this.selected !== selected) return;
    this.detail = detail;
    if (!detail) this.selected = null;
  }

  /** Changes the open branch at a floor. One change after the other: each names the head that the one before it made. */
  mutate(floor: number, edit: BranchEdit, said: (count: number) => string): Promise<Outcome | null> {
    const change = (): Promise<Outcome | null> =>
      this.session.attempt(async (_, branch) => {
        const { ref } = this.session;
        return ref ? this.session.mutations.apply({ branch, head: ref.head ?? null, floor, edit, said }) : ('nothing' as const);
      });
    this.#last = this.#last.then(change, change);
    return this.#last;
  }

  /** Deletes a page, or floors from that page on, on each of some branches. */
  async deleteOn(places: readonly { ref: RefId; floor: number }[], edit: (floor: number) => BranchEdit, said: string): Promise<void> {
    const story = this.session.story?.story;
    if (!story) return;
    const undos: (() => Promise<unknown>)[] = [];
    await this.session.attempt(async (engine) => {
      for (const { ref, floor } of places) {
        const { operation } = await engine.change({ story, ref }, edit(floor));
        if (operation != null) undos.unshift(() => engine.undo({ story, ref }, operation));
      }
      return true;
    });
    await this.session.reload();
    if (undos.length > 0) this.#told(said, undos);
  }

  /** Creates a branch or tag that ends with a floor. */
  async create(kind: 'branch' | 'tag', from: RefId, floor: number, name: string, note: string, said: string): Promise<RefId | null> {
    const story = this.session.story?.story;
    if (!story) return null;
    const body = { kind, from, floor, name, note, switch: false };
    const made = await this.session.attempt(() => this.client('post', `${STORY}/refs`, { params: { path: { story } }, body }));
    if (!made) return null;
    await this.#changed(story, made.ref, made.operation, said);
    return made.ref;
  }

  async change(ref: RefId, body: Schemas['RefChange'], said: string): Promise<void> {
    await this.#refOperation(ref, said, (path) => this.client('post', REF, { params: { path }, body }));
  }

  async trash(ref: Ref, said: string): Promise<void> {
    await this.#refOperation(ref.ref, said, (path) => this.client('delete', REF, { params: { path } }));
    // The deleted branch was open: the one that is current now is shown.
    if (this.session.place.ref === ref.ref) {
      const current = this.living.find((other) => other.current) ?? this.branches[0];
      const story = this.session.story?.story;
      if (story && current) this.session.openStory(story, current.ref);
    }
  }

  async restore(ref: RefId, said: string): Promise<void> {
    await this.#refOperation(ref, said, (path) => this.client('post', `${REF}/restore`, { params: { path } }));
  }

  /** Goes to a floor of a branch: in a host its chat is opened. Returns whether it did. */
  async goTo(ref: RefId, floor: number | null): Promise<boolean> {
    const story = this.session.story?.story;
    const target = this.refs.find((other) => other.ref === ref);
    if (!story || !target) return false;
    if (target.kind === 'branch' && ref !== this.session.place.ref) {
      if (this.host.openBranch) {
        if (!(await this.host.openBranch(ref))) return false;
      } else {
        const path = { story, ref };
        const done = target.current || (await this.session.attempt(() => this.client('post', `${REF}/switch`, { params: { path } })));
        if (!done) return false;
        await this.session.reload();
      }
    }
    this.session.openFloor(story, ref, floor);
    return true;
  }

  /** The operations of the story, or of the open branch. */
  async log(before: string | null, deleted: boolean): Promise<{ operations: LoggedOperation[]; more: boolean } | null> {
    const story = this.session.story?.story;
    if (!story) return null;
    const query = { limit: 100, deleted, ...(before === null ? {} : { before }) };
    return this.session.attempt(() => this.client('get', `${STORY}/operations`, { params: { path: { story }, query } }));
  }

  async #refOperation(ref: RefId, said: string, work: (path: { story: StoryId; ref: RefId }) => Promise<Schemas['Done']>): Promise<void> {
    const story = this.session.story?.story;
    if (!story) return;
    const done = await this.session.attempt(() => work({ story, ref }));
    if (done) await this.#changed(story, ref, done.operation, said);
  }

  async #changed(story: StoryId, ref: RefId, operation: number | null | undefined, said: string): Promise<void> {
    await this.session.reload();
    await this.load();
    if (operation != null) {
      const undo = (): Promise<unknown> => this.client('post', `${REF}/undo`, { params: { path: { story, ref } }, body: { operation } });
      this.#told(said, [undo]);
    }
  }

  #told(said: string, undos: (() => Promise<unknown>)[]): void {
    const undo = async (): Promise<void> => {
      for (const one of undos) await one();
      await this.session.reload();
      await this.load();
    };
    this.session.toasts.show({ kind: said, text: () => said, undo });
  }
}
