// Locks in a schema: a value that is `readOnly` cannot be changed by the calls of replies. In: a schema and a path. Out:
// a new schema, which never allows more than the old one did while the lock is on.
import type { Json, JsonObject, Path, Step } from 'storeyline-client';
import { equal, isObject } from './value_text';

export type Lock = 'own' | 'outer';

/** Whether a value is locked: itself (`own`), or by something that is not this lock's to open (`outer`). */
export function lockOf(schema: JsonObject | null, path: Path): Lock | null {
  if (schema === null) return null;
  let rule: Json | undefined = schema;
  for (const [index, step] of path.entries()) {
    // The engine protects keys with this mark in every story with a schema.
    if (typeof step === 'string' && step.startsWith('_')) return 'outer';
    const declared: Json | undefined = declaredAt(rule, step);
    rule = declared ?? othersOf(rule, step);
    if (!isObject(rule)) return null;
    if (rule['readOnly'] === true) return declared !== undefined && typeof step === 'string' && index === path.length - 1 ? 'own' : 'outer';
  }
  return null;
}

/** A schema has one rule for all items of a list, so that one item cannot be locked. */
export function canLock(path: Path): boolean {
  return path.length > 0 && path.every((step) => typeof step === 'string');
}

export function withLock(schema: JsonObject | null, path: Path): JsonObject {
  return locked(schema ?? { type: 'object' }, path);
}

function locked(rule: JsonObject, [step, ...rest]: Path): JsonObject {
  if (step === undefined) return { ...rule, readOnly: true };
  // What held for it as one of the others has to hold for the field that replaces it.
  const before = declaredAt(rule, step) ?? othersOf(rule, step);
  return withField(rule, String(step), locked(isObject(before) ? before : {}, rest));
}

/** Removes a lock, and what was only there for it. Null: nothing is left. */
export function withoutLock(schema: JsonObject, path: Path): JsonObject | null {
  const left = unlocked(schema, path);
  return Object.keys(left).every((key) => key === 'type') ? null : left;
}

function unlocked(rule: JsonObject, [step, ...rest]: Path): JsonObject {
  if (step === undefined) return without(rule, 'readOnly');
  const field = declaredAt(rule, step);
  if (!isObject(field)) return rule;
  const inner = unlocked(field, rest);
  const others = rule['additionalProperties'];
  // A field that says no more than what holds for others is not needed; where others are forbidden it allows itself.
  const needed = isObject(others) ? !equal(inner, others) : others === false || Object.keys(inner).length > 0;
  if (needed) return withField(rule, String(step), inner);
  const fields = without(rule['properties'] as JsonObject, String(step));
  return Object.keys(fields).length === 0 ? without(rule, 'properties') : { ...rule, properties: fields };
}

function declaredAt(rule: Json | undefined, step: Step): Json | undefined {
  if (!isObject(rule)) return undefined;
  if (typeof step === 'number') return rule['items'];
  const fields = rule['properties'];
  return isObject(fields) && Object.hasOwn(fields, step) ? fields[step] : undefined;
}

function othersOf(rule: Json | undefined, step: Step): Json | undefined {
  return isObject(rule) && typeof step === 'string' ? rule['additionalProperties'] : undefined;
}

function withField(rule: JsonObject, name: string, field: JsonObject): JsonObject {
  const fields = isObject(rule['properties']) ? Object.entries(rule['properties']) : [];
  const there = fields.some(([key]) => key === name);
  const next: [string, Json][] = there ? fields.map(([key, old]) => [key, key === name ? field : old]) : [...fields, [name, field]];
  return { ...rule, properties: Object.fromEntries(next) };
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
