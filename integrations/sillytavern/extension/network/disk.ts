// The host's chat file: whole files are written, the last one wins, and a file with another `integrity` is
// not overwritten.
import type { ChatMessage } from '../src/logic/message';
import type { Journal } from './journal';

export class Disk {
  text = '';

  constructor(private readonly journal: Journal) {}

  write(who: string, text: string): void {
    if (this.text !== '' && integrity(this.text) !== integrity(text)) throw new Error('the host refuses: another chat');
    if (this.text !== text) this.journal.note(who, `writes ${this.describe(text)}`);
    this.text = text;
  }

  read(who: string): ReturnType<typeof parse> {
    this.journal.note(who, `reads  ${this.describe(this.text)}`);
    return this.parsed();
  }

  /** The messages of the file, with its header. */
  parsed(): ReturnType<typeof parse> {
    return parse(this.text);
  }

  private describe(text: string): string {
    const { metadata, messages } = parse(text);
    const base = (metadata['storeyline'] as { base?: string } | undefined)?.base;
    return `base ${this.journal.name('n', base)}: ${this.journal.chat(messages)}`;
  }
}

function parse(text: string): { metadata: Record<string, unknown>; messages: ChatMessage[] } {
  const [header, ...messages] = text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  return { metadata: header!['chat_metadata'] as Record<string, unknown>, messages: messages as ChatMessage[] };
}

function integrity(text: string): unknown {
  return (JSON.parse(text.slice(0, text.indexOf('\n'))) as { chat_metadata: { integrity?: unknown } }).chat_metadata.integrity;
}
