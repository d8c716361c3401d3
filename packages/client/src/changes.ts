// Waits for changes in the engine by long polling, one request at a time. After a failure it retries, each time a
// little later; `wake` retries at once. While it is paused, nothing is requested (a hidden window needs no
// connection). It tells only that something changed, not what.
import type { Engine } from './engine.ts';
import { Refused } from './errors.ts';
import type { Cursor } from './types.ts';

export interface Heard {
  /** First contact without a position, and whenever something has changed. */
  changed(): void | Promise<void>;
  /** The engine answered. True if something was missed in the meantime and has to be loaded again. */
  answered?(): boolean;
  failed?(error: unknown): void;
  /** The name under which changes are made here: they are not reported. */
  client?(): string;
}

export interface Rhythm {
  waitSeconds: number;
  /** Pause after an answer that came at once without a change. */
  idleMs: number;
  firstRetryMs: number;
  lastRetryMs: number;
}

const RHYTHM: Rhythm = { waitSeconds: 25, idleMs: 1000, firstRetryMs: 1000, lastRetryMs: 15_000 };

export class Changes {
  readonly #engine: Pick<Engine, 'changes'>;
  readonly #heard: Heard;
  readonly #rhythm: Rhythm;
  /** The position up to which changes are known. */
  #seen: Cursor | null = null;
  #request: AbortController | null = null;
  #rest: (() => void) | null = null;
  #running = false;
  #paused = false;
  #stopped = false;

  constructor(engine: Pick<Engine, 'changes'>, heard: Heard, rhythm: Rhythm = RHYTHM) {
    this.#engine = engine;
    this.#heard = heard;
    this.#rhythm = rhythm;
  }

  /** Listens, or listens again after a pause. What happened up to `seen` is known already. */
  start(seen: Cursor | null = null): void {
    if (!this.#running || this.#paused) this.#seen = seen ?? this.#seen;
    this.pause(false);
    if (this.#running) return;
    this.#running = true;
    void this.#run();
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

  async #run(): Promise<void> {
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
        this.#heard.failed?.(error);
        this.#seen = null;
        await this.#sleep(noAccess(error) ? null : retry);
        retry = Math.min(retry * 2, this.#rhythm.lastRetryMs);
      }
    }
  }

  async #ask(): Promise<void> {
    this.#request = new AbortController();
    const { signal } = this.#request;
    const started = Date.now();
    const wait = this.#seen === null ? 0 : this.#rhythm.waitSeconds;
    const client = this.#heard.client?.() ?? null;
    const { last, others } = await this.#engine.changes(this.#seen, client, wait, signal);
    if (signal.aborted) return;
    const missed = this.#heard.answered?.() ?? false;
    const moved = last !== this.#seen;
    const own = moved && this.#seen !== null && client !== null && !others;
    if ((moved && !own) || missed) await this.#heard.changed();
    else if (!moved && Date.now() - started < this.#rhythm.idleMs) await this.#sleep(this.#rhythm.idleMs);
    if (!signal.aborted) this.#seen = last;
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
