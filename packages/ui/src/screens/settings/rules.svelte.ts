// The settings of one story: what its new pages follow, where each of them comes from, and what the user chose.
import type { Client, Json, JsonObject, Schemas } from 'storeyline-client';
import { Asking } from './asking.svelte';

type Change = Schemas['RulesChange'];
export type Switch = 'enabled' | 'user_calls' | 'skip_reasoning' | 'json_calls' | 'tag_calls';
export type Setting = Switch | 'profile' | 'time_path' | 'schema';
export type Origin = 'you' | 'kept' | 'card' | 'default';
export type Policy = Schemas['EditPolicy'];

export const PROFILES = ['native', 'mvu', 'sam-3.5', 'sam-4.0', 'sam-4.2', 'sam-5', 'sam-6', 'varsystem'] as const;

/** The switches, in the order of the screen. */
export const SWITCHES: readonly Switch[] = ['user_calls', 'skip_reasoning', 'json_calls', 'tag_calls'];

interface Known {
  story: string;
  rules: JsonObject;
  from: Record<string, string>;
  policy: Policy;
}

export class StoryRules extends Asking {
  #known = $state.raw<Known | null>(null);
  /** The story that is open; a late answer about another one is dropped. */
  #wanted: string | null = null;
  /** The rules were changed here: older floors follow only when they are re-processed. */
  touched = $state(false);

  constructor(private readonly client: Client) {
    super();
  }

  loaded = $derived.by(() => this.#known !== null);
  profile = $derived.by((): string => String(this.#rule('profile') ?? 'native'));
  timePath = $derived.by((): string => String(this.#rule('time_path') ?? ''));
  schema = $derived.by((): JsonObject | null => (this.#rule('schema') as JsonObject | undefined) ?? null);
  policy = $derived.by((): Policy => this.#known?.policy ?? 'auto');

  /** Loads the settings of a story; null: there is none. */
  async open(story: string | null): Promise<void> {
    if (story !== this.#known?.story) {
      this.#known = null;
      this.touched = false;
      this.trouble = null;
    }
    this.#wanted = story;
    try {
      if (story !== null) await this.#load(story);
    } catch (error) {
      this.fail('open', error);
    }
  }

  on(setting: Switch): boolean {
    const value = this.#rule(setting);
    // Rare settings are sent only where they differ from the usual.
    return setting === 'enabled' ? value === undefined || value === 'on' : value === true;
  }

  from(setting: Setting): Origin {
    return (this.#known?.from[setting] as Origin | undefined) ?? 'default';
  }

  chosen(setting: Setting): boolean {
    return this.from(setting) === 'you';
  }

  async choose(setting: Setting, value: Json): Promise<boolean> {
    return this.#change(setting, { [setting]: value } as Partial<Change>);
  }

  /** The setting follows the card again. */
  async reset(setting: Setting): Promise<boolean> {
    return this.#change(setting, { unset: [setting] });
  }

  async setPolicy(policy: Policy): Promise<void> {
    const story = this.#known?.story;
    if (story === undefined) return;
    await this.ask('policy', async () => {
      await this.client('post', '/api/v1/stories/{story}', { params: { path: { story } }, body: { edit_policy: policy } });
      await this.#load(story);
    });
  }

  /** The schema that a state would have; nothing is changed. */
  async infer(state: Json): Promise<JsonObject | null> {
    const inferred = await this.ask('infer', () => this.client('post', '/api/v1/schema/infer', { body: { state: state as JsonObject } }));
    return inferred && (inferred.schema as JsonObject);
  }

  async #change(setting: Setting, body: Partial<Change>): Promise<boolean> {
    const story = this.#known?.story;
    if (story === undefined) return false;
    const done = await this.ask(setting, async () => {
      await this.client('post', '/api/v1/stories/{story}/rules', { params: { path: { story } }, body });
      await this.#load(story);
      return true;
    });
    if (done) this.touched = true;
    return done === true;
  }

  async #load(story: string): Promise<void> {
    const params = { path: { story } };
    const [{ rules, from }, { edit_policy }] = await Promise.all([
      this.client('get', '/api/v1/stories/{story}/rules', { params }),
      this.client('get', '/api/v1/stories/{story}', { params }),
    ]);
    if (this.#wanted !== story) return;
    this.#known = { story, rules: rules as JsonObject, from, policy: edit_policy };
  }

  #rule(name: string): Json | undefined {
    return this.#known?.rules[name];
  }
}
