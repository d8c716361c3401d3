// Records what the page sends to the engine, to find ids that were announced and then dropped.

import type { Page } from "playwright-core";
import type { SyncAnswer, SyncRequest } from "storeyline-client";

type SyncBody = Required<SyncRequest>;

export class Traffic {
  private readonly named = new Map<string, Set<string>>();

  constructor(page: Page) {
    page.on("request", (request) => {
      if (!request.url().endsWith("/v1/sync")) return;
      const body = request.postDataJSON() as SyncBody;
      const named = this.namedIn(body.chat);
      for (const { swipes } of body.tail) for (const { id } of swipes) named.add(id);
    });
    page.on("response", (response) => {
      if (!response.url().endsWith("/v1/sync") || !response.ok()) return;
      const asked = response.request().postDataJSON() as SyncBody;
      // Answers are lost when a page is closed.
      response.json().then((answer: SyncAnswer) => this.adopted(asked, answer), () => undefined);
    });
  }

  /** Every page id that a sync of this chat has named. */
  namedIn(chat: string): Set<string> {
    const named = this.named.get(chat) ?? new Set<string>();
    this.named.set(chat, named);
    return named;
  }

  /** Clears the record: the chat file is about to be changed by hand. */
  forget(): void {
    this.named.clear();
  }

  /** An id that the engine has exchanged for the one that the page had lost is not a ghost. */
  private adopted(asked: SyncBody, answer: SyncAnswer): void {
    for (const [floor] of answer.adopt) {
      const row = asked.tail[floor - asked.keep.len];
      if (row) this.namedIn(asked.chat).delete(row.swipes[row.active].id);
    }
  }
}
