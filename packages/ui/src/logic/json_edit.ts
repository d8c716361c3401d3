// Changes of a JSON value at a path. The given value is never mutated: the path is copied, the rest is shared.
import { parseExact, type Json, type JsonObject, type Path, type Step } from 'storeyline-client';
import { isList, isObject } from './value_text';

/** The engine refuses deeper values. */
export const MAX_DEPTH = 100;

export function valueAt(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) value = value === undefined ? undefined : kid(value, step);
  return value;
}

function kid(value: Json, step: Step): Json | undefined {
  if (isList(value)) return value[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** An object of these entries; a key named `__proto__` is a key like any other. */
function objectOf(entries: [string, Json][]): JsonObject {
  return Object.fromEntries(entries);
}

/** Applies a change to the container that holds the last step of the path. */
function inParent(root: Json, path: Path, change: (parent: Json, step: Step) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return root;
  if (rest.length === 0) return change(root, step);
  const inner = kid(root, step);
  return inner === undefined ? root : replaceKid(root, step, inParent(inner, rest, change));
}

function replaceKid(parent: Json, step: Step, value: Json): Json {
  if (isList(parent)) return parent.with(Number(step), value);
  if (!isObject(parent)) return parent;
  const key = String(step);
  if (!Object.hasOwn(parent, key)) return objectOf([...Object.entries(parent), [key, value]]);
  return objectOf(Object.entries(parent).map(([name, old]) => [name, name === key ? value : old]));
}

/** Sets a value that exists, or adds a key at the end of its object. The empty path is the whole. */
export function withValue(root: Json, path: Path, value: Json): Json {
  return path.length === 0 ? value : inParent(root, path, (parent, step) => replaceKid(parent, step, value));
}

/** Sets a value and creates the objects on its way; a value in the way stays and nothing is changed. */
export function withNewValue(root: Json, path: Path, value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (!isObject(root) && !isList(root)) return root;
  const inner = kid(root, step) ?? (rest.length === 0 ? value : {});
  if (isList(root) && (typeof step !== 'number' || step > root.length)) return root;
  if (isList(root) && step === root.length) return [...root, withNewValue(inner, rest, value)];
  return replaceKid(root, step, withNewValue(inner, rest, value));
}

export function without(root: Json, path: Path): Json {
  return inParent(root, path, (parent, step) => {
    if (isList(parent)) return parent.toSpliced(Number(step), 1);
    return isObject(parent) ? objectOf(Object.entries(parent).filter(([name]) => name !== String(step))) : parent;
  });
}

/** Renames a key, which keeps its position. */
export function renamed(root: Json, path: Path, name: string): Json {
  return inParent(root, path, (parent, step) =>
    isObject(parent)
      ? objectOf(Object.entries(parent).map(([key, value]) => [key === String(step) ? name : key, value]))
      : parent,
  );
}

/** Adds an item to a container: under a new key at the end of an object, or at the end of a list. */
export function added(root: Json, container: Path, wish: string, value: Json): { value: Json; path: Path } {
  const parent = valueAt(root, container) ?? root;
  if (isList(parent)) {
    return { value: withValue(root, container, [...parent, value]), path: [...container, parent.length] };
  }
  const path = [...container, freeKey(parent, wish)];
  return { value: withValue(root, path, value), path };
}

/** Puts a copy behind the value at the path. */
export function duplicated(root: Json, path: Path): { value: Json; path: Path } {
  let at: Path = path;
  const value = inParent(root, path, (parent, step) => {
    if (isList(parent)) {
      at = [...path.slice(0, -1), Number(step) + 1];
      return parent.toSpliced(Number(step) + 1, 0, parent[Number(step)] ?? null);
    }
    if (!isObject(parent)) return parent;
    const name = freeKey(parent, String(step));
    at = [...path.slice(0, -1), name];
    return objectOf(Object.entries(parent).flatMap(([key, old]) => (key === String(step) ? [[key, old], [name, old]] : [[key, old]])));
  });
  return { value, path: at };
}

/** A key that the object does not have: the wish itself, else with a number behind it. */
export function freeKey(object: Json, wish: string): string {
  const taken = (key: string): boolean => isObject(object) && Object.hasOwn(object, key);
  if (!taken(wish)) return wish;
  let number = 2;
  while (taken(`${wish} ${number}`)) number++;
  return `${wish} ${number}`;
}

/**
 * Reads what was typed for a value: JSON, or bare text. Undefined: it begins as JSON does and is none, so that
 * a forgotten bracket does not become a text.
 */
export function typedValue(text: string): Json | undefined {
  const trimmed = text.trim();
  try {
    return parseExact(trimmed) as Json;
  } catch {
    return /^["[{]/.test(trimmed) ? undefined : text;
  }
}

/** Number of values that are not containers; an empty container counts as one. */
export function countValues(value: Json): number {
  const kids = isList(value) ? value : isObject(value) ? Object.values(value) : null;
  return kids === null || kids.length === 0 ? 1 : kids.reduce<number>((sum, item) => sum + countValues(item), 0);
}
