// What the host does for the screens: its card, its chat files, the settings of its display.
import type { HostServices } from 'storeyline-ui';
import type { App } from '../app/app';
import { foreignFunctions, settleForeignFunctions } from '../app/consent';
import { version } from '../../static/manifest.json';
import type { DisplaySettings } from './settings';

export function hostServices(app: App, settings: DisplaySettings): HostServices {
  const { host } = app;
  return {
    card() {
      const card = host.open()?.cards[0];
      return card ? { file: card.avatar, name: card.name, greetings: host.greetings(card.index) } : null;
    },
    files: () => host.allFiles(),
    libraryChanged: () => app.functionsChanged(),
    insertIntoBook: (title, text) => host.addBookEntry(title, text),
    countTokens: (text) => host.countTokens(text),
    foreignFunctions: {
      list: () => foreignFunctions(host, app.settings),
      done: () => settleForeignFunctions(app.settings),
    },
    setting: (name) => settings.get(name),
    set: (name, value) => settings.set(name, value),
    async openBranch(ref) {
      await app.operations.switchTo(ref);
      return opened(app, ref);
    },
    marksChanged: () => settings.tell(),
    rulesChanged: () => settings.tell(),
    about: () => [{ label: { zh: '酒馆扩展', en: 'SillyTavern extension' }, text: version }],
  };
}

/** The host opens the chat after its next sync; it may write the file first. */
const OPENING_MS = 20_000;

function opened(app: App, ref: string): Promise<boolean> {
  const isOpen = (): boolean => app.session?.branch()?.ref === ref;
  if (isOpen()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (done: boolean): void => {
      clearTimeout(timer);
      deaf();
      resolve(done);
    };
    const timer = setTimeout(() => end(false), OPENING_MS);
    const deaf = app.onUpdate(() => isOpen() && end(true));
  });
}
