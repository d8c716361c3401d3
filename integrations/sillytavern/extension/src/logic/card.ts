// Is Storeyline on for this card, and with which template? In: the card's field.
// The field is `data.extensions.st_var_system`, as the existing cards have it.
import { type JsonObject, isObject } from './json';

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
 * Says whether the state of this card is kept: as its switch says; without one, if it has a template of ours or if the
 * engine found a first state in it or its world books. The cases are in `corpus/cards/on.json`.
 */
export function cardIsOn(field: unknown, found: boolean | null = null): boolean {
  const own = isObject(field) ? field['enabled'] : undefined;
  if (typeof own === 'boolean') return own;
  return templateOf(field) !== null || found === true;
}

/** Says whether the card leaves it open whether its state is kept. */
export function hasNoSwitch(field: unknown): boolean {
  return !isObject(field) || typeof field['enabled'] !== 'boolean';
}

/** Returns the card field with another template. */
export function withTemplate(field: unknown, template: JsonObject): Record<string, unknown> {
  return { ...(isObject(field) ? field : {}), templateBody: template };
}

/** Returns the card field with the switch turned. */
export function withSwitch(field: unknown, on: boolean): Record<string, unknown> {
  return { ...(isObject(field) ? field : {}), enabled: on };
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
