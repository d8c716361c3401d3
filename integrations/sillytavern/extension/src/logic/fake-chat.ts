// For tests: a chat array with the host's own changes, as recorded in the real host.
import type { BindingFacts } from './binding';
import { bindChat } from './binding';
import { textHash } from './hash';
import { type ChatMessage, type Extra, activePage, boundIn, boundOn, isPending, pageCount, pageText } from './message';

export class FakeChat {
  chat: ChatMessage[] = [];
  facts: BindingFacts = {
    chatUid: '00000000-0000-5000-8000-000000000001', group: false, tainted: false, firstMessage: '', chatChanged: false,
  };

  bind(chatChanged = false): boolean {
    return bindChat(this.chat, { ...this.facts, chatChanged });
  }

  greet(...greetings: string[]): ChatMessage {
    const message: ChatMessage = { name: 'Aria', is_user: false, is_system: false, mes: resolve(greetings[0]!), extra: {} };
    if (greetings.length > 1) {
      Object.assign(message, { swipe_id: 0, swipes: [...greetings], swipe_info: greetings.map(() => ({ extra: {} })) });
    }
    this.chat.splice(0, this.chat.length, message);
    this.facts.firstMessage = greetings[0]!;
    return message;
  }

  user(text: string): ChatMessage {
    this.facts.tainted = true;
    return this.push({ name: 'You', is_user: true, is_system: false, mes: text, extra: {} });
  }

  /** A reply as the host leaves it when streaming: swipes exist. */
  reply(text: string): ChatMessage {
    this.facts.tainted = true;
    return this.push({
      name: 'Aria', is_user: false, is_system: false, mes: text, extra: {}, swipe_id: 0, swipes: [text], swipe_info: [{ extra: {} }],
    });
  }

  /** Swiping past the end: the host shows a page that does not exist yet, with the old text. */
  overSwipe(message: ChatMessage): void {
    this.leave(message);
    message.swipe_id = message.swipes!.length;
  }

  /** The reply to an over-swipe arrives; `extra` is what the message still carried. */
  finishSwipe(message: ChatMessage, text: string, streaming: boolean): void {
    message.mes = text;
    message.swipes!.push(text);
    if (streaming) message.swipe_info!.push({ extra: structuredClone(message.extra!) });
  }

  swipeTo(message: ChatMessage, page: number): void {
    this.leave(message);
    this.load(message, page);
  }

  /** First half of deleting a swipe: the arrays are spliced, the message still shows the deleted page. */
  deleteSwipe(message: ChatMessage, page: number): () => void {
    message.swipes!.splice(page, 1);
    message.swipe_info!.splice(page, 1);
    const next = Math.min(page, message.swipes!.length - 1);
    if (activePage(message) !== page) {
      if (message.swipe_id! > page) message.swipe_id! -= 1;
      return () => {};
    }
    message.swipe_id = next;
    return () => this.load(message, next);
  }

  continue(message: ChatMessage, more: string): void {
    message.mes += more;
    message.swipes![message.swipe_id!] = message.mes!;
    message.swipe_info![message.swipe_id!] = { extra: structuredClone(message.extra!) };
  }

  edit(message: ChatMessage, text: string): void {
    message.mes = text;
    if (message.swipes) message.swipes[message.swipe_id!] = text;
  }

  id(floor: number, page?: number): string | undefined {
    const message = this.chat[floor]!;
    return boundOn(message, page ?? activePage(message))?.id;
  }

  /** Checks what must hold after every bind; returns the violations. */
  violations(): string[] {
    const found: string[] = [];
    const seen = new Map<string, string>();
    this.chat.forEach((message, floor) => {
      for (let page = 0; page < pageCount(message); page++) {
        const place = `${floor}/${page}`;
        const bound = boundOn(message, page);
        if (!bound) found.push(`${place} has no id`);
        else {
          if (seen.has(bound.id)) found.push(`${place} has the id of ${seen.get(bound.id)}`);
          seen.set(bound.id, place);
          if (bound.h !== textHash(pageText(message, page))) found.push(`${place} has a stale hash`);
        }
      }
      const active = message.swipe_info?.[activePage(message)]?.extra;
      if (active && boundIn(active)?.id !== boundIn(message.extra)?.id) found.push(`${floor} is not mirrored`);
      if (isPending(message) && boundIn(message.extra)) found.push(`${floor} carries an id while pending`);
    });
    return found;
  }

  private push(message: ChatMessage): ChatMessage {
    this.chat.push(message);
    return message;
  }

  private leave(message: ChatMessage): void {
    const info = message.swipe_info![message.swipe_id!];
    if (!info) return;
    if (this.facts.tainted || this.chat.length > 1) message.swipes![message.swipe_id!] = message.mes!;
    info.extra = structuredClone(message.extra!);
  }

  private load(message: ChatMessage, page: number): void {
    message.swipe_id = page;
    message.mes = resolve(message.swipes![page]!);
    message.extra = structuredClone(message.swipe_info![page]!.extra ?? {}) as Extra;
  }
}

/** The host resolves macros of a greeting when it shows it. */
function resolve(text: string): string {
  return text.replaceAll('{{user}}', 'You');
}

