// What the browser says about the look of the page, and what the user chose here.
import { pickLanguage, type Look } from 'storeyline-ui';

const REMEMBERED = 'storeyline.language';

/** Follows the preferences of the browser; returns a function that stops it. */
export function followBrowser(look: Look, window: Window): () => void {
  look.language = pickLanguage(remembered(window), window.navigator.languages);
  const stops = [
    follow(window.matchMedia('(prefers-color-scheme: dark)'), (dark) => (look.tone = dark ? 'dark' : 'light')),
    follow(window.matchMedia('(pointer: coarse)'), (coarse) => (look.coarse = coarse)),
  ];
  return () => stops.forEach((stop) => stop());
}

export function switchLanguage(look: Look, window: Window): void {
  look.language = look.language === 'zh' ? 'en' : 'zh';
  try {
    window.localStorage.setItem(REMEMBERED, look.language);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function remembered(window: Window): string | null {
  try {
    return window.localStorage.getItem(REMEMBERED);
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
