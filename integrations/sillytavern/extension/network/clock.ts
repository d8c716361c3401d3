// A virtual clock that stands still while anything is running. Every timer of a schedule is in one queue; the
// next one fires when the tabs have nothing left to do and the engine has answered. So a seed gives the same
// order of events every time, on a slow machine too, and nothing waits in real time.

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, dateNow: Date.now, performanceNow: performance.now };

interface Timer {
  at: number;
  order: number;
  work: () => void;
}

export class Clock {
  now = 1_700_000_000_000;
  private readonly timers = new Map<number, Timer>();
  private order = 0;
  private atWork = 0;
  private rest: (() => void) | null = null;

  /** Replaces the real clock, for everything that runs here. */
  start(): void {
    globalThis.setTimeout = ((work: () => void, ms = 0) => this.later(work, ms)) as unknown as typeof setTimeout;
    globalThis.clearTimeout = ((timer: number) => void this.timers.delete(timer)) as unknown as typeof clearTimeout;
    Date.now = () => Math.floor(this.now);
    performance.now = () => this.now;
  }

  /** Cancels all pending timers. */
  stop(): void {
    this.timers.clear();
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    Date.now = real.dateNow;
    performance.now = real.performanceNow;
  }

  /** Work outside, in real time: the clock waits for it. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.atWork++;
    try {
      return await work;
    } finally {
      if (--this.atWork === 0) this.rest?.();
    }
  }

  /** Lets time pass until this is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const over = (): void => void (done = true);
    work.then(over, over);
    for (;;) {
      // All pending promise callbacks have run when this returns.
      await new Promise(setImmediate);
      if (done) return work;
      if (this.atWork > 0) await new Promise<void>((resolve) => (this.rest = resolve));
      else this.next();
    }
  }

  private later(work: () => void, ms: number): number {
    const order = ++this.order;
    this.timers.set(order, { at: this.now + Math.max(0, ms), order, work });
    return order;
  }

  private next(): void {
    let next: Timer | null = null;
    for (const timer of this.timers.values()) if (!next || timer.at < next.at) next = timer;
    if (!next) throw new Error('nothing is left that could happen');
    this.timers.delete(next.order);
    this.now = next.at;
    next.work();
  }
}
