// What else is known about a card: the rules of the open story, what its replies do, what its greetings set.
import type { Call, Client, JsonObject, Schemas } from 'storeyline-client';
import { isObject } from '../../logic/value_text';
import type { Session } from '../../model/session.svelte';
import { greetingEffects } from './logic';

/** Floors whose calls are looked at, from the newest back. */
const FLOORS = 6;
const GREETINGS = 20;

export class About {
  rules = $state.raw<Schemas['Rules'] | null>(null);
  calls = $state.raw<Call[]>([]);
  /** What each greeting sets; null: not known. */
  greetings = $state.raw<string[][] | null>(null);
  readonly #client: Client;
  #round = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  enabled = $derived.by((): boolean => field(this.rules, 'enabled') !== 'off');
  profile = $derived.by((): string => String(field(this.rules, 'profile') ?? 'native'));

  /** Looks at a story; whatever cannot be read stays unknown. */
  async look(session: Session, hostGreetings: readonly string[] | null, template: JsonObject): Promise<void> {
    const round = ++this.#round;
    const { story, ref } = session;
    const current = (): boolean => round === this.#round;
    try {
      const rules = story && (await this.#client('get', '/api/v1/stories/{story}/rules', { params: { path: { story: story.story } } }));
      if (!current()) return;
      this.rules = rules;
      const at = story && ref && { story: story.story, ref: ref.ref };
      const texts = hostGreetings ?? (at ? await this.#greetings(at) : []);
      const effects = await this.#effects(texts.slice(0, GREETINGS), template);
      if (!current()) return;
      this.greetings = effects;
      const calls = at ? await this.#calls(at, session) : [];
      if (current()) this.calls = calls;
    } catch {
      // These are hints; the template itself is shown with its own error.
    }
  }

  async switch(story: string, enabled: boolean): Promise<void> {
    await this.#client('post', '/api/v1/stories/{story}/rules', { params: { path: { story } }, body: { enabled } });
    this.rules = await this.#client('get', '/api/v1/stories/{story}/rules', { params: { path: { story } } });
  }

  /** Pages of the first floor, if it is a greeting. */
  async #greetings(at: { story: string; ref: string }): Promise<string[]> {
    const { turns } = await this.#client('get', '/api/v1/stories/{story}/refs/{ref}/path', { params: { path: at, query: { from: 0, limit: 1 } } });
    const first = turns[0];
    return first && first.role === 'assistant' ? first.pages.map((page) => page.text) : [];
  }

  async #effects(texts: readonly string[], state: JsonObject): Promise<string[][]> {
    const effects: string[][] = [];
    for (const message of texts) {
      const { calls } = await this.#client('post', '/api/v1/evaluate', { body: { state, message, rules: { profile: this.profile } } });
      effects.push(greetingEffects(calls));
    }
    return effects;
  }

  async #calls(at: { story: string; ref: string }, session: Session): Promise<Call[]> {
    const rows = session.book.rows;
    const calls: Call[] = [];
    let looked = 0;
    for (let floor = rows.length - 1; floor >= 0 && looked < FLOORS; floor--) {
      if (rows[floor]?.role !== 'assistant') continue;
      looked++;
      const path = { ...at, floor };
      calls.push(...(await this.#client('get', '/api/v1/stories/{story}/refs/{ref}/floors/{floor}', { params: { path } })).calls);
    }
    return calls;
  }
}

function field(rules: Schemas['Rules'] | null, name: string): unknown {
  const inner = rules?.rules;
  return isObject(inner) ? inner[name] : undefined;
}
