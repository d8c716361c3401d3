// When a card opens for the thing under the pointer: after resting on it, or after a long press of a finger. It stays
// while the pointer is on the thing or in the card, and a moment longer for the way between them.

export const OPEN_MS = 400;
export const LEAVE_MS = 160;
export const PRESS_MS = 500;
/** A finger that moves further scrolls. */
const STILL = 10;

type Timer = ReturnType<typeof setTimeout>;

export class Hover<Key> {
  #key: Key | null = null;
  #shown: Key | null = null;
  /** It was pressed: no card until the pointer has left it. */
  #pressed: Key | null = null;
  #opening: Timer | undefined;
  #closing: Timer | undefined;
  #pressing: Timer | undefined;
  #from = { x: 0, y: 0 };
  #long = false;

  /** `show` gets null when the card closes. */
  constructor(private readonly show: (key: Key | null) => void) {}

  /** The pointer is on another thing, or on none. */
  over(key: Key | null): void {
    if (key === this.#key) return;
    this.#key = key;
    clearTimeout(this.#opening);
    if (key !== this.#pressed) this.#pressed = null;
    if (this.#shown !== null && key === this.#shown) return clearTimeout(this.#closing);
    if (this.#shown !== null) this.#leave();
    if (key !== null && key !== this.#pressed) this.#opening = setTimeout(() => this.#set(key), OPEN_MS);
  }

  inCard(inside: boolean): void {
    clearTimeout(this.#closing);
    if (inside) clearTimeout(this.#opening);
    else if (this.#key === null || this.#key !== this.#shown) this.#leave();
  }

  /** Something else happens with the thing: no card now. */
  cancel(): void {
    this.#pressed = this.#key;
    clearTimeout(this.#opening);
    this.#set(null);
  }

  /** A finger was put on a thing. */
  press(key: Key, x: number, y: number): void {
    this.release();
    this.#long = false;
    this.#from = { x, y };
    this.#pressing = setTimeout(() => {
      this.#long = true;
      this.#set(key);
    }, PRESS_MS);
  }

  moved(x: number, y: number): void {
    if (Math.hypot(x - this.#from.x, y - this.#from.y) > STILL) this.release();
  }

  release(): void {
    clearTimeout(this.#pressing);
  }

  /** Whether the click that follows belongs to a long press; asked once. */
  takesClick(): boolean {
    const long = this.#long;
    this.#long = false;
    return long;
  }

  #leave(): void {
    clearTimeout(this.#closing);
    this.#closing = setTimeout(() => this.#set(null), LEAVE_MS);
  }

  #set(key: Key | null): void {
    clearTimeout(this.#closing);
    if (key === this.#shown) return;
    this.#shown = key;
    this.show(key);
  }
}
