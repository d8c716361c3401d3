// What the host is generating now. The host's end events are not reliable (a failed or refused generation may
// emit none), so a generation also counts as over when the host no longer reports that it is busy: at once
// after its prompt was built, and some seconds after its start, if the host gave up before that.
import type { Host } from '../host/host';

const GIVEN_UP_MS = 10_000;
const PATIENCE_MS = 3000;
const ANNOUNCED_MS = 300;
const LITTLE_PATIENCE_MS = 100;

export class Generation {
  private type: string | null = null;
  private floorsAtStart = 0;
  private promptBuilt = false;
  private startedAt = 0;
  private announcedAt = Number.NEGATIVE_INFINITY;
  private waitedInVain = false;
  private question: 'open' | 'asked' | 'told' = 'open';

  constructor(private readonly host: Host) {}

  start(type: string): void {
    this.type = type;
    this.floorsAtStart = this.host.chat().length;
    this.promptBuilt = false;
    this.startedAt = Date.now();
    this.waitedInVain = false;
    this.question = 'open';
  }

  /** The host is about to generate, and does not report it yet. */
  announce(): void {
    this.announcedAt = Date.now();
  }

  /** Tells whether the host generates or is about to: the chat must not be reloaded now. */
  near(): boolean {
    return this.now() !== null || Date.now() - this.announcedAt < ANNOUNCED_MS;
  }

  prompt(type: string): void {
    if (this.type === null) this.start(type);
    this.promptBuilt = true;
  }

  end(): void {
    this.type = null;
  }

  /** Returns the type of the current generation, or null. */
  now(): string | null {
    const mayBeOver = this.promptBuilt || Date.now() - this.startedAt > GIVEN_UP_MS;
    if (this.type !== null && mayBeOver && !this.host.generating()) this.type = null;
    return this.type;
  }

  /**
   * Returns how long a prompt may wait for the newest state: three seconds in total, not for each of its
   * parts.
   */
  stateTimeout(): number {
    return this.waitedInVain ? LITTLE_PATIENCE_MS : PATIENCE_MS;
  }

  lostPatience(): void {
    this.waitedInVain = true;
  }

  /**
   * Tells whether the user can be asked about this prompt: nobody waits for one that runs in the background.
   */
  mayAsk(): boolean {
    return this.type !== null && this.type !== 'quiet' && this.question === 'open';
  }

  asked(): void {
    this.question = 'asked';
  }

  /** The user chose to send an old state, or none, and need not be notified. */
  told(): void {
    this.question = 'told';
  }

  wasTold(): boolean {
    return this.question === 'told';
  }

  /** Tells whether the host has removed messages since the generation began (regenerate does). */
  removed(): boolean {
    return this.host.chat().length < this.floorsAtStart;
  }
}
