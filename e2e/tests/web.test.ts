// The engine's own web page in a real browser: sign in by the printed link, view floors and states, use
// another page.

import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { type Browser, type Page, chromium } from "playwright-core";
import type { Floor, Schemas, Story } from "storeyline-client";
import { artifacts, binary, cache, chromium as chromiumPath } from "../src/paths.ts";
import { browserOptions } from "../src/stage.ts";

const counting = { name: "数回合", type: "passive", enabled: true, timing: "after_active", executor: "snapshot.回合 = (snapshot.回合 || 0) + 1;" };
const card = { data: { name: "雨夜酒馆", extensions: { st_var_system: { enabled: true, templateBody: { 角色: { 金币: 10 } }, functions: [counting] } } } };

function message(user: boolean, ...swipes: string[]): object {
  return { name: user ? "旅人" : "阿丽娅", is_user: user, mes: swipes[0], extra: {}, swipe_id: 0, swipes, swipe_info: swipes.map(() => ({ extra: {} })) };
}

const chat = [
  { chat_metadata: { integrity: "web-test" }, user_name: "unused", character_name: "unused" },
  message(false, "雨夜。@.ADD(\"角色.金币\", 5);"),
  message(true, "你好"),
  message(false, "她点头。@.ADD(\"角色.金币\", \"很多\"); @.SET(\"<b>心情</b>\", \"<img src=x onerror=alert(1)>\");", "她摇头。@.ADD(\"角色.金币\", -5);"),
];

let folder: string;
let engine: ChildProcess;
let link: string;
let browser: Browser;
let page: Page;

before(async () => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "web-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const chatFile = file("chat.jsonl", chat.map((line) => JSON.stringify(line)).join("\n"));
  const data = ["--data", join(folder, "data")];
  execFileSync(binary, ["import", chatFile, "--card", file("card.json", JSON.stringify(card)), "--allow-functions", ...data]);
  engine = spawn(binary, ["serve", "--port", "0", "--json", "--exit-with-stdin", ...data], { stdio: ["pipe", "pipe", "inherit"] });
  const [first] = (await once(createInterface({ input: engine.stdout! }), "line")) as [string];
  link = (JSON.parse(first) as Schemas["Link"]).link;
  browser = await chromium.launch({ executablePath: chromiumPath, args: browserOptions });
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "zh-CN", colorScheme: "dark" });
});

after(async () => {
  await browser?.close();
  engine?.stdin?.end();
  rmSync(folder, { recursive: true, force: true });
});

const shown = async (...words: string[]): Promise<void> => {
  for (const word of words) await page.getByText(word, { exact: false }).first().waitFor({ timeout: 10_000 });
};

test("without the link the page says how to get in", async () => {
  const stranger = await browser.newPage({ locale: "zh-CN" });
  await stranger.goto(new URL("/", link).href);
  await stranger.getByText("storeyline link", { exact: false }).first().waitFor({ timeout: 10_000 });
  await stranger.close();
});

test("the page shows the last floor, its state and what happened there; text is never markup", async () => {
  await page.goto(link);
  await shown("雨夜酒馆", "第 2 层", "这一层发生了什么", "不是数字");
  assert.equal(await page.locator("img[src=x]").count(), 0, "a value is text");
  assert.ok((await page.locator(".sl-root").innerText()).includes("<img src=x onerror=alert(1)>"));
  assert.match(await page.locator(".sl-call", { hasText: "数回合" }).innerText(), /被动/, "nobody called it");
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({ path: join(artifacts, "web-floor.png") });
});

test("the link works once; a new one opened in the same window gives access; no cookie is set", async () => {
  const other = await browser.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  const late = await other.newPage();
  await late.goto(link);
  await late.getByText("这个链接已经用过，或者过期了", { exact: false }).first().waitFor({ timeout: 10_000 });
  await late.screenshot({ path: join(artifacts, "web-link-used.png") });
  const made = execFileSync(binary, ["link", "--json", "--data", join(folder, "data")], { encoding: "utf8" });
  await late.goto((JSON.parse(made) as Schemas["Link"]).link);
  await late.getByText("第 2 层", { exact: false }).first().waitFor({ timeout: 10_000 });
  assert.doesNotMatch(late.url(), /open=/, "the code does not stay in the address bar");
  await late.reload();
  await late.getByText("第 2 层", { exact: false }).first().waitFor({ timeout: 10_000 });
  assert.deepEqual(await other.cookies(), []);
  const tokens = JSON.parse(execFileSync(binary, ["token", "list", "--json", "--data", join(folder, "data")], { encoding: "utf8" })) as Schemas["Token"][];
  assert.equal(tokens.length, 2);
  await other.close();
});

test("keys move between floors, and Back returns", async () => {
  await page.keyboard.press("[");
  await shown("第 0 层");
  await page.waitForURL(/floor\/0/);
  await page.goBack();
  await shown("第 2 层");
});

test("another page of the floor can be looked at and used", async () => {
  await page.keyboard.press(".");
  await shown("她摇头");
  await page.getByRole("button", { name: "选用此页" }).first().click();
  const story = JSON.parse(execFileSync(binary, ["stories", "--json", "--data", join(folder, "data")], { encoding: "utf8" })) as Story[];
  const read = (): number => {
    const out = execFileSync(binary, ["show", story[0]!.story, "--json", "--data", join(folder, "data")], { encoding: "utf8" });
    return ((JSON.parse(out) as Floor).state as { 角色: { 金币: number } }).角色.金币;
  };
  const end = Date.now() + 10_000;
  while (read() !== 10 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(read(), 10, "the branch reads the other page now");
});
