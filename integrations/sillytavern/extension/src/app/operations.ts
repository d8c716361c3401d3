// Operations of the user on our own surfaces (drawer, slash commands, scripts): the engine is synced with the
// chat, executes the operation, and the chat follows with the next sync.
import type { Branch, BranchEdit, Words } from 'storeyline-client';
import type { Json, JsonObject } from '../logic/json';
import { WORDS } from '../logic/words';
import type { Api } from './api';

const PATIENCE_MS = 15_000;

/** A failure before anything was asked, with a message for the user. */
export class Unable extends Error {
  constructor(readonly words: Words) {
    super(words.en);
  }
}

/** What an operation needs of the app. */
export interface Playing {
  readonly api: Api;
  /** Returns the branch of the open chat after a complete sync; null if that fails. */
  upToDate(milliseconds: number): Promise<Branch | null>;
  /** Lets the chat follow the engine, and waits until it has. */
  follow(milliseconds: number): Promise<void>;
  lastPage(): string | null;
  lastReply(): number | null;
  /** Applies the rules of the current cards to the story. */
  renew(): Promise<void>;
}

export class Operations {
  constructor(private readonly playing: Playing) {}

  undo = (): Promise<unknown> => this.run((at) => this.playing.api.undo(at));
  redo = (): Promise<unknown> => this.run((at) => this.playing.api.redo(at));
  change = (operation: BranchEdit): Promise<unknown> => this.run((at) => this.playing.api.change(at, operation));
  switchTo = (ref: string): Promise<unknown> => this.run((at) => this.playing.api.switchBranch({ story: at.story, ref }));
  branch = (name: string, floor: number | null): Promise<unknown> =>
    this.run((at) => this.playing.api.createBranch(at, name, floor, true));

  /** Corrects a value at the newest page. */
  setValue = (path: string, value: Json): Promise<unknown> => this.run((at) => {
    const page = this.playing.lastPage();
    if (page === null) throw new Unable(WORDS.noState);
    return this.playing.api.change(at, { kind: 'set', page, path, value });
  });

  /** Corrects the whole state at a page. */
  setState = (page: string, state: Json): Promise<unknown> =>
    // A script may write anything; the engine refuses what is no object.
    this.run((at) => this.playing.api.change(at, { kind: 'override', page, state: state as JsonObject }));

  /** Recomputes states under the rules of the current cards: from a floor on, or only the newest reply. */
  reprocess = (from: number | null): Promise<unknown> => this.run(async (at) => {
    await this.playing.renew();
    return this.playing.api.reprocess(at, from ?? this.playing.lastReply() ?? 0);
  });

  private async run<T>(work: (at: Branch) => Promise<T>): Promise<T> {
    const at = await this.playing.upToDate(PATIENCE_MS);
    if (!at) throw new Unable(WORDS.notInStep);
    const result = await work(at);
    await this.playing.follow(PATIENCE_MS);
    return result;
  }
}
