// Which earlier floors set the visible values. Only visible values are requested, one request at a time;
// values that are no longer visible are dropped from the queue.
import { SvelteMap } from 'svelte/reactivity';
import { Refused, type Path, type RefId, type StoryId } from 'storeyline-client';
import type { PageEngine } from './engine';

/** The floor that is viewed. */
export interface Looked {
  story: StoryId;
  ref: RefId;
  floor: number;
}

/** Maximum number of paths, and of their characters, in one address: proxies refuse long ones. */
const MAX_PATHS = 200;
const MAX_CHARACTERS = 6_000;
const MAX_KNOWN = 20_000;

export class CauseBook {
  #known = new SvelteMap<string, number | null>();
  #wanted: { at: Looked; paths: Path[] } | null = null;
  #busy = false;
  /** Increases when everything is cleared, so that a late answer from before is dropped. */
  #epoch = 0;

  constructor(
    private readonly engine: PageEngine,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The floor above that last set a path, null if none did; undefined while that is not known. */
  of(at: Looked, path: Path): number | null | undefined {
    return at.floor === 0 ? null : this.#known.get(name(at, path));
  }

  want(at: Looked, paths: Path[]): void {
    this.#wanted = { at, paths };
    if (!this.#busy) void this.#fill();
  }

  forget(): void {
    this.#epoch++;
    this.#known.clear();
  }

  async #fill(): Promise<void> {
    this.#busy = true;
    try {
      for (let next = this.#next(); next; next = this.#next()) await this.#ask(next.at, next.paths);
    } catch (error) {
      this.#wanted = null;
      // A branch whose head moved is loaded again anyway.
      if (!(error instanceof Refused) || error.status === 401) this.onError(error);
    } finally {
      this.#busy = false;
    }
  }

  #next(): { at: Looked; paths: Path[] } | null {
    if (!this.#wanted) return null;
    const { at, paths } = this.#wanted;
    const unknown = paths.filter((path) => this.of(at, path) === undefined);
    let room = MAX_CHARACTERS;
    const batch = unknown.slice(0, MAX_PATHS).filter((path, index) => {
      room -= encodeURIComponent(JSON.stringify(path)).length;
      return room > 0 || index === 0;
    });
    return batch.length > 0 ? { at, paths: batch } : null;
  }

  /** Asks at the floor above, and further up as long as the engine did not search everything. */
  async #ask(at: Looked, paths: Path[]): Promise<void> {
    const epoch = this.#epoch;
    let from = at.floor;
    let open = paths;
    const isWanted = (): boolean => this.#wanted?.at.floor === at.floor && this.#wanted.at.ref === at.ref;
    while (open.length > 0 && isWanted()) {
      const { floors, searched_from } = await this.engine.causes(at, from - 1, open);
      if (epoch !== this.#epoch) return;
      const known = (_: Path, index: number): boolean => (floors[index] ?? null) !== null || searched_from === 0;
      open.forEach((path, index) => known(path, index) && this.#keep(name(at, path), floors[index] ?? null));
      open = open.filter((path, index) => !known(path, index));
      from = searched_from;
    }
  }

  #keep(key: string, floor: number | null): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, floor);
  }
}

function name(at: Looked, path: Path): string {
  return `${at.ref} ${at.floor} ${JSON.stringify(path)}`;
}
