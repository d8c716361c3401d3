// The card's template as JSON text. It is part of the card, so it can be changed without the engine; a
// running story keeps the one it began with.
import type { App } from '../app/app';
import { CARD_FIELD, type Card, templateOf, withTemplate } from '../logic/card';
import { type JsonObject, isObject } from '../logic/json';
import { type Language, WORDS, say } from '../logic/words';
import { cut, make } from './dom';

export class TemplateEditor {
  /** Typed and unsaved text, by card. */
  private readonly drafts = new Map<string, string>();
  private readonly opened = new Set<string>();

  constructor(private readonly app: App) {}

  draw(card: Card, language: Language): HTMLElement {
    const section = make('details', 'sl-section', make('summary', 'sl-summary', `${say(WORDS.templateOf, language)} · ${cut(card.name, 40)}`));
    section.open = this.opened.has(card.avatar);
    section.addEventListener('toggle', () => (section.open ? this.opened.add(card.avatar) : this.opened.delete(card.avatar)));
    const field = make('textarea', 'sl-editor sl-mono text_pole');
    field.rows = 10;
    field.spellcheck = false;
    field.value = this.drafts.get(card.avatar) ?? JSON.stringify(templateOf(card.field) ?? {}, null, 2);
    field.addEventListener('input', () => this.drafts.set(card.avatar, field.value));
    const problem = make('div', 'sl-removed');
    const save = make('button', 'sl-button menu_button', say(WORDS.save, language));
    save.type = 'button';
    save.addEventListener('click', () => void this.save(card, field.value, problem, language));
    section.append(make('div', 'sl-dim', say(WORDS.templateHint, language)), field, problem, make('div', 'sl-bar', save));
    return section;
  }

  private async save(card: Card, text: string, problem: HTMLElement, language: Language): Promise<void> {
    const value = parse(text);
    if (typeof value === 'string') {
      problem.textContent = `${say(WORDS.badTemplate, language)} ${value}`;
      return;
    }
    await this.app.host.writeCardField(card.index, CARD_FIELD, withTemplate(card.field, value));
    this.drafts.delete(card.avatar);
    this.app.host.toast('success', say(WORDS.templateSaved, language), say(WORDS.title, language));
    this.app.cardEdited();
  }
}

function parse(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : '{ }';
  } catch (error) {
    return (error as Error).message;
  }
}
