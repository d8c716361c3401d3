// A JSON object that is being edited: what is saved, what is typed, and the draft of it in the browser.
import { writeExact, type Json, type JsonObject } from 'storeyline-client';
import { edits } from '../logic/differences';
import { readObject, type JsonProblem } from '../logic/json_problem';
import { isObject } from '../logic/value_text';
import type { Drafts } from './drafts';

interface Draft {
  /** Which saved version it was typed on. */
  on: number | null;
  value: JsonObject;
  /** The text, while it is no JSON. */
  text?: string;
}

export class Edited {
  /** What is saved; an object without keys if nothing is. */
  saved = $state.raw<JsonObject>({});
  value = $state.raw<JsonObject>({});
  problem = $state.raw<JsonProblem | null>(null);
  /** A text of an earlier visit that is no JSON yet. */
  text = $state.raw<string | null>(null);
  /** Increases when the editor has to begin anew: what was typed in it is gone. */
  round = $state(0);
  readonly #drafts: Drafts;
  readonly #place: string;
  #on: number | null = null;

  constructor(drafts: Drafts, place: string) {
    this.#drafts = drafts;
    this.#place = place;
  }

  /** Another order of the keys is an edit, too, although no path differs. */
  edits = $derived.by((): number => {
    if (this.value === this.saved) return 0;
    const count = edits(this.saved, this.value);
    return count > 0 ? count : Number(writeExact(this.saved).text !== writeExact(this.value).text);
  });
  dirty = $derived.by((): boolean => this.edits > 0 || this.problem !== null);

  /** Begins with what is saved, or with the draft. Returns the version that the draft was typed on. */
  open(saved: JsonObject, version: number | null): { draft: boolean; on: number | null } {
    const draft = readDraft(this.#drafts.read(this.#place));
    this.saved = saved;
    this.value = draft?.value ?? saved;
    this.text = draft?.text ?? null;
    const read = this.text === null ? null : readObject(this.text);
    this.problem = read && 'problem' in read ? read.problem : null;
    this.round++;
    this.#on = draft ? draft.on : version;
    return { draft: draft !== null, on: this.#on };
  }

  change(value: Json): void {
    if (!isObject(value)) return;
    this.value = value;
    this.#keep();
  }

  tell(problem: JsonProblem | null): void {
    this.problem = problem;
    this.#keep();
  }

  /** The value is saved now, under this version. What was typed in the meantime stays. */
  took(saved: JsonObject, version: number | null): void {
    this.saved = saved;
    this.#on = version;
    this.#keep();
  }

  discard(): void {
    this.value = this.saved;
    this.problem = null;
    this.text = null;
    this.round++;
    this.#drafts.drop(this.#place);
  }

  #keep(): void {
    if (!this.dirty) return this.#drafts.drop(this.#place);
    const text = this.problem ? { text: this.problem.text } : {};
    this.#drafts.keep(this.#place, { on: this.#on, value: this.value, ...text } satisfies Draft);
  }
}

/** Storage can hold anything. */
function readDraft(draft: unknown): Draft | null {
  if (!isObject(draft as Json)) return null;
  const { on, value, text } = draft as Partial<Draft>;
  if (!isObject(value)) return null;
  return { on: typeof on === 'number' ? on : null, value, ...(typeof text === 'string' ? { text } : {}) };
}
