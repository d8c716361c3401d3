// A chat as declared to the engine: one row per turn, and the chain of digests that proves an unchanged
// beginning. In: bound messages. Out: rows. It reads ids and hashes that the binding rule wrote and never
// makes any.
import type { SyncPage, SyncRow } from 'storeyline-client';
import { digest128, textHash } from './hash';
import {
  type ChatMessage, activePage, boundOn, isBetween, isHidden, isPending, nameOf, pageCount, pageText, roleOf,
} from './message';
import { inPieces } from './pieces';
import { wellFormed } from './text';

/** A row with the id of its active page, and its text, by which rows are compared and chained. */
export interface TextRow {
  row: SyncRow;
  id: string;
  text: string;
}

export function textRow(row: SyncRow): TextRow {
  return { row, id: row.swipes[row.active]!.id, text: rowText(row) };
}

/**
 * Returns the rows of a chat, or null when it must not be declared now: a page without an id, with the id of
 * another page (the host appends clones and reports it later) or with another text than its hash (it is being
 * written), or a message between two steps. The next event repairs it.
 *
 * A pending message is declared with its last stored page: the pending page does not exist yet.
 */
export function chatRows(chat: ChatMessage[]): TextRow[] | null {
  const rows: TextRow[] = [];
  const ids = new Set<string>();
  for (const message of chat) {
    const row = isBetween(message) ? null : messageRow(message);
    if (!row) return null;
    for (const { id } of row.swipes) {
      if (ids.has(id)) return null;
      ids.add(id);
    }
    rows.push(withText(message, row));
  }
  return rows;
}

/** Builds the rows of a long chat in pieces, so that `chatRows` finds them in the cache. */
export async function readRows(chat: readonly ChatMessage[]): Promise<void> {
  await inPieces(chat.length, (floor) => {
    const message = chat[floor];
    const row = message && messageRow(message);
    if (row) withText(message, row);
  });
}

/** Caches the rows of these messages. */
export function keepRows(chat: readonly ChatMessage[], rows: readonly TextRow[]): void {
  chat.forEach((message, floor) => {
    if (rows[floor]) written.set(message, rows[floor]);
  });
}

// Formatting rows is the expensive part of a pass over a long chat, and nearly all rows are unchanged.
const written = new WeakMap<ChatMessage, TextRow>();

function withText(message: ChatMessage, row: SyncRow): TextRow {
  const before = written.get(message);
  if (before && sameRow(before.row, row)) return before;
  const made = textRow(row);
  written.set(message, made);
  return made;
}

function sameRow(a: SyncRow, b: SyncRow): boolean {
  return a.role === b.role && a.name === b.name && a.hidden === b.hidden && a.active === b.active
    && a.swipes.length === b.swipes.length && a.swipes.every(({ id, h }, page) => id === b.swipes[page]!.id && h === b.swipes[page]!.h);
}

/** Returns the row as text (docs/api.md, `keep.digest`). */
export function rowText(row: SyncRow): string {
  const { id, h } = row.swipes[row.active]!;
  const pages = row.swipes.map(({ id, h }) => [id, h]);
  return JSON.stringify([id, h, row.role, wellFormed(row.name), row.hidden, row.active, pages]);
}

/** Returns the number of equal leading rows. */
export function commonLength(left: readonly { text: string }[], right: readonly { text: string }[]): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && same(left[length]!, right[length]!)) length++;
  return length;
}

/** Tells whether two chats are the same, row by row; an unreadable one equals no other. */
export function sameRows(left: readonly { text: string }[] | null, right: readonly { text: string }[] | null): boolean {
  return left !== null && right !== null && left.length === right.length && commonLength(left, right) === left.length;
}

function same(left: { text: string }, right: { text: string }): boolean {
  return left === right || left.text === right.text;
}

/**
 * Returns d(0) … d(n); the first `known.length` digests are taken over, they must belong to the same rows.
 */
export function digestChain(rows: readonly { text: string }[], known: readonly string[] = ['']): string[] {
  const chain = known.slice(0, rows.length + 1);
  if (chain.length === 0) chain.push('');
  for (let i = chain.length - 1; i < rows.length; i++) chain.push(digest128(chain[i]! + rows[i]!.text));
  return chain;
}

/** Same as `digestChain`; thousands of rows are processed in pieces. */
export async function digestChainInPieces(rows: readonly { text: string }[], known: readonly string[] = ['']): Promise<string[]> {
  const chain = digestChain([], known.slice(0, rows.length + 1));
  const first = chain.length - 1;
  await inPieces(rows.length - first, (index) => chain.push(digest128(chain.at(-1)! + rows[first + index]!.text)));
  return chain;
}

function messageRow(message: ChatMessage): SyncRow | null {
  const swipes: SyncPage[] = [];
  for (let page = 0; page < pageCount(message); page++) {
    const bound = boundOn(message, page);
    if (!bound || bound.h !== textHash(pageText(message, page))) return null;
    swipes.push({ id: bound.id, h: bound.h });
  }
  const active = isPending(message) ? swipes.length - 1 : activePage(message);
  return { role: roleOf(message), name: nameOf(message), hidden: isHidden(message), swipes, active };
}
