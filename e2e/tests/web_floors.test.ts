// The Floors screen of the engine's own page in a real browser: edit, preview, undo, compare, re-process, history,
// repair, import, and what happens when the engine goes away or another window was faster.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Branch, Engine, Json } from "storeyline-client";
import { WebPage } from "../src/web_page.ts";

const TEMPLATE = { 世界: { 时间: "20:00" }, 角色: { 金币: 20, 力气: 4, "a.b": 1 }, 阿丽娅: { 信任: 20 } };
const FLOORS = 24;

const web = new WebPage("web-floors");
let engine: Engine;
let branch: Branch;
let page: Page;

before(async () => {
  await web.start();
  const token = readFileSync(join(web.data, "token"), "utf8").trim();
  engine = web.engine(token);
  branch = await begin(engine, token);
  await web.launch();
  page = await web.open();
  await shown("第 22 层");
});

after(() => web.close());

async function begin(engine: Engine, token: string): Promise<Branch> {
  const headers = { Authorization: `Bearer ${token}`, "X-Storeyline": "1", "Content-Type": "application/json" };
  const body = JSON.stringify({ title: "雨夜酒馆", card: "aria.png", template: TEMPLATE });
  const answer = await fetch(new URL("/api/v1/stories", web.link()), { method: "POST", headers, body });
  const at = (await answer.json()) as Branch;
  for (let floor = 0; floor < FLOORS; floor++) {
    const user = floor % 2 === 1;
    const bad = floor === 16 ? "@.ADD(\"角色.力气\", \"很多\");" : "";
    const text = user ? "我去看看。" : `第${floor}句。@.ADD("阿丽娅.信任", 1);${bad}`;
    await engine.change(at, { kind: "append", role: user ? "user" : "assistant", name: user ? "旅人" : "阿丽娅", text });
  }
  return at;
}

const shown = (text: string, on = page): Promise<void> => on.getByText(text, { exact: false }).first().waitFor({ timeout: 15_000 });
const state = async (floor: number): Promise<Record<string, Record<string, Json>>> => (await engine.floor(branch, floor)).state as never;
const row = (key: string, on = page) => on.locator(".sl-row", { has: on.locator(".sl-key", { hasText: new RegExp(`^${key}$`) }) });
const dialog = (on = page) => on.locator("dialog[open]");

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    if (await holds()) return;
  }
  assert.fail(what);
}

async function goTo(floor: number, on = page): Promise<void> {
  await on.keyboard.press("g");
  await on.keyboard.type(String(floor));
  await on.keyboard.press("Enter");
  await on.locator("h1", { hasText: `第 ${floor} 层` }).waitFor({ timeout: 10_000 });
}

test("a value is edited in place, later floors follow, and undo brings it back", async () => {
  await goTo(10);
  await row("信任").locator(".sl-value").click();
  await page.keyboard.type("100");
  await page.keyboard.press("Enter");
  await shown("已保存为手改");
  await until("later floors follow", async () => (await state(22))["阿丽娅"]!["信任"] === 106);
  assert.equal((await state(8))["阿丽娅"]!["信任"], 25);
  await shown("手改");
  await page.getByRole("button", { name: "撤销" }).click();
  await until("it is as before", async () => (await state(22))["阿丽娅"]!["信任"] === 32);
});

test("by keyboard alone: into the tree, Enter edits, Escape leaves it as it was", async () => {
  await goTo(12);
  await page.getByRole("tree").focus();
  await page.keyboard.press("Home");
  for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("77");
  await page.keyboard.press("Escape");
  assert.equal((await state(12))["角色"]!["金币"], 20);
  await page.keyboard.press("Enter");
  await page.keyboard.type("12345678901234567890");
  await page.keyboard.press("Enter");
  await until("every digit arrives", () => Promise.resolve(/"金币":12345678901234567890[,}]/.test(web.cli("show", branch.story, "--floor", "12", "--json"))));
  await engine.undo(branch);
  await until("the page hears of it", async () => (await row("金币").innerText()).includes("20"));
});

test("a key with a dot is set as it is", async () => {
  await goTo(12);
  await row("a\\.b").locator(".sl-value").click();
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await until("only that key changes", async () => (await state(12))["角色"]!["a.b"] === 5);
  assert.equal((await state(12))["角色"]!["a"], undefined);
  await engine.undo(branch);
});

test("the whole state is edited; the number of later floors that change is told before saving", async () => {
  await goTo(14);
  await page.keyboard.press("e");
  await page.getByRole("tab", { name: "文本" }).or(page.getByRole("button", { name: "文本" })).first().click();
  const editor = page.locator(".cm-content");
  await editor.waitFor({ timeout: 15_000 });
  await editor.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText('{"世界": {"时间": "9:00"}, oops');
  await shown("列");
  assert.ok(await page.getByRole("button", { name: "保存", exact: true }).isDisabled(), "invalid JSON is not saved");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(JSON.stringify({ ...TEMPLATE, 世界: { 时间: "9:00" }, 阿丽娅: { 信任: 28 } }));
  await shown("之后有 4 层会变");
  await page.getByRole("button", { name: "预览" }).click();
  await dialog().getByText("世界.时间").first().waitFor();
  await dialog().getByRole("button", { name: "关闭" }).last().click();
  await page.keyboard.press("Control+s");
  await until("it is saved as a hand edit of the same page", async () => (await state(22))["世界"]!["时间"] === "9:00");
  assert.equal((await engine.floor(branch, 14)).overridden, true);
  await page.locator(".sl-chip", { hasText: "手改" }).waitFor();
});

test("a draft survives a reload, and can be discarded", async () => {
  await goTo(18);
  await page.keyboard.press("e");
  await page.getByRole("button", { name: "添加键" }).click();
  await page.keyboard.type("草稿");
  await page.keyboard.press("Enter");
  await shown("1 处修改");
  await page.reload();
  await shown("1 处修改");
  await shown("草稿");
  await page.getByRole("button", { name: "放弃" }).click();
  await page.getByText("1 处修改").waitFor({ state: "detached" });
  assert.equal((await state(18))["草稿"], undefined);
});

test("rows of the editor are moved by drag and by keyboard", async () => {
  await goTo(18);
  await page.keyboard.press("e");
  const keys = async (): Promise<string> => (await page.locator(".sl-row .sl-key").allInnerTexts()).join(" ");
  await page.getByRole("tree").focus();
  await until("the editor is there", async () => (await keys()) === "世界 时间 角色 金币 力气 a.b 阿丽娅 信任");
  await page.keyboard.press("Home");
  await page.keyboard.press("Alt+ArrowDown");
  await until("the first key is the second", async () => (await keys()) === "角色 金币 力气 a.b 世界 时间 阿丽娅 信任");
  const from = (await row("信任").locator(".sl-handle").boundingBox())!;
  const to = (await row("金币").boundingBox())!;
  await page.mouse.move(from.x + 5, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 80, to.y + 4, { steps: 5 });
  await page.locator(".sl-row[data-drop=before]").waitFor();
  await page.mouse.up();
  await until("it is in another object", async () => (await keys()) === "角色 信任 金币 力气 a.b 世界 时间 阿丽娅");
  await page.getByRole("button", { name: "放弃" }).click();
});

test("a failed call is ignored: it counts nowhere, and can be shown again", async () => {
  await goTo(16);
  await page.locator(".sl-chip.sl-failed").waitFor();
  await page.getByRole("button", { name: "忽略", exact: true }).click();
  await page.locator(".sl-chip.sl-failed").waitFor({ state: "detached" });
  await page.locator("rect.sl-bad").waitFor({ state: "detached" });
  await page.locator("select").first().selectOption("failed");
  await until("no floor counts as failed", async () => (await page.locator(".sl-floor").count()) === 0);
  await page.locator("select").first().selectOption("all");
  await page.waitForURL(/floor\/16$/);
  await page.reload();
  await shown("已忽略 1 个");
  assert.equal(await page.locator(".sl-chip.sl-failed").count(), 0, "a reload keeps it");
  await page.getByRole("button", { name: "显示", exact: true }).click();
  await page.getByRole("button", { name: "不再忽略" }).click();
  await page.locator(".sl-chip.sl-failed").waitFor();
});

test("a failed call is repaired where it stands", async () => {
  await goTo(16);
  await page.getByRole("button", { name: "改数值…" }).click();
  assert.equal(await dialog().locator("input").first().inputValue(), "角色.力气");
  await dialog().locator("input").nth(1).fill("6");
  await page.keyboard.press("Enter");
  await until("later floors follow", async () => (await state(22))["角色"]!["力气"] === 6);
  await page.getByRole("button", { name: "改原文…" }).click();
  await dialog().locator("textarea").fill("她想了想。@.ADD(\"角色.力气\", 3);");
  await dialog().getByRole("button", { name: "保存", exact: true }).click();
  await until("the text is another one", async () => (await engine.floor(branch, 16)).text.startsWith("她想了想"));
  await dialog().waitFor({ state: "detached" });
});

test("the history of a value restores an older one", async () => {
  await goTo(22);
  await page.getByRole("tree").focus();
  await row("时间").locator(".sl-key").click();
  await page.getByRole("tree").focus();
  await page.keyboard.press("b");
  await dialog().getByRole("button", { name: "全部历史" }).click();
  await dialog().getByRole("button", { name: /恢复/ }).first().click();
  await until("the old value is back on this floor", async () => (await state(22))["世界"]!["时间"] === "20:00");
});

test("resting on a value opens its card beside it; it stays for the pointer, and Escape closes it", async () => {
  await goTo(22);
  const card = page.locator(".sl-hover-card");
  await row("信任").locator(".sl-key").hover();
  await card.getByText("#22").first().waitFor();
  const [box, tree] = [(await card.boundingBox())!, (await row("信任").boundingBox())!];
  assert.ok(box.y >= tree.y + tree.height - 1 || box.y + box.height <= tree.y + 1, "it does not cover its row");
  await page.mouse.move(box.x + box.width / 2, box.y + 12, { steps: 4 });
  await page.waitForTimeout(600);
  assert.ok(await card.isVisible(), "it stays while the pointer is in it");
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  await page.mouse.move(5, 5);
  await row("信任").locator(".sl-key").hover();
  await card.waitFor();
  await page.mouse.move(5, 5);
  await card.waitFor({ state: "detached" });
});

test("the menu of a value: copied, locked for later replies and unlocked again, pinned", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await goTo(22);
  const choose = async (name: string): Promise<void> => {
    await row("金币").click({ button: "right" });
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await choose("复制宏");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "{{vs_get::角色.金币}}");
  await choose("锁定");
  await shown("已锁定，从下一条回复起生效");
  await row("金币").locator(".sl-lock").waitFor();
  await engine.change(branch, { kind: "append", role: "assistant", name: "阿丽娅", text: "给你。@.ADD(\"角色.金币\", 5); @.SET(\"角色\", {\"金币\": 1});" });
  const last = await engine.floor(branch, FLOORS);
  assert.deepEqual(last.calls.map((call) => [call.verdict, call.diagnostics[0]?.code]), [["failed", "E-READ-ONLY"], ["failed", "E-READ-ONLY"]]);
  await engine.undo(branch);
  await choose("解锁");
  await shown("已解锁");
  await row("金币").locator(".sl-lock").waitFor({ state: "detached" });
  await choose("固定到状态栏");
  await page.locator(".sl-pinned", { hasText: "金币" }).waitFor();
  await page.reload();
  await page.locator(".sl-pinned", { hasText: "金币" }).waitFor();
  await page.getByRole("button", { name: "取消固定: 角色.金币" }).click();
  await page.locator(".sl-pinned").waitFor({ state: "detached" });
});

test("F3 goes to the next hit, Shift+F3 to the one before", async () => {
  await goTo(22);
  await page.keyboard.press("/");
  await page.keyboard.type("信任");
  await page.keyboard.press("F3");
  await until("the hit is the active row", async () => (await page.locator(".sl-active .sl-key").innerText()) === "信任");
  await page.getByRole("searchbox").first().fill("0");
  await page.getByRole("tree").focus();
  const key = (): Promise<string> => page.locator(".sl-row.sl-active .sl-key").innerText();
  await page.keyboard.press("F3");
  const first = await key();
  await page.keyboard.press("F3");
  await until("another row", async () => (await key()) !== first);
  await page.keyboard.press("Shift+F3");
  await until("back again", async () => (await key()) === first);
  await page.getByRole("searchbox").first().press("Escape");
});

test("two floors are compared, and a value is taken over", async () => {
  await goTo(22);
  await page.getByRole("button", { name: "比较…" }).click();
  await dialog().locator("input").first().fill("999");
  await dialog().locator("input").first().press("Enter");
  await dialog().getByText("请输入 0 到 23 之间的楼层").waitFor();
  await dialog().locator("input").first().fill("2");
  await dialog().locator("input").first().press("Enter");
  await dialog().getByText("信任").first().waitFor();
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
});

test("re-processing is previewed, and says when nothing would change", async () => {
  await page.getByRole("button", { name: "重新处理" }).click();
  await page.getByRole("menuitem", { name: "整个故事" }).or(page.getByRole("button", { name: "整个故事" })).first().click();
  await dialog().getByText("不会有任何变化").waitFor();
  await dialog().getByText(/规则：今天 \d\d:\d\d → 现在，\d+ 层用的是旧规则，变了的设置：schema。|这些楼层用的已经是当前规则/).waitFor();
  await page.keyboard.press("Escape");
});

test("a floor becomes a global snapshot and a template", async () => {
  await page.getByRole("button", { name: "更多" }).click();
  await page.getByText("存为全局快照…").click();
  await dialog().locator("input").first().fill("进城之前");
  await dialog().locator("input").nth(1).fill("城镇 boss");
  await dialog().getByRole("button", { name: "保存" }).click();
  await shown("已存为全局快照");
  assert.match(web.cli("snapshot", "list", "--json"), /进城之前/);
  await page.getByRole("button", { name: "更多" }).click();
  await page.getByText("用作角色模板").click();
  await shown("的模板");
  assert.match(web.cli("template", "show", "aria.png", "--json"), /20:00/);
});

test("filters of the list show the floors that fit", async () => {
  await page.locator("select").first().selectOption("overridden");
  await until("only edited floors are listed", async () => (await page.locator(".sl-floor").count()) === 3);
  await page.locator("select").first().selectOption("ai");
  await until("only replies are listed", async () => (await page.locator(".sl-floor .sl-name").allInnerTexts()).every((name) => name === "阿丽娅"));
  assert.match((await page.locator(".sl-floor").first().getAttribute("title"))!, /^第 \d+ 层 · 阿丽娅 · 页 1\/1$/);
  await page.locator("select").first().selectOption("all");
});

test("another window was faster: both sides are shown, and nothing is lost", async () => {
  await goTo(20);
  await page.keyboard.press("e");
  await page.getByRole("button", { name: "添加键" }).click();
  await page.keyboard.type("我的");
  await page.keyboard.press("Enter");
  await shown("1 处修改");
  // The other side changes the floor while this page cannot hear of it.
  await page.route("**/api/v1/changes*", () => {});
  await page.route("**/api/v1/stories", (route) => route.abort());
  const other = await engine.floor(branch, 20);
  await engine.change(branch, { kind: "set", page: other.page, path: ["他们的"], value: 1 });
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await shown("这一层在另一个窗口被改过");
  await page.getByRole("button", { name: "看差异" }).click();
  await dialog().getByText("他们的").first().waitFor();
  await page.unroute("**/api/v1/stories");
  await page.unroute("**/api/v1/changes*");
  await page.getByRole("button", { name: "保留我的" }).click();
  await until("mine is written", async () => "我的" in (await state(20)));
  await dialog().waitFor({ state: "detached" });
});

test("the engine is killed during a save and started again: the edit is there, once", async () => {
  await goTo(6);
  await web.kill();
  await row("金币").locator(".sl-value").click();
  await page.keyboard.type("55");
  await page.keyboard.press("Enter");
  await shown("引擎未连接");
  await web.start();
  await page.getByRole("button", { name: "重试" }).first().click();
  await until("it is saved later", async () => (await state(6).catch(() => ({}) as never))["角色"]?.["金币"] === 55);
  await until("the page shows it", async () => (await row("金币").innerText()).includes("55"));
});

test("an edit in one window appears in the other", async () => {
  const other = await web.open({ locale: "en-GB", colorScheme: "light", viewport: { width: 390, height: 844 } });
  await other.getByText("Floor", { exact: false }).first().waitFor();
  await other.getByRole("tab", { name: "All values" }).click();
  await goTo(22);
  await row("金币").locator(".sl-value").click();
  await page.keyboard.type("4321");
  await page.keyboard.press("Enter");
  await other.getByText("4321").first().waitFor({ timeout: 15_000 });
  await other.context().close();
});
