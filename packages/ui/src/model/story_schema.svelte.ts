// The schema of the open story, as far as the floors need it: which values are locked.
import type { Client, JsonObject } from 'storeyline-client';

export class StorySchema {
  schema = $state.raw<JsonObject | null>(null);
  /** The schema is the user's choice for this story, not the card's. */
  #chosen = false;
  #story: string | null = null;

  /** `changed` is called after each change made here. */
  constructor(
    private readonly client: Client,
    private readonly changed: () => void = () => {},
  ) {}

  /** Loads the schema of a story; a late answer about another one is dropped. */
  async open(story: string | null): Promise<void> {
    if (story !== this.#story) this.schema = null;
    this.#story = story;
    if (story === null) return;
    const { rules, from } = await this.client('get', '/api/v1/stories/{story}/rules', { params: { path: { story } } });
    if (this.#story !== story) return;
    this.schema = ((rules as JsonObject)['schema'] as JsonObject | undefined) ?? null;
    this.#chosen = from['schema'] === 'you';
  }

  /** Replaces the schema; returns a function that brings back what was there. */
  async replace(schema: JsonObject | null): Promise<() => Promise<void>> {
    const story = this.#story;
    const before = this.#chosen ? { schema: this.schema } : { unset: ['schema' as const] };
    await this.#send(story, { schema });
    return () => this.#send(story, before);
  }

  async #send(story: string | null, body: { schema: JsonObject | null } | { unset: 'schema'[] }): Promise<void> {
    if (story === null) return;
    await this.client('post', '/api/v1/stories/{story}/rules', { params: { path: { story } }, body });
    if (this.#story === story) await this.open(story);
    this.changed();
  }
}
