// Applies the engine's ops to a cached state. In: a state and ops in order. Out: a new state; the old one is
// not changed, because it may still be shown or be the `have` of a request.
import type { Path, Step, SyncStateOp } from 'storeyline-client';
import { type Json, isObject, setOwn } from './json';

/** Returns the state after the ops, or null if one does not apply: then the whole state must be requested. */
export function applyOps(state: Json, ops: readonly SyncStateOp[]): Json | null {
  let next: Json = state;
  for (const op of ops) {
    const result = applyAt(next, op.path, 0, op);
    if (result === undefined) return null;
    next = result;
  }
  return next;
}

function applyAt(node: Json, path: Path, depth: number, op: SyncStateOp): Json | undefined {
  if (depth === path.length) return 'value' in op ? op.value : undefined;
  const key = path[depth]!;
  const last = depth === path.length - 1;
  if (Array.isArray(node)) return applyToList(node, key, last, path, depth, op);
  if (!isObject(node) || typeof key !== 'string') return undefined;
  const present = Object.hasOwn(node, key);
  const copy = { ...node };
  if (last && 'remove' in op) {
    delete copy[key];
    return present ? copy : undefined;
  }
  const child = last ? (op as { value: Json }).value : present ? applyAt(node[key]!, path, depth + 1, op) : undefined;
  if (child === undefined) return undefined;
  setOwn(copy, key, child);
  return copy;
}

function applyToList(list: Json[], key: Step, last: boolean, path: Path, depth: number, op: SyncStateOp): Json | undefined {
  if (typeof key !== 'number' || key < 0 || key > list.length) return undefined;
  if (last && 'remove' in op) return key < list.length ? list.toSpliced(key, 1) : undefined;
  const child = last ? (op as { value: Json }).value : key < list.length ? applyAt(list[key]!, path, depth + 1, op) : undefined;
  return child === undefined ? undefined : key === list.length ? [...list, child] : list.with(key, child);
}
