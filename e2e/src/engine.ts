// The engine as any program sees it: real HTTP with the address and token from its data folder. The tests
// read states here and never through the extension. `take away` and `kill` are what can happen to a binary on
// a user's machine.

import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { until } from "./poll.ts";

export interface RefView {
  story: string;
  ref: string;
  floors: number;
  chat: string | null;
  file: string | null;
}

export interface FloorView {
  floor: number;
  page: string;
  role: string;
  hidden: boolean;
  text: string;
  pages: { page: string; preview: string }[];
  active: number;
  from: number | null;
  state: Record<string, unknown>;
  hash: string;
  calls: { name: string; source: string; verdict: string; reason: string | null }[];
}

interface StoriesAnswer {
  stories: { story: string; title: string; refs: { ref: string; floors: number; chat: string | null; file: string | null }[] }[];
}

export class Engine {
  constructor(
    readonly data: string,
    private readonly binary: string,
  ) {}

  /** Id of the serving process. */
  get pid(): number {
    return this.run().pid;
  }

  async stories(): Promise<StoriesAnswer["stories"]> {
    return (await this.get<StoriesAnswer>("/api/v1/stories")).stories;
  }

  /** The branch that belongs to a host chat. */
  async refOf(chat: string): Promise<RefView> {
    for (const { story, refs } of await this.stories()) {
      const found = refs.find((ref) => ref.chat === chat);
      if (found !== undefined) return { ...found, story };
    }
    throw new Error(`the engine knows no chat ${chat}`);
  }

  async floor(ref: RefView, floor: number): Promise<FloorView> {
    return this.get(`/api/v1/stories/${ref.story}/refs/${ref.ref}/floors/${floor}`);
  }

  async floors(ref: RefView): Promise<FloorView[]> {
    return Promise.all(Array.from({ length: ref.floors }, (_, floor) => this.floor(ref, floor)));
  }

  /** Changes the story from outside the host, as the web page or another program does. */
  async operate(ref: RefView, operation: { kind: "select"; page: string } | { kind: "edit"; page: string; text: string }): Promise<void> {
    const { url } = this.run();
    const response = await fetch(`${url}/api/v1/stories/${ref.story}/refs/${ref.ref}/operations`, {
      method: "POST",
      headers: { ...this.access(), "Content-Type": "application/json", "X-Storeyline": "1" },
      body: JSON.stringify(operation),
    });
    if (!response.ok) throw new Error(`operation: ${response.status} ${await response.text()}`);
  }

  /** Kills the process, as a crash does, and waits until it is gone. */
  async kill(): Promise<void> {
    const { pid } = this;
    process.kill(pid, "SIGKILL");
    await until("the engine is gone", () => {
      if (alive(pid)) throw new Error(`process ${pid} still runs`);
    });
  }

  takeBinaryAway(): void {
    renameSync(this.binary, `${this.binary}.away`);
  }

  bringBinaryBack(): void {
    if (existsSync(`${this.binary}.away`)) renameSync(`${this.binary}.away`, this.binary);
  }

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(this.run().url + path, { headers: this.access() });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  private run(): { url: string; pid: number } {
    return JSON.parse(readFileSync(join(this.data, "run.json"), "utf8")) as { url: string; pid: number };
  }

  private access(): Record<string, string> {
    return { Authorization: `Bearer ${readFileSync(join(this.data, "token"), "utf8").trim()}` };
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed child that its parent has not collected yet still has an entry.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
