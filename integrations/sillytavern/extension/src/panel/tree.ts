// Shows a state as a foldable tree. In: a JSON value. Out: elements. Branches are built when they are opened,
// and only some children at a time, so that a large state costs nothing until it is viewed.
import { type Json, isObject } from '../logic/json';
import { type Language, WORDS, say } from '../logic/words';
import { cut, make } from './dom';

const CHILDREN = 100;
const TEXT_LENGTH = 300;
const OPEN_DEPTH = 1;

/** Makes the tree; `opened` remembers which branches the reader opened or closed, by path. */
export function tree(value: Json, language: Language, opened: Map<string, boolean>): HTMLElement {
  const root = make('div', 'sl-tree');
  appendChildren(root, value, language, opened, '', 0);
  return root;
}

/** Formats a value on one line. */
export function inline(value: Json | undefined): string {
  if (value === undefined) return '';
  return cut(JSON.stringify(value), TEXT_LENGTH);
}

function appendChildren(parent: HTMLElement, value: Json, language: Language, opened: Map<string, boolean>, path: string, depth: number): void {
  const entries = entriesOf(value);
  if (entries === null) {
    parent.append(leaf('', value));
    return;
  }
  let shown = 0;
  const more = (): void => {
    for (const [key, child] of entries.slice(shown, shown + CHILDREN)) parent.append(node(key, child, language, opened, `${path}/${key}`, depth));
    shown = Math.min(shown + CHILDREN, entries.length);
    if (shown >= entries.length) return;
    const button = make('button', 'sl-button', say(WORDS.more(entries.length - shown), language));
    button.type = 'button';
    button.addEventListener('click', () => {
      button.remove();
      more();
    });
    parent.append(button);
  };
  more();
}

function node(key: string, value: Json, language: Language, opened: Map<string, boolean>, path: string, depth: number): HTMLElement {
  const entries = entriesOf(value);
  if (entries === null || entries.length === 0) return leaf(key, value);
  const count = make('span', 'sl-dim', Array.isArray(value) ? ` [${entries.length}]` : ` {${entries.length}}`);
  const details = make('details', 'sl-branch', make('summary', 'sl-summary', make('span', 'sl-key', cut(key, TEXT_LENGTH)), count));
  const fill = (): void => {
    if (details.childElementCount === 1) appendChildren(details, value, language, opened, path, depth + 1);
  };
  details.open = opened.get(path) ?? depth < OPEN_DEPTH;
  if (details.open) fill();
  details.addEventListener('toggle', () => {
    opened.set(path, details.open);
    if (details.open) fill();
  });
  return details;
}

function leaf(key: string, value: Json): HTMLElement {
  const shown = make('span', 'sl-value', inline(value));
  return key === '' ? make('div', 'sl-leaf', shown) : make('div', 'sl-leaf', make('span', 'sl-key', cut(key, TEXT_LENGTH)), ': ', shown);
}

function entriesOf(value: Json): [string, Json][] | null {
  return Array.isArray(value) || isObject(value) ? (Object.entries(value) as [string, Json][]) : null;
}
