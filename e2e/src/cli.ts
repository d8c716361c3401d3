// The command line as a user runs it; answers in JSON.

import { execFileSync } from "node:child_process";
import type { FloorLine, Schemas } from "storeyline-client";
import type { StateFloor } from "./engine.ts";
import type { State } from "./model.ts";
import { binary } from "./paths.ts";

export type Imported = Pick<Schemas["ImportedStory"], "story"> & Pick<Schemas["ImportedRef"], "ref" | "pages" | "new_pages">;
type OnPath = Pick<FloorLine, "floor" | "page" | "role">;
type Operation = Pick<Schemas["Operation"], "operation" | "kind"> & { page: string | null };

/** A data folder and the commands that work on it. */
export class Cli {
  constructor(private readonly data: string) {}

  import(chat: string, card: string): Imported {
    return this.run("import", chat, "--card", card) as Imported;
  }

  path(story: string): OnPath[] {
    return this.run("path", story) as OnPath[];
  }

  show(story: string, floor: number): StateFloor {
    return this.run("show", story, "--floor", String(floor)) as StateFloor;
  }

  /** The state at every floor of a chat file, from its texts alone. */
  replay(chat: string, card: string): State[] {
    const lines = this.ask("replay", chat, "--card", card).split("\n").filter((line) => line !== "");
    return lines.map((line) => (JSON.parse(line) as StateFloor).state);
  }

  /** Corrects one value by hand. */
  set(branch: string, page: string, path: string, value: unknown): void {
    this.run("set", branch, path, JSON.stringify(value), "--page", page);
  }

  /** The newest operation of a branch. */
  lastOperation(branch: string): Operation {
    const answer = this.run("log", branch, "--operations", "--limit", "1");
    return (answer as { operations: Operation[] }).operations[0];
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
