// The status bar: one element, moved under the last reply. It draws what `bar.ts` says and asks the engine for the
// floor when the acknowledged chat has changed. Only text is ever set.
import type { Client, Floor, Path } from 'storeyline-client';
import type { App } from '../app/app';
import { fail } from '../app/commands';
import type { HostEvent } from '../host/host';
import type { Surface } from '../host/surface';
import { type Drafts, IGNORED_PLACE, draftsOf, isPath, pinsPlace, readIgnored } from 'storeyline-ui/marks';
import { hostClient } from '../app/api';
import { sameRows } from '../logic/rows';
import { say } from '../logic/words';
import { type Bar, type Item, barFloor, fit, sayBar } from './bar';
import type { DisplaySettings } from './settings';
import type { Paint } from './tone';
import { SAY } from './words';

const EVENTS: HostEvent[] = [
  'CHAT_CHANGED', 'CHAT_LOADED', 'MESSAGE_RECEIVED', 'CHARACTER_MESSAGE_RENDERED', 'USER_MESSAGE_RENDERED', 'MESSAGE_SWIPED',
  'MESSAGE_SWIPE_DELETED', 'MESSAGE_UPDATED', 'MESSAGE_DELETED', 'GENERATION_ENDED', 'GENERATION_STOPPED',
];
/** Shorter work is not worth a word. */
const COMPUTING_MS = 150;
const PHONE = 480;

export class StatusBar {
  private readonly root = document.createElement('div');
  private known: { node: string; floor: Floor } | null = null;
  private asked = '';
  private shown: Bar | null = null;
  private readonly client: Client;
  /** What the user marked in this browser; null until it is known whose marks count. */
  private marks: Drafts | null = null;
  private width = 0;
  private soon: ReturnType<typeof setTimeout> | null = null;
  private late: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly app: App,
    private readonly surface: Surface,
    private readonly settings: DisplaySettings,
    private readonly open: (floor: number) => void,
  ) {
    this.client = hostClient(location.origin, () => app.host.headers());
    this.root.className = 'sl-tokens sl-host-bar';
    this.root.dataset['host'] = '';
    // Sideways movements of a finger in the chat swipe the message, and arrow keys do too.
    for (const event of ['touchstart', 'touchend', 'keydown']) this.root.addEventListener(event, (one) => one.stopPropagation(), { passive: true });
    new ResizeObserver(([entry]) => this.resized(entry?.contentRect.width ?? 0)).observe(this.root);
    for (const event of EVENTS) app.host.on(event, () => this.update());
    app.onUpdate(() => this.update());
  }

  paint({ tone, panel, accent, dim }: Paint): void {
    this.root.dataset['tone'] = tone;
    this.root.style.setProperty('--sl-panel', panel);
    this.root.style.setProperty('--sl-dim-share', `${dim}%`);
    if (accent) this.root.style.setProperty('--sl-panel-accent', accent);
    else this.root.style.removeProperty('--sl-panel-accent');
  }

  /** Several events of the host belong to one step. */
  update(): void {
    this.soon ??= setTimeout(() => {
      this.soon = null;
      this.draw();
    }, 0);
  }

  private draw(): void {
    const { host, session } = this.app;
    if (this.settings.statusBar === 'off' || !session?.alive()) return this.remove();
    // While a reply is being written, the bar stays where it is.
    if (host.generating() && this.root.isConnected && this.shown?.kind !== 'waiting' && !this.pending()) return;
    const acked = session.memory.acked;
    const inStep = acked !== null && acked.rows.length === host.chat().length && sameRows(session.rows(), acked.rows);
    if (inStep) void this.load(acked.node);
    const floor = inStep && this.known?.node === acked.node ? this.known.floor : null;
    if (floor) this.loadMarks();
    const ignored = readIgnored(this.marks?.read(IGNORED_PLACE));
    const bar = sayBar({ chat: host.chat(), away: this.app.trouble !== null, inStep, floor, pins: this.pins(), ignored });
    if (!bar) return this.remove();
    this.root.lang = host.language() === 'zh' ? 'zh-CN' : 'en';
    const at = barFloor(host.chat()) ?? 0;
    if (bar.kind === 'computing' && this.root.isConnected) return this.later(bar, at);
    this.put(bar, at);
  }

  /** The pinned values, if they are to be shown. */
  private pins(): Path[] | null {
    if (this.settings.statusBar !== 'pinned') return null;
    const story = this.app.session?.branch()?.story;
    const kept = story === undefined ? undefined : this.marks?.read(pinsPlace(story));
    return Array.isArray(kept) ? kept.filter(isPath) : [];
  }

  private loadMarks(): void {
    if (this.marks) return;
    draftsOf(this.client).then((marks) => {
      const first = this.marks === null;
      this.marks = marks;
      if (first) this.update();
    }, () => {});
  }

  private pending(): boolean {
    const bar = sayBar({ chat: this.app.host.chat(), away: false, inStep: false, floor: null });
    return bar?.kind === 'waiting';
  }

  private later(bar: Bar, at: number): void {
    if (!this.surface.isUnder(at, this.root)) this.surface.keepEnd(() => this.surface.putUnder(at, this.root));
    this.late ??= setTimeout(() => {
      this.late = null;
      this.put(bar, at);
    }, COMPUTING_MS);
  }

  private put(bar: Bar, at: number): void {
    if (this.late !== null) clearTimeout(this.late);
    this.late = null;
    const same = JSON.stringify(bar) === JSON.stringify(this.shown);
    // Keeping the end of the chat in view forces a layout, which takes long in a long chat.
    if (same && this.surface.isUnder(at, this.root)) return;
    this.surface.keepEnd(() => {
      if (!this.surface.putUnder(at, this.root)) return this.root.remove();
      if (same) return;
      this.fill(bar, this.shown?.kind === 'computing' || this.shown?.kind === 'waiting');
      this.shown = bar;
    });
  }

  private remove(): void {
    this.shown = null;
    this.root.remove();
  }

  private resized(width: number): void {
    if (width === 0 || Math.abs(width - this.width) < 1) return;
    this.width = width;
    if (this.shown?.kind === 'changes' || this.shown?.kind === 'pinned') this.surface.keepEnd(() => this.shown && this.fill(this.shown, false));
  }

  // A user message changes nothing, so the newest reply is asked for.
  private async load(node: string): Promise<void> {
    const { session, host, api } = this.app;
    const floor = barFloor(host.chat());
    const at = session?.branch();
    if (!at || floor === null || this.known?.node === node || this.asked === node) return;
    this.asked = node;
    try {
      const answer = await api.floor(at, floor);
      if (session !== this.app.session || session?.memory.acked?.node !== node) return;
      this.known = { node, floor: answer };
      this.update();
    } catch {
      // The engine is away: the app finds out and says so.
    } finally {
      if (this.asked === node) this.asked = '';
    }
  }

  private fill(bar: Bar, flash: boolean): void {
    const language = this.app.host.language();
    this.root.dataset['kind'] = bar.kind;
    const open = make('button', 'sl-host-bar-open');
    open.type = 'button';
    open.title = say(SAY.barOpen(Math.max(0, bar.floor)), language);
    open.addEventListener('click', () => this.open(Math.max(0, bar.floor)));
    open.append(...this.content(bar, flash));
    const action = this.action(bar);
    this.root.replaceChildren(open, ...(action ? [action] : []));
  }

  private content(bar: Bar, flash: boolean): HTMLElement[] {
    const language = this.app.host.language();
    const number = make('span', 'sl-host-bar-floor', `#${bar.floor}`);
    switch (bar.kind) {
      case 'changes':
        return [...this.changes(bar.items, bar.failed, flash), number];
      case 'pinned':
        return bar.items.length > 0 || bar.failed > 0
          ? [...this.changes(bar.items, bar.failed, flash), number]
          : [make('span', 'sl-host-bar-dim', say(SAY.barNoPins, language)), number];
      case 'none':
        return [make('span', 'sl-host-bar-dim', say(SAY.barNone, language)), number];
      case 'computing':
        return [make('span', 'sl-host-bar-dim', '…'), number];
      case 'waiting':
        return [make('span', 'sl-host-bar-dim', say(SAY.barWaiting(bar.floor), language))];
      case 'stale':
        return [make('span', 'sl-host-bar-stale', say(SAY.barStale, language)), number];
      case 'away':
        return [make('span', 'sl-host-bar-failed', say(SAY.barAway, language))];
    }
  }

  private changes(items: Item[], failed: number, flash: boolean): HTMLElement[] {
    const language = this.app.host.language();
    const warning = failed > 0 ? make('span', 'sl-host-bar-failed', `⚠ ${say(SAY.barFailed(failed), language)}`) : null;
    const size = Number.parseFloat(getComputedStyle(this.root).fontSize) || 13;
    const reserved = (warning ? 7 : 0) + 7;
    const count = this.width === 0 ? items.length : fit(items, this.width / size - 2, this.width < PHONE ? 3 : 2, reserved);
    const shown = items.slice(0, Math.max(1, count)).map((item) => drawItem(item, flash && item.kind !== 'same'));
    const left = items.length - shown.length;
    const more = left > 0 ? [make('span', 'sl-host-bar-dim', say(SAY.barMore(left), language))] : [];
    return [...shown, ...more, ...(warning ? [warning] : [])];
  }

  private action(bar: Bar): HTMLElement | null {
    const { host, operations } = this.app;
    const button = (words: { zh: string; en: string }, run: () => void): HTMLElement => {
      const made = make('button', 'sl-host-bar-action', say(words, host.language()));
      made.type = 'button';
      made.addEventListener('click', run);
      return made;
    };
    if (bar.kind === 'away') return button(SAY.retry, () => this.app.retry());
    if (bar.kind !== 'stale') return null;
    return button(SAY.reprocessShort, () => void operations.reprocess(bar.floor).catch((error: unknown) => fail(host, error)));
  }
}

function drawItem(item: Item, flash: boolean): HTMLElement {
  const line = make('span', `sl-host-bar-item${flash ? ' sl-host-bar-flash' : ''}`, make('b', '', item.label), ' ');
  line.dataset['kind'] = item.kind;
  if (item.kind === 'changed') line.append(make('span', 'sl-host-bar-dim', `${item.old}→`), item.new);
  else if (item.kind === 'same') line.append(item.new);
  else line.append(make('span', `sl-host-bar-${item.kind}`, item.kind === 'added' ? `+${item.new}` : `−${item.old}`));
  return line;
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
