// The menu of a value in the tree: what it offers depends on what the value is and on what holds for it.
import type { Floor, Path } from 'storeyline-client';
import { canLock, lockOf, withLock, withoutLock } from '../../logic/schema_lock';
import type { Row } from '../../logic/tree';
import { pathText, wholeText } from '../../logic/value_text';
import type { Pins } from '../../model/pins.svelte';
import type { Session } from '../../model/session.svelte';
import type { StorySchema } from '../../model/story_schema.svelte';
import type { MenuItem } from '../../parts/menu';
import type { Words } from '../../words/zh';
import type { FLOORS } from './words';

export interface RowActs {
  session: Session;
  schema: StorySchema;
  pins: Pins;
  shown: Floor;
  editable: boolean;
  words: Words;
  own: (typeof FLOORS)['zh'];
  history: (path: Path) => void;
}

export function rowActs(acts: RowActs, row: Row): MenuItem[] {
  const { session, pins, shown, words, own } = acts;
  const path = pathText(row.path);
  const value = typeof row.value === 'string' ? row.value : wholeText(row.value);
  const copy = (text: string) => () => void copyText(acts, text);
  const there = row.mark !== 'removed';
  return [
    { label: words.copyPath, does: copy(path) },
    { label: words.copyValue, does: copy(value) },
    { label: words.copyMacro, does: copy(`{{vs_get::${path}}}`) },
    { label: words.fullHistory, does: () => acts.history(row.path) },
    ...(there ? [lockItem(acts, row.path)] : []),
    { label: pins.has(row.path) ? own.unpin : own.pin, does: () => pins.toggle(row.path) },
    ...(there && acts.editable ? [{ label: words.deleteValue, does: () => void session.mutate({ kind: 'unset', page: shown.page, path: row.path }, own.removed) }] : []),
  ];
}

function lockItem(acts: RowActs, path: Path): MenuItem {
  const { own, schema } = acts;
  const lock = lockOf(schema.schema, path);
  if (lock === 'own') return { label: own.unlock, does: () => void turn(acts, path, false) };
  const hint = lock === 'outer' ? own.lockOuter : canLock(path) ? own.lockHint : own.lockItem;
  return { label: own.lock, hint, disabled: lock === 'outer' || !canLock(path), does: () => void turn(acts, path, true) };
}

async function turn({ session, schema, own }: RowActs, path: Path, on: boolean): Promise<void> {
  const before = schema.schema;
  const next = on ? withLock(before, path) : before && withoutLock(before, path);
  const undo = await session.attempt(() => schema.replace(next));
  if (undo) session.toasts.show({ kind: on ? 'lock' : 'unlock', text: on ? own.lockedNow : own.unlockedNow, undo: () => session.attempt(undo).then(() => {}) });
}

async function copyText({ session, own }: RowActs, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    session.toasts.show({ kind: 'copy', text: own.copied });
  } catch {
    session.toasts.show({ kind: 'copy', text: own.copyFailed });
  }
}
