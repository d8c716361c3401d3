// The function libraries: for the open card and for all cards. Loads them, saves every change with the version that it
// is based on, and asks the engine to try a function out.
import { Refused, type Client, type Json, type JsonObject, type Schemas } from 'storeyline-client';
import { troubleOf, type Trouble } from '../../model/trouble';
import { EMPTY, readLibrary, reverted, writeLibrary, type Library } from './logic';

export type Scope = 'card' | 'global';
export type Builtin = Schemas['Function'];
export type Carried = Schemas['CarriedLibrary'];
export type Use = Schemas['FunctionUse'];
export type Imported = Schemas['ImportedLibrary'];
export type Tried = Schemas['TriedFunction'];
export type TriedPattern = Schemas['TriedPattern'];

export interface Loaded {
  library: Library;
  version: number;
  carried: Carried | null;
}

/** Where a function is tried out. */
export interface TryPlace {
  story: string;
  ref: string;
  floor: number;
}

const LIBRARY = '/api/v1/library';

export class FunctionsModel {
  /** File name of the open card; null: there is none. */
  card = $state<string | null>(null);
  loaded = $state.raw<Record<Scope, Loaded | null>>({ card: null, global: null });
  builtins = $state.raw<Builtin[]>([]);
  uses = $state.raw<ReadonlyMap<string, Use>>(new Map());
  trouble = $state.raw<Trouble | null>(null);
  busy = $state(false);
  readonly #client: Client;
  readonly #told: (card: string) => Promise<void>;

  /** `told`: lets the host write a card's functions into the card. */
  constructor(client: Client, told: (card: string) => Promise<void> = async () => {}) {
    this.#client = client;
    this.#told = told;
  }

  library(scope: Scope): Library {
    return this.loaded[scope]?.library ?? EMPTY;
  }

  /** The name of a scope in requests. */
  #cardOf(scope: Scope): string {
    return scope === 'global' ? '' : (this.card ?? '');
  }

  async open(card: string | null): Promise<void> {
    if (card !== this.card) this.loaded = { ...this.loaded, card: null };
    this.card = card;
    await this.reload();
  }

  async reload(): Promise<void> {
    await this.attempt(async () => {
      const [global, own, { functions }] = await Promise.all([
        this.#read('global'),
        this.card === null ? null : this.#read('card'),
        this.#client('get', '/api/v1/functions', { params: { query: {} } }),
      ]);
      this.loaded = { global, card: own };
      this.builtins = functions;
    });
  }

  /** How often each function was used on this branch. */
  async count(story: string, ref: string): Promise<void> {
    try {
      const { uses } = await this.#client('get', '/api/v1/stories/{story}/refs/{ref}/function-uses', { params: { path: { story, ref } } });
      this.uses = new Map(uses.map((use) => [use.name.toLowerCase(), use]));
    } catch {
      // The list is complete without the numbers.
      this.uses = new Map();
    }
  }

  async #read(scope: Scope): Promise<Loaded> {
    const answer = await this.#client('get', LIBRARY, { params: { query: { card: this.#cardOf(scope) } } });
    return { library: readLibrary(answer.library), version: answer.version, carried: answer.carried ?? null };
  }

  /** Saves a scope and returns what brings the one before back; null: it was not saved, which is shown. */
  async save(scope: Scope, library: Library): Promise<(() => Promise<void>) | null> {
    const before = this.loaded[scope];
    if (!before) return null;
    const done = await this.attempt(() => this.#put(scope, library, before.version));
    return done ? () => this.takeBack(scope, before.library, library) : null;
  }

  /** Moves entries from one scope into the other: added there first, so that nothing can get lost. */
  async move(from: Scope, rest: Library, grown: Library): Promise<(() => Promise<void>) | null> {
    const to: Scope = from === 'card' ? 'global' : 'card';
    const before = { ...this.loaded };
    const [source, target] = [before[from], before[to]];
    if (!source || !target) return null;
    const done = await this.attempt(async () => {
      await this.#put(to, grown, target.version);
      await this.#put(from, rest, source.version);
    });
    if (!done) return null;
    return async () => {
      await this.takeBack(from, source.library, rest);
      await this.takeBack(to, target.library, grown);
    };
  }

  /** Takes back one change; what came after it stays. */
  async takeBack(scope: Scope, before: Library, after: Library): Promise<void> {
    await this.save(scope, reverted(this.library(scope), before, after));
  }

  async #put(scope: Scope, library: Library, based_on: number): Promise<void> {
    const card = this.#cardOf(scope);
    try {
      await this.#client('put', LIBRARY, { params: { query: { card } }, body: { library: writeLibrary(library), based_on } });
    } catch (error) {
      // Somebody else saved: what is there now is shown, and the user's text stays in the editor.
      if (error instanceof Refused && error.code === 'library_moved') this.loaded = { ...this.loaded, [scope]: await this.#read(scope) };
      throw error;
    }
    if (scope === 'card') await this.#told(card).catch(() => {});
    this.loaded = { ...this.loaded, [scope]: await this.#read(scope) };
  }

  /** Tells what a file has, or takes it over. `enable`: the names to be switched on. */
  async import(scope: Scope, file: Json, enable: readonly string[], dryRun: boolean): Promise<Imported | null> {
    let answer: Imported | null = null;
    await this.attempt(async () => {
      const body = { library: file, enable: [...enable], dry_run: dryRun };
      answer = await this.#client('post', `${LIBRARY}/import`, { params: { query: { card: this.#cardOf(scope) } }, body });
      if (dryRun) return;
      if (scope === 'card' && this.card) await this.#told(this.card).catch(() => {});
      this.loaded = { ...this.loaded, [scope]: await this.#read(scope) };
    });
    return answer;
  }

  /** Decides about the functions that the card carries. */
  async decide(fingerprint: string, card: string, allow: boolean | null): Promise<void> {
    await this.attempt(async () => {
      await this.#client('post', '/api/v1/cards/consents', { body: { card, fingerprint, allow } });
      if (this.card) await this.#told(this.card).catch(() => {});
      this.loaded = { ...this.loaded, card: await this.#read('card') };
    });
  }

  /** Chooses one of the two after the card's functions and those saved here both changed. */
  async choose(keep: 'saved' | 'carried'): Promise<void> {
    const { card } = this;
    if (card === null) return;
    await this.attempt(async () => {
      await this.#client('post', `${LIBRARY}/choose`, { body: { card, keep } });
      await this.#told(card).catch(() => {});
      this.loaded = { ...this.loaded, card: await this.#read('card') };
    });
  }

  try(definition: JsonObject, message: string, place: TryPlace | null): Promise<Tried> {
    const body = { function: definition, message, place, state: place ? null : {}, card: this.card ?? '' };
    return this.#client('post', `${LIBRARY}/try`, { body });
  }

  tryPattern(pattern: string, text: string, signal?: AbortSignal): Promise<TriedPattern> {
    return this.#client('post', `${LIBRARY}/try-pattern`, { body: { pattern, text }, signal });
  }

  /** The prompt text for the functions of this card. */
  async manual(profile: string, language: string, tag: string): Promise<string> {
    const query = { profile, language, ...(tag && { tag }), ...(this.card !== null && { card: this.card }) };
    return (await this.#client('get', '/api/v1/functions/manual', { params: { query } })).text;
  }

  /** Does something and shows what went wrong; true: it was done. */
  async attempt(work: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    try {
      await work();
      this.trouble = null;
      return true;
    } catch (error) {
      this.trouble = troubleOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
