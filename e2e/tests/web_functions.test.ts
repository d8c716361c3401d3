// The Functions screen of the engine's page: a function is written, tried out, switched, ordered, moved, exported and
// imported, and it counts from the next reply.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { until } from "../src/poll.ts";
import { PHONE, Web, accessible, fits, giveFile, picture, textOf } from "../src/web.ts";

let web: Web;
let page: Page;
let at: { story: string; ref: string };

const HOSTILE = `<img src=x onerror="window.owned=1">`;

before(async () => {
  web = await Web.begin("web-functions");
  at = await web.story("雨夜", "aria.png", { 英雄: { 等级: 3, 生命: 40 }, 时间: "20:00" }, [{ reply: ["她赢了。@.LEVELUP(\"英雄\", 2);"] }]);
  page = await web.tab("functions");
});
after(() => web.close());

const dialog = (): Locator => page.locator("dialog[open]");
const row = (name: string): Locator => page.locator(".sl-function", { hasText: name });
const names = (): Promise<string[]> => page.locator(".sl-function .sl-name").allInnerTexts();
const library = async (card: string): Promise<{ functions: { name: string; enabled: boolean; order: number; type: string; timing?: string }[]; off?: string[] }> =>
  (await web.client("get", "/api/v1/library", { params: { query: { card } } })).library as never;
const append = (text: string): Promise<unknown> =>
  web.client("post", "/api/v1/stories/{story}/refs/{ref}/operations", { params: { path: at }, body: { kind: "append", role: "assistant", name: "阿丽娅", text } });
const state = async (): Promise<{ 英雄: { 等级: number; 生命: number }; 时间: string }> => JSON.parse(web.cli("show", "雨夜", "--json")).state as never;

async function write(text: string): Promise<void> {
  await dialog().locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

/** Takes back what this message tells of; others may be on the screen. */
async function undo(said: string): Promise<void> {
  await page.locator(".sl-toast", { hasText: said }).getByRole("button", { name: "撤销", exact: true }).click();
}

/** Chooses a file with this text for the import. */
async function offer(name: string, text: string): Promise<void> {
  const path = join(mkdtempSync(join(tmpdir(), "functions-")), name);
  writeFileSync(path, text);
  await giveFile(page, path, () => page.getByRole("button", { name: "导入…" }).click());
}

test("a newcomer is told what works already, and writes the first function", async () => {
  await page.getByText("这个角色没有自己的函数。").waitFor();
  await picture(page, "functions-empty");
  await page.getByRole("button", { name: "新建函数" }).click();
  await dialog().getByRole("button", { name: "保存", exact: true }).click();
  await dialog().getByText("请写名称。").waitFor();
  await dialog().getByLabel("名称", { exact: true }).fill("LEVELUP");
  await dialog().getByLabel("说明（写进提示词，给模型看）").fill("升级并恢复生命");
  await dialog().getByLabel("正则表达式（可以不写：按名称调用）").fill('@\\.LEVELUP\\("([^"]+)",\\s*(\\d+)\\);?');
  await dialog().getByText("示例里匹配 1 处").waitFor();
  await dialog().getByText("$1 = 英雄").waitFor();
});

test("a pattern and code with an error are told with their place, and the text stays", async () => {
  const pattern = dialog().getByLabel("正则表达式（可以不写：按名称调用）");
  const good = await pattern.inputValue();
  await pattern.fill("(unclosed");
  await dialog().locator(".sl-said .sl-bad").waitFor();
  await pattern.fill("(a+)+$");
  await pattern.fill(good);
  await dialog().getByText("示例里匹配 1 处").waitFor();
  await write("const [who, n] = args;\nsnapshot[who].等级 += ;");
  await dialog().getByRole("button", { name: "运行", exact: true }).click();
  await dialog().getByText("第 2 行").first().waitFor();
  await write("for (;;) {}");
  await page.keyboard.press("Control+Enter");
  await dialog().getByText("脚本运行太久").first().waitFor({ timeout: 20_000 });
});

test("it is run on the shown floor: ops, time, console, and what the model sees; nothing is written", async () => {
  await write('const [who, n] = args;\nsnapshot[who].等级 += Number(n);\nsnapshot[who].生命 = 100;\nconsole.log("level up", who);');
  await dialog().getByRole("button", { name: "运行", exact: true }).click();
  await dialog().locator(".sl-op", { hasText: "英雄.等级" }).getByText("5").waitFor();
  await dialog().getByText("level up 英雄").waitFor();
  await dialog().getByText('@.LEVELUP("arg1", arg2); // 升级并恢复生命').waitFor();
  await picture(page, "functions-editor");
  assert.deepEqual((await library("aria.png")).functions, []);
  assert.equal((await state()).英雄.等级, 3);
});

test("names are completed in the code: what a function sees, and the paths of the state", async () => {
  await dialog().locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nsnap");
  await dialog().locator(".cm-tooltip-autocomplete", { hasText: "snapshot" }).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await dialog().count(), 1, "Escape closes the list only");
  for (let i = 0; i < 5; i++) await page.keyboard.press("Backspace");
});

test("saved, it counts from the next reply; switched off, it does not", async () => {
  await page.keyboard.press("Control+s");
  await dialog().waitFor({ state: "detached" });
  await row("LEVELUP").waitFor();
  assert.equal((await state()).英雄.等级, 3, "older floors keep their rules");
  await append('赢。@.LEVELUP("英雄", 2);');
  assert.equal((await state()).英雄.等级, 5);
  await row("LEVELUP").getByRole("switch").click();
  await page.getByText("“LEVELUP”从下一条回复起不再运行").waitFor();
  await append('又赢。@.LEVELUP("英雄", 2);');
  assert.equal((await state()).英雄.等级, 5);
  await undo("“LEVELUP”从下一条回复起不再运行");
  await until("it is on again", async () => assert.equal((await library("aria.png")).functions[0]?.enabled, true));
  await page.reload();
  await row("LEVELUP").getByText("失败 2 次，最近在 #2").waitFor();
});

test("passive functions, steps and rules are forms; a composite that calls itself is refused", async () => {
  const make = async (item: string): Promise<void> => {
    await page.getByRole("button", { name: "新建", exact: true }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await make("被动函数…");
  await dialog().getByLabel("名称", { exact: true }).fill("Clock");
  await dialog().getByLabel("执行时机").selectOption("before_active");
  await write('snapshot.时间 = "20:12";');
  await dialog().getByRole("button", { name: "运行", exact: true }).click();
  await dialog().locator(".sl-op", { hasText: "20:12" }).waitFor();
  await page.keyboard.press("Control+s");
  await dialog().waitFor({ state: "detached" });

  await make("由步骤组成的函数…");
  await dialog().getByLabel("名称", { exact: true }).fill("HEAL");
  await dialog().getByRole("button", { name: "添加步骤" }).click();
  await dialog().getByLabel("第 1 步的函数").fill("HEAL");
  await dialog().getByLabel("第 1 步的参数（JSON，用逗号分开）").fill("oops");
  await dialog().getByText("第 1 步的参数不是 JSON").waitFor();
  await dialog().getByLabel("第 1 步的参数（JSON，用逗号分开）").fill('"英雄.生命", 100');
  await dialog().getByRole("button", { name: "保存", exact: true }).click();
  await dialog().getByText("它的步骤最后又调用了它自己。").waitFor();
  await dialog().getByLabel("第 1 步的函数").fill("SET");
  await dialog().getByRole("button", { name: "保存", exact: true }).click();
  await dialog().waitFor({ state: "detached" });

  await make("自动规则…");
  await dialog().getByLabel("名称", { exact: true }).fill("受伤");
  await dialog().getByLabel("条件（JavaScript，可以不写）").fill("snapshot.英雄.生命 < 50");
  await dialog().getByRole("button", { name: "添加步骤" }).click();
  await dialog().getByLabel("第 1 步的参数（JSON，用逗号分开）").fill('"英雄.状态", "受伤"');
  await dialog().getByRole("button", { name: "保存", exact: true }).click();
  await dialog().waitFor({ state: "detached" });
  assert.deepEqual(await names(), ["Clock", "LEVELUP", "HEAL", "受伤"]);
  await picture(page, "functions-list");
});

test("the order follows the mouse and the keyboard, and another group means another time", async () => {
  const handle = (name: string): Locator => row(name).getByRole("button", { name: `移动 ${name}` });
  await handle("HEAL").dragTo(row("LEVELUP"));
  await until("HEAL is first", async () => assert.deepEqual(await names(), ["Clock", "HEAL", "LEVELUP", "受伤"]));
  await handle("HEAL").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await until("it is second again", async () => assert.deepEqual(await names(), ["Clock", "LEVELUP", "HEAL", "受伤"]));
  await handle("Clock").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.getByText("“Clock”现在在“回复里：主动函数”运行").waitFor();
  await until("it is active", async () => assert.equal((await library("aria.png")).functions.find(({ name }) => name === "Clock")?.type, "active"));
  await undo("“Clock”现在在“回复里：主动函数”运行");
  await until("it is passive again", async () => assert.equal((await library("aria.png")).functions.find(({ name }) => name === "Clock")?.timing, "before_active"));
});

test("functions move between the scopes, and a card's function hides the global one", async () => {
  await row("HEAL").getByRole("button", { name: "更多: HEAL" }).click();
  await page.getByRole("menuitem", { name: "移到全局" }).click();
  await row("HEAL").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "全局 1" }).click();
  await row("HEAL").waitFor();
  await row("HEAL").getByRole("button", { name: "HEAL", exact: true }).click();
  await dialog().getByLabel("名称", { exact: true }).fill("LEVELUP");
  await dialog().getByText("本卡的同名函数 LEVELUP 会盖住它。").waitFor();
  await dialog().getByLabel("名称", { exact: true }).fill("SET");
  await dialog().getByText("它会代替内置函数 SET。").waitFor();
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  assert.deepEqual((await library("")).functions.map(({ name }) => name), ["HEAL"]);
});

test("export and import: a list, new ids, off unless chosen; a bad file is told with its line", async () => {
  await row("HEAL").getByRole("checkbox", { name: "选中 HEAL" }).check();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "导出", exact: true }).click()]);
  const file = await textOf(download);
  assert.equal((JSON.parse(file) as { version: string }).version, "1.0");
  await offer("broken.json", "[\n {name: 'A', executor: '1'},\n {name: 'B', ]]}\n");
  await dialog().getByText("第 3 行").waitFor();
  await page.keyboard.press("Escape");
  const hostile = JSON.stringify({ version: "1.0", functions: [{ name: HOSTILE, description: HOSTILE, executor: "1" }, ...(JSON.parse(file) as { functions: object[] }).functions] });
  await offer("shared.json", hostile);
  await dialog().getByText("已有同名函数").waitFor();
  await dialog().getByRole("checkbox", { name: "导入后启用 HEAL" }).check();
  await picture(page, "functions-import");
  await dialog().getByRole("button", { name: "导入 2 个" }).click();
  await until("three functions", async () => assert.deepEqual((await library("")).functions.map(({ enabled }) => enabled), [true, false, true]));
  assert.equal(await page.evaluate(() => (window as { owned?: number }).owned), undefined);
  const many = JSON.stringify({ functions: Array.from({ length: 5000 }, (_, n) => ({ name: `F${n}`, executor: "1" })) });
  await offer("many.json", many);
  await page.getByText("一个函数库最多 1000 个函数和规则").waitFor();
  assert.equal((await library("")).functions.length, 3);
});

test("two of one name are told apart and deleted one by one, with a way back", async () => {
  const second = page.locator(".sl-function", { hasText: "HEAL" }).nth(1);
  await second.getByRole("button", { name: "更多: HEAL" }).click();
  await page.getByRole("menuitem", { name: "删除" }).click();
  await until("one is left", async () => assert.equal((await library("")).functions.length, 2));
  await undo("已删除 1 个函数");
  await until("both are back", async () => assert.equal((await library("")).functions.length, 3));
});

test("built-in functions have a reference and a switch", async () => {
  await page.getByRole("button", { name: /^内置/ }).click();
  await page.getByRole("searchbox").fill("unset");
  await page.getByRole("switch", { name: "启用 UNSET" }).click();
  await until("it is off", async () => assert.deepEqual((await library("")).off, ["UNSET"]));
  await page.getByRole("switch", { name: "启用 UNSET" }).click();
  await until("it is on", async () => assert.equal((await library("")).off, undefined));
  await page.getByRole("searchbox").fill("");
});

test("the prompt text is shown with its size and copied", async () => {
  await page.getByRole("button", { name: "提示词…" }).click();
  const text = dialog().getByRole("textbox", { name: "提示词" });
  await until("it is there", async () => assert.match(await text.inputValue(), /<variable_system_functions>[^]*LEVELUP/));
  await dialog().getByLabel("标签").fill("my_tag");
  await until("the tag", async () => assert.match(await text.inputValue(), /^<my_tag>/));
  await dialog().getByText(/大约 \d+ 个词元/).waitFor();
  await dialog().getByRole("button", { name: "复制" }).click();
  await dialog().getByText("已复制").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^<my_tag>/);
  await picture(page, "functions-prompt");
  await page.keyboard.press("Escape");
});

test("a save in another window is told, and the text stays", async () => {
  await page.getByRole("button", { name: /^本卡/ }).click();
  await row("LEVELUP").getByRole("button", { name: "LEVELUP", exact: true }).click();
  await dialog().getByLabel("说明（写进提示词，给模型看）").fill("我的说明");
  const now = await web.client("get", "/api/v1/library", { params: { query: { card: "aria.png" } } });
  await web.client("put", "/api/v1/library", { params: { query: { card: "aria.png" } }, body: { library: now.library } });
  await dialog().getByRole("button", { name: "保存", exact: true }).click();
  await dialog().getByText("函数库刚在别处被改过").waitFor();
  assert.equal(await dialog().getByLabel("说明（写进提示词，给模型看）").inputValue(), "我的说明");
  await dialog().getByRole("button", { name: "保存", exact: true }).click();
  await dialog().waitFor({ state: "detached" });
});

test("no serious finding of axe-core, in dark and light, wide and narrow", async () => {
  await accessible(page, "functions");
  await row("LEVELUP").getByRole("button", { name: "LEVELUP", exact: true }).click();
  await dialog().locator(".cm-content").waitFor();
  await accessible(page, "functions-editor");
  await page.keyboard.press("Escape");
  const phone = await web.tab("functions", PHONE);
  await phone.locator(".sl-function").first().waitFor();
  await picture(phone, "functions-phone");
  await fits(phone);
  await accessible(phone, "functions-phone");
  await phone.locator(".sl-function .sl-name").first().click();
  await phone.locator("dialog[open] .cm-content").waitFor();
  await picture(phone, "functions-editor-phone");
});
