// The text of a value while it is edited, and the value that such a text means.
import { ExactNumber, parseExact, type Json } from 'storeyline-client';

/** A text is edited without its quotes; everything else as JSON on one line. */
export function editText(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/**
 * Reads what was typed. Where a text stood, it stays a text; elsewhere it is JSON, and what is no JSON is a text.
 * A text in quotes is always a text.
 */
export function readValue(typed: string, before: Json | undefined): Json {
  const quoted = /^\s*"(?:[^"\\]|\\.)*"\s*$/s.test(typed);
  if (typeof before === 'string' && !quoted) return typed;
  try {
    return parseExact(typed) as Json;
  } catch {
    return typed;
  }
}

/** The kind of a value, for the user to see what the typed text will be. */
export function kindOf(value: Json | undefined): 'text' | 'number' | 'switch' | 'nothing' | 'list' | 'object' {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || value instanceof ExactNumber) return 'number';
  if (typeof value === 'boolean') return 'switch';
  if (Array.isArray(value)) return 'list';
  return value === null || value === undefined ? 'nothing' : 'object';
}

/** Whether two values are the same JSON. */
export function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The value at a path of a state. */
export function valueAt(state: Json, path: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = state;
  for (const step of path) {
    if (Array.isArray(at) && typeof step === 'number') at = at[step];
    else if (at !== null && typeof at === 'object' && !Array.isArray(at) && !(at instanceof ExactNumber)) {
      at = Object.hasOwn(at, step) ? at[step] : undefined;
    } else return undefined;
  }
  return at;
}
