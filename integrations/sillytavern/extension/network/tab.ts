// A tab of the host without a page: the extension's own App on a host that stores its chat in a shared file,
// and the gestures of a player with the events and saves that the real host makes of them (docs/host.md).
import { App } from '../src/app/app';
import { connect } from '../src/app/events';
import { FakeHost } from '../src/app/fakes';
import { makeApi } from '../src/app/api';
import type { SyncAnswer } from 'storeyline-client';
import type { JsonObject } from '../src/logic/json';
import { type ChatMessage, activePage, boundIn, boundOn, pageCount } from '../src/logic/message';
import type { WholeRequest } from '../src/logic/plan';
import { chatRows, textRow } from '../src/logic/rows';
import type { Disk } from './disk';
import { card } from './engine';
import type { Proxy, Weather } from './proxy';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The pages that a player made and those deleted on purpose, over all tabs of a chat. */
export class Ledger {
  readonly made = new Map<string, string>();
  readonly removed = new Set<string>();
  /** Pages that another tab had given an id before: this tab read the message from a file without the id. */
  readonly adopted = new Map<string, string>();
  private unbound: { message: ChatMessage; text: string }[] = [];

  /** A page may be without an id while the chat is being opened; it is checked again later. */
  make(message: ChatMessage): void {
    this.unbound.push({ message, text: message.mes ?? '' });
    this.check();
  }

  check(): void {
    this.unbound = this.unbound.filter(({ message, text }) => {
      const page = message.swipes?.indexOf(text) ?? 0;
      const bound = boundOn(message, page) ?? (page === activePage(message) ? boundIn(message.extra) : null);
      if (bound) this.made.set(bound.id, text);
      return !bound && page >= 0;
    });
  }

  heard({ keep, tail }: WholeRequest, answer: SyncAnswer): void {
    for (const [floor, id] of answer.adopt) {
      const row = tail[floor - keep.len];
      if (row) this.adopted.set(textRow(row).id, id);
    }
  }

  /** Returns the final id of a page. */
  id(page: string): string {
    const id = this.adopted.get(page);
    return id === undefined ? page : this.id(id);
  }

  remove(message: ChatMessage, page?: number): void {
    for (let index = 0; index < pageCount(message); index++) {
      const id = boundOn(message, index)?.id;
      if (id !== undefined && (page === undefined || page === index)) this.removed.add(id);
    }
  }
}

export class Tab {
  readonly host = new FakeHost();
  readonly app: App;
  /** Number of its requests in flight. */
  speaking = 0;
  /** Its last sync was not answered: the engine may have taken it. */
  unheard = false;
  private busy = false;
  private saving: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    private readonly disk: Disk,
    file: string,
    private readonly ledger: Ledger,
    readonly weather: Weather,
    proxy: Proxy,
  ) {
    const { host } = this;
    host.current = { ...host.current!, file };
    host.card = async (): Promise<JsonObject> => card;
    // Nobody answers questions here: a prompt is sent with the state that is there.
    host.answer = 2;
    host.saveChat = () => this.save();
    host.reloadChat = () => this.load();
    const fetcher = proxy.fetcher(name, weather);
    this.app = new App(host, makeApi('http://host', () => ({}), (request) => this.speak(request.url.endsWith('/sync'), fetcher(request))));
    connect(host, this.app);
  }

  /** Reads the file, as opening the page does. */
  async load(): Promise<void> {
    const { fake } = this.host;
    fake.chat.length = 0;
    this.host.meta = {};
    await this.fileTakes();
    const { metadata, messages } = this.disk.read(this.name);
    await this.fileTakes();
    fake.chat.push(...messages);
    fake.facts.tainted = true;
    this.host.meta = metadata;
    await this.host.emit('CHAT_CHANGED', this.host.current?.file);
    await this.host.emit('CHAT_LOADED');
  }

  /** Closes the page: nothing of it acts any more. */
  close(): void {
    this.host.current = null;
    this.app.close();
  }

  get idle(): boolean {
    return !this.busy && !this.host.busy.generating && this.host.chat().length > 0;
  }

  /** Returns the chat as rows of text, or null while it is in between. */
  rows(): string[] | null {
    return chatRows(this.host.chat())?.map(({ text }) => text) ?? null;
  }

  /** Tells whether everything that this tab shows is acknowledged. */
  settled(): boolean {
    const acked = this.app.session?.memory.acked?.rows.map(({ text }) => text);
    return this.idle && this.app.session?.applying === false && JSON.stringify(acked) === JSON.stringify(this.rows());
  }

  /** Tells whether the file contains what was acknowledged last. */
  saved(): boolean {
    const record = this.disk.parsed().metadata['storeyline'] as { base?: string } | undefined;
    return record?.base === this.app.session?.record.base;
  }

  /** Writes the file; the host saves one at a time, each with the chat at that moment. */
  save(): Promise<void> {
    this.saving = this.saving.then(async () => {
      const header = { chat_metadata: this.host.meta, user_name: 'unused', character_name: 'unused' };
      if (this.host.chat().length === 0) return;
      this.ledger.check();
      const text = [header, ...this.host.chat()].map((line) => JSON.stringify(line)).join('\n');
      await this.fileTakes();
      this.disk.write(this.name, text);
      await this.fileTakes();
    });
    return this.saving;
  }

  private async speak(counts: boolean, answer: Promise<Response>): Promise<Response> {
    if (!counts) return answer;
    this.speaking++;
    const heard = (yes: boolean): void => {
      this.speaking--;
      this.unheard = !yes;
    };
    answer.then(() => heard(true), () => heard(false));
    return answer;
  }

  /** Simulates the delay of the host's server. */
  private fileTakes(): Promise<void> {
    return pause(this.weather.random.next() * this.weather.file);
  }

  // Gestures

  async send(words: string, reply: string): Promise<void> {
    await this.generate('normal', async () => {
      const user = this.host.fake.user(words);
      await this.save();
      await this.host.emit('MESSAGE_SENT', this.host.chat().indexOf(user));
      this.ledger.make(user);
      await this.host.emit('USER_MESSAGE_RENDERED', this.host.chat().indexOf(user));
    }, () => this.host.fake.reply(reply));
  }

  async newPage(text: string): Promise<void> {
    const last = this.last();
    if (!last || last.is_user || !last.swipes) return;
    this.host.fake.overSwipe(last);
    await this.host.emit('MESSAGE_SWIPED', this.host.chat().length - 1);
    await this.generate('swipe', async () => {}, () => {
      this.host.fake.finishSwipe(last, text, true);
      return last;
    });
  }

  async turn(page: number): Promise<void> {
    const last = this.last();
    if (!last?.swipes || page >= pageCount(last) || page === activePage(last)) return;
    this.host.fake.swipeTo(last, page);
    await this.host.emit('MESSAGE_SWIPED', this.host.chat().length - 1);
    await pause(1000);
    await this.save();
  }

  async edit(floor: number, text: string): Promise<void> {
    const message = this.host.chat()[floor];
    if (!message) return;
    this.host.fake.edit(message, text);
    await this.host.emit('MESSAGE_EDITED', floor);
    await this.host.emit('MESSAGE_UPDATED', floor);
    await this.save();
  }

  async remove(floor: number): Promise<void> {
    const message = this.host.chat()[floor];
    if (!message || this.host.chat().length < 2) return;
    this.ledger.remove(message);
    this.host.chat().splice(floor, 1);
    await this.host.emit('MESSAGE_DELETED', this.host.chat().length);
    await pause(1000);
    await this.save();
  }

  async removePage(): Promise<void> {
    const last = this.last();
    if (!last?.swipes || pageCount(last) < 2) return;
    const page = activePage(last);
    this.ledger.remove(last, page);
    const finish = this.host.fake.deleteSwipe(last, page);
    await this.host.emit('MESSAGE_SWIPE_DELETED', {});
    finish();
    await this.host.emit('MESSAGE_SWIPED', this.host.chat().length - 1);
    await this.save();
  }

  /** The host emits no event. */
  async hide(floor: number): Promise<void> {
    const message = this.host.chat()[floor];
    if (!message) return;
    message.is_system = message.is_system !== true;
    await this.save();
  }

  private last(): ChatMessage | undefined {
    return this.host.chat().at(-1);
  }

  private async generate(type: string, begin: () => Promise<void>, arrive: () => ChatMessage): Promise<void> {
    const { host } = this;
    this.busy = true;
    try {
      await host.emit('GENERATION_STARTED', type, {}, false);
      host.busy.generating = true;
      await host.emit('GENERATION_AFTER_COMMANDS', type, {}, false);
      await begin();
      await host.prompt(type);
      await pause(this.weather.random.next() * 400);
      const message = arrive();
      host.busy.generating = false;
      await host.emit('GENERATION_ENDED');
      await host.emit('MESSAGE_RECEIVED', host.chat().indexOf(message), type);
      this.ledger.make(message);
      await host.emit('CHARACTER_MESSAGE_RENDERED', host.chat().indexOf(message), type);
      await this.save();
    } finally {
      host.busy.generating = false;
      this.busy = false;
    }
  }
}
