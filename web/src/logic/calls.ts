// Calls as the reader counts them: those of the text have numbers, what ran by itself has none.
import type { Call } from '../api/types';

/** Says whether a call stands in no text: a passive function, or a rule. */
export function isPassive({ span: [start, end] }: Pick<Call, 'span'>): boolean {
  return start === end;
}

/** Returns the number of each call, from 1; null for what ran by itself. */
export function callNumbers(calls: readonly Pick<Call, 'span'>[]): (number | null)[] {
  let number = 0;
  return calls.map((call) => (isPassive(call) ? null : ++number));
}
