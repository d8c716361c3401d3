// Reads a value by a path as `{{vs_get::…}}` writes it: lodash syntax, the literal key first. In: a state and
// a path text. Out: the value, or undefined. Only own properties count.
import { type Json, isObject } from './json';

export function getPath(state: Json, path: string): Json | undefined {
  const trimmed = path.trim();
  if (trimmed === '') return state;
  const literal = child(state, trimmed);
  if (literal !== undefined) return literal;
  let node: Json | undefined = state;
  for (const key of parsePath(trimmed)) {
    node = node === undefined ? undefined : child(node, key);
  }
  return node;
}

/** Splits `a.b[0]["c.d"]` into keys. Never fails: invalid text becomes part of a key. */
export function parsePath(path: string): string[] {
  const keys: string[] = [];
  const piece = /\[\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\]]*))\s*\]|([^.[\]]+)/g;
  for (const match of path.matchAll(piece)) {
    const quoted = match[1] ?? match[2];
    keys.push(quoted !== undefined ? quoted.replace(/\\(.)/g, '$1') : (match[3]?.trim() ?? match[4]!.trim()));
  }
  return keys;
}

function child(node: Json, key: string): Json | undefined {
  if (Array.isArray(node)) {
    if (key === 'length') return node.length;
    return /^\d+$/.test(key) ? node[Number(key)] : undefined;
  }
  return isObject(node) && Object.hasOwn(node, key) ? (node[key] as Json) : undefined;
}
