// Where the user is, remembered by the shell: in the address bar, so that Back and links work, or in memory.
import { NOWHERE, type Route } from './route';

export interface Address {
  read(): Route;
  /** `replace` changes the current entry instead of adding one. */
  write(place: Route, replace: boolean): void;
  /** Calls back when the user went elsewhere by other means than the screen; returns a function that stops it. */
  listen(moved: (place: Route) => void): () => void;
}

/** A place that only this page load remembers; `open` moves it from outside. */
export function memoryAddress(start: Route = NOWHERE): Address & { open: (place: Route) => void } {
  let place = start;
  let tell: (place: Route) => void = () => {};
  return {
    read: () => place,
    write: (next) => void (place = next),
    listen(moved) {
      tell = moved;
      return () => void (tell = () => {});
    },
    open(next) {
      place = next;
      tell(next);
    },
  };
}
