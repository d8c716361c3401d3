// The floors of one branch, loaded in chunks of 200: the end first, then the visible ones, the rest in the
// background. After a change every chunk is stale and loaded again; until then the old rows stay visible.
import type { FloorLine, RefId, StoryId } from 'storeyline-client';
import type { PageEngine } from './engine';

export const PAGE = 200;

export class FloorBook {
  /** One entry per floor; undefined while its chunk is loading. */
  rows = $state.raw<readonly (FloorLine | undefined)[]>([]);

  #engine: PageEngine;
  #onError: (error: unknown) => void;
  #story: StoryId | null = null;
  #ref: RefId | null = null;
  #old = new Set<number>();
  #wanted: number | null = null;
  #round = 0;

  constructor(engine: PageEngine, onError: (error: unknown) => void) {
    this.#engine = engine;
    this.#onError = onError;
  }

  get total(): number {
    return this.rows.length;
  }

  /** Loads the end of the branch, then the rest. `expected` is the expected number of floors. */
  async open(story: StoryId, ref: RefId, expected: number): Promise<void> {
    if (story !== this.#story || ref !== this.#ref) this.rows = [];
    this.#story = story;
    this.#ref = ref;
    const round = ++this.#round;
    this.#wanted = null;
    this.#old.clear();
    await this.#load(Math.floor(Math.max(0, expected - 1) / PAGE), round);
    if (round !== this.#round) return;
    const done = Math.floor(Math.max(0, this.total - 1) / PAGE);
    for (let page = 0; page < done; page++) this.#old.add(page);
    void this.#fill(round);
  }

  /** These rows are visible: their chunk is loaded next. */
  want(floor: number): void {
    const page = Math.floor(floor / PAGE);
    if (this.#old.has(page)) this.#wanted = page;
  }

  /** Loads the chunk of a floor now. */
  async ensure(floor: number): Promise<void> {
    const page = Math.floor(floor / PAGE);
    if (this.#old.delete(page)) await this.#load(page, this.#round);
  }

  async #fill(round: number): Promise<void> {
    try {
      while (round === this.#round && this.#old.size > 0) {
        const page = this.#wanted !== null && this.#old.has(this.#wanted) ? this.#wanted : Math.max(...this.#old);
        this.#old.delete(page);
        await this.#load(page, round);
      }
    } catch (error) {
      if (round === this.#round) this.#onError(error);
    }
  }

  async #load(page: number, round: number): Promise<void> {
    if (this.#story === null || this.#ref === null) return;
    const from = page * PAGE;
    const range = await this.#engine.floors({ story: this.#story, ref: this.#ref }, from, PAGE);
    if (round !== this.#round) return;
    const rows = Array.from({ length: range.total }, (_, floor) => this.rows[floor]);
    for (const row of range.floors) if (row.floor < rows.length) rows[row.floor] = row;
    this.rows = rows;
  }
}
