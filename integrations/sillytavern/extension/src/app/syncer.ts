// Keeps the engine in sync: one request per chat at a time, later requests are joined into the next one, lost
// answers are retried with growing pauses. In: "something may have changed". Out: acknowledged states, passed
// to the session.
import { ApiError, Away, type SyncAnswer } from 'storeyline-client';
import type { Api } from './api';
import type { ChatMessage } from '../logic/message';
import { type Acked, type Outcome, type SyncMemory, type WholeRequest, buildRequest, readAnswer, remember } from '../logic/plan';
import { breath } from '../logic/pieces';
import { type TextRow, sameRows } from '../logic/rows';
import { uuid4 } from '../logic/uuid';

/** Delay before a change whose functions are still running is requested again. */
const PENDING_MS = 1000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const ROUNDS = 6;
const COPIED = 200;

export type SyncResult = 'done' | 'failed' | 'timeout';

/** What the syncer needs from the open chat. */
export interface SyncedChat {
  /** False once another chat is open: answers are then dropped. */
  alive(): boolean;
  /** Rows of the chat now, or null when it must not be declared now. */
  rows(): TextRow[] | null;
  /** Processes a long chat in pieces, so that `rows` has little left to do. */
  readAhead(): Promise<void>;
  messages(): ChatMessage[];
  identity(): { chat: string; names: { user: string; char: string } };
  /** Identifies this chat to the engine; false if another branch is to be shown instead. */
  declare(): Promise<boolean>;
  /** Gives messages the ids under which the engine knows them; tells whether it wrote any. */
  adopt(acked: Acked, adopted: { from: string; to: string }[]): Promise<boolean>;
  /** Functions of the card are still running; the engine is asked again. */
  waiting(): void;
  /** Called with each acknowledged answer. */
  acknowledged(answer: SyncAnswer, acked: Acked, wrote: boolean): void;
  failed(error: ApiError): void;
}

export class Syncer {
  private wanted = 0;
  private finished = 0;
  private underWay: TextRow[] | null = null;
  private running = false;
  private preparing = false;
  private declared = false;
  private pause = FIRST_PAUSE_MS;
  private retry: ReturnType<typeof setTimeout> | null = null;
  private unanswered: { request: WholeRequest; rows: TextRow[] } | null = null;
  private waiting: { wish: number; resolve: (result: SyncResult) => void }[] = [];

  constructor(
    private readonly api: Api,
    private readonly memory: SyncMemory,
    private readonly chat: SyncedChat,
  ) {}

  /** Asks for a sync; `force` asks even if the chat did not change (the story may have changed elsewhere). */
  request(force = false): void {
    // A request that is still being prepared will read the chat later, so it covers this one too.
    if (this.preparing || (!force && !this.dirty())) return;
    this.wanted += 1;
    this.wake();
  }

  /** Same as `request(true)`, and first asks whether this chat is still the one to show. */
  askAgain(): void {
    this.declared = false;
    this.request(true);
  }

  /** Waits until everything requested so far is acknowledged, failed, or the time is over. */
  settled(timeout: number): Promise<SyncResult> {
    if (this.finished >= this.wanted) return Promise.resolve('done');
    return new Promise((resolve) => {
      this.waiting.push({ wish: this.wanted, resolve });
      setTimeout(() => resolve('timeout'), timeout);
    });
  }

  stop(): void {
    if (this.retry !== null) clearTimeout(this.retry);
    this.retry = null;
    this.finish('failed', Number.POSITIVE_INFINITY);
  }

  // Tells whether the chat differs from what was sent to the engine, or is just being sent.
  private dirty(): boolean {
    const told = this.underWay ?? this.memory.acked?.rows;
    // Nothing was ever sent: there is nothing to compare, and a long chat is not processed for that.
    if (!told) return this.chat.messages().length > 0;
    const rows = this.chat.rows();
    return rows !== null && rows.length > 0 && !sameRows(told, rows);
  }

  private wake(): void {
    if (this.running) return;
    if (this.retry !== null) clearTimeout(this.retry);
    this.retry = null;
    this.running = true;
    void this.run();
  }

  private async run(): Promise<void> {
    try {
      while (this.finished < this.wanted && this.chat.alive()) {
        const wish = this.wanted;
        await this.once();
        this.pause = FIRST_PAUSE_MS;
        this.finish('done', wish);
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.running = false;
      this.preparing = false;
      this.underWay = null;
    }
  }

  private fail(error: unknown): void {
    if (!this.chat.alive()) return this.stop();
    const known = error instanceof ApiError ? error : new Away('bug');
    if (!(error instanceof ApiError)) console.error('[Storeyline]', error);
    this.finish('failed', this.wanted);
    this.chat.failed(known);
    this.retry = setTimeout(() => this.request(true), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
  }

  private finish(result: SyncResult, wish: number): void {
    this.finished = Math.min(Math.max(this.finished, wish), this.wanted);
    const done = this.waiting.filter((one) => one.wish <= wish);
    this.waiting = this.waiting.filter((one) => one.wish > wish);
    for (const one of done) one.resolve(result);
  }

  /** One acknowledged sync: repeats with what the engine asks for. */
  private async once(): Promise<void> {
    const repair = { needed: new Set<string>(), whole: false, freshState: false };
    if (this.unanswered) await this.repeat(this.unanswered);
    for (let round = 0; round < ROUNDS; round++) {
      const shown = await this.prepare();
      const rows = shown && this.chat.alive() ? this.chat.rows() : null;
      this.preparing = false;
      if (!rows || rows.length === 0) return;
      const request = buildRequest(this.memory, rows, this.chat.messages(), { ...this.chat.identity(), ...repair });
      // A snapshot, because messages change while the request is running. A whole long chat is not copied.
      const said = Object.keys(request.messages).length > COPIED ? null : { request: { ...request, messages: structuredClone(request.messages) }, rows };
      let answer: SyncAnswer;
      try {
        this.underWay = rows;
        // Building many rows is one piece of work; serializing them is the next.
        if (request.tail.length > COPIED) await breath();
        answer = await this.api.sync(request);
      } catch (error) {
        if (error instanceof ApiError && error.unsure) this.unanswered = said;
        if (!(error instanceof ApiError) || !this.repairs(error, repair)) throw error;
        continue;
      }
      if (!this.chat.alive()) return;
      if (answer.pending) {
        this.chat.waiting();
        await new Promise((resolve) => setTimeout(resolve, PENDING_MS));
        round -= 1;
        continue;
      }
      const outcome = await readAnswer(this.memory, rows, answer);
      if (outcome.kind === 'need') outcome.pages.forEach((page) => repair.needed.add(page));
      else if (outcome.kind === 'lost-state') repair.freshState = true;
      else return this.take(answer, outcome);
    }
    throw new Away('no_agreement');
  }

  // An answer that never came may belong to a request that the engine accepted. Then that is the base of
  // everything after it, so the same request is repeated before any new one.
  private async repeat(said: { request: WholeRequest; rows: TextRow[] }): Promise<void> {
    let answer: SyncAnswer;
    try {
      answer = await this.api.sync(said.request);
    } catch (error) {
      if (!(error instanceof ApiError) || error.unsure) throw error;
      this.unanswered = null;
      return;
    }
    this.unanswered = null;
    if (answer.pending) return;
    const outcome = await readAnswer(this.memory, said.rows, answer);
    if (outcome.kind === 'acked') await this.take(answer, outcome);
  }

  // A long answer takes a moment to process, and its ids a moment to write; nothing else is sent meanwhile.
  private async take(answer: SyncAnswer, { acked, adopted }: Extract<Outcome, { kind: 'acked' }>): Promise<void> {
    if (!this.chat.alive()) return;
    const wrote = adopted.length > 0 && (await this.chat.adopt(acked, adopted));
    if (!(await remember(this.memory, acked, () => this.chat.alive()))) return;
    this.underWay = null;
    this.chat.acknowledged(answer, acked, wrote);
  }

  private async prepare(): Promise<boolean> {
    this.preparing = true;
    this.declared ||= await this.chat.declare();
    if (this.declared && !this.memory.acked) await this.chat.readAhead();
    return this.declared;
  }

  private repairs(error: ApiError, repair: { whole: boolean }): boolean {
    switch (error.code) {
      case 'unknown_chat':
        this.declared = false;
        this.memory.known.clear();
        return true;
      case 'old_seq':
        this.memory.client = uuid4();
        this.memory.seq = 0;
        return true;
      case 'keep_mismatch':
        if (repair.whole) this.memory.base = null;
        repair.whole = true;
        return true;
      case 'ref_moved':
        return true;
      default:
        return false;
    }
  }
}
