// What the macros put into a prompt. In: a state. Out: text without any macro, alone and beside other text: the
// host resolves some prompt parts twice, so a macro inside a value, or one that two values compose, would be
// expanded the second time.
import { type Json, isObject, setOwn } from './json';
import { renderChanges } from './diff';
import { getPath } from './path';

/** Renders `{{vs_stat_data}}`: the whole state as compact JSON. */
export function renderState(state: Json | null): string {
  return state === null ? '' : jsonText(state);
}

/** Renders `{{vs_get::path}}`: a text bare, a list or object as JSON, a missing value as nothing. */
export function renderPath(state: Json | null, path: string): string {
  const value = state === null ? undefined : getPath(state, path);
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return alone(value);
  return typeof value === 'object' ? jsonText(value) : String(value);
}

/** Renders `{{vs_diff}}`: what changed from one state to the next. */
export function renderDiff(before: Json, after: Json): string {
  return alone(renderChanges(before, after));
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

const BREAK = '\u200b';

// Macros of the host without braces, and the beginning of one at the end of a text.
const ANGLED = /<(?=(?:user|bot|char|charifnotgroup|group)>|[a-z]*$)/gi;

// Where an escape is not possible, a zero-width character separates the marks of a macro.
function parted(text: string): string {
  return text.replace(/\{(?=\{)/g, `{${BREAK}`).replace(ANGLED, `<${BREAK}`);
}

// Same for a text that stands beside others: a brace at its edge must not meet theirs.
function alone(text: string): string {
  const inner = parted(text);
  return (inner.startsWith('{') ? BREAK : '') + inner + (inner.endsWith('{') ? BREAK : '');
}

// In JSON two braces meet only inside a string, where an escape means the same character. Before it no text of
// ours ends with a brace, and no macro begins with a quote.
function jsonText(value: Json): string {
  return JSON.stringify(value).replace(/\{(?=\{)/g, '\\u007b').replace(ANGLED, '\\u003c');
}
