// Values and paths as one line of text. Strings are quoted and escaped, so that nothing in them has an
// effect.
import { ExactNumber, type Json, type JsonObject, type Path, type Step } from 'storeyline-client';

export const CUT_AT = 120;

export function isList(value: Json | undefined): value is Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Marks that reorder or hide text; shown as escapes so that the display matches the stored text. */
const UNSEEN = /[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u007f-\u009f]/g;

function quote(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A key as shown in the tree: quoted only if its ends or its marks would be invisible. */
export function keyLabel(key: Step): string {
  if (typeof key === 'number') return String(key);
  const quoted = quote(key);
  return key === '' || key !== key.trim() || quoted.length !== key.length + 2 ? quoted : key;
}

/** `"酒馆"`, `17`, `{ 2 }`, `[ 3 ]`: a container is only counted. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return '';
  if (isList(value)) return `[ ${value.length} ]`;
  if (isObject(value)) return `{ ${Object.keys(value).length} }`;
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' ? quote(value) : String(value);
}

/** The whole value as JSON text, indented. */
export function wholeText(value: Json | undefined, indent = ''): string {
  if (value === undefined) return '';
  const inner = `${indent}  `;
  if (isList(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + wholeText(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (isObject(value)) {
    const keys = Object.keys(value);
    if (keys.length === 0) return '{}';
    return `{\n${keys.map((key) => `${inner}${quote(key)}: ${wholeText(value[key], inner)}`).join(',\n')}\n${indent}}`;
  }
  return valueText(value);
}

/** Truncates after `limit` characters, never inside one. */
export function cut(text: string, limit = CUT_AT): { text: string; more: boolean } {
  if (text.length <= limit) return { text, more: false };
  const code = text.charCodeAt(limit - 1);
  const inside = code >= 0xd800 && code <= 0xdbff;
  return { text: `${text.slice(0, inside ? limit - 1 : limit)}…`, more: true };
}

/** `阿丽娅.信任`, `背包[2]`, `["a.b"].c`. */
export function pathText(path: Path): string {
  return path.map((key, index) => keyText(key, index === 0)).join('');
}

function keyText(key: Step, first: boolean): string {
  if (typeof key === 'number') return `[${key}]`;
  if (/[.[\]'\s]/u.test(key) || keyLabel(key) !== key) return `[${quote(key)}]`;
  return first ? key : `.${key}`;
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a instanceof ExactNumber || b instanceof ExactNumber) return valueText(a) === valueText(b);
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}
