// The history of the open chat: undo and redo, the branches, and the last floors with their actions. It draws
// and asks; actions go through the app's operations, and the chat follows.
import type { Branch, BranchEdit, FloorLine, Ref, Words } from 'storeyline-client';
import type { App } from '../app/app';
import { fail } from '../app/commands';
import { type Language, WORDS, say } from '../logic/words';
import { cut, make } from './dom';

const FLOORS = 20;

interface Known {
  node: string;
  total: number;
  floors: FloorLine[];
  branches: Ref[];
}

export class History {
  private known: Known | null = null;
  private loading = '';
  private busy = false;
  private shown = FLOORS;
  private editing: { page: string; text: string } | null = null;
  private open = false;

  constructor(
    private readonly app: App,
    private readonly redraw: () => void,
  ) {}

  /** Makes the section; it loads its contents when it is opened. */
  draw(language: Language): HTMLElement[] {
    const at = this.app.session?.branch();
    const node = this.app.session?.memory.acked?.node;
    if (!at || !node) return [];
    const bar = make('div', 'sl-bar', this.button(WORDS.undo, language, () => this.app.operations.undo()),
      this.button(WORDS.redo, language, () => this.app.operations.redo()), this.button(WORDS.reprocess, language, () => this.app.operations.reprocess(null)));
    const section = make('details', 'sl-section sl-history', make('summary', 'sl-summary', say(WORDS.history, language)));
    section.open = this.open;
    section.addEventListener('toggle', () => {
      this.open = section.open;
      if (section.open) this.redraw();
    });
    if (this.open) section.append(...this.content(at, node, language));
    return [bar, section];
  }

  private content(at: Branch, node: string, language: Language): HTMLElement[] {
    if (this.known?.node !== node) void this.load(at, node);
    if (!this.known) return [make('div', 'sl-dim', '…')];
    const { branches, floors, total } = this.known;
    const lines = [...floors].reverse().map((floor) => this.floorLine(at, floor, language));
    const more = total > floors.length ? [this.moreButton(total - floors.length, language)] : [];
    return [this.branches(at, branches, language), ...lines, ...more];
  }

  private branches(at: Branch, branches: Ref[], language: Language): HTMLElement {
    const choice = make('select', 'sl-branches text_pole');
    choice.setAttribute('aria-label', say(WORDS.branch, language));
    for (const one of branches) {
      const option = make('option', '', `${cut(one.name, 60)} · ${one.floors}`);
      option.value = one.ref;
      option.selected = one.ref === at.ref;
      choice.append(option);
    }
    choice.disabled = this.busy || branches.length < 2;
    choice.addEventListener('change', () => void this.run(() => this.app.operations.switchTo(choice.value)));
    return make('label', 'sl-card', make('span', 'sl-dim', say(WORDS.branch, language)), choice);
  }

  private floorLine(at: Branch, floor: FloorLine, language: Language): HTMLElement {
    const act = (operation: BranchEdit): Promise<unknown> => this.app.operations.change(operation);
    const line = make('div', 'sl-floorline', make('span', 'sl-key', `#${floor.floor}`), ' ', make('span', 'sl-who', cut(floor.name, 24)), ' ',
      make('span', 'sl-preview', cut(floor.preview, 80)));
    line.dataset['floor'] = String(floor.floor);
    const tools = make('span', 'sl-tools');
    if (floor.pages > 1) {
      tools.append(this.icon('‹', WORDS.previousPage, language, () => this.step(at, floor, -1)),
        make('span', 'sl-dim', `${floor.active + 1}/${floor.pages}`), this.icon('›', WORDS.nextPage, language, () => this.step(at, floor, 1)));
    }
    tools.append(this.icon('✎', WORDS.edit, language, () => this.startEdit(at, floor)),
      this.icon('✕', WORDS.deleteFloor, language, () => act({ kind: 'delete', floor: floor.floor })));
    line.append(tools);
    if (this.editing?.page === floor.page) line.append(this.editor(this.editing, language));
    return line;
  }

  private async step(at: Branch, floor: FloorLine, by: number): Promise<unknown> {
    const { pages } = await this.app.api.floor(at, floor.floor);
    const page = pages[(floor.active + by + pages.length) % pages.length];
    return page ? this.app.operations.change({ kind: 'swipe', page: page.page }) : null;
  }

  private async startEdit(at: Branch, floor: FloorLine): Promise<void> {
    const { text } = await this.app.api.floor(at, floor.floor);
    this.editing = { page: floor.page, text };
    this.redraw();
  }

  // Typed text stays until it is saved or cancelled.
  private editor(editing: { page: string; text: string }, language: Language): HTMLElement {
    const field = make('textarea', 'sl-editor text_pole');
    field.value = editing.text;
    field.rows = 6;
    field.addEventListener('input', () => (editing.text = field.value));
    const save = this.button(WORDS.save, language, async () => {
      await this.app.operations.change({ kind: 'edit', page: editing.page, text: editing.text });
      this.editing = null;
    });
    const cancel = this.button(WORDS.cancel, language, async () => {
      this.editing = null;
      this.redraw();
    });
    return make('div', 'sl-edit', field, make('div', 'sl-bar', save, cancel));
  }

  private moreButton(left: number, language: Language): HTMLElement {
    return this.button(WORDS.more(left), language, async () => {
      this.shown += FLOORS * 5;
      this.known = null;
      this.redraw();
    });
  }

  private button(words: Words, language: Language, work: () => Promise<unknown>): HTMLButtonElement {
    const button = make('button', 'sl-button menu_button', say(words, language));
    button.type = 'button';
    button.disabled = this.busy;
    button.addEventListener('click', () => void this.run(work));
    return button;
  }

  private icon(sign: string, words: Words, language: Language, work: () => Promise<unknown>): HTMLButtonElement {
    const button = this.button({ zh: sign, en: sign }, language, work);
    button.className = 'sl-icon';
    button.title = say(words, language);
    button.setAttribute('aria-label', say(words, language));
    return button;
  }

  private async run(work: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.redraw();
    try {
      await work();
    } catch (error) {
      fail(this.app.host, error);
    } finally {
      this.busy = false;
      this.redraw();
    }
  }

  private async load(at: Branch, node: string): Promise<void> {
    if (this.loading === node) return;
    this.loading = node;
    try {
      const total = this.app.session?.memory.acked?.rows.length ?? 0;
      const from = Math.max(0, total - this.shown);
      const [{ refs }, list] = await Promise.all([this.app.api.story(at.story), this.app.api.floors(at, from, this.shown)]);
      this.known = { node, total: list.total, floors: list.floors, branches: refs.filter(({ kind }) => kind === 'branch') };
      this.redraw();
    } catch {
      // The banner reports an engine that is away.
    } finally {
      this.loading = '';
    }
  }
}
