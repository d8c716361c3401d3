// The engine as any program sees it: real HTTP with the address and token from its data folder. The tests
// read states here and never through the extension. `take away` and `kill` are what can happen to a binary on
// a user's machine.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type Branch, type BranchEdit, type Client, type Floor, type JsonObject, type Ref, type Schemas, type Story, makeClient, makeEngine } from "storeyline-client";
import { until } from "./poll.ts";

/** A branch, and the story it belongs to. */
export type StoryRef = Ref & Branch;

/** A floor of a story whose state is an object, as in all tests. */
export type StateFloor = Floor & { state: JsonObject };

export class Engine {
  constructor(
    readonly data: string,
    private readonly binary: string,
  ) {}

  /** Id of the serving process. */
  get pid(): number {
    return this.run().pid;
  }

  stories(): Promise<Story[]> {
    return this.api().stories();
  }

  /** The branch that belongs to a host chat. */
  async refOf(chat: string): Promise<StoryRef> {
    for (const { story, refs } of await this.stories()) {
      const found = refs.find((ref) => ref.chat === chat);
      if (found !== undefined) return { ...found, story };
    }
    throw new Error(`the engine knows no chat ${chat}`);
  }

  async floor(branch: Branch, floor: number): Promise<StateFloor> {
    return (await this.api().floor(branch, floor)) as StateFloor;
  }

  async floors(ref: StoryRef): Promise<StateFloor[]> {
    return Promise.all(Array.from({ length: ref.floors }, (_, floor) => this.floor(ref, floor)));
  }

  /** Changes the story from outside the host, as the web page or another program does. */
  async operate(branch: Branch, edit: BranchEdit): Promise<void> {
    await this.api().change(branch, edit);
  }

  /** The functions of a card, as the web page reads and saves them. */
  library(card: string): Promise<Schemas["Library"]> {
    return this.client()("get", "/api/v1/library", { params: { query: { card } } });
  }

  async putLibrary(card: string, library: JsonObject): Promise<void> {
    await this.client()("put", "/api/v1/library", { params: { query: { card } }, body: { library } });
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

  /** Made anew each time: a started engine has another address. */
  api(): ReturnType<typeof makeEngine> {
    return makeEngine(this.client());
  }

  /** Any request, as an owner. */
  client(owner = "local"): Client {
    return makeClient({ api: `${this.run().url}/api`, headers: () => ({ ...this.access(), "X-Storeyline-Owner": owner }) });
  }

  /** An answer as it is on the wire, with every digit. */
  async raw(path: string, owner = "local"): Promise<string> {
    return (await fetch(`${this.run().url}/api/v1${path}`, { headers: { ...this.access(), "X-Storeyline-Owner": owner } })).text();
  }

  /** A one-time link to the engine's own page. */
  link(): string {
    const printed = execFileSync(this.binary, ["link", "--json", "--data", this.data], { encoding: "utf8" });
    return (JSON.parse(printed) as Schemas["Link"]).link;
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
