// The page with any story and card, on any tab, language, tone and width, and what its tests need.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Download, Page } from "playwright-core";
import { type Client, type JsonObject, type Schemas, makeClient } from "storeyline-client";
import { artifacts } from "./paths.ts";
import { WebPage } from "./web_page.ts";

export interface Look {
  language: "zh" | "en";
  tone: "dark" | "light";
  width: number;
}

export const WIDE: Look = { language: "zh", tone: "dark", width: 1280 };
export const PHONE: Look = { language: "en", tone: "light", width: 390 };

/** A turn of the story: who says what; several texts are pages. */
export type Said = { user: string } | { reply: string[] };

export class Web extends WebPage {
  static async begin(name: string): Promise<Web> {
    mkdirSync(artifacts, { recursive: true });
    const web = new Web(name);
    await web.start();
    await web.launch();
    return web;
  }

  private get token(): string {
    return readFileSync(join(this.data, "token"), "utf8").trim();
  }

  /** Requests as another program makes them. */
  get client(): Client {
    return makeClient({ api: this.api, headers: () => ({ Authorization: `Bearer ${this.token}` }) });
  }

  /** An answer as it is on the wire, with every digit. */
  async raw(path: string): Promise<string> {
    return (await fetch(this.api + path, { headers: { Authorization: `Bearer ${this.token}` } })).text();
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

  /** A browser of its own on one of the tabs. */
  async tab(tab: "history" | "functions" | "template" | "snapshots" | "settings", look: Look = WIDE): Promise<Page> {
    const page = await this.open({
      viewport: { width: look.width, height: 800 },
      locale: look.language === "zh" ? "zh-CN" : "en-GB",
      colorScheme: look.tone,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    page.setDefaultTimeout(10_000);
    await page.locator(`[data-tab="${tab}"]`).click();
    // The address follows a moment later; a reload before that would open the first tab.
    await page.waitForURL((url) => url.hash.includes(`tab=${tab}`));
    return page;
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
