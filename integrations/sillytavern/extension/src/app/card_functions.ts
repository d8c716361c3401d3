// The functions that the open cards carry. Tells the engine what is in a card, and writes what the user saved for the
// card into it, so that the card carries it. If both changed, the user chooses in the drawer.
import type { Schemas } from 'storeyline-client';
import type { Host, OpenChat } from '../host/host';
import { CARD_FIELD, type Card, functionsOf, withFunctions } from '../logic/card';
import type { Json } from '../logic/json';
import type { Api } from './api';

export interface CardReport {
  /** A card carries other functions than when it was last seen, or was written now. */
  changed: boolean;
  /** Names of cards whose functions were changed on both sides. */
  undecided: string[];
}

export class CardFunctions {
  constructor(
    private readonly host: Host,
    private readonly api: Api,
  ) {}

  async report(open: OpenChat, plays: (card: Card) => boolean): Promise<CardReport> {
    const report: CardReport = { changed: false, undecided: [] };
    for (const card of open.cards.filter(plays)) {
      const told = await this.tell(card, functionsOf(card.field));
      report.changed ||= told.changed;
      const status = told.carried?.status;
      if (status === 'both_changed') report.undecided.push(card.name);
      if (status === 'saved_changed') report.changed = (await this.write(card, told.library)) || report.changed;
    }
    return report;
  }

  private tell(card: Card, functions: Json): Promise<Schemas['ReportedCarried']> {
    return this.api.reportCarried({ card: card.avatar, name: card.name, functions });
  }

  // The card may have been edited in the host since the chat was opened: its present field is the one to extend.
  private async write(card: Card, library: Json): Promise<boolean> {
    const now = this.host.open()?.cards.find((one) => one.avatar === card.avatar);
    if (!now) return false;
    const field = withFunctions(now.field, library);
    await this.host.writeCardField(now.index, CARD_FIELD, field);
    await this.tell(now, functionsOf(field));
    return true;
  }
}
