// The menu of a value in the tree: what it offers depends on what the value is and on what holds for it.
import type { Floor, PageId, Path } from 'storeyline-client';
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
  const source = sourcePage(row);
  return [
    ...(source === null ? [] : [{ label: own.openSource, does: () => void openPage(acts, source) }]),
    { label: words.copyPath, does: copy(path) },
    { label: words.copyValue, does: copy(value) },
    { label: words.copyMacro, does: copy(`{{vs_get::${path}}}`) },
    { label: words.fullHistory, does: () => acts.history(row.path) },
    ...(there ? [lockItem(acts, row.path)] : []),
    { label: pins.has(row.path) ? own.unpin : own.pin, does: () => pins.toggle(row.path) },
    ...(there && acts.editable ? [{ label: words.deleteValue, does: () => void session.mutate({ kind: 'unset', page: shown.page, path: row.path }, own.removed) }] : []),
  ];
}

const PAGE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The page that an entry of a list of events names in `sourceMessageId`, at the entry and at that value. */
export function sourcePage({ key, value }: Pick<Row, 'key' | 'value'>): PageId | null {
  const inside = typeof value === 'object' && value !== null && 'sourceMessageId' in value ? value.sourceMessageId : null;
  const id = key === 'sourceMessageId' ? value : inside;
  return typeof id === 'string' && PAGE_ID.test(id.toLowerCase()) ? id.toLowerCase() : null;
}

/** Goes to the floor of a page: on the open branch if it has it, else on one that does. */
async function openPage({ session, own }: RowActs, page: PageId): Promise<void> {
  const { story, ref } = session.place;
  if (story === null) return;
  const places = await session.attempt((engine) => engine.pagePlaces(story, page));
  if (!places) return;
  const living = places.filter(({ trashed }) => !trashed);
  const place = living.find((one) => one.ref === ref) ?? living[0];
  if (!place) return session.toasts.show({ kind: 'no source', text: () => own.noSource });
  session.openFloor(story, place.ref, place.floor);
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
