// Moving a value to another place of its JSON: within its object or list, or into another one. The given value is never
// mutated. Keys that are whole numbers stand first, in ascending order, in every object: their place cannot be chosen.
import type { Json, JsonObject, Path, Step } from 'storeyline-client';
import { freeKey, valueAt, withValue, without } from './json_edit';
import { kidsOf } from './json_rows';
import { isList, isObject } from './value_text';

/** Before the item of that number in a container; its length: at the end. */
export interface Target {
  container: Path;
  index: number;
}

export type Where = 'before' | 'after' | 'inside';
export type Direction = 'up' | 'down' | 'in' | 'out';

/** Returns the value after the move and where the moved one is then; null: nothing changes, or it cannot go there. */
export function moved(root: Json, from: Path, to: Target, nameless: string): { value: Json; path: Path } | null {
  const key = from.at(-1);
  const item = valueAt(root, from);
  const target = valueAt(root, to.container);
  if (key === undefined || item === undefined || !(isList(target) || isObject(target)) || startsWith(to.container, from)) return null;
  if (same(to.container, from.slice(0, -1))) return within(root, from, to.index);
  const taken = without(root, from);
  const container = afterRemoval(to.container, from);
  const rest = valueAt(taken, container) ?? null;
  const name: Step = isList(rest) ? clamp(to.index, rest.length) : freeKey(rest, typeof key === 'string' ? key : nameless);
  const next = isList(rest) ? rest.toSpliced(Number(name), 0, item) : objectWith(rest as JsonObject, String(name), item, to.index);
  return { value: withValue(taken, container, next), path: [...container, name] };
}

function within(root: Json, from: Path, index: number): { value: Json; path: Path } | null {
  const path = from.slice(0, -1);
  const key = from.at(-1) as Step;
  const container = valueAt(root, path);
  const place = kidsOf(container ?? null).findIndex(([other]) => other === key);
  // Its own place is free once it is taken out.
  const at = index > place ? index - 1 : index;
  if (isList(container)) {
    if (at === place) return null;
    const next = container.toSpliced(place, 1).toSpliced(at, 0, container[place] ?? null);
    return { value: withValue(root, path, next), path: [...path, clamp(at, container.length - 1)] };
  }
  if (!isObject(container)) return null;
  const others = Object.fromEntries(Object.entries(container).filter(([other]) => other !== key));
  const next = objectWith(others, String(key), container[key] ?? null, at);
  if (Object.keys(next).join('\0') === Object.keys(container).join('\0')) return null;
  return { value: withValue(root, path, next), path: from };
}

function objectWith(object: JsonObject, name: string, value: Json, index: number): JsonObject {
  return Object.fromEntries(Object.entries(object).toSpliced(index, 0, [name, value]));
}

/** Where a row is dropped that the pointer holds over another one. */
export function dropTarget(root: Json, path: Path, where: Where): Target {
  if (where === 'inside') return { container: path, index: kidsOf(valueAt(root, path) ?? null).length };
  const container = path.slice(0, -1);
  return { container, index: indexOf(root, path) + (where === 'after' ? 1 : 0) };
}

/** Where a key moves a row: past its neighbour, out of its container at the ends, or into the container above it. */
export function keyTarget(root: Json, path: Path, direction: Direction): Target | null {
  const container = path.slice(0, -1);
  const kids = kidsOf(valueAt(root, container) ?? null);
  const index = indexOf(root, path);
  const beside = (after: boolean): Target | null => (container.length === 0 ? null : dropTarget(root, container, after ? 'after' : 'before'));
  if (direction === 'out') return beside(true);
  if (direction === 'up') return index > 0 ? { container, index: index - 1 } : beside(false);
  if (direction === 'down') return index < kids.length - 1 ? { container, index: index + 2 } : beside(true);
  const [key, above] = kids[index - 1] ?? [];
  return key !== undefined && (isList(above) || isObject(above)) ? dropTarget(root, [...container, key], 'inside') : null;
}

function indexOf(root: Json, path: Path): number {
  return kidsOf(valueAt(root, path.slice(0, -1)) ?? null).findIndex(([key]) => key === path.at(-1));
}

/** Items behind one that is taken out of a list move up. */
function afterRemoval(path: Path, gone: Path): Path {
  const at = gone.length - 1;
  const [step, removed] = [path[at], gone[at]];
  const beside = typeof step === 'number' && typeof removed === 'number' && same(path.slice(0, at), gone.slice(0, at));
  return beside && step > removed ? path.with(at, step - 1) : path;
}

const clamp = (index: number, most: number): number => Math.max(0, Math.min(index, most));
const startsWith = (path: Path, start: Path): boolean => same(path.slice(0, start.length), start);

function same(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index]);
}
