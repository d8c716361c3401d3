// Listens for changes made elsewhere: one waiting request at a time. It tells only "something changed"; the
// sync finds what.
import type { Api } from '../api/client';

const WAIT_SECONDS = 25;
const FIRST_PAUSE_MS = 1000;
const ANSWER_MS = 250;
const REMEMBERED = 200;
const LONGEST_PAUSE_MS = 30_000;

export class Changes {
  private running = false;
  /** The newest change received. The first one is what the first answer knew, so no change is missed. */
  private last = 0;
  private readonly own = new Set<number>();

  constructor(
    private readonly api: Api,
    private readonly wanted: () => boolean,
    private readonly changed: () => void,
    private readonly answered: () => Promise<unknown>,
  ) {}

  /** Marks an operation as ours, with a known answer. */
  mine(operation: number): void {
    this.own.add(operation);
    this.last ||= operation;
    if (this.own.size > REMEMBERED) this.own.delete(this.own.values().next().value!);
  }

  /** Starts listening unless it does already; it ends by itself when no longer wanted. */
  start(): void {
    if (this.running) return;
    this.running = true;
    void this.listen().finally(() => {
      this.running = false;
    });
  }

  private allMine(before: number, last: number): boolean {
    if (last < before || last - before > REMEMBERED) return false;
    for (let operation = before + 1; operation <= last; operation++) if (!this.own.has(operation)) return false;
    return true;
  }

  private async listen(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (this.wanted()) {
      try {
        const { last } = await this.api.changes(this.last, WAIT_SECONDS);
        const before = this.last;
        this.last = last;
        pause = FIRST_PAUSE_MS;
        if (last === before) continue;
        // The feed may be faster than the answer to the request that made the change.
        await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
        await this.answered();
        if (!this.allMine(before, last) && this.wanted()) this.changed();
      } catch {
        // The sync reports an engine that is away; here it is only a reason to wait.
        await new Promise((resolve) => setTimeout(resolve, pause));
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }
}
