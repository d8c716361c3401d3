// Carries out what was changed elsewhere through the host's own functions, then saves. Waits while the host generates,
// swipes or the user edits a message; gives up if the chat moved on meanwhile, because the steps were made for another path.
// A replaced end of the chat is seen only after a reload, which comes once nothing is in the chat that the engine does not know.
import type { Host } from '../host/host';
import { type Step, applyStep, selectPage } from '../logic/apply';
import { isPending } from '../logic/message';
import { chatRows, sameRows } from '../logic/rows';

const LOOK_AGAIN_MS = 250;

/** Waits until the host is idle; false if the chat is no longer the one meant. */
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

/** What became of the chat: `unseen` means that the screen still shows the messages of before. */
export type Carried = 'same' | 'shown' | 'unseen';

/** Applies the steps in order; `offScreen` says that the screen shows other messages already. */
export async function carryOut(host: Host, steps: readonly Step[], offScreen: boolean): Promise<Carried> {
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
 * Saves the chat and loads it again, so that the screen shows it; false if the player went on meanwhile.
 *
 * Between the two another window may write the same file, and its chat is what is loaded then. So this is for a chat of which the
 * engine knows every page: what the file does not have any more comes back from there.
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

// After a `replace` the screen shows the old messages until the reload, so the host's own swipe would not find its place.
async function select(host: Host, floor: number, index: number, offScreen: boolean): Promise<void> {
  if (!offScreen && (await host.swipeTo(floor, index))) return;
  const message = host.chat()[floor];
  if (message && selectPage(message, index)) host.renderMessage(floor);
}
