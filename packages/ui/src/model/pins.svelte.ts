// Values that the user pinned, by story. They are kept in the browser by account; the host's status bar reads them
// from there too.
import type { Path } from 'storeyline-client';
import type { Drafts } from './drafts';
import { isPath, pinsPlace } from './pins';

export class Pins {
  paths = $state.raw<Path[]>([]);
  #drafts: Drafts | null = null;
  #story: string | null = null;

  /** `changed` is called after each change by the user. */
  constructor(private readonly changed: () => void = () => {}) {}

  open(drafts: Drafts | null, story: string | null): void {
    this.#drafts = drafts;
    this.#story = story;
    const kept = story === null ? undefined : drafts?.read(pinsPlace(story));
    this.paths = Array.isArray(kept) ? kept.filter(isPath) : [];
  }

  has(path: Path): boolean {
    return this.paths.some((other) => same(other, path));
  }

  toggle(path: Path): void {
    this.paths = this.has(path) ? this.paths.filter((other) => !same(other, path)) : [...this.paths, path];
    if (this.#story !== null) {
      const place = pinsPlace(this.#story);
      if (this.paths.length > 0) this.#drafts?.keep(place, this.paths);
      else this.#drafts?.drop(place);
    }
    this.changed();
  }
}

function same(a: Path, b: Path): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
