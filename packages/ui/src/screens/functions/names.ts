// What the code editor completes: the names that a function sees, and the paths of a state.
import type { Json } from 'storeyline-client';
import type { CodeName } from '../../parts/code_mirror';
import { isList, isObject, pathText } from '../../logic/value_text';

const CONTEXT = ['floor', 'round', 'pageId', 'role', 'speaker', 'user', 'char', 'text', 'calls', 'profile', 'time'];
const LODASH = ['get', 'set', 'has', 'unset', 'clamp', 'cloneDeep', 'find', 'findIndex', 'filter', 'map', 'pull', 'random', 'sum', 'sumBy', 'uniq'];

/** Maximum number of paths: a list of completions that is longer helps nobody. */
const MAX_PATHS = 500;

const GLOBALS: CodeName[] = [
  { label: 'snapshot', detail: 'state' },
  { label: 'args', detail: 'arguments' },
  { label: 'context', detail: '' },
  ...CONTEXT.map((name) => ({ label: `context.${name}`, detail: '' })),
  { label: '_', detail: 'lodash' },
  ...LODASH.map((name) => ({ label: `_.${name}`, detail: 'lodash' })),
  { label: 'addMinutes', detail: '(time, n)' },
  { label: 'addHours', detail: '(time, n)' },
  { label: 'addDays', detail: '(time, n)' },
  { label: 'console.log', detail: '' },
];

export function codeNames(state: Json): CodeName[] {
  return [...GLOBALS, ...statePaths(state).map((label) => ({ label, detail: 'path' }))];
}

/** The paths of a state, outermost first; items of lists are left out. */
export function statePaths(state: Json): string[] {
  const found: string[] = [];
  const todo: { value: Json; path: string[] }[] = [{ value: state, path: [] }];
  for (let next = todo.shift(); next && found.length < MAX_PATHS; next = todo.shift()) {
    if (next.path.length > 0) found.push(pathText(next.path));
    if (!isObject(next.value) || isList(next.value)) continue;
    for (const key of Object.keys(next.value)) {
      if (todo.length + found.length >= MAX_PATHS) break;
      todo.push({ value: next.value[key] as Json, path: [...next.path, key] });
    }
  }
  return found;
}
