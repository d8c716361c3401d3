// What this floor did to the state, as a tree of marks parallel to the state. The marks come from the ops of
// the calls in order; several ops on one path become one mark with the first old value. It never reads the
// state itself, and diffs only inside an op that replaced a whole container.
import type { Call, Change, Json, Path, Step } from 'storeyline-client';
import { equal, isList, isObject } from './value_text';

export type Mark = { kind: 'added' } | { kind: 'changed'; old: Json | undefined };

export interface MarkNode {
  mark: Mark | null;
  kids: Map<Step, MarkNode>;
  /** Keys that this floor removed, each with its old position. */
  gone: Gone[];
}

export interface Gone {
  key: Step;
  old: Json | undefined;
}

export function marksOf(calls: readonly Pick<Call, 'ops'>[]): MarkNode {
  const root = emptyNode();
  for (const call of calls) for (const op of call.ops) put(root, op);
  return root;
}

export function hasMarks(node: MarkNode | undefined): boolean {
  if (!node) return false;
  if (node.mark !== null || node.gone.length > 0) return true;
  for (const kid of node.kids.values()) if (hasMarks(kid)) return true;
  return false;
}

function emptyNode(): MarkNode {
  return { mark: null, kids: new Map(), gone: [] };
}

function reach(node: MarkNode, path: Path): MarkNode {
  let at = node;
  for (const key of path) at = child(at, key);
  return at;
}

function child(node: MarkNode, key: Step): MarkNode {
  let kid = node.kids.get(key);
  if (!kid) node.kids.set(key, (kid = emptyNode()));
  return kid;
}

function put(root: MarkNode, op: Change): void {
  const key = op.path.at(-1);
  if (key === undefined) return replaced(root, op.old, op.new);
  const parent = reach(root, op.path.slice(0, -1));
  if (op.kind === 'removed') remove(parent, key, op.old);
  else if (op.kind === 'added') add(parent, key, op.new);
  else replaced(child(parent, key), op.old, op.new);
}

function remove(parent: MarkNode, key: Step, old: Json | undefined): void {
  const mark = parent.kids.get(key)?.mark;
  parent.kids.delete(key);
  if (typeof key === 'number') shift(parent, key, -1);
  // What was added and removed on the same floor leaves no mark.
  if (mark?.kind !== 'added') parent.gone.push({ key, old: mark ? mark.old : old });
}

function add(parent: MarkNode, key: Step, value: Json | undefined): void {
  const back = typeof key === 'number' ? -1 : parent.gone.findIndex((gone) => gone.key === key);
  if (back >= 0) {
    const [gone] = parent.gone.splice(back, 1);
    return replaced(child(parent, key), gone?.old, value);
  }
  if (typeof key === 'number') shift(parent, key, 1);
  parent.kids.set(key, { ...emptyNode(), mark: { kind: 'added' } });
}

/** A list item was added or removed: the marks after it move along. */
function shift(parent: MarkNode, from: number, by: 1 | -1): void {
  const moved = new Map<Step, MarkNode>();
  for (const [key, kid] of parent.kids) moved.set(typeof key === 'number' && key >= from ? key + by : key, kid);
  parent.kids = moved;
}

function replaced(node: MarkNode, old: Json | undefined, now: Json | undefined): void {
  if (node.mark?.kind === 'added') return;
  if (node.mark) {
    if (equal(node.mark.old, now)) clear(node);
    return;
  }
  if (equal(old, now)) return;
  if (isObject(old) && isObject(now)) return replacedObject(node, old, now);
  if (isList(old) && isList(now)) return replacedList(node, old, now);
  clear(node);
  node.mark = { kind: 'changed', old };
}

function clear(node: MarkNode): void {
  node.mark = null;
  node.kids.clear();
  node.gone = [];
}

function replacedObject(node: MarkNode, old: Record<string, Json>, now: Record<string, Json>): void {
  for (const key of Object.keys(old)) if (!Object.hasOwn(now, key)) remove(node, key, old[key]);
  for (const key of Object.keys(now)) {
    if (!Object.hasOwn(old, key)) add(node, key, now[key]);
    else if (!equal(old[key], now[key])) replaced(child(node, key), old[key], now[key]);
  }
}

/** Equal ends are kept; the items between are compared in pairs, the rest was added or removed. */
function replacedList(node: MarkNode, old: Json[], now: Json[]): void {
  let start = 0;
  while (start < old.length && start < now.length && equal(old[start], now[start])) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && equal(old.at(-1 - end), now.at(-1 - end))) end++;
  const pairs = Math.min(old.length, now.length) - start - end;
  for (let i = start; i < start + pairs; i++) replaced(child(node, i), old[i], now[i]);
  for (let i = start + pairs; i < now.length - end; i++) add(node, i, now[i]);
  for (let i = start + pairs; i < old.length - end; i++) remove(node, start + pairs, old[i]);
}
