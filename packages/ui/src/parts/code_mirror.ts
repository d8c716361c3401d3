// The text editor for JSON and JavaScript. This file and CodeMirror are loaded when an editor is opened.
//
// It lives in a shadow root: styles of the host do not reach it, and its own do not leave it. Colours are the
// custom properties of our root, which shadow roots inherit.
import { autocompletion, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface TextArea {
  text(): string;
  setText(text: string): void;
  goTo(offset: number): void;
  /** Selects the next place of the text after the cursor; false: it does not occur. */
  find(text: string): boolean;
  focus(): void;
  destroy(): void;
}

export interface TextAreaOptions {
  host: HTMLElement;
  text: string;
  label: string;
  readonly: boolean;
  /** The names that JavaScript may use, for completion; absent: the text is JSON. */
  names?: readonly CodeName[] | undefined;
  ontext: (text: string) => void;
}

/** A name, and what it is. */
export interface CodeName {
  label: string;
  detail: string;
}

/** Offers the names where a word, a path or a text begins. */
function completer(names: readonly CodeName[]): (context: CompletionContext) => CompletionResult | null {
  const options: Completion[] = names.map(({ label, detail }) => ({ label, detail, type: 'variable' }));
  return (context) => {
    const word = context.matchBefore(/[\p{L}\p{N}_$.]+/u);
    if (!word && !context.explicit) return null;
    return { from: word?.from ?? context.pos, options, validFor: /^[\p{L}\p{N}_$.]*$/u };
  };
}

function languageOf(names: readonly CodeName[] | undefined): Extension[] {
  if (!names) return [json()];
  return [javascript(), autocompletion({ override: [completer(names)], icons: false }), keymap.of(completionKeymap)];
}

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--sl-bg)', color: 'var(--sl-text)', fontSize: 'var(--sl-tree)' },
  '&.cm-focused': { outline: '2px solid var(--sl-text)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--sl-mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--sl-text)', padding: '6px 0' },
  '.cm-gutters': { backgroundColor: 'var(--sl-raised)', color: 'var(--sl-dim)', borderRight: '1px solid var(--sl-line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--sl-hover)' },
  '.cm-content ::selection': { backgroundColor: 'color-mix(in srgb, var(--sl-info) 34%, var(--sl-bg))' },
  '.cm-line::selection': { backgroundColor: 'color-mix(in srgb, var(--sl-info) 34%, var(--sl-bg))' },
  '.cm-tooltip': { backgroundColor: 'var(--sl-bg)', color: 'var(--sl-text)', border: '1px solid var(--sl-line-strong)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--sl-selected)', color: 'var(--sl-text)' },
  '.cm-completionDetail': { color: 'var(--sl-dim)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--sl-selected)', outline: '1px solid var(--sl-line-strong)' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--sl-text)' },
  { tag: tags.string, color: 'var(--sl-added)' },
  { tag: tags.number, color: 'var(--sl-info)' },
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword], color: 'var(--sl-hand)' },
  { tag: tags.comment, color: 'var(--sl-dim)' },
  { tag: tags.regexp, color: 'var(--sl-changed)' },
  { tag: [tags.bool, tags.null], color: 'var(--sl-hand)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--sl-dim)' },
]);

export function makeTextArea({ host, text, label, readonly, names, ontext }: TextAreaOptions): TextArea {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const extensions = [
    lineNumbers(),
    history(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    ...languageOf(names),
    syntaxHighlighting(colours),
    theme,
    EditorView.lineWrapping,
    EditorState.readOnly.of(readonly),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    // Tab leaves the editor, as everywhere else; Ctrl+Enter belongs to the screen around it.
    keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) ontext(update.state.doc.toString());
    }),
  ];
  const view = new EditorView({ parent: root, root, state: EditorState.create({ doc: text, extensions }) });

  function select(anchor: number, head: number): void {
    view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  }

  return {
    text: () => view.state.doc.toString(),
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    goTo(offset) {
      const at = Math.min(offset, view.state.doc.length);
      select(at, at);
      view.focus();
    },
    find(wanted) {
      const hay = view.state.doc.toString().toLowerCase();
      const from = hay.indexOf(wanted.toLowerCase(), view.state.selection.main.to);
      const at = from >= 0 ? from : hay.indexOf(wanted.toLowerCase());
      if (at >= 0) select(at, at + wanted.length);
      return at >= 0;
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
