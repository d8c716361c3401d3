// What the cards of the open chat say about state, as read by the engine. A card is examined once as long as
// the host has the same object for it; a changed card is a new object.
import type { Cast, CastBeginning } from 'storeyline-client';
import type { Host, OpenChat } from '../host/host';
import { type Card, cardIsOn, hasNoSwitch } from '../logic/card';
import type { Api } from './api';

export class Cards {
  private readonly looks = new WeakMap<object, CastBeginning>();

  constructor(
    private readonly host: Host,
    private readonly api: Api,
  ) {}

  /** Tells whether this card has a state. */
  isOn(card: Card): boolean {
    return cardIsOn(card.field, this.examined(card)?.enabled ?? null);
  }

  /** Returns what the engine found in a card, if it was asked. */
  examined(card: Card): CastBeginning | null {
    return this.looks.get(card.identity) ?? null;
  }

  /**
   * Lets the engine examine the cards: whether they have a state, if they do not say so themselves, and their
   * contents.
   */
  async examine(open: OpenChat): Promise<void> {
    const unknown = open.cards.filter((card) => (hasNoSwitch(card.field) || cardIsOn(card.field)) && !this.looks.has(card.identity));
    for (const card of unknown) {
      try {
        this.looks.set(card.identity, await this.api.lookAtCards(await this.cast({ ...open, cards: [card] }, () => true)));
      } catch {
        // Away, or unreadable: then only the card's own switch turns it on.
      }
    }
  }

  /** Examines the cards once more: they changed, or what the user allows did. */
  async examineAgain(open: OpenChat): Promise<void> {
    for (const card of open.cards) this.looks.delete(card.identity);
    await this.examine(open);
  }

  /** Returns the cards that are on, complete, with their books. */
  async cast(open: OpenChat, plays: (card: Card) => boolean = (card) => this.isOn(card)): Promise<Cast> {
    const cards = await Promise.all(open.cards.filter(plays).map((card) => this.host.card(card.index)));
    const books = await this.host.books(open);
    return { cards: cards.filter((card) => card !== null), books, group: open.group };
  }
}
