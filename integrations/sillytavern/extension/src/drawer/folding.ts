// Folds the calls in drawn replies behind a small button. Only what the browser shows changes, never the message: the
// host draws it again from its own text whenever it likes, and then it is folded again.
import type { App } from '../app/app';
import type { HostEvent } from '../host/host';
import type { Surface } from '../host/surface';
import { say } from '../logic/words';
import { type Run, callRuns } from './calls_in_text';
import type { DisplaySettings } from './settings';
import { SAY } from './words';

const EVENTS: HostEvent[] = ['CHAT_CHANGED', 'CHAT_LOADED', 'CHARACTER_MESSAGE_RENDERED', 'MESSAGE_UPDATED', 'MESSAGE_SWIPED', 'GENERATION_ENDED'];
const BLOCKS = 'p, li, blockquote, pre, td, div';

export class Folding {
  private soon: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly app: App,
    private readonly surface: Surface,
    private readonly settings: DisplaySettings,
  ) {
    for (const event of EVENTS) app.host.on(event, () => this.update());
    settings.onChange(() => this.update());
  }

  private update(): void {
    this.soon ??= setTimeout(() => {
      this.soon = null;
      this.surface.keepEnd(() => {
        for (const text of this.surface.replies()) {
          if (this.settings.foldCalls) this.fold(text);
          else unfold(text);
        }
      });
    }, 0);
  }

  private fold(text: HTMLElement): void {
    if (text.querySelector('.sl-host-folded')) return;
    for (const nodes of byBlock(text)) {
      const runs = callRuns(nodes.map(({ data }) => data).join(''));
      // From the end, so that the places before stay what they are.
      for (const run of runs.reverse()) this.hide(nodes, run);
    }
  }

  private hide(nodes: Text[], run: Run): void {
    const range = document.createRange();
    const start = placeOf(nodes, run.start);
    const end = placeOf(nodes, run.end - 1);
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset + 1);
    const folded = document.createElement('span');
    folded.className = 'sl-host-folded';
    folded.hidden = true;
    folded.append(range.extractContents());
    const chip = document.createElement('button');
    chip.type = 'button';
    chip.className = 'sl-host-fold';
    chip.textContent = say(SAY.folded(run.count), this.app.host.language());
    chip.setAttribute('aria-expanded', 'false');
    chip.addEventListener('click', () => {
      folded.hidden = !folded.hidden;
      chip.setAttribute('aria-expanded', String(!folded.hidden));
    });
    range.insertNode(folded);
    folded.before(chip);
  }
}

function unfold(text: HTMLElement): void {
  for (const chip of text.querySelectorAll('.sl-host-fold')) chip.remove();
  for (const folded of text.querySelectorAll('.sl-host-folded')) folded.replaceWith(...folded.childNodes);
}

/** The text nodes of each block; a run never crosses the border of one. */
function byBlock(text: HTMLElement): Text[][] {
  const blocks = new Map<Element, Text[]>();
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const block = node.parentElement?.closest(BLOCKS) ?? text;
    const nodes = blocks.get(block);
    if (nodes) nodes.push(node);
    else blocks.set(block, [node]);
  }
  return [...blocks.values()];
}

function placeOf(nodes: readonly Text[], index: number): { node: Text; offset: number } {
  let left = index;
  for (const node of nodes) {
    if (left < node.length) return { node, offset: left };
    left -= node.length;
  }
  const node = nodes.at(-1)!;
  return { node, offset: Math.max(0, node.length - 1) };
}
