// What changed between two states, for `{{vs_diff}}` and for scripts that write whole states. In: two JSON
// values. Out: leaves with their old and new value, in the order of the new state. The number is bounded,
// because it goes into a prompt.
import { type Json, isObject } from './json';

export interface Change {
  path: (string | number)[];
  old: Json | undefined;
  new: Json | undefined;
}

const LIMIT = 200;

/** Returns the changed leaves; a changed list is one leaf. */
export function changedLeaves(before: Json, after: Json): Change[] {
  const found: Change[] = [];
  compare(before, after, [], found);
  return found;
}

/** Renders changes, one per line: `path: old → new`. */
export function renderChanges(before: Json, after: Json): string {
  const line = ({ path, old, new: now }: Change): string => {
    const name = path.join('.');
    if (old === undefined) return `+ ${name}: ${JSON.stringify(now)}`;
    return now === undefined ? `- ${name}` : `${name}: ${JSON.stringify(old)} → ${JSON.stringify(now)}`;
  };
  return changedLeaves(before, after).map(line).join('\n');
}

function compare(before: Json | undefined, after: Json | undefined, path: (string | number)[], found: Change[]): void {
  if (found.length >= LIMIT || before === after) return;
  if (isObject(before) && isObject(after)) {
    for (const [key, value] of Object.entries(after)) compare(own(before, key), value as Json, [...path, key], found);
    for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) compare(own(before, key), undefined, [...path, key], found);
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) found.push({ path, old: before, new: after });
}

function own(object: object, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? ((object as Record<string, Json>)[key] as Json) : undefined;
}
