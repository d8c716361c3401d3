// One request at a time for a part of the screen: which one runs, and what went wrong with the last one.
import { Away } from 'storeyline-client';
import { troubleOf, type Trouble } from '../../model/trouble';

const AWAY: Trouble = {
  away: true,
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
    this.trouble = settingsTrouble(error);
    this.failed = name;
  }
}

/** Settings keep no edits of their own, other than drafts. */
export function settingsTrouble(error: unknown): Trouble {
  const trouble = troubleOf(error);
  return trouble.away && error instanceof Away && error.words === null ? AWAY : trouble;
}
