// The engine's own page for tests: the real binary with a story in it, and a browser that was let in.

import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, type Download, type Page, chromium } from "playwright-core";
import { type Client, type JsonObject, type Schemas, makeClient } from "storeyline-client";
import { artifacts, binary, cache, chromium as chromiumPath } from "./paths.ts";
import { browserOptions } from "./stage.ts";

export interface Look {
  language: "zh" | "en";
  tone: "dark" | "light";
  width: number;
}

export const WIDE: Look = { language: "zh", tone: "dark", width: 1280 };
export const PHONE: Look = { language: "en", tone: "light", width: 390 };

/** A turn of the story: who says what; several texts are pages. */
export type Said = { user: string } | { reply: string[] };

export class Web {
  private engine: ChildProcess | null = null;
  private port = 0;
  /** Address with a code that gives access once. */
  private link = "";

  private constructor(
    private readonly folder: string,
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<Web> {
    mkdirSync(cache, { recursive: true });
    mkdirSync(artifacts, { recursive: true });
    const browser = await chromium.launch({ executablePath: chromiumPath, args: browserOptions });
    const web = new Web(mkdtempSync(join(cache, "web-")), browser);
    await web.run();
    return web;
  }

  /** Starts the engine, again on the same port. */
  async run(): Promise<void> {
    this.engine = spawn(binary, ["serve", "--port", String(this.port), "--json", "--exit-with-stdin", ...this.data], { stdio: ["pipe", "pipe", "inherit"] });
    const [first] = (await once(createInterface({ input: this.engine.stdout! }), "line")) as [string];
    this.link = (JSON.parse(first) as Schemas["Link"]).link;
    this.port = Number(new URL(this.link).port);
  }

  /** Kills the engine as a crash does. */
  async kill(): Promise<void> {
    const gone = once(this.engine!, "exit");
    this.engine!.kill("SIGKILL");
    await gone;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.engine?.stdin?.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get data(): string[] {
    return ["--data", join(this.folder, "data")];
  }

  private get headers(): { Authorization: string } {
    return { Authorization: `Bearer ${readFileSync(join(this.folder, "data", "token"), "utf8").trim()}` };
  }

  private get api(): string {
    return `http://127.0.0.1:${this.port}/api`;
  }

  /** Requests as another program makes them. */
  get client(): Client {
    return makeClient({ api: this.api, headers: () => this.headers });
  }

  /** An answer as it is on the wire, with every digit. */
  async raw(path: string): Promise<string> {
    return (await fetch(this.api + path, { headers: this.headers })).text();
  }

  async story(title: string, card: string, template: JsonObject | null, said: Said[]): Promise<Schemas["BegunStory"]> {
    const begun = await this.client("post", "/api/v1/stories", { body: { title, card, profile: "native", template } });
    const params = { path: { story: begun.story, ref: begun.ref } };
    for (const [floor, turn] of said.entries()) {
      const first = "user" in turn ? { role: "user" as const, name: "旅人", text: turn.user } : { role: "assistant" as const, name: "阿丽娅", text: turn.reply[0]! };
      await this.client("post", "/api/v1/stories/{story}/refs/{ref}/operations", { params, body: { kind: "append", ...first } });
      for (const text of "reply" in turn ? turn.reply.slice(1) : []) {
        await this.client("post", "/api/v1/stories/{story}/refs/{ref}/operations", { params, body: { kind: "add_page", floor, text } });
      }
    }
    return begun;
  }

  /** A browser of its own, let in by a link, on one of the tabs. */
  async open(tab: "floors" | "template" | "snapshots" | "settings", look: Look = WIDE): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width: look.width, height: 800 },
      locale: look.language === "zh" ? "zh-CN" : "en-GB",
      colorScheme: look.tone,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const made = execFileSync(binary, ["link", "--json", ...this.data], { encoding: "utf8" });
    await page.goto((JSON.parse(made) as Schemas["Link"]).link);
    await page.locator(".sl-tabs").waitFor();
    await page.locator(`[data-tab="${tab}"]`).click();
    // The address follows a moment later; a reload before that would open the first tab.
    if (tab !== "floors") await page.waitForURL((url) => url.hash.includes(`tab=${tab}`));
    return page;
  }

  /** A file as the user has it. */
  file(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text);
    return join(this.folder, name);
  }
}

export async function textOf(download: Download): Promise<string> {
  return readFileSync(await download.path(), "utf8");
}

/** Gives a file to the dialog that the click opens. */
export async function giveFile(page: Page, path: string, click: () => Promise<void>): Promise<void> {
  const asked = page.waitForEvent("filechooser");
  await click();
  await (await asked).setFiles(path);
}

/** No serious finding of axe, in this tone. Animations are over and fonts are there by now. */
export async function accessible(page: Page, what: string): Promise<void> {
  const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(source);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string; any: { message: string }[] }[] }[] }> } };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join(" | ")}`);
  });
  assert.deepEqual(found, [], what);
}

/** Nothing is wider than the window, so nothing is cut or scrolls sideways. */
export async function fits(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
}

export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(artifacts, `${name}.png`) });
}
