// Which functions of cards the user allowed or refused.
import type { Client, Schemas } from 'storeyline-client';
import { Asking } from './asking.svelte';

export type Consent = Schemas['Consent'];

export class Consents extends Asking {
  list = $state.raw<Consent[] | null>(null);

  constructor(private readonly client: Client) {
    super();
  }

  async open(): Promise<void> {
    const found = await this.ask('open', () => this.client('get', '/api/v1/cards/consents'));
    if (found) this.list = found.consents;
  }

  /** Stores a decision; null: the user is asked again. */
  async decide({ card, fingerprint }: Consent, allow: boolean | null): Promise<boolean> {
    const found = await this.ask('decide', () => this.client('post', '/api/v1/cards/consents', { body: { card, fingerprint, allow } }));
    if (found) this.list = found.consents;
    return found !== null;
  }
}
