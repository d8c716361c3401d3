// Saves the chat shortly after ids were written: only if the same chat is still open, and never during a
// generation or a swipe, when the file would contain a page that does not exist yet.
import type { Host } from '../host/host';
import { isPending } from '../logic/message';

const DELAY_MS = 700;
const LONG = 1500;

export class Saver {
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly host: Host) {}

  /**
   * Asks for a save of the chat that is open now.
   *
   * Writing a long chat takes the host long, so its ids wait for the host's own next save; if they are lost,
   * the engine recognises the pages by their texts.
   */
  soon(): void {
    const open = this.host.open();
    if (open && !this.isLong()) this.schedule(`${open.owner}/${open.file}`);
  }

  /** Saves at once, without waiting for the result. */
  now(): void {
    this.cancel();
    if (!this.isLong()) void this.host.saveChat();
  }

  private isLong(): boolean {
    return this.host.chat().length > LONG;
  }

  cancel(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private schedule(place: string): void {
    this.cancel();
    this.timer = setTimeout(() => this.save(place), DELAY_MS);
  }

  private save(place: string): void {
    this.timer = null;
    const open = this.host.open();
    const chat = this.host.chat();
    if (!open || `${open.owner}/${open.file}` !== place || chat.length === 0) return;
    const last = chat[chat.length - 1]!;
    // A save under the old name while the host renames the file would create that file again.
    if (this.host.generating() || this.host.swiping() || this.host.occupied() || isPending(last)) this.schedule(place);
    else void this.host.saveChat();
  }
}
