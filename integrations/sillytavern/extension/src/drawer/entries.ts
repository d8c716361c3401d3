// The ways to the drawer: a button on every message, the wand menu, `/vs`.
import type { App } from '../app/app';
import { fail } from '../app/commands';
import type { Surface } from '../host/surface';
import { WORDS, say } from '../logic/words';
import { SAY } from './words';

/** What was written after `/vs`: a floor, nothing, or something else. */
export function readFloor(text: string): number | null | 'unreadable' {
  const plain = text.normalize('NFKC').trim();
  if (plain === '') return null;
  const digits = /^#?(\d{1,9})$/.exec(plain)?.[1];
  return digits === undefined ? 'unreadable' : Number(digits);
}

export function addEntries(app: App, surface: Surface, open: (floor: number | null) => void): void {
  const { host } = app;
  const language = host.language();
  const reprocess = (): void => {
    const told = (): void => host.toast('info', say(WORDS.reprocessed, host.language()), say(WORDS.title, host.language()));
    void app.operations.reprocess(null).then(told, (error: unknown) => void fail(host, error));
  };
  surface.addMessageButton('sl-host-open-floor', 'fa-layer-group', say(SAY.openFloor, language), open);
  surface.addWandItem('storeyline_floors', 'fa-layer-group', say(SAY.floors, language), () => open(null));
  surface.addWandItem('storeyline_reprocess', 'fa-arrows-rotate', say(SAY.reprocess, language), reprocess);
  host.addCommand({
    name: 'vs',
    help: SAY.commandHelp,
    argument: { help: SAY.commandFloor, required: false },
    run(text) {
      const floor = readFloor(text);
      const last = host.chat().length - 1;
      const wrong = floor === 'unreadable' ? SAY.notAFloor : floor !== null && floor > last ? SAY.noSuchFloor(floor, last) : null;
      if (wrong) {
        host.toast('warning', say(wrong, host.language()), say(WORDS.title, host.language()));
        return say(wrong, host.language());
      }
      open(floor as number | null);
      return '';
    },
  });
}
