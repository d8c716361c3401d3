// The binding rule: gives every page of a chat an id that stays with it through edits, copies and branches.
// In: the chat array and a few facts. Out: whether anything was written into it. One idempotent pass over the
// whole chat; it may be called at any event. The facts of the host behind each line are in docs/design
// (binding). It does not save, and it does not know the engine.
import { textHash } from './hash';
import {
  type Bound, type ChatMessage, type Extra, KEY, activePage, boundIn, boundOn, isBetween, isPending, pageCount, pageText,
} from './message';
import { inPieces } from './pieces';
import { uuid4, uuid5 } from './uuid';

export interface BindingFacts {
  /**
   * The chat uid, or null while it is unknown (before the first CHAT_CHANGED): pristine greetings then wait.
   */
  chatUid: string | null;
  group: boolean;
  tainted: boolean;
  /** The card's own greeting; with a single greeting the host keeps only the resolved text. */
  firstMessage: string;
  /**
   * True at CHAT_CHANGED only: then a message that looks "between" was loaded like this, and no event will
   * follow.
   */
  chatChanged: boolean;
  newId?: () => string;
}

interface Slot {
  message: ChatMessage;
  page: number;
  text: string;
  hash: string;
  bound: Bound | null;
}

/** Binds every page of the chat; tells whether anything was written. */
export function bindChat(chat: ChatMessage[], facts: BindingFacts): boolean {
  let written = false;
  for (const message of chat) written = forgetPending(message) || written;
  const slots = chat.flatMap((message) => slotsOf(message, facts.chatChanged));
  dropInherited(slots);
  mint(slots, chat, facts);
  for (const slot of slots) written = write(slot) || written;
  return written;
}

/**
 * Gives ids to messages that have none on any page, in pieces; tells whether anything was written.
 *
 * Such a message has nothing in common with any other, so the rest of the chat is not needed. For a long chat
 * that is processed the first time, `bindChat` then finds everything done.
 */
export async function bindNew(chat: readonly ChatMessage[], wanted: () => boolean): Promise<boolean> {
  if (chat.length < 2) return false;
  let written = false;
  await inPieces(chat.length, (floor) => {
    const message = chat[floor];
    if (!message || isPending(message)) return;
    const slots = slotsOf(message, true);
    if (slots.some(({ bound }) => bound !== null)) return;
    for (const slot of slots) {
      slot.bound = { id: uuid4(), h: slot.hash };
      written = write(slot) || written;
    }
  }, wanted);
  return written;
}

/**
 * Tells whether this chat is still only its greeting, which the host may replace and resolve again at any
 * time.
 */
export function isPristine(chat: ChatMessage[], facts: Pick<BindingFacts, 'group' | 'tainted'>): boolean {
  const only = chat[0];
  return chat.length === 1 && only !== undefined && !facts.group && !facts.tainted && !only.is_user && !only.is_system;
}

// The pending page must not be taken for the page it replaces.
function forgetPending(message: ChatMessage): boolean {
  if (!isPending(message) || !message.extra || !(KEY in message.extra)) return false;
  delete message.extra[KEY];
  return true;
}

function slotsOf(message: ChatMessage, chatChanged: boolean): Slot[] {
  const skipActive = !chatChanged && isBetween(message);
  const slots: Slot[] = [];
  for (let page = 0; page < pageCount(message); page++) {
    if (skipActive && page === activePage(message)) continue;
    const text = pageText(message, page);
    slots.push({ message, page, text, hash: textHash(text), bound: boundOn(message, page) });
  }
  return slots;
}

// The host copies `extra` into every page it appends, so an id that occurs twice was inherited by one of the
// two.
function dropInherited(slots: Slot[]): void {
  const owners = new Map<string, Slot>();
  for (const slot of slots) {
    if (!slot.bound) continue;
    const earlier = owners.get(slot.bound.id);
    if (!earlier) {
      owners.set(slot.bound.id, slot);
    } else if (earlier.bound?.h !== earlier.hash && slot.bound.h === slot.hash) {
      earlier.bound = null;
      owners.set(slot.bound.id, slot);
    } else {
      slot.bound = null;
    }
  }
}

function mint(slots: Slot[], chat: ChatMessage[], facts: BindingFacts): void {
  const pristine = isPristine(chat, facts);
  const greetingId = pristine && facts.chatUid ? greetingIds(chat[0]!, facts.chatUid, facts.firstMessage) : null;
  for (const slot of slots) {
    if (slot.bound || (pristine && !greetingId)) continue;
    const id = greetingId ? greetingId(slot.page) : (facts.newId ?? uuid4)();
    slot.bound = { id, h: slot.hash };
  }
}

// While pristine, the host discards the greeting and makes it again; an id derived from the raw text comes
// back.
function greetingIds(message: ChatMessage, chatUid: string, firstMessage: string): (page: number) => string {
  const raw = pageCount(message) > 1 ? message.swipes!.map((text) => (typeof text === 'string' ? text : '')) : [firstMessage];
  return (page) => {
    const text = raw[page] ?? '';
    const earlier = raw.slice(0, page).filter((other) => other === text).length;
    return uuid5(chatUid, earlier === 0 ? text : `${text}\0${earlier}`);
  };
}

function write(slot: Slot): boolean {
  if (!slot.bound) return false;
  const value: Bound = { ...slot.bound, h: slot.hash };
  const { message, page } = slot;
  if (page !== activePage(message)) return put(infoExtra(message, page), value);
  message.extra ??= {};
  const shown = put(message.extra, value);
  const mirror = message.swipe_info?.[page] ? put(infoExtra(message, page), value) : false;
  return shown || mirror;
}

function put(extra: Extra, value: Bound): boolean {
  const present = boundIn(extra);
  if (present?.id === value.id && present.h === value.h) return false;
  extra[KEY] = { ...value };
  return true;
}

// Old files have swipes without `swipe_info`; the host fills the gap in the same way when it shows the
// message.
function infoExtra(message: ChatMessage, page: number): Extra {
  message.swipe_info ??= [];
  const info = (message.swipe_info[page] ??= { send_date: message.send_date, extra: {} });
  return (info.extra ??= {});
}
