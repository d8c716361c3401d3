// The drawer among the host's extension settings: health, the card's switch, the last floor, the state. It
// reads the app and draws; it contains no decisions. It draws only while it is open.
import type { App } from '../app/app';
import type { Floor, Words } from 'storeyline-client';
import type { OpenChat } from '../host/host';
import { CARD_FIELD, withSwitch } from '../logic/card';
import { isPending } from '../logic/message';
import { type Language, WORDS, say } from '../logic/words';
import { cut, make } from './dom';
import { floorChanges } from './floor';
import { History } from './history';
import { TemplateEditor } from './template';
import { followTone } from './tone';
import { tree } from './tree';

const DRAW_DELAY_MS = 120;
const TYPING_MS = 1000;
const PROBLEMS = 5;

export class Panel {
  private readonly content = make('div', 'inline-drawer-content sl-content');
  private readonly health = make('span', 'sl-health');
  private readonly body = make('div', 'sl-body');
  private readonly opened = new Map<string, boolean>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private floor: { hash: string; answer: Floor } | null = null;

  private readonly history: History;
  private readonly templates: TemplateEditor;

  constructor(private readonly app: App) {
    this.history = new History(app, () => this.soon());
    this.templates = new TemplateEditor(app);
  }

  /** Inserts the drawer into the page. */
  mount(place: HTMLElement): void {
    const toggle = make('div', 'inline-drawer-toggle inline-drawer-header',
      make('b', '', say(WORDS.panel, this.language())), this.health, make('div', 'inline-drawer-icon fa-solid fa-circle-chevron-down down'));
    const root = make('div', 'sl-root', make('div', 'inline-drawer', toggle, this.content));
    root.id = 'storeyline_panel';
    root.lang = this.language() === 'zh' ? 'zh-CN' : 'en';
    this.content.append(this.body);
    // Arrow keys would swipe, Ctrl+Enter would regenerate: keys typed here must not reach the host.
    root.addEventListener('keydown', (event) => event.stopPropagation());
    place.append(root);
    // The host shows and hides its drawers by style alone, without an event.
    new IntersectionObserver(() => this.soon()).observe(this.content);
    followTone(root);
    this.app.onUpdate(() => this.soon());
    this.draw();
  }

  private language(): Language {
    return this.app.host.language();
  }

  private soon(delay = DRAW_DELAY_MS): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.draw();
    }, delay);
  }

  // Avoids forcing a layout, which takes the browser long in a long chat.
  private visible(): boolean {
    return this.content.checkVisibility?.() ?? this.content.offsetParent !== null;
  }

  private draw(): void {
    this.drawHealth();
    if (!this.visible()) return;
    const parts: HTMLElement[] = [...this.trouble(), ...this.progress(), ...this.cards(), ...this.state(), ...this.problems()];
    // A field with the focus must not be replaced.
    if (this.body.contains(document.activeElement) && document.activeElement instanceof HTMLTextAreaElement) return this.soon(TYPING_MS);
    this.body.replaceChildren(...parts);
  }

  private drawHealth(): void {
    const ready = this.app.trouble === null && this.app.session?.memory.acked;
    this.health.className = `sl-health ${this.app.trouble ? 'sl-failed' : ready ? 'sl-added' : 'sl-dim'}`;
    const { progress } = this.app;
    this.health.textContent = progress ? `${progress.done} / ${progress.total}` : this.app.trouble ? '⚠' : ready ? say(WORDS.running, this.language()) : '';
  }

  private trouble(): HTMLElement[] {
    if (!this.app.trouble) return [];
    const retry = this.button(WORDS.retry, () => this.app.retry());
    return [make('div', 'sl-banner', say(this.app.trouble, this.language()), ' ', retry)];
  }

  private cards(): HTMLElement[] {
    const open = this.app.host.open();
    if (!open) return [make('div', 'sl-dim', say(WORDS.noChat, this.language()))];
    const switches = open.cards.map((card) => {
      const box = make('input', 'sl-switch');
      box.type = 'checkbox';
      box.checked = this.app.cards.isOn(card);
      box.addEventListener('change', () => void this.turn(card.index, withSwitch(card.field, box.checked)));
      return make('label', 'sl-card checkbox_label', box, make('span', '', `${say(WORDS.card, this.language())} · ${cut(card.name, 60)}`));
    });
    const off = this.app.isOn(open) || this.app.theirs ? [] : [make('div', 'sl-dim', say(WORDS.off, this.language()))];
    const templates = open.cards.map((card) => this.templates.draw(card, this.language()));
    return [...switches, ...off, ...this.theirs(open), ...this.held(open), ...templates];
  }

  // Another system keeps the state: shown, with a way to change it.
  private theirs(open: OpenChat): HTMLElement[] {
    if (!this.app.theirs) return [];
    const again = this.button(WORDS.chooseAgain, () => void this.app.chooseKeeper(open));
    return [make('div', 'sl-banner', say(WORDS.theirs, this.language()), ' ', again)];
  }

  private held(open: OpenChat): HTMLElement[] {
    const count = this.app.held().reduce((sum, { names }) => sum + names.length, 0);
    if (count === 0) return [];
    const look = this.button(WORDS.allow, () => void this.app.offerFunctions(open, true));
    return [make('div', 'sl-banner', say(WORDS.held(count), this.language()), ' ', look)];
  }

  private progress(): HTMLElement[] {
    const { progress, pending } = this.app;
    if (!progress) return pending ? [make('div', 'sl-dim', say(WORDS.pending, this.language()))] : [];
    const bar = make('progress', 'sl-progress');
    bar.max = progress.total;
    bar.value = progress.done;
    return [make('div', 'sl-dim', say(WORDS.firstSync(progress.done, progress.total), this.language()), ' ', bar)];
  }

  private button(words: Words, run: () => void): HTMLButtonElement {
    const button = make('button', 'sl-button menu_button', say(words, this.language()));
    button.type = 'button';
    button.addEventListener('click', run);
    return button;
  }

  private async turn(index: number, value: object): Promise<void> {
    await this.app.host.writeCardField(index, CARD_FIELD, value);
    await this.app.open();
  }

  private state(): HTMLElement[] {
    const session = this.app.session;
    const acked = session?.memory.acked;
    if (!session) return [];
    const language = this.language();
    if (!acked) return [make('div', 'sl-dim', say(WORDS.noState, language))];
    const floor = acked.rows.length - 1;
    const last = this.app.host.chat().at(-1);
    const waiting = last !== undefined && isPending(last);
    const words = !waiting ? WORDS.floor(floor) : floor > 0 ? WORDS.waiting(floor - 1) : WORDS.template;
    const shown = this.app.injector.current();
    const state = make('details', 'sl-section', make('summary', 'sl-summary', say(WORDS.state, language)));
    state.open = true;
    if (shown) state.append(tree(shown.value, language, this.opened));
    return [make('div', 'sl-floor', say(words, language)), ...this.history.draw(language), ...this.changes(floor, acked.node), state];
  }

  private changes(floor: number, node: string): HTMLElement[] {
    if (this.floor?.hash !== node) {
      void this.load(floor, node);
      return [];
    }
    const title = make('summary', 'sl-summary', say(WORDS.changes(this.floor.answer.floor), this.language()));
    const section = make('details', 'sl-section', title, floorChanges(this.floor.answer, this.language()));
    section.open = true;
    return [section];
  }

  // A user message changes nothing; the newest reply is shown.
  private async load(floor: number, node: string): Promise<void> {
    const { session } = this.app;
    const rows = session?.memory.acked?.rows ?? [];
    const newest = rows.findLastIndex(({ row }) => row.role !== 'user');
    const at = session?.branch();
    if (!session || !at) return;
    try {
      const answer = await this.app.api.floor(at, newest < 0 ? floor : newest);
      if (session.memory.acked?.node !== node) return;
      this.floor = { hash: node, answer };
      this.soon();
    } catch {
      // The banner reports an engine that is away; the rest of the panel does not depend on this.
    }
  }

  private problems(): HTMLElement[] {
    const list = this.app.report.recent.slice(0, PROBLEMS);
    if (list.length === 0) return [];
    const lines = list.map((one) =>
      make('div', `sl-call ${one.severity === 'error' ? 'sl-failed' : ''}`, `${one.severity === 'error' ? '✕' : '~'} #${one.floor} `, make('code', 'sl-source', cut(one.source, 160)),
        make('div', 'sl-reason', cut(say(one.message, this.language()), 300))));
    return [make('details', 'sl-section', make('summary', 'sl-summary', say(WORDS.problems, this.language())), ...lines)];
  }
}
