// One open chat: its identity, what the engine acknowledged of it, and its syncer. A new one is made at every
// CHAT_CHANGED.
import type { ApiError, Branch, OpenedChat, SwitchTo, SyncAnswer } from 'storeyline-client';
import type { Api } from './api';
import type { Host, OpenChat } from '../host/host';
import { type ChatRecord, readRecord } from '../logic/identity';
import { type ChatMessage, KEY, isPending } from '../logic/message';
import { type Acked, type SyncMemory, type StateAt, writeAdopted } from '../logic/plan';
import { type TextRow, chatRows, commonLength, keepRows, readRows } from '../logic/rows';
import { type Effective, effective } from '../logic/effective';
import type { Cards } from './cards';
import type { Generation } from './generation';
import { LONG_FLOORS } from './long_chat';
import type { Settings } from './settings';
import { type SyncedChat, Syncer } from './syncer';

export interface SessionEvents {
  waiting(session: Session): void;
  acknowledged(session: Session, answer: SyncAnswer, acked: Acked, wrote: boolean): void;
  failed(session: Session, error: ApiError): void;
  /** Another branch is to be shown. */
  switchTo(session: Session, to: SwitchTo): void;
  declared(session: Session, answer: OpenedChat): void;
}

export class Session implements SyncedChat {
  readonly syncer: Syncer;
  /** The branch of this chat in the engine, once known. */
  ref: string | null = null;
  /** Profile of the story. */
  profile: string | null = null;
  /** While steps are carried out the chat is in between and must not be declared. */
  applying = false;
  /** The chat was replaced, and the screen shows the old messages until it is reloaded. */
  unseen = false;
  private closed = false;

  constructor(
    private readonly host: Host,
    private readonly api: Api,
    readonly record: ChatRecord,
    readonly memory: SyncMemory,
    private readonly cards: Cards,
    private readonly settings: Settings,
    private readonly events: SessionEvents,
  ) {
    this.syncer = new Syncer(api, memory, this);
  }

  close(): void {
    this.closed = true;
    this.syncer.stop();
  }

  /** Tells whether this chat is open, and loaded. */
  alive(): boolean {
    const open = this.host.open();
    if (this.closed || open?.file !== this.record.file || open.owner !== this.record.owner) return false;
    return readRecord(this.host.metadata()[KEY])?.chat === this.record.chat;
  }

  rows(): TextRow[] | null {
    const chat = this.host.chat();
    return this.applying || chat.length === 0 || !this.alive() ? null : chatRows(chat);
  }

  readAhead(): Promise<void> {
    return readRows(this.host.chat());
  }

  messages(): ChatMessage[] {
    return this.host.chat();
  }

  identity(): ReturnType<SyncedChat['identity']> {
    const { chat, user, char } = this.record;
    return { chat, names: { user, char } };
  }

  /** Identifies this chat to the engine; the cards are sent only if a story begins or `renew` is set. */
  async declare(renew = false): Promise<boolean> {
    const { chat, parent, file, owner, user, char } = this.record;
    const open = this.host.open();
    if (!open || !this.alive()) return false;
    const request = { chat, parent, file, owner, title: open.title, names: { user, char }, ask_cast: true, handled: this.settings.handled };
    let answer = renew ? null : await this.api.declareChat(request);
    if (answer === null || answer.need_cast) answer = await this.api.declareChat({ ...request, renew, cast: await this.cards.cast(open) });
    if (answer.created && !answer.node && parent === null && this.host.chat().length > LONG_FLOORS) {
      answer = (await this.importFile(open)) ? await this.api.declareChat(request) : answer;
    }
    if (answer.switch) {
      this.events.switchTo(this, answer.switch);
      return false;
    }
    if (!answer.ref || !answer.story || !this.alive()) return false;
    this.ref = answer.ref;
    this.record.story = answer.story;
    this.profile = answer.profile ?? null;
    // An engine that has nothing of this chat needs everything; one that has it, or its parent, is asked
    // first.
    if (!answer.node) Object.assign(this.memory, { base: null, acked: null, askFirst: parent !== null });
    else if (!this.memory.acked) this.memory.askFirst = true;
    this.writeRecord();
    this.events.declared(this, answer);
    return true;
  }

  // The file equals the page, and the engine reads it without the page's help.
  private async importFile(open: OpenChat): Promise<boolean> {
    try {
      await this.api.importFile({ owner: this.record.owner, file: this.record.file, group: open.group });
      return true;
    } catch (error) {
      console.warn('[Storeyline]', 'the file could not be read, the chat is sent instead', error);
      return false;
    }
  }

  branch(): Branch | null {
    return this.ref && this.record.story ? { story: this.record.story, ref: this.ref } : null;
  }

  /** The chat is about to become equal to the branch; later differences are changes by the host. */
  rebase(head: string): void {
    this.memory.base = head;
    this.record.base = head;
    this.writeRecord();
  }

  async adopt(acked: Acked, adopted: { from: string; to: string }[]): Promise<boolean> {
    const wrote = await writeAdopted(this.host.chat(), KEY, adopted);
    keepRows(this.host.chat(), acked.rows);
    return wrote;
  }

  waiting(): void {
    this.events.waiting(this);
  }

  acknowledged(answer: SyncAnswer, acked: Acked, wrote: boolean): void {
    this.ref = answer.ref;
    this.record.story = answer.story;
    // The file should soon contain what was acknowledged: it is the base when the page is reloaded.
    const moved = this.record.base !== acked.node;
    this.record.base = acked.node;
    this.writeRecord();
    this.events.acknowledged(this, answer, acked, wrote || moved);
  }

  failed(error: ApiError): void {
    this.events.failed(this, error);
  }

  /** Chooses the state that matches the chat; null while the chat cannot be read. */
  effective(generation: Generation): { choice: Effective; state: StateAt | null } | null {
    const { acked } = this.memory;
    const rows = acked && (this.rows() ?? this.readableRows());
    const last = this.host.chat().at(-1);
    if (!acked || !rows || !last) return null;
    const choice = effective({
      acked: acked.rows.length,
      common: commonLength(acked.rows, rows),
      floors: this.host.chat().length,
      pending: isPending(last),
      lastIsUser: last.is_user === true,
      generation: generation.now(),
      removed: generation.removed(),
    });
    const state = choice.which === 'state' ? acked.state : choice.which === 'parent' ? acked.parent : null;
    return { choice, state };
  }

  // The last message may have no id yet (it is being written); the floors before it can still be compared.
  private readableRows(): TextRow[] | null {
    return this.alive() && !this.applying ? chatRows(this.host.chat().slice(0, -1)) : null;
  }

  private writeRecord(): void {
    if (this.alive()) this.host.metadata()[KEY] = { ...this.record };
  }
}
