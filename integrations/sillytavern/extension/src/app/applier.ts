// Carries out what was changed elsewhere through the host's own functions, then saves. Waits while the host generates,
// swipes or the user edits a message; gives up if the chat moved on meanwhile, because the steps were made for another path.
import type { Host } from '../host/host';
import { type Step, applyStep, selectPage } from '../logic/apply';
import { isPending } from '../logic/message';

const LOOK_AGAIN_MS = 250;

/** Waits until the host is idle; false if the chat is no longer the one meant. */
export async function whenIdle(host: Host, stillMeant: () => boolean): Promise<boolean> {
  while (stillMeant()) {
    const last = host.chat().at(-1);
    if (!host.generating() && !host.swiping() && !host.editing() && last && !isPending(last)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return false;
}

/** Applies the steps in order. Returns whether the chat was changed. */
export async function carryOut(host: Host, steps: readonly Step[]): Promise<boolean> {
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
  await host.saveChat();
  if (reload) await host.reloadChat();
  return true;
}

// After a `replace` the screen shows the old messages until the reload, so the host's own swipe would not find its place.
async function select(host: Host, floor: number, index: number, offScreen: boolean): Promise<void> {
  if (!offScreen && (await host.swipeTo(floor, index))) return;
  const message = host.chat()[floor];
  if (message && selectPage(message, index)) host.renderMessage(floor);
}
