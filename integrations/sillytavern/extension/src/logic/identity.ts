// The identity of a chat: decided at CHAT_CHANGED only, from the host's chat metadata and what we wrote there
// before. In: our stored record, the host's `integrity`, file and owner. Out: the chat uid, and the uid it
// was branched or copied from. No field tells a copy from a rename: only whether the old file still exists,
// which the caller looks up when asked.
import { CHAT_NAMESPACE, isUuid, uuid4, uuid5 } from './uuid';

/** Our record in `chat_metadata.storeyline`. */
export interface ChatRecord {
  story: string | null;
  chat: string;
  parent: string | null;
  base: string | null;
  integrity: string | null;
  file: string;
  owner: string;
  /** The names when the chat was first bound. */
  user: string;
  char: string;
}

export interface ChatPlace {
  integrity: string | null;
  file: string;
  owner: string;
}

export type Verdict = 'new' | 'same' | 'branch' | 'renamed' | 'copy' | 'moved';

/** Returns what the metadata tells; `moved` means: ask whether the old file still exists. */
export function readIdentity(stored: ChatRecord | null, place: ChatPlace): Verdict {
  if (!stored) return 'new';
  // A record from before the host had `integrity`, or a file that has lost it, gives no information.
  const marked = stored.integrity !== null && place.integrity !== null;
  if (marked && stored.integrity !== place.integrity) return 'branch';
  return stored.file === place.file && stored.owner === place.owner ? 'same' : 'moved';
}

/** Decides a `moved` chat. */
export function decideMoved(oldFileExists: boolean): Verdict {
  return oldFileExists ? 'copy' : 'renamed';
}

/** Returns the record to write for a verdict. */
export function chatRecord(
  verdict: Exclude<Verdict, 'moved'>, stored: ChatRecord | null, place: ChatPlace, names: { user: string; char: string },
): ChatRecord {
  if (stored && (verdict === 'same' || verdict === 'renamed')) return { ...stored, ...place };
  const fromIntegrity = place.integrity ? uuid5(CHAT_NAMESPACE, place.integrity) : uuid4();
  return {
    story: stored?.story ?? null,
    // A copy has the integrity of its original, so its uid cannot come from there.
    chat: verdict === 'copy' ? uuid4() : fromIntegrity,
    parent: stored?.chat ?? null,
    base: null,
    ...place,
    user: stored?.user ?? names.user,
    char: stored?.char ?? names.char,
  };
}

/** Reads our record from chat metadata; anything invalid counts as absent. */
export function readRecord(value: unknown): ChatRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const field = value as Record<string, unknown>;
  if (!isUuid(field['chat'])) return null;
  const text = (name: string): string => (typeof field[name] === 'string' ? (field[name] as string) : '');
  return {
    story: text('story') || null,
    chat: field['chat'],
    parent: isUuid(field['parent']) ? field['parent'] : null,
    base: text('base') || null,
    integrity: text('integrity') || null,
    file: text('file'),
    owner: text('owner'),
    user: text('user'),
    char: text('char'),
  };
}
