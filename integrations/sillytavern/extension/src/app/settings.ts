// The user's choices, stored in the host's settings. Invalid values count as not chosen.
import type { Host } from '../host/host';

const REMEMBERED = 500;

/** What to do when the state is late for a prompt. */
export type WhenLate = 'wait' | 'without' | 'old';

export class Settings {
  constructor(private readonly host: Host) {}

  /** The last branch switch that was carried out here. */
  get handled(): string | null {
    const value = this.host.settings()['handled'];
    return typeof value === 'string' ? value : null;
  }

  set handled(operation: string | null) {
    if (operation === this.handled) return;
    this.host.settings()['handled'] = operation;
    this.host.saveSettings();
  }

  /** Tells whether something was remembered. */
  has(what: string): boolean {
    return this.list('told').includes(what);
  }

  /** Tells whether something is reported for the first time, and remembers it. */
  firstTime(what: string): boolean {
    if (this.list('told').includes(what)) return false;
    this.add('told', what);
    return true;
  }

  /**
   * Which system keeps the state of a card that another system handles too: not chosen, ours, or the other.
   */
  keeper(card: string): 'ours' | 'theirs' | null {
    const chosen = this.record('keeper')[card];
    return chosen === 'ours' || chosen === 'theirs' ? chosen : null;
  }

  chooseKeeper(card: string, keeper: 'ours' | 'theirs'): void {
    this.host.settings()['keeper'] = { ...this.record('keeper'), [card]: keeper };
    this.host.saveSettings();
  }

  forgetKeeper(card: string): void {
    const { [card]: _, ...others } = this.record('keeper');
    this.host.settings()['keeper'] = others;
    this.host.saveSettings();
  }

  private list(key: string): string[] {
    const value = this.host.settings()[key];
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  }

  private record(key: string): Record<string, unknown> {
    const value = this.host.settings()[key];
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  }

  private add(key: string, value: string): void {
    if (this.list(key).includes(value)) return;
    this.host.settings()[key] = [...this.list(key), value].slice(-REMEMBERED);
    this.host.saveSettings();
  }
}
