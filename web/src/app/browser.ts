// What the browser says about the look of the page, and what the user chose here: language and theme are kept in
// the storage of this origin.
import { NO_HOST, pickLanguage, type HostServices, type Look } from 'storeyline-ui';

const LANGUAGE = 'storeyline.language';
const THEME = 'storeyline.theme';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Without storage a choice lasts as long as the page. */
const chosen = new WeakMap<Window, Map<string, string>>();

/** Follows the preferences of the browser; returns a function that stops it. */
export function followBrowser(look: Look, window: Window): () => void {
  look.language = pickLanguage(remembered(window, LANGUAGE), window.navigator.languages);
  const stops = [
    follow(darkSystem(window), () => applyTheme(look, window)),
    follow(window.matchMedia('(pointer: coarse)'), (coarse) => (look.coarse = coarse)),
  ];
  return () => stops.forEach((stop) => stop());
}

export function switchLanguage(look: Look, window: Window): void {
  setLanguage(look, window, look.language === 'zh' ? 'en' : 'zh');
}

/** What the page has of a host: the settings of its display. */
export function pageServices(look: Look, window: Window): HostServices {
  return {
    ...NO_HOST,
    setting: (name) => (name === 'language' ? look.language : name === 'theme' ? themeOf(window) : undefined),
    set(name, value) {
      if (name === 'language' && (value === 'zh' || value === 'en')) setLanguage(look, window, value);
      if (name === 'theme' && isTheme(value)) {
        remember(window, THEME, value);
        applyTheme(look, window);
      }
    },
  };
}

function setLanguage(look: Look, window: Window, language: Look['language']): void {
  look.language = language;
  remember(window, LANGUAGE, language);
}

function applyTheme(look: Look, window: Window): void {
  const theme = themeOf(window);
  look.tone = theme === 'system' ? (darkSystem(window).matches ? 'dark' : 'light') : theme;
}

function themeOf(window: Window): Theme {
  const theme = remembered(window, THEME);
  return isTheme(theme) ? theme : 'system';
}

function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value);
}

function darkSystem(window: Window): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)');
}

function remember(window: Window, key: string, value: string): void {
  chosen.set(window, (chosen.get(window) ?? new Map<string, string>()).set(key, value));
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // See `chosen`.
  }
}

function remembered(window: Window, key: string): string | null {
  const here = chosen.get(window)?.get(key);
  if (here !== undefined) return here;
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

function follow(query: MediaQueryList, tell: (matches: boolean) => void): () => void {
  const listener = (): void => tell(query.matches);
  listener();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
