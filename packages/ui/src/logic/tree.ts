// Converts a state, the marks of this floor and what it set to the flat list of rows that the tree shows.
// Keys are in stored order; a removed item is at its old position in a list and at the end of an object.
import type { Json, Path, Step } from 'storeyline-client';
import type { SetNode } from './causes';
import { hasMarks, type Gone, type MarkNode } from './marks';
import { isList, isObject, valueText } from './value_text';

export type RowMark = 'changed' | 'added' | 'removed';

export interface Row {
  /** Stable name of the row within one floor. */
  id: string;
  path: Path;
  key: Step;
  /** From 1, as aria-level counts. */
  level: number;
  shape: 'object' | 'list' | 'leaf';
  value: Json | undefined;
  mark: RowMark | null;
  old: Json | undefined;
  hasOld: boolean;
  /** Null for a leaf and for an empty container: nothing to fold. */
  open: boolean | null;
  /** A folded container with changes inside. */
  changesInside: boolean;
  /** Whether this floor set the value or one above; null for an open container, whose rows show it. */
  cause: 'here' | 'above' | null;
  position: number;
  siblings: number;
}

export interface TreeInput {
  state: Json;
  marks: MarkNode;
  set: SetNode;
}

export interface TreeView {
  /** What the user folded (false) or unfolded (true), by row id. */
  folds: ReadonlyMap<string, boolean>;
  onlyChanges: boolean;
  query: string;
}

/** A container below the top with more keys than this starts folded. */
export const FOLD_ABOVE = 200;

export function rowsOf(input: TreeInput, view: TreeView): Row[] {
  const rows: Row[] = [];
  const walk: Walk = { input, view, query: view.query.trim().toLowerCase(), rows };
  emitKids(walk, {
    value: input.state,
    id: '[]',
    path: [],
    level: 1,
    marks: input.marks,
    set: input.set,
    setHere: input.set.own,
    added: false,
    shown: false,
  });
  return rows;
}

interface Walk {
  input: TreeInput;
  view: TreeView;
  query: string;
  rows: Row[];
}

/** A container on the path, with what its children inherit. */
interface Container {
  value: Json;
  id: string;
  path: Path;
  level: number;
  marks: MarkNode | undefined;
  set: SetNode | undefined;
  /** This floor set it, or a container of it. */
  setHere: boolean;
  /** Inside something that this floor added. */
  added: boolean;
  /** An ancestor passed the filter with all its contents. */
  shown: boolean;
}

function emitKids(walk: Walk, container: Container): void {
  const firsts: Row[] = [];
  for (const kid of kidsOf(container)) {
    const row = kid.gone ? emitGone(walk, container, kid.gone) : emitKid(walk, container, kid.key, kid.value);
    if (row) firsts.push(row);
  }
  firsts.forEach((row, index) => {
    row.position = index + 1;
    row.siblings = firsts.length;
  });
}

type Kid = { gone?: undefined; key: Step; value: Json } | { gone: Gone };

function* kidsOf(container: Container): Generator<Kid> {
  const gone = container.added ? [] : (container.marks?.gone ?? []);
  if (isList(container.value)) {
    const rest = [...gone].sort((a, b) => Number(a.key) - Number(b.key));
    for (const [index, value] of container.value.entries()) {
      while (rest[0] !== undefined && Number(rest[0].key) <= index) yield { gone: rest.shift() as Gone };
      yield { key: index, value };
    }
    for (const item of rest) yield { gone: item };
  } else if (isObject(container.value)) {
    for (const key of Object.keys(container.value)) yield { key, value: container.value[key] as Json };
    for (const item of gone) yield { gone: item };
  }
}

function emitGone(walk: Walk, container: Container, gone: Gone): Row | null {
  if (!passes(walk, container, gone.key, gone.old)) return null;
  const path = [...container.path, gone.key];
  const row: Row = {
    id: `-${walk.rows.length}${JSON.stringify(path)}`,
    path,
    key: gone.key,
    level: container.level,
    shape: shapeOf(gone.old),
    value: gone.old,
    mark: 'removed',
    old: gone.old,
    hasOld: false,
    open: null,
    changesInside: false,
    cause: 'here',
    position: 0,
    siblings: 0,
  };
  walk.rows.push(row);
  return row;
}

function emitKid(walk: Walk, container: Container, key: Step, value: Json): Row | null {
  const marks = container.added ? undefined : container.marks?.kids.get(key);
  const mark = container.added ? ({ kind: 'added' } as const) : (marks?.mark ?? null);
  const changesInside = mark !== null || hasMarks(marks);
  if (walk.view.onlyChanges && !container.shown && !changesInside) return null;

  const set = container.set?.kids.get(key);
  const setHere = container.setHere || (set?.own ?? false);
  const path = [...container.path, key];
  const id = idOf(container.id, key);
  const shape = shapeOf(value);
  const matches = passes(walk, container, key, value);
  const open = openState(walk, { id, shape, value, level: container.level, changesInside });
  const row: Row = {
    id,
    path,
    key,
    level: container.level,
    shape,
    value,
    mark: mark?.kind ?? null,
    old: mark?.kind === 'changed' ? mark.old : undefined,
    hasOld: mark?.kind === 'changed',
    open,
    changesInside: open === false && changesInside && mark === null,
    cause: null,
    position: 0,
    siblings: 0,
  };
  if (mark !== null) row.cause = 'here';
  else if (open !== true) row.cause = setHere || set?.inside ? 'here' : 'above';

  const start = walk.rows.push(row);
  if (open === true || (walk.query !== '' && open !== null)) {
    emitKids(walk, {
      value,
      id,
      path,
      level: container.level + 1,
      marks,
      set,
      setHere,
      added: mark?.kind === 'added',
      shown: container.shown || mark !== null || (walk.query !== '' && matches),
    });
  }
  if (walk.query !== '' && !matches && walk.rows.length === start) {
    walk.rows.pop();
    return null;
  }
  return row;
}

/** The path as JSON, made from that of the container: a state has thousands of rows. */
function idOf(container: string, key: Step): string {
  const begin = container.length === 2 ? '[' : `${container.slice(0, -1)},`;
  return `${begin}${typeof key === 'number' ? key : JSON.stringify(key)}]`;
}

function shapeOf(value: Json | undefined): Row['shape'] {
  if (isList(value)) return 'list';
  return isObject(value) ? 'object' : 'leaf';
}

function passes(walk: Walk, container: Container, key: Step, value: Json | undefined): boolean {
  if (walk.query === '' || (container.shown && !walk.view.onlyChanges)) return true;
  return contains(key, value, walk.query);
}

function contains(key: Step, value: Json | undefined, query: string): boolean {
  if (String(key).toLowerCase().includes(query)) return true;
  return shapeOf(value) === 'leaf' && valueText(value).toLowerCase().includes(query);
}

interface Foldable {
  id: string;
  shape: Row['shape'];
  value: Json;
  level: number;
  changesInside: boolean;
}

/** The top two levels start open, and every container with a change; a search opens everything. */
function openState(walk: Walk, kid: Foldable): boolean | null {
  if (kid.shape === 'leaf') return null;
  const size = isList(kid.value) ? kid.value.length : Object.keys(kid.value as object).length;
  if (size === 0 && !kid.changesInside) return null;
  if (walk.query !== '') return true;
  const chosen = walk.view.folds.get(kid.id);
  if (chosen !== undefined) return chosen;
  if (kid.changesInside) return true;
  return kid.level === 1 || (kid.level === 2 && size <= FOLD_ABOVE);
}

/** The next row in that direction whose own key or value contains the words, around the end; null: there is none. */
export function nextHit(rows: readonly Row[], from: number, query: string, step: 1 | -1): number | null {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return null;
  for (let distance = 1; distance <= rows.length; distance++) {
    const index = (((from + step * distance) % rows.length) + rows.length) % rows.length;
    const row = rows[index];
    if (row && contains(row.key, row.value, wanted)) return index;
  }
  return null;
}
