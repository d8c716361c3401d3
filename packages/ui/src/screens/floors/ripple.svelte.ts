// How far a change would ripple down, counted while the user types: one request at a time, the newest wins.
import type { Ripple } from 'storeyline-client';

const QUIET_MS = 250;

export class RippleCount {
  ripple = $state.raw<Ripple | null>(null);
  counting = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;

  /** Counts again after a moment; null: there is nothing to count. */
  ask(count: ((signal: AbortSignal) => Promise<Ripple | null>) | null): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.ripple = null;
    this.counting = count !== null;
    if (count) this.#timer = setTimeout(() => void this.#count(count), QUIET_MS);
  }

  stop(): void {
    this.ask(null);
  }

  async #count(count: (signal: AbortSignal) => Promise<Ripple | null>): Promise<void> {
    const request = (this.#request = new AbortController());
    try {
      const ripple = await count(request.signal);
      if (!request.signal.aborted) this.ripple = ripple;
    } catch {
      // A count that failed is left out; saving tells what is wrong.
    } finally {
      if (!request.signal.aborted) this.counting = false;
    }
  }
}

/** How many floors below the changed one get another state. */
export function laterFloors(ripple: Ripple, floor: number): { changed: number; complete: boolean } {
  const own = ripple.first[0]?.floor === floor ? 1 : 0;
  return { changed: Math.max(0, ripple.changed - own), complete: ripple.computed >= ripple.floors };
}
