// The host's chat file: whole files are written, the last one wins, and a file with another `integrity` is not overwritten.

export class Disk {
  text = '';

  write(text: string): void {
    if (this.text !== '' && integrity(this.text) !== integrity(text)) throw new Error('the host refuses: another chat');
    this.text = text;
  }

  /** The messages of the file, with its header. */
  read(): { metadata: Record<string, unknown>; messages: Record<string, unknown>[] } {
    const [header, ...messages] = this.text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    return { metadata: header!['chat_metadata'] as Record<string, unknown>, messages };
  }
}

function integrity(text: string): unknown {
  return (JSON.parse(text.slice(0, text.indexOf('\n'))) as { chat_metadata: { integrity?: unknown } }).chat_metadata.integrity;
}
