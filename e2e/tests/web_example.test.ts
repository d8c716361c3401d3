// A newcomer's first minute: an engine without any story, its page, one button, and the example story is open.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Story } from "storeyline-client";
import { artifacts } from "../src/paths.ts";
import { WebPage } from "../src/web_page.ts";

const web = new WebPage("web-example");
let page: Page;

before(async () => {
  await web.start();
  await web.launch();
  page = await web.open();
});

after(() => web.close());

const stories = (): Story[] => JSON.parse(web.cli("stories", "--json")) as Story[];
const heading = (text: string, on = page): Promise<void> => on.locator("h1", { hasText: text }).waitFor({ timeout: 15_000 });

async function goTo(floor: number): Promise<void> {
  await page.keyboard.press("g");
  await page.keyboard.type(String(floor));
  await page.keyboard.press("Enter");
  await heading(`第 ${floor} 层`);
}

test("without a story the page offers the example, and creates nothing before it is asked", async () => {
  await page.getByText("还没有故事。").waitFor({ timeout: 15_000 });
  assert.deepEqual(stories(), []);
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({ path: join(artifacts, "web-no-story.png") });
});

test("the button creates it in the language of the page and opens its last floor", async () => {
  await page.getByRole("button", { name: "打开示例故事" }).click();
  await heading("第 39 层");
  await page.getByText("雨夜的提灯客栈").first().waitFor();
  assert.deepEqual(stories().map((story) => story.title), ["雨夜的提灯客栈"]);
  assert.match(await page.locator(".sl-root").innerText(), /客栈帮手/, "the state is shown");
  await page.reload();
  await heading("第 39 层");
});

test("its floors show a failed call, an edit by hand, a hidden floor and pages to step through", async () => {
  await goTo(10);
  await page.locator(".sl-chip.sl-failed", { hasText: "1 个调用失败" }).waitFor();
  await page.getByText("不是数字").first().waitFor();
  await goTo(33);
  await page.locator(".sl-chip.sl-hand", { hasText: "手改" }).waitFor();
  await goTo(19);
  await page.locator(".sl-chip.sl-hidden").waitFor();
  await goTo(12);
  await page.getByText("页 1/3").first().waitFor();
  await page.keyboard.press(".");
  await page.getByText("页 2/3").first().waitFor();
  await page.getByText("闪电劈中了院子里的老橡树").first().waitFor();
});

test("as the guide says: a value is mended on floor 10, the last floor follows, and Undo takes it back", async () => {
  const strength = (): number => (JSON.parse(web.cli("show", "雨夜的提灯客栈", "--floor", "39", "--json")) as { state: { 主角: { 力量: number } } }).state.主角.力量;
  const before = strength();
  await goTo(10);
  await page.getByRole("button", { name: "改数值…" }).click();
  await page.locator("dialog[open] input").nth(1).fill("8");
  await page.locator("dialog[open]").getByRole("button", { name: "保存", exact: true }).click();
  await page.locator(".sl-chip.sl-hand", { hasText: "手改" }).waitFor();
  assert.deepEqual([before, strength()], [7, 9]);
  await page.getByRole("button", { name: "撤销", exact: true }).click();
  await page.locator(".sl-chip.sl-hand").waitFor({ state: "detached" });
  assert.equal(strength(), 7);
  await page.locator(".sl-key", { hasText: /^力量$/ }).dblclick();
  await page.locator("dialog[open]").getByRole("button", { name: "全部历史" }).click();
  await page.locator("dialog[open]").getByText("#6", { exact: true }).first().waitFor();
  await page.keyboard.press("Escape");
});

test("the other branch and the tag can be chosen", async () => {
  await page.getByRole("button", { name: "选择分支" }).click();
  await page.getByText("灯室").first().waitFor();
  await page.getByText("戴手套的人").first().click();
  await heading("第 27 层");
});

test("template and snapshots have something to show", async () => {
  await page.getByRole("tab", { name: "角色模板" }).click();
  await page.getByText("阿丽娅（示例）").first().waitFor();
  await page.getByText("林间小路").first().waitFor();
  await page.getByRole("tab", { name: "全局快照" }).click();
  await page.getByText("灯室").first().waitFor();
});

test("an English page gets the English story", async () => {
  const other = new WebPage("web-example-en");
  try {
    await other.start();
    await other.launch();
    const english = await other.open({ locale: "en-GB", colorScheme: "light", viewport: { width: 390, height: 844 } });
    await english.getByRole("button", { name: "Open the example story" }).click();
    await heading("Floor 39", english);
    await english.getByText("Rain at the Lantern Inn").first().waitFor();
  } finally {
    await other.close();
  }
});
