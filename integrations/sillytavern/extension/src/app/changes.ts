// Listens for changes made elsewhere: one waiting request at a time. It tells only "something changed"; the
// sync finds what.
import type { Api } from '../api/client';

const WAIT_SECONDS = 25;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export class Changes {
  private running = false;
  /** The position up to which changes are known. The first one comes with the first answer, so no change is missed. */
  private known: string | null = null;

  constructor(
    private readonly api: Api,
    /** The client name of this page: its own changes are not reported. */
    private readonly client: () => string,
    private readonly wanted: () => boolean,
    private readonly changed: () => void,
  ) {}

  /** Starts listening from a position if it is not listening already; it ends by itself when no longer wanted. */
  start(seen: string | null): void {
    this.known ??= seen;
    if (this.running) return;
    this.running = true;
    void this.listen().finally(() => {
      this.running = false;
    });
  }

  private async listen(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (this.wanted()) {
      try {
        const { last, others } = await this.api.changes(this.known, this.client(), WAIT_SECONDS);
        const before = this.known;
        this.known = last;
        pause = FIRST_PAUSE_MS;
        if (last !== before && others && this.wanted()) this.changed();
      } catch {
        // The sync reports an engine that is away; here it is only a reason to wait.
        await new Promise((resolve) => setTimeout(resolve, pause));
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }
}
