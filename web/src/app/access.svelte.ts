// The access of this browser. A link `#open=CODE` gives a token once; it is kept in the storage of this origin
// (host and port), so that no other server gets it, and sent in a header.
import { makeEngine, Refused } from 'storeyline-client';
import { clientBeside } from './engine';

const KEY = 'storeyline.token';
const LINK = /^#open=([0-9A-Za-z]+)$/;

type Exchange = (base: URL, code: string, old: string | null) => Promise<string>;

/** The engine replaces the token that this browser has. */
const exchange: Exchange = (base, code, old) => makeEngine(clientBeside(base, () => old)).exchange(code);

export class Access {
  /** The last link that was opened had been used already, or had expired. */
  linkUsed = $state(false);

  readonly #window: Window;
  readonly #exchange: Exchange;
  /** Where there is no storage, access lasts as long as the page. */
  #kept: string | null = null;

  constructor(window: Window, exchangeCode: Exchange = exchange) {
    this.#window = window;
    this.#exchange = exchangeCode;
  }

  token(): string | null {
    try {
      return this.#window.localStorage.getItem(KEY) ?? this.#kept;
    } catch {
      return this.#kept;
    }
  }

  /** Uses the link in the address bar, if there is one; the code does not stay there. */
  async open(): Promise<void> {
    const code = LINK.exec(this.#window.location.hash)?.[1];
    if (code === undefined) return;
    this.#window.history.replaceState(null, '', '#/');
    try {
      this.#keep(await this.#exchange(new URL(this.#window.document.baseURI), code, this.token()));
      this.linkUsed = false;
    } catch (error) {
      this.linkUsed = error instanceof Refused && error.code === 'bad_link';
    }
  }

  /** Calls back when access may have changed: another link was opened, here or in another window. */
  listen(changed: () => void): () => void {
    const opened = (): void => {
      if (LINK.test(this.#window.location.hash)) void this.open().then(changed);
    };
    const stored = (event: StorageEvent): void => {
      if (event.key === KEY) changed();
    };
    this.#window.addEventListener('hashchange', opened);
    this.#window.addEventListener('storage', stored);
    return () => {
      this.#window.removeEventListener('hashchange', opened);
      this.#window.removeEventListener('storage', stored);
    };
  }

  #keep(token: string): void {
    this.#kept = token;
    try {
      this.#window.localStorage.setItem(KEY, token);
    } catch {
      // See `#kept`.
    }
  }
}
