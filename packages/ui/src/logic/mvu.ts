// What MVU added to a state, for the hints of an editor. The engine removes it (`/api/v1/strip-mvu`).
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

/** Whether the engine would remove something. */
export function hasMetadata(state: Json): boolean {
  const { record, metadata } = findMvu(state);
  return record || metadata > 0;
}

export function findMvu(state: Json): MvuFindings {
  const found = { record: statData(state) !== undefined, metadata: 0, pairs: 0 };
  count(state, found);
  return found;
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
