// What differs between two states: only the paths whose values differ, in the order of the first state.
import { type Json, type Path, type Step } from 'storeyline-client';
import { equal, isList, isObject, keyLabel, pathText, valueText } from './value_text';

export interface Difference {
  path: Path;
  kind: 'changed' | 'added' | 'removed';
  /** Undefined if it was added. */
  a?: Json;
  /** Undefined if it was removed. */
  b?: Json;
}

export function differences(a: Json, b: Json): Difference[] {
  const found: Difference[] = [];
  compare(a, b, [], found);
  return found;
}

/** How many paths differ; what an editor shows as the number of edits. */
export function edits(a: Json, b: Json): number {
  return a === b ? 0 : differences(a, b).length;
}

function compare(a: Json, b: Json, path: Path, found: Difference[]): void {
  if (a === b) return;
  if (isList(a) && isList(b)) return compareLists(a, b, path, found);
  if (!isObject(a) || !isObject(b)) {
    if (!equal(a, b)) found.push({ path, kind: 'changed', a, b });
    return;
  }
  for (const key of Object.keys(a)) {
    const old = a[key] as Json;
    if (Object.hasOwn(b, key)) compare(old, b[key] as Json, [...path, key], found);
    else found.push({ path: [...path, key], kind: 'removed', a: old });
  }
  for (const key of Object.keys(b)) {
    if (!Object.hasOwn(a, key)) found.push({ path: [...path, key], kind: 'added', b: b[key] as Json });
  }
}

/** Items that are equal at both ends stay; what is between is compared by position. */
function compareLists(a: Json[], b: Json[], path: Path, found: Difference[]): void {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && equal(a[start], b[start])) start++;
  let end = 0;
  while (end < shorter - start && equal(a[a.length - 1 - end], b[b.length - 1 - end])) end++;
  const same = shorter - end;
  for (let at = start; at < same; at++) compare(a[at] as Json, b[at] as Json, [...path, at], found);
  for (let at = same; at < a.length - end; at++) found.push({ path: [...path, at], kind: 'removed', a: a[at] as Json });
  for (let at = same; at < b.length - end; at++) found.push({ path: [...path, at], kind: 'added', b: b[at] as Json });
}

export interface Group {
  /** Null: the states differ as a whole. */
  key: Step | null;
  items: Difference[];
}

/** Groups by the top key. */
export function groupsOf(found: readonly Difference[]): Group[] {
  const groups = new Map<Step | null, Difference[]>();
  for (const one of found) {
    const key = one.path[0] ?? null;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, items]) => ({ key, items }));
}

/** Those whose path or one of whose values contains the text. */
export function filtered(found: readonly Difference[], query: string): Difference[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [...found];
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  return found.filter((one) => has(pathText(one.path)) || has(valueText(one.a)) || has(valueText(one.b)));
}

/** The path below its group, as it is shown there. */
export function restText(path: Path): string {
  return path.length <= 1 ? keyLabel(path[0] ?? '') : pathText(path.slice(1));
}

export interface PatchOp {
  op: 'replace' | 'add' | 'remove';
  path: string;
  value?: Json;
}

/** RFC 6902: turns the first state into the second. */
export function jsonPatch(found: readonly Difference[]): PatchOp[] {
  const gone = found.filter((one) => one.kind === 'removed').reverse();
  // Items are removed from the last to the first, so that the numbers of the others stay valid.
  return [...found.filter((one) => one.kind !== 'removed'), ...gone].map((one) => {
    const path = one.path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    if (one.kind === 'removed') return { op: 'remove', path };
    return { op: one.kind === 'added' ? 'add' : 'replace', path, value: one.b as Json };
  });
}
