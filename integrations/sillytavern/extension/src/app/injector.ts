// Puts a state where prompts find it: the chat variable and the macros. Macros answer synchronously from memory.
// It does not know which state is the right one.
import type { Host } from '../host/host';
import type { Json } from '../logic/json';
import { renderPath, renderState, withoutMacros } from '../logic/macros';
import type { StateAt } from '../logic/plan';

/** The chat variable's name. */
export const VARIABLE = 'vs_stat_data';

export class Injector {
  private shown: StateAt | null = null;
  private injected: Json | undefined;
  private texts = new Map<string, string>();

  constructor(private readonly host: Host) {
    host.registerMacros(() => this.text('', () => renderState(this.value())), (path) => this.text(`.${path}`, () => renderPath(this.value(), path)));
  }

  /** The state that prompts see now. */
  current(): StateAt | null {
    return this.shown;
  }

  /** Shows a state. Says whether the chat variable has another value now. */
  show(state: StateAt): boolean {
    if (this.shown?.hash !== state.hash) this.texts.clear();
    const untouched = this.injected !== undefined && this.host.variable(VARIABLE) === this.injected;
    if (this.shown?.hash === state.hash && untouched) return false;
    this.shown = state;
    const present = this.host.variable(VARIABLE);
    // A copy: a script may change the variable, and our state must stay what the engine said. The host expands macros that it
    // finds in the variable, so there are none in it.
    this.injected = withoutMacros(state.value);
    this.host.setVariable(VARIABLE, this.injected);
    return JSON.stringify(present) !== JSON.stringify(this.injected);
  }

  /** Forgets the state: another chat is open. */
  clear(): void {
    this.shown = null;
    this.injected = undefined;
    this.texts.clear();
  }

  private value(): Json | null {
    return this.shown?.value ?? null;
  }

  private text(key: string, render: () => string): string {
    const known = this.texts.get(key);
    if (known !== undefined) return known;
    const text = render();
    if (this.texts.size < 500) this.texts.set(key, text);
    return text;
  }
}
