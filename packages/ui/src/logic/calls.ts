// Numbers calls for the reader: those of the text have numbers, passive functions have none.
import type { Call, Counts } from 'storeyline-client';

/** Tells whether a call has no text: a passive function, or a rule. */
export function isPassive({ span: [start = 0, end = 0] }: Pick<Call, 'span'>): boolean {
  return start === end;
}

/** Returns the number of each call, from 1; null for passive functions. */
export function callNumbers(calls: readonly Pick<Call, 'span'>[]): (number | null)[] {
  let number = 0;
  return calls.map((call) => (isPassive(call) ? null : ++number));
}

/** Counts what the calls of a floor did. */
export function countsOf(calls: readonly Pick<Call, 'ops' | 'verdict'>[]): Counts {
  const ops = calls.flatMap((call) => call.ops);
  const of = (kind: Call['ops'][number]['kind']): number => ops.filter((op) => op.kind === kind).length;
  const failed = calls.filter(({ verdict }) => verdict === 'failed').length;
  return { changed: of('changed'), added: of('added'), removed: of('removed'), failed };
}
