// The address bar: where we are, written down so that Back and links work. A row of quick moves is one entry.
import { readPlace, writePlace, type Place } from '../logic/route';

export interface Address {
  read(): Place;
  /** `replace` changes the present entry instead of adding one. */
  write(place: Place, replace: boolean): void;
  /** Calls back when the user went Back, Forward or changed the address; gives the way to stop. */
  listen(moved: (place: Place) => void): () => void;
}

const QUIET_MS = 300;

export function hashAddress(window: Window): Address {
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    read: () => readPlace(window.location.hash),
    write(place, replace) {
      clearTimeout(timer);
      const put = (): void => {
        const hash = writePlace(place);
        if (hash === window.location.hash) return;
        if (replace) window.history.replaceState(null, '', hash);
        else window.history.pushState(null, '', hash);
      };
      if (replace) put();
      else timer = setTimeout(put, QUIET_MS);
    },
    listen(moved) {
      const tell = (): void => {
        clearTimeout(timer);
        moved(readPlace(window.location.hash));
      };
      window.addEventListener('popstate', tell);
      return () => window.removeEventListener('popstate', tell);
    },
  };
}
