// Notifies the user of failures: one toast per sync for failed calls, one when the engine goes away, details
// on the console. Texts of models and cards are only passed on as text.
import type { Notice, PageDiagnostic, Words } from 'storeyline-client';
import type { Host } from '../host/host';
import { WORDS, say } from '../logic/words';

const NAMED_CALLS = 3;
const CALL_LENGTH = 80;

export class Report {
  private awayTold = false;
  /** The newest diagnostics, for the drawer. */
  recent: PageDiagnostic[] = [];

  constructor(private readonly host: Host) {}

  diagnostics(list: readonly PageDiagnostic[]): void {
    const worth = list.filter(({ severity }) => severity !== 'info');
    this.recent = [...worth, ...this.recent].slice(0, 20);
    for (const one of worth) {
      const log = one.severity === 'error' ? console.error : console.warn;
      log('[Storeyline]', `#${one.floor}`, one.code, say(one.message, 'en'), one.source);
    }
    // A repaired call did what was intended: it is shown in the drawer, not in a toast.
    const failed = worth.filter(({ severity }) => severity === 'error');
    if (failed.length > 0) this.toast('warning', this.sentence(failed));
  }

  private sentence(failed: readonly PageDiagnostic[]): string {
    const language = this.host.language();
    const names = failed.slice(0, NAMED_CALLS).map((one) => `#${one.floor} ${shorten(one.source)} ${say(one.message, language)}`.trim());
    if (failed.length > NAMED_CALLS) names.push(say(WORDS.more(failed.length - NAMED_CALLS), language));
    return `${say(WORDS.failedCalls(failed.length), language)} ${names.join(' · ')}`;
  }

  notices(list: readonly Notice[]): void {
    for (const { message } of list) this.toast('info', say(message, this.host.language()));
  }

  /** The engine cannot be reached: reported once until it is back. */
  away(words: Words): void {
    if (this.awayTold) return;
    this.awayTold = true;
    this.toast('warning', say(words, this.host.language()));
  }

  back(): void {
    this.awayTold = false;
  }

  stale(floor: number): void {
    this.toast('warning', say(WORDS.stale(floor), this.host.language()));
  }

  private toast(kind: 'info' | 'warning', text: string): void {
    this.host.toast(kind, text, say(WORDS.title, this.host.language()));
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > CALL_LENGTH ? `${line.slice(0, CALL_LENGTH)}…` : line;
}
