// Reads JSON without losing digits: a number that JavaScript would print differently is kept as its own text.
// Where the browser cannot give the source of a number, the ordinary number is used.
import { ExactNumber } from './types';

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

export function parseExact(text: string): unknown {
  const reviver: Reviver = (_key, value, context) =>
    typeof value === 'number' ? exactNumber(value, context?.source) : value;
  return JSON.parse(text, reviver as (this: unknown, key: string, value: unknown) => unknown);
}

export function exactNumber(value: number, source: string | undefined): number | ExactNumber {
  return source === undefined || String(value) === source ? value : new ExactNumber(source);
}
