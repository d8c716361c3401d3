// Listens for changes made elsewhere: one waiting request at a time. It says only "something changed"; the sync finds what.
import type { Api } from '../api/client';

const WAIT_SECONDS = 25;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export class Changes {
  private running = false;
  private last: number | null = null;

  constructor(
    private readonly api: Api,
    private readonly wanted: () => boolean,
    private readonly changed: () => void,
  ) {}

  /** Starts listening if it is not listening already; it ends by itself when no longer wanted. */
  start(): void {
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
        const { last } = await this.api.changes(this.last ?? 0, this.last === null ? 0 : WAIT_SECONDS);
        const news = this.last !== null && last !== this.last;
        this.last = last;
        pause = FIRST_PAUSE_MS;
        if (news && this.wanted()) this.changed();
      } catch {
        // The sync reports an engine that is away; here it is only a reason to wait.
        await new Promise((resolve) => setTimeout(resolve, pause));
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }
}
