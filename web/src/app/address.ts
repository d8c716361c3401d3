// The address bar: the current location, so that Back and links work. A series of quick moves is one entry.
import { readRoute, writeRoute, type Address } from 'storeyline-ui';

const QUIET_MS = 300;

export function hashAddress(window: Window): Address {
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    read: () => readRoute(window.location.hash),
    write(place, replace) {
      clearTimeout(timer);
      const put = (): void => {
        const hash = writeRoute(place);
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
        moved(readRoute(window.location.hash));
      };
      window.addEventListener('popstate', tell);
      return () => window.removeEventListener('popstate', tell);
    },
  };
}
