// The global snapshots: the list, what is chosen in it, and every change of it.
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Client, JsonObject } from 'storeyline-client';
import { differences } from '../../logic/differences';
import { isObject } from '../../logic/value_text';
import { troubleOf, type Trouble } from '../../model/trouble';
import { matches, searchText, wordsOf, type Content, type Line } from './logic';

const ALL = '/api/v1/snapshots';
const ONE = '/api/v1/snapshots/{snapshot}';
/** States that are kept for the preview and the search. */
const KEPT = 500;

interface Known {
  /** Of the line when it was read; another line means another content. */
  line: string;
  content: Content;
  text: string;
}

export class SnapshotsModel {
  list = $state.raw<Line[] | null>(null);
  trouble = $state.raw<Trouble | null>(null);
  query = $state('');
  tag = $state<string | null>(null);
  /** The one that is previewed. */
  chosen = $state<string | null>(null);
  /** Marked for an action on several. */
  readonly marked = new SvelteSet<string>();
  /** How many contents the search still has to read. */
  unread = $state(0);
  readonly #known = new SvelteMap<string, Known>();
  readonly #client: Client;
  #round = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  shown = $derived.by((): Line[] => {
    const { tag, query } = this;
    const tagged = (this.list ?? []).filter((line) => tag === null || line.tags.includes(tag));
    return tagged.filter((line) => matches(line, query, this.#known.get(line.snapshot)?.text));
  });
  current = $derived.by((): Line | null => this.list?.find((line) => line.snapshot === this.chosen) ?? null);
  content = $derived.by((): Content | null => (this.chosen === null ? null : (this.#known.get(this.chosen)?.content ?? null)));

  async load(): Promise<void> {
    await this.#try(async () => {
      const { snapshots } = await this.#client('get', ALL);
      this.list = snapshots;
      const lines = new Map(snapshots.map((line) => [line.snapshot, JSON.stringify(line)]));
      for (const [id, known] of this.#known) if (known.line !== lines.get(id)) this.#known.delete(id);
      for (const id of this.marked) if (!lines.has(id)) this.marked.delete(id);
      if (this.chosen !== null && !lines.has(this.chosen)) this.chosen = null;
      if (this.chosen !== null) await this.#read(this.chosen);
    });
  }

  async choose(id: string | null): Promise<void> {
    this.chosen = id;
    if (id !== null) await this.#try(() => this.#read(id).then(() => {}));
  }

  /** Reads the contents that a search needs, one after the other; a newer search ends it. */
  async search(): Promise<void> {
    const round = ++this.#round;
    const todo = wordsOf(this.query).length === 0 ? [] : (this.list ?? []).filter((line) => !this.#known.has(line.snapshot));
    this.unread = todo.length;
    for (const line of todo) {
      if (round !== this.#round) return;
      try {
        await this.#read(line.snapshot);
      } catch {
        // One that cannot be read is found by its label only.
      }
      if (round === this.#round) this.unread--;
    }
  }

  mark(id: string, on: boolean): void {
    if (on) this.marked.add(id);
    else this.marked.delete(id);
  }

  /** The whole contents, in the order of the list. */
  async contents(ids: readonly string[]): Promise<{ id: string; content: Content }[]> {
    const all = [];
    for (const id of ids) all.push({ id, content: await this.#read(id) });
    return all;
  }

  async create(content: Content): Promise<string> {
    const { snapshot } = await this.#client('post', ALL, { body: content });
    await this.load();
    return snapshot;
  }

  /** Saves the state of a floor, with where it is from. */
  async createFromFloor(at: { story: string; ref: string; floor: number }, content: Content): Promise<string> {
    const { name, description, tags } = content;
    const { snapshot } = await this.#client('post', '/api/v1/snapshots/from-floor', { body: { ...at, name, description, tags } });
    await this.load();
    return snapshot;
  }

  async put(id: string, content: Content): Promise<void> {
    await this.#client('put', ONE, { params: { path: { snapshot: id } }, body: content });
    this.#known.delete(id);
    await this.load();
  }

  /** What somebody else saved since `base` was read; null: nothing. */
  async changedElsewhere(id: string, base: Content): Promise<Content | null> {
    this.#known.delete(id);
    const now = await this.#read(id);
    return differences(base, now).length === 0 ? null : now;
  }

  /** Deletes and returns what brings them back, under their own ids. */
  async remove(ids: readonly string[]): Promise<() => Promise<void>> {
    const before = await this.contents(ids);
    for (const { id } of before) await this.#client('delete', ONE, { params: { path: { snapshot: id } } });
    await this.load();
    return () => this.#restore(before);
  }

  /** Adds a tag to several and returns what takes it away again. */
  async addTag(ids: readonly string[], tag: string): Promise<() => Promise<void>> {
    const before = (await this.contents(ids)).filter(({ content }) => !content.tags.includes(tag));
    await this.#restore(before.map(({ id, content }) => ({ id, content: { ...content, tags: [...content.tags, tag] } })));
    return () => this.#restore(before);
  }

  async #restore(all: readonly { id: string; content: Content }[]): Promise<void> {
    for (const { id, content } of all) await this.#client('put', ONE, { params: { path: { snapshot: id } }, body: content });
    await this.load();
  }

  /** Makes it the template of a card and returns what brings the old one back. */
  async toTemplate(id: string, card: string): Promise<() => Promise<void>> {
    const params = { params: { path: { card } } };
    const { versions } = await this.#client('get', '/api/v1/templates/{card}/versions', params);
    const before = versions[0]?.value;
    await this.#client('post', '/api/v1/snapshots/{snapshot}/template', { params: { path: { snapshot: id } }, body: { card } });
    return async () => {
      if (isObject(before)) await this.#client('put', '/api/v1/templates/{card}', { ...params, body: { template: before } });
      else await this.#client('delete', '/api/v1/templates/{card}', params);
    };
  }

  /** The state without what MVU added. */
  async stripped(state: JsonObject): Promise<JsonObject> {
    const answer = await this.#client('post', '/api/v1/strip-mvu', { body: { state } });
    return isObject(answer.state) ? answer.state : state;
  }

  async #read(id: string): Promise<Content> {
    const known = this.#known.get(id);
    if (known) return known.content;
    const { name, description, tags, state } = await this.#client('get', ONE, { params: { path: { snapshot: id } } });
    const content: Content = { name, description, tags, state: isObject(state) ? state : {} };
    const line = JSON.stringify(this.list?.find((one) => one.snapshot === id));
    const [oldest] = this.#known.keys();
    if (this.#known.size >= KEPT && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(id, { line, content, text: searchText(content.state) });
    return content;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.trouble = null;
    } catch (error) {
      this.trouble = troubleOf(error);
    }
  }

  /** Does something and shows what went wrong; true: it was done. */
  async attempt(work: () => Promise<void>): Promise<boolean> {
    let done = false;
    await this.#try(async () => {
      await work();
      done = true;
    });
    return done;
  }
}
