// What MVU adds to a state. The same rules as `storeyline strip-mvu`: `$meta`, `$arrayMeta` and the mark of open
// lists go, of a whole record only `stat_data` stays, pairs of a value and its description are values.
import type { Json, JsonObject } from 'storeyline-client';
import { isList, isObject } from './value_text';

const MARK = '$__META_EXTENSIBLE__$';
const META = ['$meta', '$arrayMeta'];
const RECORD = ['stat_data', 'display_data', 'delta_data', 'schema', 'initialized_lorebooks', 'snapshot'];

export interface MvuFindings {
  /** Is the whole a record that MVU stores with a message? */
  record: boolean;
  /** Metadata fields and marks of open lists. */
  metadata: number;
  /** `[value, "description"]` */
  pairs: number;
}

export function findMvu(state: Json): MvuFindings {
  const found = { record: statData(state) !== undefined, metadata: 0, pairs: 0 };
  count(state, found);
  return found;
}

export function stripMvu(state: JsonObject): JsonObject {
  return clean(statData(state) ?? state) as JsonObject;
}

function statData(state: Json): JsonObject | undefined {
  if (!isObject(state) || !Object.hasOwn(state, 'stat_data')) return undefined;
  const inner = state['stat_data'];
  return isObject(inner) && Object.keys(state).every((key) => RECORD.includes(key)) ? inner : undefined;
}

function count(value: Json, found: MvuFindings): void {
  if (isList(value)) {
    if (isPair(value)) found.pairs++;
    for (const item of value) {
      if (item === MARK) found.metadata++;
      else count(item, found);
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (META.includes(key)) found.metadata++;
      else count(value[key] as Json, found);
    }
  }
}

function isPair(list: Json[]): boolean {
  const [value, description] = list;
  return list.length === 2 && typeof description === 'string' && description !== MARK && typeof value === 'number';
}

function clean(value: Json): Json {
  if (isList(value)) return value.filter((item) => item !== MARK).map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !META.includes(key)).map(([key, inner]) => [key, clean(inner)]));
}
