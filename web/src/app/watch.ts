// Waits for changes in the engine by long polling. After a failure it retries, each time a little later;
// `wake` retries at once. While `pause` holds, nothing is requested (a hidden window needs no connection).
import { Refused, type Engine } from '../api/engine';

export interface WatchEvents {
  /** First contact, and whenever something has changed. */
  changed(): Promise<void>;
  /** The engine answered. True if the page missed something in the meantime and has to load again. */
  answered(): boolean;
  failed(error: unknown): void;
}

export interface Rhythm {
  waitSeconds: number;
  /** Pause after an answer that came at once without a change. */
  idleMs: number;
  firstRetryMs: number;
  lastRetryMs: number;
}

const RHYTHM: Rhythm = { waitSeconds: 25, idleMs: 1000, firstRetryMs: 1000, lastRetryMs: 15_000 };

export class Watch {
  #engine: Engine;
  #events: WatchEvents;
  #rhythm: Rhythm;
  #seen: string | null = null;
  #request: AbortController | null = null;
  #rest: (() => void) | null = null;
  #paused = false;
  #stopped = false;

  constructor(engine: Engine, events: WatchEvents, rhythm: Rhythm = RHYTHM) {
    this.#engine = engine;
    this.#events = events;
    this.#rhythm = rhythm;
  }

  async run(): Promise<void> {
    let retry = this.#rhythm.firstRetryMs;
    while (!this.#stopped) {
      if (this.#paused) {
        await this.#sleep(null);
        continue;
      }
      try {
        await this.#ask();
        retry = this.#rhythm.firstRetryMs;
      } catch (error) {
        if (this.#request?.signal.aborted) continue;
        this.#events.failed(error);
        this.#seen = null;
        await this.#sleep(noAccess(error) ? null : retry);
        retry = Math.min(retry * 2, this.#rhythm.lastRetryMs);
      }
    }
  }

  /** Asks again now, even if a request is running. */
  wake(): void {
    this.#seen = null;
    this.#request?.abort();
    this.#rest?.();
  }

  pause(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    if (paused) this.#request?.abort();
    else this.#rest?.();
  }

  stop(): void {
    this.#stopped = true;
    this.#request?.abort();
    this.#rest?.();
  }

  async #ask(): Promise<void> {
    this.#request = new AbortController();
    const started = Date.now();
    const wait = this.#seen === null ? 0 : this.#rhythm.waitSeconds;
    const last = await this.#engine.changes(this.#seen, wait, this.#request.signal);
    const missed = this.#events.answered();
    if (last !== this.#seen || missed) {
      await this.#events.changed();
      this.#seen = last;
    } else if (Date.now() - started < this.#rhythm.idleMs) {
      await this.#sleep(this.#rhythm.idleMs);
    }
  }

  /** Sleeps that long, or until woken. */
  #sleep(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      this.#rest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Access is not regained by waiting; only `wake` asks again. */
function noAccess(error: unknown): boolean {
  return error instanceof Refused && (error.status === 401 || error.status === 403);
}
