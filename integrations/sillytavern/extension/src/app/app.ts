// The controller: one idempotent `reconcile` handles every event of the host; event arguments are hints only.
//   open          identifies the chat (CHAT_CHANGED)
//   reconcile     binds ids, saves, syncs in the background
//   barrier       waits for the newest state before a prompt
//   acknowledged  injects the state, reports, carries out changes made elsewhere
import { type ApiError, type Branch, Changes, type HeldFunctions, type HostChange, NOT_THE_ENGINE, type OpenedChat, type SwitchTo, type SyncAnswer, type Words } from 'storeyline-client';
import type { Host, OpenChat } from '../host/host';
import { bindChat, bindNew } from '../logic/binding';
import { Foreign } from '../foreign/foreign';
import { hasNoSwitch } from '../logic/card';
import { type ChatRecord, chatRecord, decideMoved, readIdentity, readRecord } from '../logic/identity';
import { KEY, isPending } from '../logic/message';
import { renderDiff } from '../logic/macros';
import { type Acked, type SyncMemory, newMemory } from '../logic/plan';
import { sameRows } from '../logic/rows';
import { WORDS, say } from '../logic/words';
import type { Api } from './api';
import { carryOut, saveAndReload, whenIdle } from './applier';
import { show as showBranch } from './branches';
import { Cards } from './cards';
import { CardFunctions } from './card_functions';
import { askFunctions, askKeeper, tellForeignFunctions } from './consent';
import { FloorStates } from './floor_states';
import { Generation } from './generation';
import { Injector } from './injector';
import { Late } from './late';
import { isLong, readThrough } from './long_chat';
import { Operations, type Playing } from './operations';
import { Report } from './report';
import { Saver } from './saver';
import { Session } from './session';
import { Settings } from './settings';
import { waitWhile } from './wait_while';

const SAME_STEPS_LIMIT = 3;
const REMEMBERED_CHATS = 4;

export class App implements Playing {
  session: Session | null = null;
  /** Why the engine's answers are missing, or null if there is no problem. */
  trouble: Words | null = null;
  readonly injector: Injector;
  readonly report: Report;
  readonly generation: Generation;
  readonly settings: Settings;
  readonly cards: Cards;
  private readonly cardFunctions: CardFunctions;
  readonly operations: Operations;
  /** Another system keeps the state of the open card, as the user chose. */
  theirs = false;
  /** Progress of the first pass over a long chat, until the engine has it. */
  progress: { done: number; total: number } | null = null;
  /** Functions of the card are still running; the state shown is from before. */
  pending = false;
  private readonly late: Late;
  readonly foreign: Foreign;
  private readonly saver: Saver;
  private readonly changes: Changes;
  /** Functions that the user has just allowed; the engine leaves them out when it is asked again. */
  private readonly allowed = new WeakSet<HeldFunctions>();
  private readonly memories = new Map<string, SyncMemory>();
  private listeners: (() => void)[] = [];
  private opening = 0;
  private earlier: { late: boolean; floors: number } | null = null;
  private sameSteps = { node: '', count: 0 };
  private carrying: Promise<void> = Promise.resolve();
  private switching = false;

  constructor(
    readonly host: Host,
    readonly api: Api,
  ) {
    this.settings = new Settings(host);
    this.cards = new Cards(host, api);
    this.cardFunctions = new CardFunctions(host, api);
    this.operations = new Operations(this);
    this.late = new Late(host);
    this.injector = new Injector(host);
    this.foreign = new Foreign(host, new FloorStates(this), () => this.injector.visible());
    this.report = new Report(host);
    this.generation = new Generation(host);
    this.saver = new Saver(host);
    this.changes = new Changes(api, { changed: () => this.session?.syncer.askAgain(), client: () => this.session?.memory.client ?? '' });
  }

  /** Calls back whenever something that we show may have changed; returns a function that stops it. */
  onUpdate(listener: () => void): () => void {
    this.listeners.push(listener);
    return () => void (this.listeners = this.listeners.filter((other) => other !== listener));
  }

  /** Tells whether Storeyline is on for the chat's card, or for a member of the group. */
  isOn(open: OpenChat): boolean {
    return !this.theirs && open.cards.some((card) => this.cards.isOn(card));
  }

  private isPlayed(): boolean {
    const open = this.host.open();
    return open !== null && this.isOn(open);
  }

  /** A chat was opened, closed, reloaded or switched on or off: identifies it and starts a session. */
  async open(): Promise<void> {
    const turn = ++this.opening;
    this.close();
    const open = this.host.open();
    this.theirs = false;
    if (open) await this.cards.examine(open);
    if (turn !== this.opening) return;
    if (open && this.isOn(open)) {
      this.theirs = !(await askKeeper(this.host, this.settings, open));
      if (turn !== this.opening) return;
    }
    if (open && this.isOn(open) && (await this.readThrough(turn))) {
      this.tellFound(open);
      const record = await this.identify(open);
      if (turn !== this.opening) return;
      await this.bindLong(turn);
      if (turn !== this.opening) return;
      const memory = this.memoryOf(record.chat, record.base);
      this.writeRecord(record);
      this.session = new Session(this.host, this.api, { ...record }, memory, this.cards, this.settings, {
        waiting: (session) => this.waiting(session),
        acknowledged: (session, answer, acked, wrote) => this.acknowledged(session, answer, acked, wrote),
        failed: (session, error) => this.failed(session, error),
        switchTo: (session, to) => void this.switchTo(session, to),
        declared: (session, answer) => this.declared(session, answer),
      });
      this.reconcile(true);
      if (this.host.chat().length > 0) this.session.syncer.request(true);
      void this.reportFunctions(open).then(() => this.offerFunctions(open));
    }
    this.updated();
  }

  // Shows the progress of long work until the engine has answered.
  private async readThrough(turn: number): Promise<boolean> {
    const chat = this.host.chat();
    const shown = (done: number): void => {
      this.progress = { done, total: chat.length };
      this.updated();
    };
    const long = isLong(chat);
    if (long) shown(0);
    await readThrough(chat, () => turn === this.opening, shown);
    if (turn !== this.opening) return false;
    if (long) shown(chat.length);
    else this.progress = null;
    return true;
  }

  // The host makes a new metadata object for every chat that it opens, before it emits the event.
  private async bindLong(turn: number): Promise<void> {
    const metadata = this.host.metadata();
    const wanted = (): boolean => turn === this.opening && this.host.metadata() === metadata;
    if (isLong(this.host.chat()) && (await bindNew(this.host.chat(), wanted)) && wanted()) this.saver.soon();
  }

  // A card without a switch was turned on because of its contents: the user is told once.
  private tellFound(open: OpenChat): void {
    for (const card of open.cards) {
      const profile = this.cards.examined(card)?.profile ?? 'native';
      if (!hasNoSwitch(card.field) || profile === 'native' || !this.settings.firstTime(`found ${card.avatar}`)) continue;
      this.report.notices([{ code: 'found', message: WORDS.foundProfile(card.name, profile.toUpperCase()) }]);
    }
  }

  /** Returns the functions of the open cards that wait for the user's permission. */
  held(): HeldFunctions[] {
    const open = this.host.open();
    const all = (open?.cards ?? []).filter((card) => this.cards.isOn(card)).flatMap((card) => this.cards.examined(card)?.held ?? []);
    return all.filter((one) => !this.allowed.has(one) && !this.cardFunctions.replaced.has(one.card));
  }

  /** Asks about functions of the card; allowed ones are active from now on, for the whole story. */
  async offerFunctions(open: OpenChat, again = false): Promise<void> {
    const session = this.session;
    tellForeignFunctions(this.host, this.settings, this.report);
    const held = this.held().filter(({ refused }) => again || !refused);
    const allowed = await askFunctions(this.host, this.api, held);
    for (const one of allowed) this.allowed.add(one);
    if (allowed.length === 0 || session !== this.session || this.host.open()?.file !== open.file) return;
    await this.operations.reprocess(0).catch((error: unknown) => console.error('[Storeyline]', error));
    this.updated();
  }

  /** Lets the user choose again which system keeps the state. */
  async chooseKeeper(open: OpenChat): Promise<void> {
    this.settings.forgetKeeper(open.owner);
    await this.open();
  }

  /** The functions of a card were saved or allowed: they go into the card, and count from the next reply. */
  async functionsChanged(): Promise<void> {
    const open = this.host.open();
    if (!open) return;
    await this.cardFunctions.report(open, (card) => this.cards.isOn(card));
    const now = this.host.open();
    if (!now || now.file !== open.file) return;
    await this.cards.examineAgain(now);
    if (this.session) await this.renew();
    this.updated();
  }

  // What the cards carry may have changed elsewhere; the engine knows what was saved for them.
  private async reportFunctions(open: OpenChat): Promise<void> {
    try {
      const { changed, undecided } = await this.cardFunctions.report(open, (card) => this.cards.isOn(card));
      if (undecided.length > 0) this.report.notices([{ code: 'functions_changed', message: WORDS.functionsChanged(undecided.join(', ')) }]);
      const now = this.host.open();
      if (!changed || !this.session || now?.file !== open.file) return;
      await this.cards.examineAgain(now);
      await this.renew();
    } catch (error) {
      // Away: it is reported when the chat is opened next.
      console.warn('[Storeyline]', error);
    }
  }

  /** Binds ids, asks for a save if any was written, syncs in the background, shows the matching state. */
  reconcile(chatChanged = false): void {
    const open = this.host.open();
    const chat = this.host.chat();
    if (!open || chat.length === 0 || !this.isOn(open)) return;
    const session = this.session?.alive() ? this.session : null;
    // A group's greetings come before its CHAT_CHANGED; a card's never do.
    if (!session && !open.group) return;
    const written = bindChat(chat, {
      chatUid: session?.record.chat ?? null,
      group: open.group,
      tainted: Boolean(this.host.metadata()['tainted']),
      firstMessage: open.firstMessage,
      chatChanged,
    });
    if (written) this.saver.soon();
    session?.syncer.request();
    this.show();
    this.updated();
  }

  /** Same as reconcile, and saves at once: the host has saved a user message before it emitted the event. */
  reconcileAndSave(): void {
    this.reconcile();
    if (this.session?.alive()) this.saver.now();
  }

  /**
   * Waits for the newest state before a prompt, or a part of it, is built.
   *
   * Card fields are resolved before the host's last hook (`final`), so whether they were late is remembered
   * until then.
   */
  async barrier(final: boolean): Promise<void> {
    this.reconcile();
    const session = this.session;
    if (!session) return;
    const result = await session.syncer.settled(this.generation.stateTimeout());
    if (result === 'timeout') this.generation.lostPatience();
    if (session !== this.session) return;
    const choice = this.show();
    if (!choice?.exact && this.generation.mayAsk()) await this.askLate(session);
    if (session !== this.session) return;
    this.tellStale(final);
  }

  // Asked once per generation; the choice is used until it ends.
  private async askLate(session: Session): Promise<void> {
    this.generation.asked();
    const arrived = (): boolean => this.show()?.exact === true;
    const floor = (session.effective(this.generation)?.choice.floors ?? 0) - 1;
    const chosen = await this.late.decide(arrived, () => session === this.session, () => this.trouble !== null, floor);
    if (session !== this.session || chosen === 'wait') return;
    this.generation.told();
    if (chosen === 'without') this.injector.withhold(true);
    else this.host.note(say(WORDS.oldState(floor), this.host.language()));
  }

  // A quiet prompt, about which nobody can be asked, still reports that it had an old state.
  private tellStale(final: boolean): void {
    const choice = this.show();
    const late = choice ? !choice.exact : this.trouble === null;
    const floors = choice?.floors ?? 0;
    const worst = final && this.earlier?.late ? this.earlier : { late, floors };
    this.earlier = final ? null : { late, floors };
    if (final && worst.late && !this.generation.wasTold()) this.report.stale(worst.floors - 1);
  }

  /** The host may have gone back to the old page without an event: checks again when its swipe is over. */
  async afterGeneration(): Promise<void> {
    this.generation.end();
    this.injector.withhold(false);
    this.host.note('');
    this.reconcile();
    const last = this.host.chat().at(-1);
    if (!last || !isPending(last)) return;
    for (let tries = 0; tries < 200 && (this.host.swiping() || this.host.generating()); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    this.reconcile();
  }

  /** The card may have been switched on or off elsewhere. */
  cardEdited(): void {
    const open = this.host.open();
    if (Boolean(open && this.isOn(open)) !== (this.session !== null)) void this.open();
  }

  /** A chat file was deleted: its branch goes to the trash. */
  async fileDeleted(owner: string | null, file: string | null): Promise<void> {
    const of = owner ?? this.host.open()?.owner;
    if (!of || (file !== null && (await this.host.fileExists(of, file)))) return;
    await this.api.forgetFiles(of, file).catch((error: unknown) => console.error('[Storeyline]', error));
  }

  async upToDate(milliseconds: number): Promise<Branch | null> {
    // The host loads the chat again when a change is carried out; until then there is no session.
    await waitWhile(() => !this.session && this.isPlayed(), milliseconds);
    this.reconcile();
    const session = this.session;
    if (!session) return null;
    session.syncer.request();
    const result = await session.syncer.settled(milliseconds);
    const rows = session.rows();
    const inStep = sameRows(rows, session.memory.acked?.rows ?? null);
    return session === this.session && result === 'done' && inStep ? session.branch() : null;
  }

  async follow(milliseconds: number): Promise<void> {
    const session = this.session;
    session?.syncer.askAgain();
    await session?.syncer.settled(milliseconds);
    await this.carrying;
    await this.session?.syncer.settled(milliseconds);
  }

  lastPage(): string | null {
    return this.session?.memory.acked?.rows.at(-1)?.id ?? null;
  }

  lastReply(): number | null {
    const floor = (this.session?.memory.acked?.rows ?? []).findLastIndex(({ row }) => row.role !== 'user');
    return floor < 0 ? null : floor;
  }

  async renew(): Promise<void> {
    await this.session?.declare(true);
  }

  retry(): void {
    if (this.session) this.session.syncer.request(true);
    else void this.open();
  }

  /** Ends the session: another chat opens, or none. */
  close(): void {
    this.session?.close();
    this.session = null;
    this.changes.pause(true);
    this.progress = null;
    this.injector.clear();
    this.foreign.withdraw();
  }

  // A copy of the file is told from a rename by the record in the file, so it must be written soon.
  private writeRecord(record: ChatRecord): void {
    const metadata = this.host.metadata();
    if (JSON.stringify(readRecord(metadata[KEY])) !== JSON.stringify(record)) this.saver.soon();
    metadata[KEY] = record;
  }

  private async identify(open: OpenChat): Promise<ChatRecord> {
    const metadata = this.host.metadata();
    const integrity = typeof metadata['integrity'] === 'string' ? metadata['integrity'] : null;
    const place = { integrity, file: open.file, owner: open.owner };
    const stored = readRecord(metadata[KEY]);
    const seen = readIdentity(stored, place);
    const verdict = seen === 'moved' ? decideMoved(await this.host.fileExists(stored!.owner, stored!.file)) : seen;
    return chatRecord(verdict as Exclude<typeof verdict, 'moved'>, stored, place, open.names);
  }

  private memoryOf(chat: string, base: string | null): SyncMemory {
    const known = this.memories.get(chat);
    this.memories.delete(chat);
    const memory = known ?? newMemory(base);
    // The file contains what was acknowledged when it was saved; if that differs from our memory, the file is
    // right.
    if (memory.base !== base) Object.assign(memory, { base, acked: null, askFirst: base !== null });
    this.memories.set(chat, memory);
    for (const oldest of this.memories.keys()) {
      if (this.memories.size <= REMEMBERED_CHATS) break;
      this.memories.delete(oldest);
    }
    return memory;
  }

  private show(): { exact: boolean; floors: number } | null {
    const found = this.session?.effective(this.generation) ?? null;
    if (!found) return null;
    const changed = found.state !== null && this.injector.show(found.state);
    if (found.state !== null) this.foreign.shown(found.state);
    // The state during the construction of a prompt is temporary; the one after it is saved.
    if (changed && this.generation.now() === null) this.saver.soon();
    return found.choice;
  }

  private waiting(session: Session): void {
    if (session !== this.session || this.pending) return;
    this.pending = true;
    this.updated();
  }

  private acknowledged(session: Session, answer: SyncAnswer, acked: Acked, wrote: boolean): void {
    if (session !== this.session) return;
    this.progress = null;
    this.trouble = null;
    this.report.back();
    this.late.forget();
    this.pending = false;
    this.changes.start(answer.seen);
    if (wrote) this.saver.soon();
    this.report.diagnostics(answer.diagnostics);
    this.report.notices(answer.notices);
    this.injector.changes = renderDiff(acked.parent.value, acked.state.value);
    this.show();
    this.updated();
    this.foreign.acknowledged(acked);
    if (answer.apply.length > 0 || session.unseen) this.carrying = this.carryOut(session, answer.apply, acked, answer.head ?? null);
  }

  private declared(session: Session, answer: OpenedChat): void {
    if (session !== this.session) return;
    this.foreign.offer(answer.profile ?? 'native');
    for (const remark of answer.beginning?.remarks ?? []) console.warn('[Storeyline]', remark.code, remark.place.en, remark.message.en);
  }

  // Waits until the host is idle: opening another chat in the middle of a reply would lose it.
  private async switchTo(session: Session, to: SwitchTo): Promise<void> {
    if (this.switching) return;
    this.switching = true;
    try {
      if (!(await whenIdle(this.host, () => session === this.session, () => this.generation.near()))) return;
      const shown = await showBranch(this.host, this.api, this.settings, to);
      const words = shown ? WORDS.switched(to.name) : WORDS.switchFailed(to.name);
      this.report.notices([{ code: 'switched', message: words }]);
      // The chat that stays open continues to be synced.
      if (!shown && session === this.session) session.syncer.askAgain();
    } catch (error) {
      console.error('[Storeyline]', error);
    } finally {
      this.switching = false;
    }
  }

  private failed(session: Session, error: ApiError): void {
    if (session !== this.session) return;
    console.error('[Storeyline]', error.message);
    this.progress = null;
    this.trouble = explain(error);
    this.report.away(this.trouble);
    this.updated();
  }

  private async carryOut(session: Session, steps: HostChange[], acked: Acked, head: string | null): Promise<void> {
    const tried = this.sameSteps.node === acked.node ? this.sameSteps.count : 0;
    if (session.applying || tried >= SAME_STEPS_LIMIT) return;
    const stillMeant = (): boolean => session === this.session && sameRows(session.rows(), acked.rows);
    const near = (): boolean => this.generation.near();
    if (!(await whenIdle(this.host, stillMeant, near))) {
      // The host may have changed something meanwhile without an event.
      if (session === this.session && !session.applying) this.reconcile();
      return;
    }
    if (session.applying) return;
    this.sameSteps = { node: acked.node, count: tried + 1 };
    session.applying = true;
    // From here on the chat differs from what was acknowledged because of these steps, not because the user
    // changed it.
    if (head) session.rebase(head);
    try {
      session.unseen = (await carryOut(this.host, steps, session.unseen)) === 'unseen';
      // The engine does not know yet what the player does from now on. The chat is not reloaded before it
      // does.
      if (session.unseen) session.unseen = !(await saveAndReload(this.host, near));
    } finally {
      session.applying = false;
    }
    if (session === this.session) {
      this.reconcile();
      session.syncer.request(true);
    }
  }

  private updated(): void {
    for (const listener of this.listeners) listener();
  }
}

function explain(error: ApiError): Words {
  if (error.code === NOT_THE_ENGINE) return WORDS.noPlugin;
  const [zh, en] = [error.words?.zh ?? '', error.words?.en ?? ''];
  if (error.unsure) return { zh: `${WORDS.away.zh}${zh}`, en: `${WORDS.away.en} ${en}`.trim() };
  return { zh: `${WORDS.refused.zh} (${error.code})。${zh}`, en: `${WORDS.refused.en} (${error.code}). ${en}`.trim() };
}
