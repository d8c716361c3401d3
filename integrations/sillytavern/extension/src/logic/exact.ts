// Converts exact numbers for scripts and back. Scripts get ordinary numbers, which round; numbers that they
// return unchanged get their digits back, so that rounding is not taken for a correction by hand.
import { ExactNumber } from 'storeyline-client';
import { type Json, isObject, setOwn } from './json';

/** Returns a copy without exact numbers. */
export function plainNumbers(value: Json): Json {
  return replaceExact(value, (number) => Number(number)) as Json;
}

/**
 * Returns a copy for a YAML writer, which supports large integers as `bigint`; a long fraction is rounded.
 */
export function forYaml(value: Json): unknown {
  return replaceExact(value, (number) => (/^-?\d+$/.test(number.text) ? BigInt(number.text) : Number(number)));
}

function replaceExact(value: Json, replace: (number: ExactNumber) => unknown): unknown {
  if (value instanceof ExactNumber) return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceExact(item, replace));
  return isObject(value) ? mapObject(value as { [key: string]: Json }, (child) => replaceExact(child, replace)) : value;
}

/**
 * Returns what a script wrote, with the exact number of `before` wherever it wrote that number rounded: at
 * the same path, or elsewhere if only one number of `before` rounds to it (an item that moved).
 */
export function exactAgain(before: Json, written: Json): Json {
  const moved = new Map<number, ExactNumber | null>();
  collect(before, moved);
  return moved.size === 0 ? written : restore(before, written, moved);
}

function collect(value: Json | undefined, found: Map<number, ExactNumber | null>): void {
  if (value instanceof ExactNumber) {
    const other = found.get(Number(value));
    found.set(Number(value), other === undefined || other?.text === value.text ? value : null);
  } else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) collect(child as Json, found);
  }
}

function restore(before: Json | undefined, written: Json, moved: Map<number, ExactNumber | null>): Json {
  if (typeof written === 'number') {
    const same = before instanceof ExactNumber && Number(before) === written;
    return same ? before : (moved.get(written) ?? written);
  }
  if (Array.isArray(written)) {
    const items = Array.isArray(before) ? before : [];
    return written.map((item, index) => restore(items[index], item, moved));
  }
  if (!isObject(written)) return written;
  const old = isObject(before) ? (before as { [key: string]: Json }) : {};
  const child = (item: Json, key: string): Json => restore(Object.hasOwn(old, key) ? old[key] : undefined, item, moved);
  return mapObject(written as { [key: string]: Json }, child) as Json;
}

function mapObject(value: { [key: string]: Json }, map: (child: Json, key: string) => unknown): unknown {
  const copy = {};
  for (const [key, child] of Object.entries(value)) setOwn(copy, key, map(child, key));
  return copy;
}
