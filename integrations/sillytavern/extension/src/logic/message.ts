// The host's message as far as we read it, and simple queries on it. Nothing here changes a message. The
// host's field is `swipe_info`; our key in every `extra` is `storeyline`.
import type { Role } from 'storeyline-client';
import { isUuid } from './uuid';

/** Our key in `message.extra`, `swipe_info[i].extra` and `chat_metadata`. */
export const KEY = 'storeyline';

/** Our data on a page: its id and the hash of its text. */
export interface Bound {
  id: string;
  h: string;
  /** False: nothing of the page is executed, whoever speaks. */
  valid?: false;
}

export type Extra = Record<string, unknown>;

export interface SwipeInfo {
  send_date?: unknown;
  extra?: Extra | null;
  [field: string]: unknown;
}

export interface ChatMessage {
  name?: string;
  is_user?: boolean;
  is_system?: boolean;
  mes?: string;
  send_date?: unknown;
  extra?: Extra | null;
  swipe_id?: number;
  swipes?: string[];
  swipe_info?: (SwipeInfo | null | undefined)[];
  [field: string]: unknown;
}

export function roleOf(message: ChatMessage): Role {
  if (message.is_user) return 'user';
  const type = message.extra?.['type'];
  if (type === 'narrator' || type === 'summary') return type;
  if (typeof type === 'string' && type !== '') return 'other';
  const tools = message.extra?.['tool_invocations'];
  return tools === undefined || tools === null ? 'assistant' : 'other';
}

export function nameOf(message: ChatMessage): string {
  return typeof message.name === 'string' ? message.name : '';
}

/** Tells whether the message is hidden from the prompt; the host checks whether the field is truthy. */
export function isHidden(message: ChatMessage): boolean {
  return Boolean(message.is_system);
}

/** Returns the number of pages; a message without swipes is one page. */
export function pageCount(message: ChatMessage): number {
  return Array.isArray(message.swipes) && message.swipes.length > 0 ? message.swipes.length : 1;
}

/** Returns the index of the active page; while pending it is one past the last. */
export function activePage(message: ChatMessage): number {
  const hasSwipes = Array.isArray(message.swipes) && message.swipes.length > 0;
  return hasSwipes && Number.isInteger(message.swipe_id) && message.swipe_id! >= 0 ? message.swipe_id! : 0;
}

/** Tells whether the host shows a page that it has not generated yet. */
export function isPending(message: ChatMessage): boolean {
  return activePage(message) >= pageCount(message);
}

/**
 * Returns the text of a page.
 *
 * For the active page it is `mes`: on a greeting `mes` is resolved and `swipes[swipe_id]` stays raw, which is
 * normal.
 */
export function pageText(message: ChatMessage, page: number): string {
  const text = page === activePage(message) ? message.mes : message.swipes?.[page];
  return typeof text === 'string' ? text : '';
}

/** Returns our value in an `extra`, if it is valid. */
export function boundIn(extra: Extra | null | undefined): Bound | null {
  const value = extra?.[KEY];
  if (typeof value !== 'object' || value === null) return null;
  const { id, h, valid } = value as Partial<Bound>;
  if (!isUuid(id)) return null;
  return { id, h: typeof h === 'string' ? h : '', ...(valid === false && { valid }) };
}

export function boundOn(message: ChatMessage, page: number): Bound | null {
  const mirrored = boundIn(message.swipe_info?.[page]?.extra);
  return page === activePage(message) ? (boundIn(message.extra) ?? mirrored) : mirrored;
}

/**
 * Tells whether the host is between two steps on this message.
 *
 * After the active swipe was deleted, `extra` is still the deleted page's while `swipe_info` is already the
 * remaining page's.
 */
export function isBetween(message: ChatMessage): boolean {
  if (isPending(message)) return false;
  const shown = boundIn(message.extra);
  const stored = boundIn(message.swipe_info?.[activePage(message)]?.extra);
  return shown !== null && stored !== null && shown.id !== stored.id;
}
