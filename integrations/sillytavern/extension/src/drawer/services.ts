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
    marksChanged: () => settings.tell(),
    rulesChanged: () => settings.tell(),
    about: () => [{ label: { zh: '酒馆扩展', en: 'SillyTavern extension' }, text: version }],
  };
}
