// The flat list of rows that an editable tree shows. Containers with many items are shown in pages.
import type { Json, Path, Step } from 'storeyline-client';
import { isList, isObject, valueText } from './value_text';

export const PAGE = 200;

interface Base {
  id: string;
  path: Path;
  /** From 1, as aria-level counts. */
  level: number;
  position: number;
  siblings: number;
}

export interface ValueRow extends Base {
  kind: 'value';
  key: Step;
  /** The key belongs to an object and can be renamed. */
  named: boolean;
  shape: 'object' | 'list' | 'leaf';
  value: Json;
  /** Null for a leaf and for an empty container: nothing to fold. */
  open: boolean | null;
}

/** Which part of a large container is shown; `path` is the container. */
export interface PagerRow extends Base {
  kind: 'pager';
  from: number;
  to: number;
  of: number;
}

export type JsonRow = ValueRow | PagerRow;

export interface JsonView {
  /** What the user folded (false) or unfolded (true), by row id. */
  folds: ReadonlyMap<string, boolean>;
  /** The first item shown of a large container, by row id. */
  pages: ReadonlyMap<string, number>;
  query: string;
}

export function rowId(path: Path): string {
  return JSON.stringify(path);
}

export function jsonRows(root: Json, view: JsonView): JsonRow[] {
  const rows: JsonRow[] = [];
  emitKids(rows, root, [], 1, { ...view, query: view.query.trim().toLowerCase() }, false);
  return rows;
}

function emitKids(rows: JsonRow[], container: Json, path: Path, level: number, view: JsonView, inside: boolean): void {
  const kids = kidsOf(container);
  const paged = view.query === '' && kids.length > PAGE;
  const from = paged ? pageStart(view.pages.get(rowId(path)) ?? 0, kids.length) : 0;
  const shown = paged ? kids.slice(from, from + PAGE) : kids;
  if (paged) {
    rows.push({ kind: 'pager', id: `pager${rowId(path)}`, path, level, from, to: from + shown.length, of: kids.length, position: 1, siblings: kids.length });
  }
  for (const [index, [key, value]] of shown.entries()) {
    const at = { key, value, named: !isList(container), path: [...path, key], level, position: from + index + 1, siblings: kids.length };
    emitKid(rows, at, view, inside);
  }
}

/** The first item of the page that an item is on. */
export function pageStart(item: number, of: number): number {
  const last = Math.max(0, Math.ceil(of / PAGE) - 1) * PAGE;
  return Math.min(last, Math.max(0, Math.floor(item / PAGE) * PAGE));
}

export function kidsOf(container: Json): [Step, Json][] {
  if (isList(container)) return container.map((value, index): [Step, Json] => [index, value]);
  return isObject(container) ? Object.entries(container) : [];
}

type Kid = Omit<ValueRow, 'kind' | 'id' | 'shape' | 'open'>;

function emitKid(rows: JsonRow[], kid: Kid, view: JsonView, inside: boolean): void {
  const shape = isList(kid.value) ? 'list' : isObject(kid.value) ? 'object' : 'leaf';
  const id = rowId(kid.path);
  const searching = view.query !== '';
  const matches = inside || !searching || fits(kid, shape, view.query);
  const size = kidsOf(kid.value).length;
  const open = shape === 'leaf' || size === 0 ? null : searching || (view.folds.get(id) ?? opensItself(kid.level, size));
  const before = rows.length;
  rows.push({ ...kid, kind: 'value', id, shape, open });
  if (open === true) emitKids(rows, kid.value, kid.path, kid.level + 1, view, searching && matches);
  if (!matches && rows.length === before + 1) rows.pop();
}

function fits(kid: Kid, shape: ValueRow['shape'], query: string): boolean {
  if (String(kid.key).toLowerCase().includes(query)) return true;
  return shape === 'leaf' && valueText(kid.value).toLowerCase().includes(query);
}

function opensItself(level: number, size: number): boolean {
  return level === 1 || (level === 2 && size <= PAGE);
}

/** Where the cursor goes after the row `id` is gone: the next one at its place, else the last. */
export function rowAfter(rows: readonly JsonRow[], index: number): string | null {
  const gone = rows[index];
  if (!gone) return null;
  const next = rows.slice(index + 1).find((row) => row.level <= gone.level);
  return (next ?? rows[index - 1])?.id ?? null;
}

/** Levels of containers in a value; a leaf has none. */
export function depthOf(value: Json): number {
  const kids = kidsOf(value);
  const own = isList(value) || isObject(value) ? 1 : 0;
  return kids.reduce((deepest, [, kid]) => Math.max(deepest, own + depthOf(kid)), own);
}
