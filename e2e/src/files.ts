// The host's chat files on disk: one JSON per line, the first line is the header.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatMetadata, HostMessage } from "./message.ts";

export interface ChatFile {
  header: { chat_metadata: ChatMetadata; [key: string]: unknown };
  messages: HostMessage[];
}

export class ChatFiles {
  constructor(
    /** `chats/<card>` in the user's folder. */
    readonly folder: string,
  ) {}

  path(name: string): string {
    return join(this.folder, `${name}.jsonl`);
  }

  names(): string[] {
    return readdirSync(this.folder).map((file) => file.replace(/\.jsonl$/, ""));
  }

  read(name: string): ChatFile {
    const [header, ...messages] = readFileSync(this.path(name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as unknown);
    return { header: header as ChatFile["header"], messages: messages as HostMessage[] };
  }

  /** Writes as the host does: no line end after the last line. */
  write(name: string, { header, messages }: ChatFile): void {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(this.path(name), [header, ...messages].map((line) => JSON.stringify(line)).join("\n"));
  }
}
