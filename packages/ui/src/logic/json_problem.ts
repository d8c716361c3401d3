// Where a text stops being JSON. Browsers word this differently and some give no position, so it is searched
// here: in one pass, without recursion.
import { parseExact, type Json, type JsonObject } from 'storeyline-client';
import { MAX_DEPTH } from './json_edit';
import { isObject } from './value_text';

export interface JsonProblem {
  kind: 'syntax' | 'shape' | 'deep';
  /** Index of the first character that does not fit. */
  offset: number;
  /** From 1. */
  line: number;
  column: number;
  /** The whole text, so that it can be kept. */
  text: string;
}

/** Reads a JSON object; everything else is a problem with its place. */
export function readObject(text: string): { value: JsonObject } | { problem: JsonProblem } {
  const stop = scan(text);
  if (stop) return { problem: problemAt(text, stop.offset, stop.kind) };
  try {
    const value = parseExact(text) as Json;
    if (isObject(value)) return { value };
    return { problem: problemAt(text, text.length - text.trimStart().length, 'shape') };
  } catch {
    // Only if the scanner accepts what the parser refuses.
    return { problem: problemAt(text, 0, 'syntax') };
  }
}

function problemAt(text: string, offset: number, kind: JsonProblem['kind']): JsonProblem {
  const before = text.slice(0, offset).split('\n');
  return { kind, offset, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, text };
}

const SPACE = /[ \t\n\r]*/y;
const PLAIN = /[^"\\\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

type Wanted = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** The first place that is no JSON; null: it is JSON, and not too deep. */
function scan(text: string): { offset: number; kind: 'syntax' | 'deep' } | null {
  const open: string[] = [];
  let at = 0;
  let wanted: Wanted = 'value';
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text) || pattern.lastIndex === at) return false;
    at = pattern.lastIndex;
    return true;
  };
  // Piece by piece: one pattern for the whole string could need too much memory for a long one.
  const string = (): boolean => {
    if (text[at] !== '"') return false;
    at++;
    while (match(PLAIN) || match(ESCAPE));
    return text[at] === '"' && ++at > 0;
  };
  const afterValue = (): Wanted => (open.length === 0 ? 'nothing' : 'comma or end');
  for (;;) {
    match(SPACE);
    const next = text[at];
    if (next === undefined) return wanted === 'nothing' ? null : { offset: at, kind: 'syntax' };
    if ((next === '}' || next === ']') && wanted.endsWith('or end') && open.at(-1) === next) {
      open.pop();
      at++;
      wanted = afterValue();
    } else if (wanted === 'comma or end' && next === ',') {
      at++;
      wanted = open.at(-1) === '}' ? 'key' : 'value';
    } else if (wanted === 'colon' && next === ':') {
      at++;
      wanted = 'value';
    } else if (wanted.startsWith('key')) {
      if (!string()) return { offset: at, kind: 'syntax' };
      wanted = 'colon';
    } else if (wanted.startsWith('value')) {
      if (next === '{' || next === '[') {
        open.push(next === '{' ? '}' : ']');
        if (open.length > MAX_DEPTH) return { offset: at, kind: 'deep' };
        at++;
        wanted = next === '{' ? 'key or end' : 'value or end';
      } else if (next === '"' ? string() : match(WORD)) wanted = afterValue();
      else return { offset: at, kind: 'syntax' };
    } else return { offset: at, kind: 'syntax' };
  }
}
