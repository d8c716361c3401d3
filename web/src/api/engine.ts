// The interface to the engine: what the UI needs of it, and the two ways it can fail. `http.ts` is the real
// one; tests have their own; a host can have a third.
import type { Causes, FloorDetail, FloorRange, Message, PageId, Path, RefId, Story, StoryId } from './types';

export interface Engine {
  stories(): Promise<Story[]>;
  floors(story: StoryId, ref: RefId, from: number, limit: number): Promise<FloorRange>;
  /** Without `page` the active page of the floor. */
  floor(story: StoryId, ref: RefId, floor: number, page: PageId | null): Promise<FloorDetail>;
  /** Which floor last set each path, up to and including `floor`. */
  causes(story: StoryId, ref: RefId, floor: number, paths: Path[]): Promise<Causes>;
  select(story: StoryId, ref: RefId, page: PageId): Promise<void>;
  /** Waits until there is a change after the position `after`, or the time is over; returns the last position. */
  changes(after: string | null, waitSeconds: number, signal: AbortSignal): Promise<string>;
}

/** The engine answered with an error. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly words: Message,
    readonly hint: Message | null,
  ) {
    super(`${code}: ${words.en}`);
  }
}

/** The engine did not answer. */
export class Unreachable extends Error {}
