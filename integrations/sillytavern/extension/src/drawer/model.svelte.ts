// What the drawer shows besides the screens: the app's own condition, mirrored so that Svelte sees its changes. It
// also moves the screens to the branch of the open chat.
import type { Branch, PageDiagnostic, Words } from 'storeyline-client';
import { NOWHERE, type Session, type memoryAddress } from 'storeyline-ui';
import type { App } from '../app/app';
import { fail } from '../app/commands';
import { CARD_FIELD, type Card, withSwitch, withTemplate } from '../logic/card';
import type { JsonObject } from '../logic/json';

export interface CardSwitch {
  card: Card;
  on: boolean;
}

const PROBLEMS = 5;

export class DrawerModel {
  trouble = $state.raw<Words | null>(null);
  progress = $state.raw<{ done: number; total: number } | null>(null);
  /** Functions of the card are still running. */
  pending = $state(false);
  theirs = $state(false);
  /** Number of functions that wait to be allowed. */
  held = $state(0);
  chatOpen = $state(false);
  cards = $state.raw<CardSwitch[]>([]);
  problems = $state.raw<PageDiagnostic[]>([]);
  /** The branch of the open chat; null while there is none. */
  at = $state.raw<Branch | null>(null);
  busy = $state(false);
  /** Templates that were typed and not saved, by card. */
  readonly templates = new Map<string, string>();

  private stop: (() => void) | null = null;
  private visible = false;
  /** The chat that `at` belongs to. */
  private chat: string | null = null;

  constructor(
    readonly app: App,
    readonly session: Session,
    private readonly address: ReturnType<typeof memoryAddress>,
  ) {
    app.onUpdate(() => this.visible && this.update());
  }

  /** The drawer was opened or closed; while it is closed nothing is asked. */
  show(visible: boolean): void {
    this.visible = visible;
    if (visible) this.update();
    this.rest();
  }

  /** A window that nobody sees needs no connection. */
  rest(): void {
    this.session.pause(!this.visible || document.hidden);
  }

  update(): void {
    const { app } = this;
    const open = app.host.open();
    this.trouble = app.trouble;
    this.progress = app.progress;
    this.pending = app.pending;
    this.theirs = app.theirs;
    this.chatOpen = open !== null;
    this.cards = (open?.cards ?? []).map((card) => ({ card, on: app.cards.isOn(card) }));
    this.held = app.held().reduce((sum, { names }) => sum + names.length, 0);
    this.problems = app.report.recent.slice(0, PROBLEMS);
    this.follow(this.branch());
  }

  // The host loads a chat again when a change is carried out, and the app begins anew; the screens stay meanwhile.
  private branch(): Branch | null {
    const open = this.app.host.open();
    const chat = open && `${open.owner} ${open.file}`;
    const branch = this.app.session?.branch() ?? null;
    const same = chat !== null && chat === this.chat && open !== null && this.app.isOn(open);
    if (branch || !same) this.chat = chat;
    return branch ?? (same ? this.at : null);
  }

  /** Shows a floor of the open chat. */
  go(floor: number): void {
    this.update();
    if (!this.at) return;
    this.address.open({ ...NOWHERE, ...this.at, floor, tab: 'floors' });
  }

  private follow(at: Branch | null): void {
    const before = this.at;
    const same = before?.story === at?.story && before?.ref === at?.ref;
    if (same && this.stop) return;
    this.at = at;
    this.rest();
    // Without a chat the screens that need none still work.
    this.address.open({ ...NOWHERE, ...at, tab: this.session.place.tab });
    if (this.stop) this.session.retry();
    else this.stop = this.session.start();
  }

  async turn({ card }: CardSwitch, on: boolean): Promise<void> {
    await this.run(async () => {
      await this.app.host.writeCardField(card.index, CARD_FIELD, withSwitch(card.field, on));
      await this.app.open();
    });
  }

  /** Writes the template into the card, which needs no engine. */
  async saveTemplate(card: Card, template: JsonObject): Promise<void> {
    await this.run(async () => {
      await this.app.host.writeCardField(card.index, CARD_FIELD, withTemplate(card.field, template));
      this.templates.delete(card.avatar);
      this.app.cardEdited();
    });
  }

  async chooseKeeper(): Promise<void> {
    const open = this.app.host.open();
    if (open) await this.app.chooseKeeper(open);
  }

  async offerFunctions(): Promise<void> {
    const open = this.app.host.open();
    if (open) await this.app.offerFunctions(open, true);
    this.update();
  }

  undo = (): Promise<void> => this.run(this.app.operations.undo);
  redo = (): Promise<void> => this.run(this.app.operations.redo);
  switchTo = (ref: string): Promise<void> => this.run(() => this.app.operations.switchTo(ref));
  reprocess = (): Promise<void> => this.run(() => this.app.operations.reprocess(null));
  deleteFloor = (floor: number): Promise<void> => this.run(() => this.app.operations.change({ kind: 'delete', floor }));

  private async run(work: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await work();
    } catch (error) {
      fail(this.app.host, error);
    } finally {
      this.busy = false;
      this.update();
    }
  }
}
