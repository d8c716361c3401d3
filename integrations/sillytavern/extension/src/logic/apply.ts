// Applies the steps with which the engine answers when a story was changed elsewhere (edit, page switch,
// undo). In: the chat array and one step. Out: what the host must show again. Pure over the array: no saving,
// no rendering.
import type { HostChange } from 'storeyline-client';
import { textHash } from './hash';
import { type ChatMessage, KEY, activePage, boundIn, boundOn, pageCount } from './message';

export type Shown =
  | { kind: 'render'; floor: number }
  | { kind: 'select'; floor: number; index: number }
  | { kind: 'reload' }
  | { kind: 'nothing' };

/**
 * Applies a step to the chat; `select` is only located here, because the host's own function should do it.
 */
export function applyStep(chat: ChatMessage[], step: HostChange): Shown {
  if (step.op === 'replace') {
    chat.splice(step.floor, chat.length - step.floor, ...(step.messages as ChatMessage[]));
    return { kind: 'reload' };
  }
  const floor = floorOfPage(chat, step.floor, step.page);
  const message = chat[floor];
  if (!message) return { kind: 'nothing' };
  if (step.op === 'select') {
    const index = pageIndex(message, step.page);
    return index === activePage(message) ? { kind: 'nothing' } : { kind: 'select', floor, index };
  }
  return editActive(message, step.page, step.text) ? { kind: 'render', floor } : { kind: 'nothing' };
}

/**
 * Makes a stored page the active one, as the host does when it swipes; for messages that are not on screen.
 */
export function selectPage(message: ChatMessage, index: number): boolean {
  const text = message.swipes?.[index];
  if (typeof text !== 'string') return false;
  const left = activePage(message);
  const leftInfo = message.swipe_info?.[left];
  if (leftInfo && typeof message.swipes?.[left] === 'string') {
    message.swipes[left] = message.mes ?? '';
    leftInfo.extra = structuredClone(message.extra ?? {});
  }
  const info = message.swipe_info?.[index];
  message.swipe_id = index;
  message.mes = text;
  message.send_date = info?.send_date ?? message.send_date;
  message['gen_started'] = info?.['gen_started'];
  message['gen_finished'] = info?.['gen_finished'];
  message.extra = structuredClone(info?.extra ?? {});
  return true;
}

function editActive(message: ChatMessage, page: string, text: string): boolean {
  const active = activePage(message);
  const bound = boundOn(message, active);
  if (bound?.id !== page || message.mes === text) return false;
  message.mes = text;
  if (typeof message.swipes?.[active] === 'string') message.swipes[active] = text;
  const value = { ...bound, h: textHash(text) };
  (message.extra ??= {})[KEY] = value;
  const mirror = message.swipe_info?.[active]?.extra;
  if (mirror) mirror[KEY] = { ...value };
  return true;
}

// The floor is a hint: floors may have moved since the step was written, the page id has not.
function floorOfPage(chat: ChatMessage[], hint: number, page: string): number {
  const at = chat[hint];
  return at && pageIndex(at, page) >= 0 ? hint : chat.findIndex((message) => pageIndex(message, page) >= 0);
}

function pageIndex(message: ChatMessage, page: string): number {
  for (let index = 0; index < pageCount(message); index++) {
    if (boundOn(message, index)?.id === page) return index;
  }
  return boundIn(message.extra)?.id === page ? activePage(message) : -1;
}
