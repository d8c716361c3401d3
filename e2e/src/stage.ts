// Everything a test file needs, started once: the scripted model, the real host with Storeyline installed, a
// real browser. `scenario` is node's `test` that saves a screenshot and the logs when something fails.

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Browser, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { type Card, writeCard } from "./card.ts";
import type { Engine } from "./engine.ts";
import { ChatFiles } from "./files.ts";
import { Host } from "./host.ts";
import { install } from "./install.ts";
import { Llm } from "./llm.ts";
import { HostPage } from "./page.ts";
import { artifacts, chromium as chromiumPath } from "./paths.ts";
import { Traffic } from "./traffic.ts";

export const userName = "Ann";

export const browserOptions = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export class Stage {
  private constructor(
    readonly llm: Llm,
    readonly host: Host,
    readonly engine: Engine,
    private readonly browser: Browser,
    readonly page: HostPage,
    readonly traffic: Traffic,
  ) {}

  /** With `accounts` the page shows the host's log-in. */
  static async start(accounts: readonly string[] = []): Promise<Stage> {
    const llm = await Llm.start();
    const host = Host.prepare(llm.url, accounts);
    let browser: Browser | undefined;
    try {
      const engine = install(host);
      await host.start();
      browser = await chromium.launch({ executablePath: chromiumPath, args: browserOptions });
      const context = await browser.newContext({ viewport: { width: 1500, height: 950 } });
      const page = await context.newPage();
      const stage = new Stage(llm, host, engine, browser, new HostPage(page, host.url), new Traffic(page));
      await stage.page.open();
      return stage;
    } catch (error) {
      // What was started must be stopped, or the test process would never end.
      await browser?.close();
      await host.stop();
      await llm.stop();
      throw error;
    }
  }

  /** Imports a card into the host and opens it. */
  async importCard(card: Card): Promise<void> {
    await this.page.importCard(writeCard(card, this.host.folder), card.name);
  }

  /** The engine's own page in a browser of its own, beside the host. */
  async enginePage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", colorScheme: "dark", acceptDownloads: true, ...options });
    const page = await context.newPage();
    await page.goto(this.engine.link());
    await page.locator(".sl-root").waitFor();
    return page;
  }

  chatFiles(card: Card): ChatFiles {
    return new ChatFiles(join(this.host.userFolder, "chats", card.name));
  }

  /** The card as the host stores it. */
  cardFile(card: Card): string {
    return join(this.host.userFolder, "characters", `${card.name}.png`);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.host.stop();
    await this.llm.stop();
    this.host.remove();
  }

  /** Saves what helps to understand a failure. */
  async keep(name: string): Promise<string> {
    const folder = join(artifacts, name.replace(/[^\p{L}\p{N}]+/gu, "-"));
    mkdirSync(folder, { recursive: true });
    await this.page.page.screenshot({ path: join(folder, "page.png") }).catch(() => undefined);
    const chat = await this.page.chat().catch(() => undefined);
    writeFileSync(join(folder, "chat.json"), JSON.stringify(chat, null, 2) ?? "");
    writeFileSync(join(folder, "model.json"), JSON.stringify(this.llm.requests, null, 2));
    if (existsSync(this.host.logFile)) copyFileSync(this.host.logFile, join(folder, "host.log"));
    return folder;
  }
}

/** A test on a stage. */
export function scenario(stage: () => Stage, name: string, run: () => Promise<void>): void {
  void test(name, async () => {
    try {
      await run();
    } catch (error) {
      const folder = await stage().keep(name);
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${message}\n(picture and logs: ${folder})`, { cause: error });
    }
  });
}
