// The engine's own page with a story of its own: a data folder, the real binary, a browser context.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { type Engine, type Schemas, makeClient, makeEngine } from "storeyline-client";
import { binary, cache, chromium as chromiumPath } from "./paths.ts";
import { browserOptions } from "./stage.ts";

export class WebPage {
  readonly folder: string;
  readonly data: string;
  browser!: Browser;
  #process: ChildProcess | null = null;
  #port = 0;

  constructor(name: string) {
    mkdirSync(cache, { recursive: true });
    this.folder = mkdtempSync(join(cache, `${name}-`));
    this.data = join(this.folder, "data");
  }

  cli(...args: string[]): string {
    return execFileSync(binary, [...args, "--data", this.data], { encoding: "utf8" });
  }

  file(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text);
    return join(this.folder, name);
  }

  /** Starts the engine, on the port of the last start. */
  async start(): Promise<void> {
    const args = ["serve", "--port", String(this.#port), "--json", "--exit-with-stdin", "--data", this.data];
    this.#process = spawn(binary, args, { stdio: ["pipe", "pipe", "inherit"] });
    const [first] = (await once(createInterface({ input: this.#process.stdout! }), "line")) as [string];
    this.#port = Number(new URL((JSON.parse(first) as Schemas["Link"]).link).port);
  }

  /** Kills the engine as a crash would. */
  async kill(): Promise<void> {
    const gone = once(this.#process!, "exit");
    this.#process!.kill("SIGKILL");
    await gone;
  }

  link(): string {
    return (JSON.parse(this.cli("link", "--json")) as Schemas["Link"]).link;
  }

  get api(): string {
    return `http://127.0.0.1:${this.#port}/api`;
  }

  /** A client of the owner `local`, beside the browser. */
  engine(token: string): Engine {
    const headers = (): Record<string, string> => ({ Authorization: `Bearer ${token}` });
    return makeEngine(makeClient({ api: this.api, headers }));
  }

  async launch(): Promise<void> {
    this.browser = await chromium.launch({ executablePath: chromiumPath, args: browserOptions });
  }

  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "zh-CN", colorScheme: "dark", ...options });
    const page = await context.newPage();
    await page.goto(this.link());
    await page.locator(".sl-root").waitFor({ timeout: 15_000 });
    return page;
  }

  async close(): Promise<void> {
    await this.browser?.close();
    this.#process?.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
