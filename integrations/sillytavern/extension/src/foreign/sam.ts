// SAM's interface for cards and scripts: the chat variable `SAM_data`, the macro of its data, its events.
import type { Host } from '../host/host';
import { plainNumbers } from '../logic/exact';
import { type Json, isObject } from '../logic/json';
import { withoutMacros } from '../logic/macros';
import type { Acked, StateAt } from '../logic/plan';

const VARIABLE = 'SAM_data';
const DONE = 'SAM_RESPONSE_PROCESSING_COMPLETED';

export class Sam {
  private last: string | null = null;

  constructor(
    private readonly host: Host,
    private readonly shownState: () => Json | null,
  ) {}

  offer(): void {
    this.last = null;
    this.host.addMacro({ name: 'SAM_serialized_db', help: 'SAM: the data of the story as JSON.', text: () => this.database() });
  }

  withdraw(): void {
    this.host.removeMacro('SAM_serialized_db');
  }

  shown(state: StateAt): void {
    this.host.setVariable(VARIABLE, withoutMacros(state.value));
  }

  acknowledged(acked: Acked): void {
    if (this.last !== null && this.last !== acked.state.hash) void this.host.emitOwn(DONE, { statData: plainNumbers(acked.state.value) });
    this.last = acked.state.hash;
  }

  private database(): string {
    const state = this.shownState();
    const data = isObject(state) ? (state['static'] as Json | undefined) : undefined;
    return data === undefined ? '' : JSON.stringify(withoutMacros(data), null, 2);
  }
}
