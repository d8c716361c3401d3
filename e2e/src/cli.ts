// The command line as a user runs it; answers in JSON.

import { execFileSync } from "node:child_process";
import type { FloorView } from "./engine.ts";
import type { State } from "./model.ts";
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

  /** The state at every floor of a chat file, from its texts alone. */
  replay(chat: string, card: string): State[] {
    const lines = this.ask("replay", chat, "--card", card).split("\n").filter((line) => line !== "");
    return lines.map((line) => (JSON.parse(line) as { state: State }).state);
  }

  /** Corrects one value by hand. */
  set(branch: string, page: string, path: string, value: unknown): void {
    this.run("set", branch, path, JSON.stringify(value), "--page", page);
  }

  /** The newest operation of a branch. */
  lastOperation(branch: string): { operation: number; kind: string; page: string | null } {
    const answer = this.run("log", branch, "--operations", "--limit", "1");
    return (answer as { operations: { operation: number; kind: string; page: string | null }[] }).operations[0];
  }

  undo(branch: string, operation: number): void {
    this.run("undo", branch, String(operation));
  }

  export(story: string, file: string): void {
    this.run("export", story, file);
  }

  /** Runs any command. */
  run(...words: string[]): unknown {
    return JSON.parse(this.ask(...words));
  }

  private ask(...words: string[]): string {
    return execFileSync(binary, [...words, "--data", this.data, "--json"], { encoding: "utf8", stdio: "pipe" });
  }
}
