// States of floors that the page does not have, for scripts that ask for them: fetched once per path and
// cached while the path is unchanged.
import type { Json } from '../logic/json';
import type { Acked } from '../logic/plan';
import type { MvuStory } from '../foreign/mvu';
import type { App } from './app';

const KEPT = 100;

export class FloorStates implements MvuStory {
  private node = '';
  private readonly states = new Map<number, Json>();
  private readonly asked = new Set<number>();

  constructor(private readonly app: App) {}

  acked(): Acked | null {
    return this.app.session?.memory.acked ?? null;
  }

  stateAt(floor: number, arrived: () => void): Json | undefined {
    const node = this.acked()?.node ?? '';
    if (node !== this.node) {
      this.node = node;
      this.states.clear();
      this.asked.clear();
    }
    const known = this.states.get(floor);
    if (known === undefined && !this.asked.has(floor)) void this.fetch(floor, node, arrived);
    return known;
  }

  setState(page: string, state: Json): Promise<unknown> {
    return this.app.operations.setState(page, state);
  }

  async evaluate(state: Json, message: string): Promise<Json> {
    return (await this.app.api.evaluate(state, message, this.app.session?.profile ?? 'mvu')).state;
  }

  private async fetch(floor: number, node: string, arrived: () => void): Promise<void> {
    const at = this.app.session?.branch();
    if (!at || this.asked.size >= KEPT) return;
    this.asked.add(floor);
    try {
      const { state } = await this.app.api.floor(at, floor);
      if (node !== this.node) return;
      this.states.set(floor, state);
      arrived();
    } catch {
      // Away: the next path asks again.
    }
  }
}
