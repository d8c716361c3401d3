// The conductor: one idempotent reconcile serves every event of the host; event arguments are hints only.
//   open    who is this chat (CHAT_CHANGED)         reconcile   bind ids, save, sync in the background
//   barrier before a prompt: newest state           acknowledged   inject, report, carry out changes made elsewhere
import type { Api, ApiError } from '../api/client';
import type { SyncAnswer, Words } from '../api/wire';
import type { Host, OpenChat } from '../host/host';
import { bindChat } from '../logic/binding';
import { cardIsOn } from '../logic/card';
import { type ChatRecord, chatRecord, decideMoved, readIdentity, readRecord } from '../logic/identity';
import { KEY, isPending } from '../logic/message';
import { type Acked, type SyncMemory, newMemory } from '../logic/plan';
import type { Step } from '../logic/apply';
import { commonLength } from '../logic/rows';
import { WORDS } from '../logic/words';
import { carryOut, whenIdle } from './applier';
import { Changes } from './changes';
import { Generation } from './generation';
import { Injector } from './injector';
import { Report } from './report';
import { Saver } from './saver';
import { Session } from './session';

const SAME_STEPS_LIMIT = 3;
const REMEMBERED_CHATS = 4;

export class App {
  session: Session | null = null;
  /** Why the engine's answers are missing, or null when all is well. */
  trouble: Words | null = null;
  readonly injector: Injector;
  readonly report: Report;
  readonly generation: Generation;
  private readonly saver: Saver;
  private readonly changes: Changes;
  private readonly memories = new Map<string, SyncMemory>();
  private readonly listeners: (() => void)[] = [];
  private opening = 0;
  private earlier: { late: boolean; floors: number } | null = null;
  private sameSteps = { node: '', count: 0 };

  constructor(
    readonly host: Host,
    readonly api: Api,
  ) {
    this.injector = new Injector(host);
    this.report = new Report(host);
    this.generation = new Generation(host);
    this.saver = new Saver(host);
    this.changes = new Changes(api, () => this.session !== null, () => this.session?.syncer.request(true));
  }

  /** Calls back whenever something that the panel shows may have changed. */
  onUpdate(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Says whether the chat's card, or a member of the group, has Storeyline on. */
  isOn(open: OpenChat): boolean {
    return open.cards.some((card) => cardIsOn(card.field));
  }

  /** A chat was opened, closed, loaded again or switched on or off: decides who it is and starts a session. */
  async open(): Promise<void> {
    const turn = ++this.opening;
    this.closeSession();
    const open = this.host.open();
    if (open && this.isOn(open)) {
      const record = await this.identify(open);
      if (turn !== this.opening) return;
      const memory = this.memoryOf(record.chat, record.base);
      this.writeRecord(record);
      this.session = new Session(this.host, this.api, { ...record }, memory, {
        acknowledged: (session, answer, acked, wroteIds) => this.acknowledged(session, answer, acked, wroteIds),
        failed: (session, error) => this.failed(session, error),
      });
      this.reconcile(true);
      if (this.host.chat().length > 0) this.session.syncer.request(true);
      this.changes.start();
    }
    this.updated();
  }

  /** Binds ids, asks for a save if any was written, syncs in the background, shows the state that fits. */
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

  /** As reconcile, and saves at once: the host has saved a user message before it told us. */
  reconcileAndSave(): void {
    this.reconcile();
    if (this.session?.alive()) this.saver.now();
  }

  /**
   * Before a prompt, or a part of it, is built: waits for the newest state.
   *
   * Card fields are resolved before the host's last hook (`final`), so whether they were late is remembered until then.
   */
  async barrier(final: boolean): Promise<void> {
    this.reconcile();
    const session = this.session;
    if (!session) return;
    const result = await session.syncer.settled(this.generation.patience());
    if (result === 'timeout') this.generation.lostPatience();
    if (session !== this.session) return;
    const choice = this.show();
    const late = choice ? !choice.exact : this.trouble === null;
    const floors = choice?.floors ?? 0;
    const worst = final && this.earlier?.late ? this.earlier : { late, floors };
    this.earlier = final ? null : { late, floors };
    if (final && worst.late) this.report.stale(worst.floors - 1);
  }

  /** The host may have gone back to the old page without telling: looks again when its swipe is over. */
  async afterGeneration(): Promise<void> {
    this.generation.end();
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

  retry(): void {
    if (this.session) this.session.syncer.request(true);
    else void this.open();
  }

  private closeSession(): void {
    this.session?.close();
    this.session = null;
    this.injector.clear();
  }

  // A copy made of the file is told from a rename by what the file says, so that must be true soon.
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
    // The file says what was acknowledged when it was saved; if that is not what we remember, the file is right.
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
    // The state a prompt sees while it is built passes; the one after it is saved.
    if (changed && this.generation.now() === null) this.saver.soon();
    return found.choice;
  }

  private acknowledged(session: Session, answer: SyncAnswer, acked: Acked, wroteIds: boolean): void {
    if (session !== this.session) return;
    this.trouble = null;
    this.report.back();
    if (wroteIds) this.saver.soon();
    this.report.diagnostics(answer.diagnostics ?? []);
    this.report.notices(answer.notices ?? []);
    this.show();
    this.updated();
    if (answer.apply && answer.apply.length > 0) void this.carryOut(session, answer.apply, acked);
  }

  private failed(session: Session, error: ApiError): void {
    if (session !== this.session) return;
    console.error('[Storeyline]', error.message, error.words?.en ?? '');
    this.trouble = explain(error);
    this.report.away(this.trouble);
    this.updated();
  }

  private async carryOut(session: Session, steps: Step[], acked: Acked): Promise<void> {
    this.sameSteps = { node: acked.node, count: this.sameSteps.node === acked.node ? this.sameSteps.count + 1 : 1 };
    if (session.applying || this.sameSteps.count > SAME_STEPS_LIMIT) return;
    const stillMeant = (): boolean => {
      const rows = session === this.session ? session.rows() : null;
      return rows !== null && rows.length === acked.rows.length && commonLength(rows, acked.rows) === rows.length;
    };
    if (!(await whenIdle(this.host, stillMeant))) return;
    session.applying = true;
    try {
      await carryOut(this.host, steps);
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
  if (error.code === 'no_plugin') return WORDS.noPlugin;
  const [zh, en] = [error.words?.zh ?? '', error.words?.en ?? ''];
  if (error.away) return { zh: `${WORDS.away.zh}${zh}`, en: `${WORDS.away.en} ${en}`.trim() };
  return { zh: `${WORDS.refused.zh} (${error.code})。${zh}`, en: `${WORDS.refused.en} (${error.code}). ${en}`.trim() };
}
