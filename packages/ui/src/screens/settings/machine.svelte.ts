// The engine and its machine: health for everyone; data folder, backup and search index for the owner who runs it.
// Nothing that only this owner may ask for is asked for by others.
import type { Client, Schemas } from 'storeyline-client';
import { Asking } from './asking.svelte';

type Status = Schemas['Status'];
export type Token = Schemas['Token'];

/** The owner who runs the engine. */
const LOCAL = 'local';

export class Machine extends Asking {
  status = $state.raw<Status | null>(null);
  /** Of one request, in milliseconds. */
  latency = $state<number | null>(null);
  stories = $state<number | null>(null);
  tokens = $state.raw<Token[]>([]);
  backup = $state.raw<Schemas['BackedUp'] | null>(null);

  constructor(
    private readonly client: Client,
    private readonly now: () => number = () => performance.now(),
  ) {
    super();
  }

  local = $derived.by(() => this.status?.owner === LOCAL);

  async open(): Promise<void> {
    await this.ask('open', async () => {
      const before = this.now();
      this.status = await this.client('get', '/api/v1/status');
      this.latency = Math.max(1, Math.round(this.now() - before));
      this.stories = (await this.client('get', '/api/v1/stats')).stories;
      await this.#loadTokens();
    });
  }

  async backUp(): Promise<void> {
    if (!this.local) return;
    this.backup = null;
    this.backup = await this.ask('backup', () => this.client('post', '/api/v1/backup', { patience: 600 }));
  }

  async switchSearch(on: boolean): Promise<void> {
    const { status } = this;
    if (!this.local || !status) return;
    const search = await this.ask('search', () => this.client('post', '/api/v1/search/index', { body: { on }, patience: 600 }));
    if (search) this.status = { ...status, search };
  }

  async withdraw(token: string): Promise<void> {
    await this.ask('withdraw', async () => {
      await this.client('delete', '/api/v1/tokens/{token}', { params: { path: { token } } });
      await this.#loadTokens();
    });
  }

  async #loadTokens(): Promise<void> {
    this.tokens = (await this.client('get', '/api/v1/tokens')).tokens;
  }
}
