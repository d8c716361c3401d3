// Puts a state where prompts find it: the chat variable and the macros. Macros answer synchronously from
// memory. It does not know which state is the right one.
import type { Host } from '../host/host';
import type { Json } from '../logic/json';
import { renderPath, renderState, withoutMacros } from '../logic/macros';
import type { StateAt } from '../logic/plan';

/** Name of the chat variable. */
export const VARIABLE = 'vs_stat_data';

export class Injector {
  private shown: StateAt | null = null;
  private injected: Json | undefined;
  private texts = new Map<string, string>();

  private withheld = false;

  constructor(private readonly host: Host) {
    const whole = (): string => this.text('', () => renderState(this.value()));
    for (const name of ['vs_stat_data', 'var_system']) host.addMacro({ name, help: 'Storeyline: the whole state as compact JSON.', text: whole });
    host.addMacro({
      name: 'vs_get',
      help: 'Storeyline: one value of the state.',
      argument: { name: 'path', help: 'Path of the value, e.g. hero.gold or bag[0].' },
      text: (path) => this.text(`.${path}`, () => renderPath(this.value(), path)),
    });
    host.addMacro({ name: 'vs_diff', help: 'Storeyline: what the newest floor changed.', text: () => this.changes });
  }

  /** Rendered changes of the newest floor; set with each state. */
  changes = '';

  /** Removes the state from prompts temporarily: the user chose to send without it. */
  withhold(on: boolean): void {
    if (this.withheld === on) return;
    this.withheld = on;
    this.texts.clear();
    if (on) this.host.setVariable(VARIABLE, {});
    else if (this.injected !== undefined) this.host.setVariable(VARIABLE, this.injected);
  }

  /** Returns the state that prompts see now. */
  current(): StateAt | null {
    return this.shown;
  }

  /** Shows a state. Tells whether the chat variable has changed. */
  show(state: StateAt): boolean {
    if (this.shown?.hash !== state.hash) this.texts.clear();
    if (this.withheld) {
      this.shown = state;
      this.injected = withoutMacros(state.value);
      return false;
    }
    const untouched = this.injected !== undefined && this.host.variable(VARIABLE) === this.injected;
    if (this.shown?.hash === state.hash && untouched) return false;
    this.shown = state;
    const present = this.host.variable(VARIABLE);
    // A copy: a script may change the variable, and our state must stay as the engine sent it. The host
    // expands macros in the variable, so they are removed.
    this.injected = withoutMacros(state.value);
    this.host.setVariable(VARIABLE, this.injected);
    return JSON.stringify(present) !== JSON.stringify(this.injected);
  }

  /** Clears the state: another chat is open. */
  clear(): void {
    this.shown = null;
    this.injected = undefined;
    this.withheld = false;
    this.changes = '';
    this.texts.clear();
  }

  /** Returns the state that a prompt sees, or null. */
  visible(): Json | null {
    return this.value();
  }

  private value(): Json | null {
    return this.withheld ? null : (this.shown?.value ?? null);
  }

  private text(key: string, render: () => string): string {
    const known = this.texts.get(key);
    if (known !== undefined) return known;
    const text = render();
    if (this.texts.size < 500) this.texts.set(key, text);
    return text;
  }
}
