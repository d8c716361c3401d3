// Drafts of editors: what was typed and not saved. They are kept in the browser by account and by place, so that
// another account of the same browser does not see them, and they survive a reload.
import { parseExact, writeExact } from 'storeyline-client';

export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'storeyline.draft';

export class Drafts {
  readonly #store: DraftStore | null;
  readonly #owner: string;
  /** What did not fit into the store lasts as long as the page. */
  readonly #here = new Map<string, string>();

  constructor(owner: string, store: DraftStore | null = browserStore()) {
    this.#owner = owner;
    this.#store = store;
  }

  /** Undefined: none, or one that cannot be read. */
  read(place: string): unknown {
    const text = this.#here.get(place) ?? this.#read(place);
    if (text == null) return undefined;
    try {
      return parseExact(text);
    } catch {
      return undefined;
    }
  }

  keep(place: string, draft: unknown): void {
    const { text } = writeExact(draft);
    try {
      if (!this.#store) throw new Error('no store');
      this.#store.setItem(this.#key(place), text);
      this.#here.delete(place);
    } catch {
      // No storage, or it is full: an older draft in it must not come back.
      this.#here.set(place, text);
      this.#remove(place);
    }
  }

  drop(place: string): void {
    this.#here.delete(place);
    this.#remove(place);
  }

  #key(place: string): string {
    return [PREFIX, this.#owner, place].map(encodeURIComponent).join('/');
  }

  #read(place: string): string | null {
    try {
      return this.#store?.getItem(this.#key(place)) ?? null;
    } catch {
      return null;
    }
  }

  #remove(place: string): void {
    try {
      this.#store?.removeItem(this.#key(place));
    } catch {
      // Without storage there is nothing to remove.
    }
  }
}

/** Reading the property throws where storage is forbidden. */
function browserStore(): DraftStore | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
