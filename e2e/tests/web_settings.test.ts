// The settings of the engine's own page in a real browser: each one changed with mouse or keyboard and read back
// from the engine, bad input, both languages, and what an owner sees who does not run the engine.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { type Branch, type Client, type Engine, type Json, type JsonObject, type Schemas, makeClient } from "storeyline-client";
import { seriousFindings } from "../src/accessibility.ts";
import { artifacts } from "../src/paths.ts";
import { WebPage } from "../src/web_page.ts";

const web = new WebPage("web-settings");
const FINGERPRINT = "AAAAAAAAAAAAAAAAAAAAAA";
const CARD = "<img src=x onerror=alert(1)>";
const SAYS = ["雨夜。", "@.ADD(\"角色.金币\", 5);", "她点头。@.ADD(\"角色.金币\", 1);"];

let token: string;
let client: Client;
let engine: Engine;
let branch: Branch;
let page: Page;

before(async () => {
  await web.start();
  token = readFileSync(join(web.data, "token"), "utf8").trim();
  client = clientOf("local");
  engine = web.engine(token);
  const begun = await client("post", "/api/v1/stories", { body: { title: "雨夜酒馆", card: "aria.png", template: { 世界: { 时间: "20:00" }, 角色: { 金币: 10 } } } });
  branch = { story: begun.story, ref: begun.ref };
  for (const [floor, text] of SAYS.entries()) {
    await engine.change(branch, { kind: "append", role: floor === 1 ? "user" : "assistant", name: floor === 1 ? "旅人" : "阿丽娅", text });
  }
  await engine.decideFunctions(CARD, FINGERPRINT, true);
  await web.launch();
  page = await settings();
});

after(() => web.close());

function clientOf(owner: string): Client {
  const headers = (): Record<string, string> => ({ Authorization: `Bearer ${token}`, "X-Storeyline-Owner": owner });
  return makeClient({ api: new URL("/api", web.link()).href, headers });
}

async function settings(options: BrowserContextOptions = {}): Promise<Page> {
  const opened = await web.open({ permissions: ["clipboard-read", "clipboard-write"], ...options });
  opened.setDefaultTimeout(15_000);
  await opened.locator('[data-tab="settings"]').click();
  await opened.locator(".sl-settings").waitFor();
  // A series of quick moves is written into the address a moment later.
  await opened.waitForURL(/tab=settings/);
  return opened;
}

const shown = (text: string, on = page): Promise<void> => on.getByText(text, { exact: false }).first().waitFor();
const row = (label: string, on = page): Locator => on.locator(".sl-setting", { has: on.locator(".sl-label", { hasText: label }) });
const button = (name: string | RegExp, on: Page | Locator = page): Locator => on.getByRole("button", { name, exact: typeof name === "string" });
const dialog = (on = page): Locator => on.locator("dialog[open]");
const rules = (): Promise<Schemas["Rules"]> => client("get", "/api/v1/stories/{story}/rules", { params: { path: { story: branch.story } } });
const gold = async (): Promise<Json> => ((await engine.floor(branch, 2)).state as { 角色: { 金币: Json } }).角色.金币;

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    if (await holds()) return;
  }
  assert.fail(what);
}

async function give(files: string[], on = page): Promise<void> {
  const asked = on.waitForEvent("filechooser");
  await row("聊天文件", on).getByRole("button", { name: "选择文件…" }).click();
  await (await asked).setFiles(files);
}

test("the search field finds settings; Escape brings all back; text of a card is never markup", async () => {
  for (const title of ["本故事：雨夜酒馆", "函数的许可", "显示", "引擎", "清理", "导入"]) await shown(title);
  await row("配置").locator("select").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("/");
  const field = page.getByRole("searchbox");
  assert.ok(await field.evaluate((element) => element === document.activeElement), "the key leads to the search field");
  await page.keyboard.type("备份");
  const labels = (): Promise<string[]> => page.locator(".sl-setting:visible .sl-label").allInnerTexts();
  await until("only the backup is left", async () => (await labels()).join() === "备份");
  await page.keyboard.type("zzz");
  await shown("没有含有“备份zzz”的设置");
  await page.keyboard.press("Escape");
  await until("all are back", async () => (await page.locator(".sl-setting:visible").count()) > 12);
  assert.equal(await page.locator("img[src=x]").count(), 0);
});

test("a switch is chosen, has a dot and a way back, and older floors follow by re-processing", async () => {
  await shown("默认");
  const calls = row("执行你自己消息里的调用");
  await calls.getByRole("switch").click();
  await until("the engine has it", async () => (await rules()).from["user_calls"] === "you");
  await shown("新的页按它计算，旧的楼层要重新处理后才会跟上。");
  await until("it has a dot", async () => (await calls.locator(".sl-changed").count()) === 1);
  assert.equal(await gold(), 11, "older floors are as they were");
  await button("重新处理…").click();
  await dialog().getByText("#2", { exact: false }).first().waitFor();
  await dialog().getByRole("button", { name: /应用到/ }).click();
  await until("the user's call counts now", async () => (await gold()) === 16);
  await button("撤销").click();
  await until("undo brings it back", async () => (await gold()) === 11);
  await calls.getByRole("button", { name: "恢复：执行你自己消息里的调用" }).focus();
  await page.keyboard.press("Enter");
  await until("it follows the card again", async () => (await rules()).from["user_calls"] === "default");
  await until("the dot is gone", async () => (await calls.locator(".sl-changed").count()) === 0);
});

test("profile, template, reasoning, JSON and tag calls", async () => {
  await row("配置").locator("select").selectOption("mvu");
  await until("profile", async () => ((await rules()).rules as JsonObject)["profile"] === "mvu");
  await row("配置").getByText("你为本故事选的").waitFor();
  await row("配置").getByRole("button", { name: "恢复：配置" }).click();
  await until("profile is found again", async () => ((await rules()).rules as JsonObject)["profile"] === "native");
  for (const [label, name] of [["模板与状态", "enabled"], ["跳过思考过程", "skip_reasoning"], ["读取 JSON 形式的调用", "json_calls"], ["读取标签形式的调用", "tag_calls"]] as const) {
    const toggle = row(label).getByRole("switch");
    const before = await toggle.getAttribute("aria-checked");
    await toggle.focus();
    await page.keyboard.press("Space");
    await until(name, async () => (await rules()).from[name] === "you");
    await until(`${name} is shown`, async () => (await toggle.getAttribute("aria-checked")) !== before);
    await row(label).getByRole("button", { name: `恢复：${label}` }).click();
    await until(`${name} is as before`, async () => (await toggle.getAttribute("aria-checked")) === before);
  }
});

test("the edit policy by keyboard: manual and back, with its meaning", async () => {
  const policy = async (): Promise<string> => (await engine.story(branch.story)).edit_policy;
  await row("编辑旧楼层时").getByRole("radio").first().focus();
  await page.keyboard.press("ArrowRight");
  await until("manual", async () => (await policy()) === "manual");
  await row("编辑旧楼层时").getByText("标为过期，直到你重新处理").waitFor();
  await button("恢复：编辑旧楼层时").click();
  await until("auto", async () => (await policy()) === "auto");
});

test("a path of TIME that cannot be used is refused in place, and the text stays", async () => {
  const time = row("时间的路径");
  const field = time.getByRole("textbox");
  await field.fill("  ");
  await field.press("Enter");
  await time.getByText("请写一个路径").waitFor();
  await field.fill("a.__proto__");
  await time.getByRole("button", { name: "保存" }).click();
  await time.getByText("`__proto__` 不能作为键").waitFor();
  assert.equal(await field.inputValue(), "a.__proto__");
  assert.equal((await rules()).from["time_path"], "default");
  await field.fill("世界.时间");
  await field.press("Enter");
  await time.getByText('#2 的这个路径上是 "20:00"').waitFor();
  assert.equal(((await rules()).rules as JsonObject)["time_path"], "世界.时间");
  await field.fill("角色");
  await field.press("Enter");
  await time.getByText("是一组值").waitFor();
  await button("恢复：时间的路径").click();
  await until("the default", async () => (await rules()).from["time_path"] === "default");
});

test("a schema: inferred from the floor, edited as text with a mistake, refused, saved, switched off, undone", async () => {
  const schema = row("状态的约束");
  const stored = async (): Promise<Json | undefined> => ((await rules()).rules as JsonObject)["schema"];
  await button("从 #2 推断…", schema).click();
  await dialog().getByRole("tab", { name: "文本" }).click();
  const text = dialog().locator(".cm-content");
  await text.waitFor();
  await text.fill('{"type": "colour"');
  await dialog().getByText("这里不是有效的 JSON", { exact: false }).waitFor();
  assert.ok(await dialog().getByRole("button", { name: "保存" }).isDisabled());
  await text.fill('{"type": "colour"}');
  await dialog().getByRole("button", { name: "保存" }).click();
  await dialog().getByText("看不懂 type", { exact: false }).waitFor();
  assert.equal(await stored(), undefined, "nothing was written");
  await text.fill('{"type": "object", "properties": {"角色": {"type": "object"}}}');
  await dialog().getByRole("button", { name: "保存" }).click();
  await schema.getByText("约束 1 个顶层键").waitFor();
  assert.deepEqual(await stored(), { type: "object", properties: { 角色: { type: "object" } } });
  await button("关闭", schema).click();
  await schema.getByText("已关闭。").waitFor();
  assert.equal(await stored(), undefined);
  await button("撤销").click();
  await schema.getByText("约束 1 个顶层键").waitFor();
  await button("恢复：状态的约束（schema）").click();
  await until("off by default", async () => (await rules()).from["schema"] === "default");
});

test("a permission of functions is taken back, and undo gives it again", async () => {
  const consents = async (): Promise<number> => (await client("get", "/api/v1/cards/consents")).consents.length;
  await row("卡片的函数").getByText(`${CARD} · 已允许`).waitFor();
  await button(`收回：${CARD}`).click();
  await shown("你还没有对任何卡片的函数做过决定。");
  assert.equal(await consents(), 0);
  await button("撤销").click();
  await row("卡片的函数").getByText("已允许").waitFor();
  assert.equal(await consents(), 1);
});

test("theme and language are chosen and remembered by this browser", async () => {
  const other = await settings();
  const tone = (): Promise<string | null> => other.locator(".sl-root").getAttribute("data-tone");
  assert.equal(await tone(), "dark");
  await row("主题", other).getByRole("radio", { name: "浅色" }).focus();
  await other.keyboard.press("Space");
  await until("light", async () => (await tone()) === "light");
  await row("语言", other).getByText("English").click();
  await shown("Remembered in this browser.", other);
  assert.equal(await other.locator("html").getAttribute("lang"), "en");
  await other.reload();
  await other.getByRole("searchbox", { name: "Search settings" }).waitFor();
  assert.equal(await tone(), "light");
  await row("Theme", other).getByText("System").click();
  await until("as the system", async () => (await tone()) === "dark");
  await other.context().close();
});

test("the engine: health, data folder, backup, search index, browsers with access", async () => {
  await row("状况").getByText(/正常.*版本.*毫秒.*1 个故事.*占用磁盘/s).waitFor();
  await row("数据文件夹").getByRole("button", { name: "复制" }).click();
  await until("it is in the clipboard", async () => (await page.evaluate(() => navigator.clipboard.readText())) === web.data);
  await button("立即备份").click();
  const said = await row("备份").getByText(/已写入 backups\//).innerText();
  const file = /backups\/(\S+\.db)/.exec(said)?.[1] ?? "";
  assert.ok(existsSync(join(web.data, "backups", file)), said);

  const index = row("搜索索引").getByRole("switch");
  const on = async (): Promise<boolean> => (await client("get", "/api/v1/search/index")).on;
  const before = await on();
  await index.click();
  await until("switched", async () => (await on()) !== before);
  await until("and shown", async () => (await index.getAttribute("aria-checked")) === String(!before));
  await index.press("Space");
  await until("switched back", async () => (await on()) === before);

  const other = await settings();
  await button("再量一次").click();
  const listed = row("已登录的浏览器").locator("li");
  await until("both browsers are listed", async () => (await listed.count()) >= 2);
  const count = await listed.count();
  await listed.filter({ hasNotText: "这个浏览器" }).first().getByRole("button").click();
  await until("one less", async () => (await listed.count()) === count - 1);
  await other.context().close();

  await listed.filter({ hasText: "这个浏览器" }).getByRole("button").click();
  await dialog().getByText("页面会立刻锁上", { exact: false }).waitFor();
  await dialog().getByRole("button", { name: "取消" }).click();
});

test("cleaning: the page says where unused states are found; the trash is counted, then emptied", async () => {
  await row("未使用的状态").getByText("请在酒馆的 Storeyline 面板里使用", { exact: false }).waitFor();
  const made = await engine.createBranch(branch, "废", 1, false);
  await engine.change({ ...branch, ref: made.ref }, { kind: "append", role: "assistant", name: "阿丽娅", text: "走另一条路。" });
  await client("delete", "/api/v1/stories/{story}/refs/{ref}", { params: { path: { story: branch.story, ref: made.ref } } });
  await row("回收站").getByRole("button", { name: "查看" }).click();
  await dialog().getByText(/会彻底删除 1 个分支/).waitFor();
  await dialog().getByRole("button", { name: "取消" }).click();
  await row("回收站").getByRole("button", { name: "查看" }).focus();
  await page.keyboard.press("Enter");
  await dialog().getByRole("button", { name: "清空" }).click();
  await row("回收站").getByText(/已删除 1 个分支/).waitFor();
  const refs = (await client("get", "/api/v1/stories/{story}/refs", { params: { path: { story: branch.story } } })).refs;
  assert.deepEqual(refs.map((ref) => ref.ref), [branch.ref]);
});

test("import: wrong files are named, a chat is tried, imported with a report, opened and taken back", async () => {
  const line = (user: boolean, mes: string, more: object = {}): object => ({ name: user ? "旅人" : "阿丽娅", is_user: user, mes, extra: {}, ...more });
  const stored = { variables: [{ stat_data: { 金币: 99 } }] };
  const chat = [{ chat_metadata: {}, user_name: "unused", character_name: "unused" }, line(false, "夜。_.set('金币', 1, 2);//谢", stored), line(true, "走"), line(false, "好。_.set('金币', 2, 'x")];
  const good = web.file("老聊天.jsonl", chat.map((one) => JSON.stringify(one)).join("\n"));
  const bad = web.file("坏的.jsonl", "这不是聊天\n{");
  const note = web.file("note.txt", "x");
  const stories = async (): Promise<number> => (await engine.stories()).length;
  await give([note, bad]);
  await row("聊天文件").getByText("note.txt：这不是聊天文件", { exact: false }).waitFor();
  await row("聊天文件").locator(".sl-chat", { hasText: "坏的" }).getByRole("alert").waitFor();
  assert.equal(await button(/^导入 /).count(), 0, "there is nothing to import");
  assert.equal(await stories(), 1);

  await give([good]);
  await row("聊天文件").getByText(/3 层，\d+ 个调用/).waitFor();
  await row("聊天文件").getByText("其中 1 层有 MVU 或 SAM 存下的状态，1 层与计算结果不同：#0").waitFor();
  assert.equal(await stories(), 1, "a trial run writes nothing");
  await row("采用 MVU 和 SAM 存下的状态").getByRole("switch").click();
  await button("导入 1 个聊天").click();
  await row("聊天文件").getByText(/3 层，3 页，其中 3 页是新的/).waitFor();
  await until("it is there", async () => (await stories()) === 2);
  await button("打开：老聊天").click();
  await shown("本故事：老聊天");
  await button("撤销").click();
  await until("it is taken back", async () => (await stories()) === 1);
});

test("an owner who does not run the engine sees health and own browsers only, and asks for nothing else", async () => {
  const bert = clientOf("bert");
  const { link } = await bert("post", "/api/v1/links");
  const context = await web.browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "zh-CN", colorScheme: "dark" });
  const theirs = await context.newPage();
  const asked: string[] = [];
  theirs.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await theirs.goto(new URL(link, web.link()).href);
  await theirs.locator('[data-tab="settings"]').click();
  await row("状况", theirs).getByText(/正常/).waitFor({ timeout: 15_000 });
  const text = await theirs.locator(".sl-settings").innerText();
  for (const word of ["数据文件夹", "备份", "搜索索引", "限制", "占用磁盘", "雨夜酒馆", CARD]) assert.ok(!text.includes(word), word);
  assert.ok(text.includes("已登录的浏览器"));
  assert.equal(await row("已登录的浏览器", theirs).locator("li").count(), 1, "own browsers only");
  assert.deepEqual(asked.filter((one) => /backup|search\/index|verify|links/.test(one)), []);
  await context.close();
});

test("both languages and both tones: no serious finding of axe, nothing too wide; pictures", async () => {
  mkdirSync(artifacts, { recursive: true });
  page = await settings();
  await row("状况").getByText(/正常/).waitFor();
  await row("时间的路径").waitFor();
  assert.deepEqual(await seriousFindings(page, ".sl-root"), []);
  await page.screenshot({ path: join(artifacts, "settings-zh-dark-1280.png") });
  const phone = await settings({ locale: "en-GB", colorScheme: "light", viewport: { width: 390, height: 800 } });
  await row("Health", phone).getByText("OK").waitFor();
  await row("Path of the time", phone).waitFor();
  assert.deepEqual(await seriousFindings(phone, ".sl-root"), []);
  const wide = await phone.evaluate(() => document.querySelector(".sl-settings")!.scrollWidth - document.querySelector(".sl-settings")!.clientWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
  await phone.screenshot({ path: join(artifacts, "settings-en-light-390.png") });
  for (const [on, name] of [[page, "zh-dark-1280"], [phone, "en-light-390"]] as const) {
    const size = on.viewportSize()!;
    const height = await on.evaluate(() => document.querySelector(".sl-column")!.scrollHeight + 160);
    await on.setViewportSize({ ...size, height });
    await on.screenshot({ path: join(artifacts, `settings-${name}-whole.png`) });
    await on.setViewportSize(size);
  }
  await phone.context().close();
});
