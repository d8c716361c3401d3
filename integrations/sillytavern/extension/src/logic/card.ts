// Is Storeyline on for this card, and with which template? In: cards of the chat (one, or a group's members in order).
// The field is `data.extensions.st_var_system`, as the existing cards have it.
import { type JsonObject, type Json, isObject, setOwn } from './json';

/** The card field that existing cards use. */
export const CARD_FIELD = 'st_var_system';

export interface Card {
  index: number;
  avatar: string;
  name: string;
  /** The value of `data.extensions.st_var_system`. */
  field: unknown;
}

/** Says whether the card has it switched on; a template without a switch counts as on. */
export function cardIsOn(field: unknown): boolean {
  if (!isObject(field)) return false;
  if (field['enabled'] === true) return true;
  return field['enabled'] === undefined && templateOf(field) !== null;
}

/** Returns the initial state for a chat: the templates of its cards that are on, merged in order. */
export function mergedTemplate(cards: readonly Card[]): JsonObject | null {
  const templates = cards.filter((card) => cardIsOn(card.field)).map((card) => templateOf(card.field)).filter((t) => t !== null);
  if (templates.length === 0) return null;
  return templates.reduce((merged, template) => mergeObjects(merged, template));
}

/** Returns the card field with the switch turned. */
export function withSwitch(field: unknown, on: boolean): Record<string, unknown> {
  return { ...(isObject(field) ? field : {}), enabled: on };
}

function templateOf(field: unknown): JsonObject | null {
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

function mergeObjects(left: JsonObject, right: JsonObject): JsonObject {
  const merged: JsonObject = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const present: Json | undefined = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const both = isObject(present) && isObject(value);
    setOwn(merged, key, both ? mergeObjects(present as JsonObject, value as JsonObject) : value);
  }
  return merged;
}
