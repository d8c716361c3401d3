// One request at a time for a part of the screen: which one runs, and what went wrong with the last one.
import { Away, Refused, type Words } from 'storeyline-client';

export interface Trouble {
  message: Words;
  hint: Words | null;
}

const AWAY: Trouble = {
  message: { zh: '引擎未连接。没有改动任何东西。', en: 'Engine not reachable. Nothing was changed.' },
  hint: { zh: '连上后请再试一次。', en: 'Try again when it is back.' },
};

export class Asking {
  /** The name of what runs; empty: nothing. */
  busy = $state('');
  trouble = $state.raw<Trouble | null>(null);
  /** The name of what failed. */
  failed = $state('');

  /** Runs a request; null if another one runs, or if it failed, which is shown. */
  async ask<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    if (this.busy !== '') return null;
    this.busy = name;
    this.trouble = null;
    try {
      return await work();
    } catch (error) {
      this.fail(name, error);
      return null;
    } finally {
      this.busy = '';
    }
  }

  fail(name: string, error: unknown): void {
    this.trouble = troubleOf(error);
    this.failed = name;
  }
}

/** A bug of our own is thrown again, so that it is seen. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Refused) return { message: error.words, hint: error.hint };
  if (error instanceof Away) return { message: error.words ?? AWAY.message, hint: error.hint ?? AWAY.hint };
  throw error;
}
