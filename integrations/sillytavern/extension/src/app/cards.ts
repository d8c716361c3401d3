// What the cards of the open chat say about state, as the engine reads them. A card is looked at once as long as the host
// holds the same object for it; a changed card is a new object.
import type { Api } from '../api/client';
import type { Beginning, Cast } from '../api/wire';
import type { Host, OpenChat } from '../host/host';
import { type Card, cardIsOn, hasNoSwitch } from '../logic/card';
import type { Settings } from './settings';

export class Cards {
  private readonly looks = new WeakMap<object, Beginning>();

  constructor(
    private readonly host: Host,
    private readonly api: Api,
    private readonly settings: Settings,
  ) {}

  /** Says whether the state of this card is kept. */
  isOn(card: Card): boolean {
    return cardIsOn(card.field, this.look(card)?.enabled ?? null);
  }

  /** What the engine found in a card, if it was asked. */
  look(card: Card): Beginning | null {
    return this.looks.get(card.identity) ?? null;
  }

  /** Lets the engine look at the cards: whether their state is kept, where they leave that open, and what they bring. */
  async examine(open: OpenChat): Promise<void> {
    const unknown = open.cards.filter((card) => (hasNoSwitch(card.field) || cardIsOn(card.field)) && !this.looks.has(card.identity));
    for (const card of unknown) {
      try {
        this.looks.set(card.identity, await this.api.lookAtCards(await this.cast({ ...open, cards: [card] }, () => true)));
      } catch {
        // Away, or not a card it can read: then only a switch of its own turns it on.
      }
    }
  }

  /** Returns the cards that are on, whole, with their books. */
  async cast(open: OpenChat, plays: (card: Card) => boolean = (card) => this.isOn(card)): Promise<Cast> {
    const cards = await Promise.all(open.cards.filter(plays).map((card) => this.host.card(card.index)));
    const books = await this.host.books(open);
    return { cards: cards.filter((card) => card !== null), books, group: open.group, allowed: this.settings.allowed };
  }
}
