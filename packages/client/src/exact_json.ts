// Parses and writes JSON without losing digits: a number that JavaScript would print differently is kept as
// its own text. Where the browser gives no access to the text of a number, the ordinary number is used.

export type JsonObject = { [key: string]: Json };
export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject;

type RawJson = { rawJSON?: (text: string) => unknown };
type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/**
 * A number whose text does not survive a JavaScript number, such as 12345678901234567890.
 *
 * It behaves as the nearest number in arithmetic, and `JSON.stringify` writes its own text.
 */
export class ExactNumber extends Number {
  readonly text: string;

  constructor(text: string) {
    super(text);
    this.text = text;
  }

  toJSON(): unknown {
    return (JSON as RawJson).rawJSON?.(this.text) ?? Number(this.text);
  }
}

// A reviver makes parsing several times slower, and hardly any text has such a number.
const CANDIDATE = /[\d.]{16}|[[:,]\s*-?\d[\d.]*[eE]|^\s*-?\d/;

export function parseExact(text: string): unknown {
  if (!CANDIDATE.test(text)) return JSON.parse(text);
  const reviver: Reviver = (_key, value, context) =>
    typeof value === 'number' ? exactNumber(value, context?.source) : value;
  return JSON.parse(text, reviver as (this: unknown, key: string, value: unknown) => unknown);
}

export function exactNumber(value: number, source: string | undefined): number | ExactNumber {
  return source === undefined || String(value) === source ? value : new ExactNumber(source);
}

/** Writes a value, and tells whether it has a number that only an exact reader reads as it is. */
export function writeExact(value: unknown): { text: string; exact: boolean } {
  let exact = false;
  // `this`: the replacer receives the result of `toJSON`.
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, item: unknown) {
    exact ||= this[key] instanceof ExactNumber;
    return item;
  });
  return { text, exact };
}
