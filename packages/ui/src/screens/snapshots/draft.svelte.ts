// A snapshot that is being written: labels and state, with the draft of both in the browser.
import type { Json, JsonObject } from 'storeyline-client';
import { differences } from '../../logic/differences';
import { readObject, type JsonProblem } from '../../logic/json_problem';
import { isList, isObject } from '../../logic/value_text';
import type { Drafts } from '../../model/drafts';
import { readTags, type Content } from './logic';

export class SnapshotDraft {
  name = $state('');
  tags = $state('');
  description = $state('');
  state = $state.raw<JsonObject>({});
  problem = $state.raw<JsonProblem | null>(null);
  /** A text of an earlier visit that is no JSON yet. */
  text = $state.raw<string | null>(null);
  /** Something of an earlier visit is here. */
  restored = $state(false);
  /** Increases when the editor has to begin anew. */
  round = $state(0);
  base: Content;
  readonly #drafts: Drafts;
  readonly #place: string;

  constructor(drafts: Drafts, place: string, base: Content) {
    this.#drafts = drafts;
    this.#place = `snapshot/${place}`;
    this.base = base;
    this.#fill(base);
    const kept = drafts.read(this.#place) as Json;
    if (isObject(kept)) this.#recall(kept);
  }

  content = $derived.by((): Content => ({ name: this.name.trim(), description: this.description, tags: readTags(this.tags), state: this.state }));
  dirty = $derived.by((): boolean => {
    return this.problem !== null || differences(this.base, this.content).length > 0;
  });

  change(state: Json): void {
    if (isObject(state)) this.state = state;
    this.keep();
  }

  tell(problem: JsonProblem | null): void {
    this.problem = problem;
    this.keep();
  }

  keep(): void {
    if (!this.dirty) return this.drop();
    const { name, tags, description, state, problem } = this;
    this.#drafts.keep(this.#place, { name, tags, description, state, ...(problem ? { text: problem.text } : {}) });
  }

  drop(): void {
    this.#drafts.drop(this.#place);
  }

  /** Begins with this content; what was typed is gone. */
  reset(base: Content): void {
    this.base = base;
    this.problem = null;
    this.text = null;
    this.restored = false;
    this.round++;
    this.#fill(base);
    this.drop();
  }

  #fill({ name, description, tags, state }: Content): void {
    this.name = name;
    this.description = description;
    this.tags = tags.join(', ');
    this.state = state;
  }

  #recall(kept: JsonObject): void {
    const { name, tags, description, state, text } = kept;
    if (typeof name === 'string') this.name = name;
    if (typeof tags === 'string') this.tags = tags;
    if (typeof description === 'string') this.description = description;
    if (isObject(state) && !isList(state)) this.state = state;
    if (typeof text === 'string') {
      const read = readObject(text);
      this.text = text;
      this.problem = 'problem' in read ? read.problem : null;
    }
    this.restored = true;
  }
}
