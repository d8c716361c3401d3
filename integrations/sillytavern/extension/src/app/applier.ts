// Carries out changes made elsewhere through the host's own functions, then saves. Waits while the host
// generates, swipes or the user edits a message; gives up if the chat changed meanwhile, because the steps
// were made for another path. A replaced end of the chat is visible only after a reload, which comes once the
// engine knows everything in the chat.
import type { HostChange } from 'storeyline-client';
import type { Host } from '../host/host';
import { applyStep, selectPage } from '../logic/apply';
import { isPending } from '../logic/message';
import { chatRows, sameRows } from '../logic/rows';

const LOOK_AGAIN_MS = 250;

/** Waits until the host is idle; false if the chat is no longer the same. */
export async function whenIdle(host: Host, stillMeant: () => boolean, busy: () => boolean): Promise<boolean> {
  while (stillMeant()) {
    if (isIdle(host, busy)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return false;
}

function isIdle(host: Host, busy: () => boolean): boolean {
  const last = host.chat().at(-1);
  return !busy() && !host.generating() && !host.swiping() && !host.editing() && last !== undefined && !isPending(last);
}

/** The result for the chat: `unseen` means that the screen still shows the old messages. */
export type Carried = 'same' | 'shown' | 'unseen';

/** Applies the steps in order; `offScreen` tells that the screen already shows other messages. */
export async function carryOut(host: Host, steps: readonly HostChange[], offScreen: boolean): Promise<Carried> {
  let changed = false;
  let unseen = offScreen;
  for (const step of steps) {
    const shown = applyStep(host.chat(), step);
    changed ||= shown.kind !== 'nothing';
    if (shown.kind === 'reload') unseen = true;
    if (shown.kind === 'render' && !unseen) host.renderMessage(shown.floor);
    if (shown.kind === 'select') await select(host, shown.floor, shown.index, unseen);
  }
  if (unseen) return 'unseen';
  if (changed) await host.saveChat();
  return changed ? 'shown' : 'same';
}

/**
 * Saves the chat and reloads it, so that the screen shows it; false if the player continued meanwhile.
 *
 * Another window may write the same file between the two, and its chat is then loaded. So this is only for a
 * chat of which the engine knows every page: what the file has lost comes back from the engine.
 */
export async function saveAndReload(host: Host, busy: () => boolean): Promise<boolean> {
  const file = host.open()?.file;
  const known = chatRows(host.chat());
  const asKnown = (): boolean => host.open()?.file === file && isIdle(host, busy) && known !== null && sameRows(chatRows(host.chat()), known);
  if (!asKnown()) return false;
  await host.saveChat();
  if (!asKnown()) return false;
  await host.reloadChat();
  return true;
}

// After a `replace` the screen shows the old messages until the reload, so the host's own swipe would not
// find its message.
async function select(host: Host, floor: number, index: number, offScreen: boolean): Promise<void> {
  if (!offScreen && (await host.swipeTo(floor, index))) return;
  const message = host.chat()[floor];
  if (message && selectPage(message, index)) host.renderMessage(floor);
}
