// Everything behind the settings, by section; each part asks for itself and says what went wrong with it.
import type { Client } from 'storeyline-client';
import { Cleaning } from './cleaning.svelte';
import { Consents } from './consents.svelte';
import { Importing } from './importing.svelte';
import { Machine } from './machine.svelte';
import { StoryRules } from './rules.svelte';

export class Settings {
  readonly rules: StoryRules;
  readonly consents: Consents;
  readonly machine: Machine;
  readonly cleaning: Cleaning;
  readonly importing: Importing;

  constructor(client: Client) {
    this.rules = new StoryRules(client);
    this.consents = new Consents(client);
    this.machine = new Machine(client);
    this.cleaning = new Cleaning(client);
    this.importing = new Importing(client);
  }

  /** Loads what does not depend on the open story. */
  async open(): Promise<void> {
    await Promise.all([this.consents.open(), this.machine.open()]);
  }
}
