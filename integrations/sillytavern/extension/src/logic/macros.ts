// What the macros put into a prompt. In: a state. Out: text without any macro: the host resolves some prompt
// parts twice, so `{{` inside a value would be expanded the second time.
import { type Json, isObject, setOwn } from './json';
import { getPath } from './path';

/** Renders `{{vs_stat_data}}`: the whole state as compact JSON. */
export function renderState(state: Json | null): string {
  return state === null ? '' : jsonText(state);
}

/** Renders `{{vs_get::path}}`: a text bare, a list or object as JSON, a missing value as nothing. */
export function renderPath(state: Json | null, path: string): string {
  const value = state === null ? undefined : getPath(state, path);
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return parted(value);
  return typeof value === 'object' ? jsonText(value) : String(value);
}

/**
 * Returns a copy of a state without macros in its texts: for the chat variable, which the host writes into
 * prompts itself.
 */
export function withoutMacros(value: Json): Json {
  if (typeof value === 'string') return parted(value);
  if (Array.isArray(value)) return value.map(withoutMacros);
  if (!isObject(value)) return value;
  const copy: { [key: string]: Json } = {};
  for (const [key, child] of Object.entries(value)) setOwn(copy, parted(key), withoutMacros(child as Json));
  return copy;
}

// Where an escape is not possible, a zero-width character separates the braces.
function parted(text: string): string {
  return text.replace(/\{(?=\{)/g, '{\u200b');
}

// In JSON two braces meet only inside a string, where an escape means the same character.
function jsonText(value: Json): string {
  return JSON.stringify(value).replace(/\{(?=\{)/g, '\\u007b');
}
