// Finds the calls in a drawn text, so that they can be folded. In: text. Out: where runs of calls are, and how many
// calls each has. It knows the look of a call only, not whether the engine took it; a wrong guess hides a piece of
// text behind a button and changes nothing.

export interface Run {
  start: number;
  end: number;
  count: number;
}

const NAME = /(?:@\.[\p{L}\p{N}_]+|_\.[A-Za-z]+)\s*\(/uy;
const AFTER = /(?:\s*;)?(?:[^\S\n]*\/\/[^\n]*)?/y;

/** Returns the runs of calls with nothing but white space between them. Takes time in proportion to the text. */
export function callRuns(text: string): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < text.length; at++) {
    const end = callEnd(text, at);
    if (end === null) continue;
    // A call that never ends: what follows belongs to it.
    if (end === -1) break;
    const before = runs.at(-1);
    if (before && text.slice(before.end, at).trim() === '') Object.assign(before, { end, count: before.count + 1 });
    else runs.push({ start: at, end, count: 1 });
    at = end - 1;
  }
  return runs;
}

/** Returns the end of the call that begins here; null if none does, -1 if it has no end. */
function callEnd(text: string, at: number): number | null {
  const sign = text[at];
  if ((sign !== '@' && sign !== '_') || /[\p{L}\p{N}_.@]/u.test(text[at - 1] ?? '')) return null;
  NAME.lastIndex = at;
  if (!NAME.test(text)) return null;
  const close = closing(text, NAME.lastIndex);
  if (close === -1) return -1;
  AFTER.lastIndex = close + 1;
  AFTER.test(text);
  return Math.max(AFTER.lastIndex, close + 1);
}

/** Finds the bracket that closes the one before `at`, past texts in quotation marks. */
function closing(text: string, at: number): number {
  let depth = 1;
  let quote = '';
  for (let index = at; index < text.length; index++) {
    const sign = text[index]!;
    if (quote !== '') {
      if (sign === '\\') index += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'" || sign === '`') quote = sign;
    else if (sign === '(') depth += 1;
    else if (sign === ')' && --depth === 0) return index;
  }
  return -1;
}
