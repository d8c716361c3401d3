// The events of a schedule, in order, for reading when it ends wrong. Each id gets a short name when it is
// first seen: `p3` for the third page, `n7` for the seventh node.
import type { Schemas, SyncAnswer } from 'storeyline-client';
import { type ChatMessage, activePage, boundOn, pageCount } from '../src/logic/message';
import type { WholeRequest } from '../src/logic/plan';
import type { Clock } from './clock';

export class Journal {
  readonly lines: string[] = [];
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  private readonly since: number;

  constructor(private readonly clock: Clock) {
    this.since = clock.now;
  }

  note(who: string, what: string): void {
    this.lines.push(`${String(Math.round(this.clock.now - this.since)).padStart(7)} ${who.padEnd(6)} ${what}`);
  }

  /** Returns the short name of a page (`p`), node (`n`) or anything else with an id. */
  name(kind: string, id: string | null | undefined): string {
    if (!id) return '–';
    const known = this.names.get(id);
    if (known) return known;
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    this.names.set(id, `${kind}${count}`);
    return `${kind}${count}`;
  }

  /** Formats a chat of a file or a tab: the pages of each floor, the active one marked. */
  chat(messages: readonly ChatMessage[]): string {
    return messages.map((message) => {
      const pages = Array.from({ length: pageCount(message) }, (_, page) => [this.name('p', boundOn(message, page)?.id), page === activePage(message)] as const);
      return pages.map(([name, active]) => (active && pages.length > 1 ? `*${name}` : name)).join('/') + (message.is_system ? '~' : '');
    }).join(' ');
  }

  request({ client, seq, base, keep, tail }: WholeRequest): string {
    const rows = tail.map(({ swipes, active, hidden }) => {
      const pages = swipes.map(({ id }, page) => (page === active && swipes.length > 1 ? '*' : '') + this.name('p', id));
      return pages.join('/') + (hidden ? '~' : '');
    });
    return `${this.name('c', client)} ${seq} base ${this.name('n', base)} keep ${keep.len} then ${rows.join(' ')}`;
  }

  answer(answer: SyncAnswer | Schemas['Error']): string {
    if ('error' in answer) return `error ${answer.error.code}`;
    if (answer.need.length > 0) return `need ${answer.need.map((id) => this.name('p', id)).join(' ')}`;
    const apply = answer.apply.map((step) => `${step.op} ${step.floor}${'messages' in step ? `: ${this.chat(step.messages as ChatMessage[])}` : ''}`);
    const adopt = answer.adopt.map(([floor, id]) => `adopt ${floor} ${this.name('p', id)}`);
    const notices = answer.notices.map(({ code }) => code);
    return [`node ${this.name('n', answer.node)} head ${this.name('n', answer.head)}`, this.name('r', answer.ref), ...adopt, ...apply, ...notices].join(', ');
  }
}
