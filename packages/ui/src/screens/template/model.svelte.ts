// The template of one card: what is saved, what is typed, and what happened on the way to the engine.
import { Away, type Client, type JsonObject, type Schemas } from 'storeyline-client';
import { differences } from '../../logic/differences';
import { isObject } from '../../logic/value_text';
import { Edited } from '../../model/edited.svelte';
import type { Drafts } from '../../model/drafts';
import { troubleOf, type Trouble } from '../../model/trouble';

export type Version = Schemas['Version'];

const AT = '/api/v1/templates/{card}';

export class TemplateModel {
  readonly card: string;
  readonly edited: Edited;
  /** Newest first; null until the engine has answered. */
  versions = $state.raw<Version[] | null>(null);
  /** Somebody else saved since the edits began. */
  conflict = $state.raw<Version | null>(null);
  trouble = $state.raw<Trouble | null>(null);
  saving = $state(false);
  /** It was saved just now. */
  done = $state(false);
  /** There is something to edit, although nothing is saved. */
  started = $state(false);
  /** Save as soon as the engine is back. */
  waiting = $state(false);
  readonly #client: Client;
  /** The version that the edits are based on. */
  #on: number | null = null;

  constructor(client: Client, drafts: Drafts, card: string) {
    this.#client = client;
    this.card = card;
    this.edited = new Edited(drafts, `template/${card}`);
  }

  newest = $derived.by((): Version | null => this.versions?.[0] ?? null);
  /** There is a template, saved or begun. */
  exists = $derived.by((): boolean => this.started || (this.newest !== null && this.newest.value !== null));
  dirty = $derived.by((): boolean => this.edited.dirty || (this.started && this.newest?.value == null));
  canSave = $derived.by((): boolean => this.dirty && this.edited.problem === null && !this.saving);

  async load(): Promise<void> {
    await this.#try(async () => {
      const versions = await this.#ask();
      const first = this.versions === null;
      this.versions = versions;
      if (first) return this.#begin(versions[0] ?? null);
      this.#moved(versions[0] ?? null);
    });
  }

  #begin(newest: Version | null): void {
    this.#on = newest?.version ?? null;
    const { draft, on } = this.edited.open(stateOf(newest), this.#on);
    this.started = draft && newest?.value == null;
    if (draft && on !== this.#on) this.#disagree(newest);
  }

  /** Another window saved: without edits theirs is shown, with edits both stay. */
  #moved(newest: Version | null): void {
    if ((newest?.version ?? null) === this.#on) return;
    if (this.dirty) return this.#disagree(newest);
    this.#take(newest);
  }

  #disagree(newest: Version | null): void {
    if (newest && sameState(stateOf(newest), this.edited.value) && this.edited.problem === null) this.#take(newest);
    else this.conflict = newest;
  }

  #take(newest: Version | null): void {
    this.#on = newest?.version ?? null;
    this.conflict = null;
    this.started = false;
    this.edited.took(stateOf(newest), this.#on);
    this.edited.discard();
  }

  /** Puts something else into the editor; nothing is saved. */
  fill(value: JsonObject): void {
    this.started = true;
    this.done = false;
    this.edited.change(value);
  }

  change(value: JsonObject): void {
    this.done = false;
    this.edited.change(value);
  }

  /** Removes what MVU added from what is being edited. */
  async strip(): Promise<void> {
    const before = this.edited.value;
    await this.#try(async () => {
      const state = await this.stripped(before);
      if (this.edited.value === before) this.change(state);
    });
  }

  async stripped(state: JsonObject): Promise<JsonObject> {
    const answer = await this.#client('post', '/api/v1/strip-mvu', { body: { state } });
    return isObject(answer.state) ? answer.state : state;
  }

  discard(): void {
    this.started = false;
    this.waiting = false;
    this.trouble = null;
    this.edited.discard();
    if (this.conflict) this.#take(this.newest);
  }

  /** Looks at what is saved before it saves, so that nobody's work is overwritten unseen. */
  async save(): Promise<void> {
    if (!this.canSave) return;
    this.saving = true;
    this.done = false;
    const value = this.edited.value;
    await this.#try(async () => {
      const versions = await this.#ask();
      this.versions = versions;
      const newest = versions[0] ?? null;
      if ((newest?.version ?? null) !== this.#on) {
        this.#disagree(newest);
        if (this.conflict) return;
        this.done = true;
        return;
      }
      await this.#put(value);
    });
    this.saving = false;
  }

  async #put(value: JsonObject): Promise<void> {
    const { version } = await this.#client('put', AT, { params: { path: { card: this.card } }, body: { template: value } });
    this.#on = version;
    this.versions = [{ version, time: Date.now(), value }, ...(this.versions ?? [])];
    this.edited.took(value, version);
    this.started = false;
    this.done = true;
  }

  /** Ends a conflict: mine becomes a new version, theirs stays among the versions. */
  async keepMine(): Promise<void> {
    this.#on = this.newest?.version ?? null;
    this.conflict = null;
    this.edited.took(stateOf(this.newest), this.#on);
    await this.save();
  }

  takeTheirs(): void {
    this.#take(this.newest);
  }

  /** Removes the template and returns what was there, for the way back. */
  async remove(): Promise<JsonObject | null> {
    const before = this.newest?.value;
    let removed: JsonObject | null = null;
    await this.#try(async () => {
      await this.#client('delete', AT, { params: { path: { card: this.card } } });
      this.versions = await this.#ask();
      this.#take(this.newest);
      this.done = false;
      removed = isObject(before) ? before : null;
    });
    return removed;
  }

  /** Saves a value that was there before. */
  async bringBack(value: JsonObject): Promise<void> {
    await this.#client('put', AT, { params: { path: { card: this.card } }, body: { template: value } });
    this.versions = await this.#ask();
    this.#moved(this.newest);
  }

  /** The engine answers again. */
  async back(): Promise<void> {
    if (!this.waiting) return;
    this.waiting = false;
    this.trouble = null;
    await this.save();
  }

  async #ask(): Promise<Version[]> {
    return (await this.#client('get', `${AT}/versions`, { params: { path: { card: this.card } } })).versions;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.trouble = null;
    } catch (error) {
      this.waiting = error instanceof Away && this.saving;
      this.trouble = troubleOf(error);
    }
  }
}

function stateOf(version: Version | null): JsonObject {
  return isObject(version?.value) ? version.value : {};
}

function sameState(a: JsonObject, b: JsonObject): boolean {
  return differences(a, b).length === 0;
}
