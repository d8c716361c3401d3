// What a failed request says to the user.
import { Away, Refused, type Words } from 'storeyline-client';

export interface Trouble {
  /** Nobody answered: it can be tried again. */
  away: boolean;
  message: Words;
  hint: Words | null;
}

const AWAY: Words = { zh: '引擎未连接，你的修改已保留。', en: 'Engine not reachable. Your edits are kept.' };

/** A bug of our own is thrown again, so that it is seen. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Refused) return { away: false, message: error.words, hint: error.hint };
  if (error instanceof Away) return { away: true, message: error.words ?? AWAY, hint: error.hint };
  throw error;
}
