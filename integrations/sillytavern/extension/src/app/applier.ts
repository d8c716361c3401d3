// Carries out what was changed elsewhere through the host's own functions, then saves. Waits while the host generates,
// swipes or the user edits a message; gives up if the chat moved on meanwhile, because the steps were made for another path.
import type { Host } from '../host/host';
import { type Step, applyStep, selectPage } from '../logic/apply';
import { isPending } from '../logic/message';

const LOOK_AGAIN_MS = 250;

/** Waits until the host is idle; false if the chat is no longer the one meant. */
export async function whenIdle(host: Host, stillMeant: () => boolean, busy: () => boolean): Promise<boolean> {
  while (stillMeant()) {
    const last = host.chat().at(-1);
    if (!busy() && !host.generating() && !host.swiping() && !host.editing() && last && !isPending(last)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return false;
}

/** Applies the steps in order. Returns whether the chat was changed. */
export async function carryOut(host: Host, steps: readonly Step[], busy: () => boolean): Promise<boolean> {
  let changed = false;
  let reload = false;
  for (const step of steps) {
    const shown = applyStep(host.chat(), step);
    changed ||= shown.kind !== 'nothing';
    if (shown.kind === 'render') host.renderMessage(shown.floor);
    if (shown.kind === 'reload') reload = true;
    if (shown.kind === 'select') await select(host, shown.floor, shown.index, reload);
  }
  if (!changed) return false;
  if (reload) await saveAndReload(host, busy);
  else await host.saveChat();
  return true;
}

// The player may go on while the chat is being saved; a reload would take away what the file does not have yet.
async function saveAndReload(host: Host, busy: () => boolean): Promise<void> {
  const file = host.open()?.file;
  while (await whenIdle(host, () => file !== undefined && host.open()?.file === file, busy)) {
    const before = shown(host);
    await host.saveChat();
    if (shown(host) === before && !busy() && !host.generating() && !host.swiping()) return host.reloadChat();
  }
}

function shown(host: Host): string {
  const last = host.chat().at(-1);
  return JSON.stringify([host.open()?.file, host.chat().length, last?.swipe_id, last?.mes]);
}

// After a `replace` the screen shows the old messages until the reload, so the host's own swipe would not find its place.
async function select(host: Host, floor: number, index: number, offScreen: boolean): Promise<void> {
  if (!offScreen && (await host.swipeTo(floor, index))) return;
  const message = host.chat()[floor];
  if (message && selectPage(message, index)) host.renderMessage(floor);
}
