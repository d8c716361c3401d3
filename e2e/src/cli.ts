// The command line as a person runs it; answers in JSON.

import { execFileSync } from "node:child_process";
import type { FloorView } from "./engine.ts";
import { binary } from "./paths.ts";

export interface Imported {
  story: string;
  ref: string;
  pages: number;
  new_pages: number;
}

/** A data folder and the commands that work on it. */
export class Cli {
  constructor(private readonly data: string) {}

  import(chat: string, card: string): Imported {
    return this.run("import", chat, "--card", card) as Imported;
  }

  path(story: string): { floor: number; page: string; role: string }[] {
    return this.run("path", story) as { floor: number; page: string; role: string }[];
  }

  show(story: string, floor: number): FloorView {
    return this.run("show", story, "--floor", String(floor)) as FloorView;
  }

  export(story: string, file: string): void {
    this.run("export", story, file);
  }

  /** Any command. */
  run(...words: string[]): unknown {
    return JSON.parse(execFileSync(binary, [...words, "--data", this.data, "--json"], { encoding: "utf8", stdio: "pipe" }));
  }
}
