// Tells whether Storeyline is on for a card, and returns its template. In: the card's field,
// `data.extensions.st_var_system`, as existing cards have it.
import { type Json, type JsonObject, isObject } from './json';

/** The card field that existing cards use. */
export const CARD_FIELD = 'st_var_system';

export interface Card {
  index: number;
  avatar: string;
  name: string;
  /** The host's own object, which it replaces when the card changes. */
  identity: object;
  /** The value of `data.extensions.st_var_system`. */
  field: unknown;
}

/**
 * Tells whether this card has a state: as its switch says; without one, if it has our template or if the
 * engine found a first state in it or its world books. The cases are in `corpus/cards/on.json`.
 */
export function cardIsOn(field: unknown, found: boolean | null = null): boolean {
  const own = isObject(field) ? field['enabled'] : undefined;
  if (typeof own === 'boolean') return own;
  return templateOf(field) !== null || found === true;
}

/** Tells whether the card has no switch for its state. */
export function hasNoSwitch(field: unknown): boolean {
  return !isObject(field) || typeof field['enabled'] !== 'boolean';
}

/** Returns the card field with another template. */
export function withTemplate(field: unknown, template: JsonObject): Record<string, unknown> {
  return { ...(isObject(field) ? field : {}), templateBody: template };
}

/** Returns the card field with the switch set. */
export function withSwitch(field: unknown, on: boolean): Record<string, unknown> {
  return { ...(isObject(field) ? field : {}), enabled: on };
}

/** Returns the functions in a card field as they are; null: there are none. */
export function functionsOf(field: unknown): Json {
  const functions = isObject(field) ? field['functions'] : null;
  return (functions ?? null) as Json;
}

/**
 * Returns the card field with the functions and rules of a library. They are one list, as ST-VarSystem has it;
 * only switched off built-ins need the whole library.
 */
export function withFunctions(field: unknown, library: Json): Record<string, unknown> {
  const { functions = [], rules = [], off } = (isObject(library) ? library : {}) as Record<string, Json[]>;
  return { ...(isObject(field) ? field : {}), functions: off ? library : [...functions, ...rules] };
}

/** Returns the template in a card field. */
export function templateOf(field: unknown): JsonObject | null {
  const body = isObject(field) ? field['templateBody'] : null;
  const value = typeof body === 'string' ? parseObject(body) : body;
  return isObject(value) ? (value as JsonObject) : null;
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
