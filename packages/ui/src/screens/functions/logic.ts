// A function library as the screen edits it. In: the exchange format. Out: rows in the order in which they run, and
// other libraries. Nothing here asks the engine or knows the screen.
import type { Json, JsonObject } from 'storeyline-client';
import { equal, isList, isObject } from '../../logic/value_text';

export interface Library {
  functions: JsonObject[];
  rules: JsonObject[];
  /** Names of the built-ins that are switched off. */
  off: string[];
}

export const EMPTY: Library = { functions: [], rules: [], off: [] };

/** When something runs; the groups of the list, in this order. */
export const GROUPS = ['before', 'calls', 'after', 'rules'] as const;
export type Group = (typeof GROUPS)[number];

export interface Entry {
  id: string;
  name: string;
  enabled: boolean;
  order: number;
  group: Group;
  description: string;
  /** Has a pattern of its own. */
  pattern: boolean;
  /** Made of steps instead of code. */
  steps: boolean;
  definition: JsonObject;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const objects = (value: Json | undefined): JsonObject[] => (isList(value) ? value.filter(isObject) : []);

export function readLibrary(file: Json): Library {
  if (!isObject(file)) return EMPTY;
  const off = isList(file['off']) ? file['off'].filter((name): name is string => typeof name === 'string') : [];
  return { functions: objects(file['functions']), rules: objects(file['rules']), off };
}

export function writeLibrary({ functions, rules, off }: Library): JsonObject {
  return { version: '1.0', functions, ...(rules.length > 0 && { rules }), ...(off.length > 0 && { off }) };
}

function groupOf(definition: JsonObject): Group {
  if ('trigger' in definition || 'actions' in definition) return 'rules';
  if (definition['type'] !== 'passive') return 'calls';
  return definition['timing'] === 'before_active' ? 'before' : 'after';
}

export function entryOf(definition: JsonObject): Entry {
  const group = groupOf(definition);
  return {
    id: text(definition['id']) || text(definition['name']),
    name: text(definition['name']),
    enabled: definition['enabled'] !== false,
    order: Number(definition['order'] ?? 0) || 0,
    group,
    description: text(definition['description']),
    pattern: group === 'calls' && text(definition['pattern']) !== '',
    steps: group === 'rules' || isObject(definition['implementation']),
    definition,
  };
}

/** The entries of a group in the order in which they run. */
export function entriesOf(library: Library, group: Group): Entry[] {
  const all = [...library.functions, ...library.rules].map(entryOf).filter((entry) => entry.group === group);
  return all.map((entry, place) => ({ entry, place })).sort((a, b) => a.entry.order - b.entry.order || a.place - b.place).map(({ entry }) => entry);
}

export function allEntries(library: Library): Entry[] {
  return GROUPS.flatMap((group) => entriesOf(library, group));
}

/** Tells whether name, description and code contain all words of a query. */
export function matches(entry: Entry, query: string): boolean {
  const { pattern = '', executor = '' } = entry.definition;
  const hay = `${entry.name}\n${entry.description}\n${text(pattern)}\n${text(executor)}`.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => hay.includes(word));
}

/** Puts a definition in place of the one with its id, or at the end. */
export function put(library: Library, definition: JsonObject): Library {
  const list = groupOf(definition) === 'rules' ? 'rules' : 'functions';
  const other = list === 'rules' ? 'functions' : 'rules';
  const at = library[list].findIndex((one) => one['id'] === definition['id']);
  const next = at < 0 ? [...library[list], definition] : library[list].with(at, definition);
  return { ...library, [list]: next, [other]: library[other].filter((one) => one['id'] !== definition['id']) };
}

/** What was edited, from `base` to `edited`, on a definition that may have changed since. */
export function mergedEdit(now: JsonObject, base: JsonObject, edited: JsonObject): JsonObject {
  const next = { ...now };
  for (const key of new Set([...Object.keys(base), ...Object.keys(edited)])) {
    const value = edited[key];
    if (equal(base[key], value)) continue;
    if (value === undefined) delete next[key];
    else next[key] = value;
  }
  return next;
}

export function without(library: Library, ids: ReadonlySet<string>): Library {
  const keep = (one: JsonObject): boolean => !ids.has(entryOf(one).id);
  return { ...library, functions: library.functions.filter(keep), rules: library.rules.filter(keep) };
}

/** Only these entries, for an export. */
export function only(library: Library, ids: ReadonlySet<string>): Library {
  const keep = (one: JsonObject): boolean => ids.has(entryOf(one).id);
  return { functions: library.functions.filter(keep), rules: library.rules.filter(keep), off: [] };
}

export function switched(library: Library, ids: ReadonlySet<string>, on: boolean): Library {
  const change = (one: JsonObject): JsonObject => (ids.has(entryOf(one).id) ? { ...one, enabled: on } : one);
  return { ...library, functions: library.functions.map(change), rules: library.rules.map(change) };
}

export function switchedBuiltin(library: Library, name: string, aliases: readonly string[], on: boolean): Library {
  const names = new Set([name, ...aliases].map((one) => one.toLowerCase()));
  const off = library.off.filter((one) => !names.has(one.toLowerCase()));
  return { ...library, off: on ? off : [...off, name] };
}

export function isBuiltinOff(library: Library, name: string, aliases: readonly string[]): boolean {
  const names = [name, ...aliases].map((one) => one.toLowerCase());
  return library.off.some((one) => names.includes(one.toLowerCase()));
}

/**
 * Takes back one change, from `before` to `after`, in a library that may have changed since: only what that change
 * touched becomes what it was.
 */
export function reverted(now: Library, before: Library, after: Library): Library {
  const old = new Map(allEntries(before).map((entry) => [entry.id, entry.definition]));
  const made = new Map(allEntries(after).map((entry) => [entry.id, entry.definition]));
  let next = now;
  for (const [id, definition] of made) {
    const was = old.get(id);
    if (!was) next = without(next, new Set([id]));
    else if (!equal(was, definition)) next = put(next, was);
  }
  for (const [id, definition] of old) if (!made.has(id)) next = put(next, definition);
  const off = next.off.filter((name) => before.off.includes(name) || !after.off.includes(name));
  const back = before.off.filter((name) => !after.off.includes(name) && !off.includes(name));
  return { ...next, off: [...off, ...back] };
}

const STEP = 10;

/**
 * Moves an entry within its group or into another one, before the entry `before` (null: to the end). The group says
 * when it runs, so type and timing follow. A rule stays a rule.
 */
export function moved(library: Library, id: string, group: Group, before: string | null): Library {
  const entry = allEntries(library).find((one) => one.id === id);
  if (!entry || (entry.group === 'rules') !== (group === 'rules')) return library;
  const definition = inGroup(entry.definition, group);
  const others = entriesOf(library, group).filter((one) => one.id !== id);
  const found = others.findIndex((one) => one.id === before);
  const at = found < 0 ? others.length : found;
  const order = orderBetween(others[at - 1]?.order, others[at]?.order);
  if (order !== null) return put(library, { ...definition, order });
  // There is no room between two equal numbers, so the whole group is numbered anew.
  const all = [...others.slice(0, at).map((one) => one.definition), definition, ...others.slice(at).map((one) => one.definition)];
  return all.reduce((next, one, place) => put(next, { ...one, order: (place + 1) * STEP }), library);
}

function inGroup(definition: JsonObject, group: Group): JsonObject {
  if (group === 'rules') return definition;
  if (group === 'calls') return { ...definition, type: 'active' };
  return { ...definition, type: 'passive', timing: group === 'before' ? 'before_active' : 'after_active' };
}

/** A number between two, null if there is none. Without a neighbour: a step away from the other. */
function orderBetween(low: number | undefined, high: number | undefined): number | null {
  if (low === undefined) return high === undefined ? 0 : high - STEP;
  if (high === undefined) return low + STEP;
  const middle = (low + high) / 2;
  return middle > low && middle < high && String(middle).length < 12 ? middle : null;
}

/** A copy with another id and a name that is not taken. */
export function duplicate(library: Library, id: string, newId: string): Library {
  const entry = allEntries(library).find((one) => one.id === id);
  if (!entry) return library;
  const names = new Set(allEntries(library).map((one) => one.name));
  let number = 2;
  while (names.has(`${entry.name}_${number}`)) number++;
  return put(library, { ...entry.definition, id: newId, name: `${entry.name}_${number}`, enabled: false });
}

export function newDefinition(kind: 'active' | 'passive' | 'steps' | 'rule', id: string): JsonObject {
  if (kind === 'rule') return { id, name: '', enabled: true, trigger: 'after_parse', condition: '', actions: [] };
  const base = { id, name: '', type: kind === 'passive' ? 'passive' : 'active', enabled: true, order: 0, description: '' };
  if (kind === 'steps') return { ...base, implementation: { type: 'composite', steps: [] } };
  return { ...base, ...(kind === 'passive' && { timing: 'after_active' }), executor: '' };
}

export interface LibraryDifference {
  added: string[];
  removed: string[];
  changed: { name: string; before: JsonObject; after: JsonObject }[];
}

/** What differs between two libraries, by id and then by name; switches count. */
export function difference(before: Library, after: Library): LibraryDifference {
  const old = new Map(allEntries(before).map((entry) => [entry.id, entry]));
  const result: LibraryDifference = { added: [], removed: [], changed: [] };
  for (const entry of allEntries(after)) {
    const same = old.get(entry.id);
    old.delete(entry.id);
    if (!same) result.added.push(entry.name);
    else if (!equal(same.definition, entry.definition)) result.changed.push({ name: entry.name, before: same.definition, after: entry.definition });
  }
  result.removed = [...old.values()].map((entry) => entry.name);
  return result;
}

/** Whether a function of the same name in the other scope hides this one, or is hidden by it. */
export function sameName(entry: { id: string; name: string; group: Group }, library: Library): Entry | null {
  if (entry.group !== 'calls' || !entry.name) return null;
  const name = entry.name.toLowerCase();
  return entriesOf(library, 'calls').find((one) => one.id !== entry.id && one.name.toLowerCase() === name) ?? null;
}

/** What the first problem of a definition is, before it can be saved. */
export type DefinitionProblem = 'noName' | 'noCode' | 'noSteps' | 'cycle' | null;

export function problemOf(definition: JsonObject, library: Library): DefinitionProblem {
  const { name, group, steps, id } = entryOf(definition);
  if (!name.trim()) return 'noName';
  if (!steps) return text(definition['executor']).trim() === '' ? 'noCode' : null;
  const list = stepsOf(definition);
  if (list.length === 0) return 'noSteps';
  return group === 'calls' && callsItself(name, id, library, definition) ? 'cycle' : null;
}

export interface Step {
  function: string;
  args: Json[];
}

export function stepsOf(definition: JsonObject): Step[] {
  const implementation = definition['implementation'];
  const list = 'actions' in definition ? definition['actions'] : isObject(implementation) ? implementation['steps'] : [];
  return objects(list).map((step) => ({ function: text(step['function']), args: isList(step['args']) ? step['args'] : [] }));
}

export function withSteps(definition: JsonObject, steps: readonly Step[]): JsonObject {
  const list = steps.map((step) => ({ function: step.function, args: step.args }));
  if ('actions' in definition || 'trigger' in definition) return { ...definition, actions: list };
  return { ...definition, implementation: { type: 'composite', steps: list } };
}

/** Follows the steps of composites; true if they come back to this one. */
function callsItself(name: string, id: string, library: Library, definition: JsonObject): boolean {
  const composites = new Map<string, JsonObject>();
  for (const entry of entriesOf(put(library, definition), 'calls')) if (entry.steps) composites.set(entry.name.toLowerCase(), entry.definition);
  composites.set(name.toLowerCase(), { ...definition, id });
  const seen = new Set<string>();
  const todo = stepsOf(definition).map((step) => step.function.toLowerCase());
  while (todo.length > 0) {
    const next = todo.pop() as string;
    if (next === name.toLowerCase()) return true;
    const inner = composites.get(next);
    if (!inner || seen.has(next)) continue;
    seen.add(next);
    todo.push(...stepsOf(inner).map((step) => step.function.toLowerCase()));
  }
  return false;
}

/** A rough number of tokens, where the host cannot count: one per CJK character, one per four others. */
export function roughTokens(given: string): number {
  const cjk = given.match(/[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]/gu)?.length ?? 0;
  return cjk + Math.ceil((given.length - cjk) / 4);
}
