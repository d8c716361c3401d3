// The drawer among the host's extension settings: health, the card's switch, the last floor, the state.
// It reads the app and draws; it decides nothing. It draws only while it is open.
import type { App } from '../app/app';
import type { FloorAnswer } from '../api/wire';
import { CARD_FIELD, cardIsOn, withSwitch } from '../logic/card';
import { isPending } from '../logic/message';
import { type Language, WORDS, say } from '../logic/words';
import { cut, make } from './dom';
import { floorChanges } from './floor';
import { followTone } from './tone';
import { tree } from './tree';

const DRAW_DELAY_MS = 120;
const PROBLEMS = 5;

export class Panel {
  private readonly content = make('div', 'inline-drawer-content sl-content');
  private readonly health = make('span', 'sl-health');
  private readonly body = make('div', 'sl-body');
  private readonly opened = new Map<string, boolean>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private floor: { hash: string; answer: FloorAnswer } | null = null;

  constructor(private readonly app: App) {}

  /** Puts the drawer into the page. */
  mount(place: HTMLElement): void {
    const toggle = make('div', 'inline-drawer-toggle inline-drawer-header',
      make('b', '', say(WORDS.panel, this.language())), this.health, make('div', 'inline-drawer-icon fa-solid fa-circle-chevron-down down'));
    const root = make('div', 'sl-root', make('div', 'inline-drawer', toggle, this.content));
    root.id = 'storeyline_panel';
    root.lang = this.language() === 'zh' ? 'zh-CN' : 'en';
    this.content.append(this.body);
    // Arrow keys would swipe, Ctrl+Enter would regenerate: what is typed here is not for the host.
    root.addEventListener('keydown', (event) => event.stopPropagation());
    place.append(root);
    // The host shows and hides its drawers by style alone, without a word.
    new IntersectionObserver(() => this.soon()).observe(this.content);
    followTone(root);
    this.app.onUpdate(() => this.soon());
    this.draw();
  }

  private language(): Language {
    return this.app.host.language();
  }

  private soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.draw();
    }, DRAW_DELAY_MS);
  }

  private visible(): boolean {
    return this.content.offsetParent !== null;
  }

  private draw(): void {
    this.drawHealth();
    if (!this.visible()) return;
    const parts: HTMLElement[] = [...this.trouble(), ...this.cards(), ...this.state(), ...this.problems()];
    this.body.replaceChildren(...parts);
  }

  private drawHealth(): void {
    const ready = this.app.trouble === null && this.app.session?.memory.acked;
    this.health.className = `sl-health ${this.app.trouble ? 'sl-failed' : ready ? 'sl-added' : 'sl-dim'}`;
    this.health.textContent = this.app.trouble ? '⚠' : ready ? say(WORDS.running, this.language()) : '';
  }

  private trouble(): HTMLElement[] {
    if (!this.app.trouble) return [];
    const retry = make('button', 'sl-button menu_button', say(WORDS.retry, this.language()));
    retry.type = 'button';
    retry.addEventListener('click', () => this.app.retry());
    return [make('div', 'sl-banner', say(this.app.trouble, this.language()), ' ', retry)];
  }

  private cards(): HTMLElement[] {
    const open = this.app.host.open();
    if (!open) return [make('div', 'sl-dim', say(WORDS.noChat, this.language()))];
    const switches = open.cards.map((card) => {
      const box = make('input', 'sl-switch');
      box.type = 'checkbox';
      box.checked = cardIsOn(card.field);
      box.addEventListener('change', () => void this.turn(card.index, withSwitch(card.field, box.checked)));
      return make('label', 'sl-card checkbox_label', box, make('span', '', `${say(WORDS.card, this.language())} · ${cut(card.name, 60)}`));
    });
    const hint = this.app.isOn(open) ? [] : [make('div', 'sl-dim', say(WORDS.off, this.language()))];
    return [...switches, ...hint];
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
    return [make('div', 'sl-floor', say(words, language)), ...this.changes(floor, acked.node), state];
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

  // A user message changes nothing; the newest reply is what the reader wants to understand.
  private async load(floor: number, node: string): Promise<void> {
    const { session } = this.app;
    const rows = session?.memory.acked?.rows ?? [];
    const newest = rows.findLastIndex(({ row }) => row.role !== 'user');
    if (!session?.record.story || !session.ref) return;
    try {
      const answer = await this.app.api.floor(session.record.story, session.ref, newest < 0 ? floor : newest);
      if (session.memory.acked?.node !== node) return;
      this.floor = { hash: node, answer };
      this.soon();
    } catch {
      // The banner says when the engine is away; the rest of the panel does not depend on this.
    }
  }

  private problems(): HTMLElement[] {
    const list = this.app.report.recent.slice(0, PROBLEMS);
    if (list.length === 0) return [];
    const lines = list.map((one) =>
      make('div', `sl-call ${one.severity === 'error' ? 'sl-failed' : ''}`, `${one.severity === 'error' ? '✕' : '~'} #${one.floor ?? '?'} `, make('code', 'sl-source', cut(one.source ?? '', 160)),
        make('div', 'sl-reason', cut(say(one.message, this.language()), 300))));
    return [make('details', 'sl-section', make('summary', 'sl-summary', say(WORDS.problems, this.language())), ...lines)];
  }
}
