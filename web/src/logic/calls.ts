// Numbers calls for the reader: those of the text have numbers, passive functions have none.
import type { Call } from '../api/types';

/** Tells whether a call has no text: a passive function, or a rule. */
export function isPassive({ span: [start, end] }: Pick<Call, 'span'>): boolean {
  return start === end;
}

/** Returns the number of each call, from 1; null for passive functions. */
export function callNumbers(calls: readonly Pick<Call, 'span'>[]): (number | null)[] {
  let number = 0;
  return calls.map((call) => (isPassive(call) ? null : ++number));
}
