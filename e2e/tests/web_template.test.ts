// The Template screen in a real browser: every function by mouse and by keyboard, bad input included.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Json, JsonObject } from "storeyline-client";
import { until } from "../src/poll.ts";
import { type Look, PHONE, WIDE, Web, accessible, fits, giveFile, picture, textOf } from "../src/web.ts";

const CARD = "阿丽娅.png";
const TEMPLATE = { 世界: { 地点: "酒馆", 时间: "20:40" }, 角色: { 金币: 17 }, 背包: ["药水", "地图"] };
const EVIL = "<img src=x onerror=alert(1)>";

let web: Web;

before(async () => {
  web = await Web.begin("web-template");
  await web.story("第二个故事", CARD, TEMPLATE, [{ reply: ["你好。"] }]);
  await web.story("雨夜酒馆", CARD, TEMPLATE, [
    { reply: ['雨夜。@.SET("世界.地点", "城门");', "晴天。"] },
    { user: "你好" },
    { reply: ['她点头。@.ADD("角色.声望", 3); @.ADD("角色.金币", 5);'] },
  ]);
  await web.client("post", "/api/v1/snapshots", { body: { name: "进城之前", tags: ["城镇"], state: { 世界: { 地点: "城门" } } } });
});

after(async () => web?.close());

async function saved(card = CARD): Promise<Json | null> {
  const { versions } = await web.client("get", "/api/v1/templates/{card}/versions", { params: { path: { card } } });
  return versions[0]?.value ?? null;
}

async function put(template: JsonObject): Promise<void> {
  await web.client("put", "/api/v1/templates/{card}", { params: { path: { card: CARD } }, body: { template } });
}

/** The screen with this template saved. */
async function screen(template: JsonObject = TEMPLATE, look: Look = WIDE): Promise<Page> {
  await put(template);
  const page = await web.tab("template", look);
  await page.getByRole("tree").first().waitFor();
  return page;
}

/** `金币` is a row with this key, `金币: 17` one with this value as well. */
function row(page: Page, text: string): Locator {
  const [key, value] = text.split(": ");
  const found = page.getByRole("treeitem").filter({ has: page.locator(".sl-key").getByText(key!, { exact: true }) });
  return (value === undefined ? found : found.filter({ has: page.locator(".sl-value, .sl-size").getByText(value, { exact: true }) })).first();
}

const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
const footer = (page: Page): Locator => page.locator(".sl-actions .sl-unsaved");

async function close(page: Page): Promise<void> {
  await page.context().close();
}

test("a value is edited in place, saved by mouse, and the message tells who keeps theirs", async () => {
  const page = await screen();
  await row(page, "金币").locator(".sl-value").click();
  await page.getByLabel("金币 的值").fill("25");
  await page.keyboard.press("Enter");
  await page.getByText("未保存 · 1 处修改").waitFor();
  assert.deepEqual(await saved(), TEMPLATE, "nothing is saved by editing");
  await button(page, "保存模板").click();
  await page.getByText("正在进行的 2 个故事保持不变").waitFor();
  assert.deepEqual(await saved(), { ...TEMPLATE, 角色: { 金币: 25 } });
  await close(page);
});

test("by keyboard: edit, add, rename, duplicate, delete, undo, redo, save; numbers keep every digit", async () => {
  const page = await screen();
  await page.getByRole("tree").focus();
  for (let at = 0; at < 4; at++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("12345678901234567890");
  await page.keyboard.press("Enter");
  await row(page, "金币: 12345678901234567890").waitFor();
  await page.keyboard.press("Insert");
  await page.keyboard.type("声望");
  await page.keyboard.press("Enter");
  await page.keyboard.type("很高");
  await page.keyboard.press("Enter");
  await row(page, '声望: "很高"').waitFor();
  await page.keyboard.press("F2");
  await page.keyboard.type("名声");
  await page.keyboard.press("Enter");
  await row(page, '名声: "很高"').waitFor();
  await page.keyboard.press("Control+d");
  await row(page, '名声 2: "很高"').waitFor();
  await page.keyboard.press("Delete");
  await row(page, "名声 2").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await row(page, "名声 2").waitFor();
  await page.keyboard.press("Control+Shift+z");
  await row(page, "名声 2").waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.getByText("已保存。").waitFor();
  const raw = await web.raw(`/v1/templates/${encodeURIComponent(CARD)}`);
  assert.match(raw, /"角色":\{"金币":12345678901234567890,"名声":"很高"\}/);
  await close(page);
});

test("a new key that is cancelled leaves nothing; a taken name and half a JSON are told and stay typed", async () => {
  const page = await screen();
  await button(page, "添加键").click();
  await page.keyboard.press("Escape");
  assert.equal(await row(page, "新键").count(), 0);
  await row(page, "金币").locator(".sl-key").click();
  await page.keyboard.press("Insert");
  await page.keyboard.type("金币");
  await page.keyboard.press("Enter");
  await page.getByText("已经有“金币”了。").waitFor();
  assert.equal(await page.getByLabel("新键 的新名字").inputValue(), "金币");
  await page.keyboard.press("Escape");
  await row(page, "金币").locator(".sl-value").click();
  await page.keyboard.type('{"a": 1');
  await page.keyboard.press("Enter");
  await page.getByText("这不是完整的 JSON", { exact: false }).waitFor();
  await page.keyboard.press("Escape");
  await row(page, "金币: 17").waitFor();
  assert.equal(await footer(page).innerText(), "");
  await close(page);
});

test("text: an error has line and column, the caret goes there, Save is off, the text stays and survives a reload", async () => {
  const page = await screen();
  await page.getByRole("tab", { name: "文本" }).click();
  const text = page.getByRole("textbox", { name: "模板" });
  await text.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{\n  "金币": 5,\n  "力气": x\n}');
  await page.getByText("第 3 行第 9 列", { exact: false }).waitFor();
  assert.ok(await button(page, "保存模板").isDisabled());
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+s");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText("7");
  await page.getByText("第 3 行", { exact: false }).waitFor({ state: "detached" });
  await page.getByText("未保存 ·", { exact: false }).waitFor();
  await page.keyboard.press("Backspace");
  await page.getByText("第 4 行第 1 列", { exact: false }).waitFor();
  await page.getByRole("tab", { name: "树" }).click();
  assert.equal(await page.getByRole("tab", { name: "文本" }).getAttribute("aria-selected"), "true", "the tree cannot show it");
  await page.reload();
  await page.getByText("第 4 行第 1 列", { exact: false }).waitFor();
  assert.ok(await button(page, "保存模板").isDisabled());
  assert.match(await text.innerText(), /"力气": /);
  await button(page, "放弃").click();
  await row(page, "金币: 17").waitFor();
  assert.deepEqual(await saved(), TEMPLATE);
  await close(page);
});

test("find in the tree and in the text", async () => {
  const page = await screen();
  const find = page.getByRole("searchbox", { name: "查找键或值" });
  await find.fill("酒馆");
  await row(page, "地点").waitFor();
  assert.equal(await page.getByRole("treeitem").count(), 2);
  await find.fill("没有这个");
  await page.getByText("没有包含“没有这个”的键或值。").waitFor();
  await find.fill("");
  await page.getByRole("tab", { name: "文本" }).click();
  await page.getByRole("textbox", { name: "模板" }).waitFor();
  await find.fill("药水");
  await find.press("Enter");
  await find.fill("没有这个");
  await find.press("Enter");
  await page.getByText("没有包含“没有这个”的键或值。").waitFor();
  await close(page);
});

test("checks: a missing value is added with 0, metadata is stripped, greetings tell what they set", async () => {
  const page = await screen({ ...TEMPLATE, $meta: { extensible: true }, 好感: [5, "信任"] });
  const checks = page.getByRole("group", { name: "检查" });
  await checks.getByText("有效的 JSON，8 个值").waitFor();
  await checks.getByText("回复里用 ADD 改 角色.声望").waitFor();
  await button(page, "加上，值为 0").click();
  await row(page, "声望: 0").waitFor();
  await checks.getByText("回复里用 ADD 改 角色.声望").waitFor({ state: "detached" });
  await checks.getByText("1 个值是“数值加说明”", { exact: false }).waitFor();
  await button(page, "移除 MVU 元数据").click();
  await row(page, "$meta").waitFor({ state: "detached" });
  await checks.getByText('SET 世界.地点 = "城门"').waitFor();
  await checks.getByText("不改任何值").waitFor();
  await button(page, "保存模板").click();
  await page.getByText("已保存。").waitFor();
  assert.deepEqual(await saved(), { ...TEMPLATE, 角色: { 金币: 17, 声望: 0 }, 好感: [5, "信任"] });
  await close(page);
});

test("from a floor: a wrong number is told, a right one shows the difference and fills the editor", async () => {
  const page = await screen();
  await button(page, "来自楼层…").click();
  const field = page.getByLabel("楼层编号");
  await field.fill("99");
  await page.getByText("请输入 0 到 2 的数字。").waitFor();
  assert.ok(await button(page, "填入编辑器").isDisabled());
  await field.fill("2");
  await page.getByText("2 处不同").waitFor();
  await field.press("Enter");
  await page.getByText("2 处不同").waitFor();
  await button(page, "填入编辑器").click();
  await page.getByText("未保存 · 2 处修改").waitFor();
  assert.deepEqual(await saved(), TEMPLATE);
  await button(page, "放弃").click();
  await page.getByText("未保存", { exact: false }).waitFor({ state: "detached" });
  await button(page, "撤销").click();
  await page.getByText("未保存 · 2 处修改").waitFor();
  await close(page);
});

test("from a snapshot, by keyboard", async () => {
  const page = await screen();
  await button(page, "来自快照…").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "进城之前" }).focus();
  await page.keyboard.press("Space");
  await page.getByText("4 处不同").waitFor();
  await picture(page, "web-template-fill-zh");
  await accessible(page, "the dialog that fills the editor");
  await button(page, "填入编辑器").press("Enter");
  await page.keyboard.press("Control+s");
  await page.getByText("已保存。").waitFor();
  assert.deepEqual(await saved(), { 世界: { 地点: "城门" } });
  await close(page);
});

test("import: what is no JSON is refused with its place; a record of MVU is stripped or not; export gives it back", async () => {
  const page = await screen();
  const give = (name: string, text: string): Promise<void> => giveFile(page, web.file(name, text), () => button(page, "导入…").click());
  await give("bad.json", '{"a": 1,\n  b}');
  await page.getByText("bad.json 不能导入。第 2 行第 3 列", { exact: false }).waitFor();
  await give("list.json", "[1, 2]");
  await page.getByText("list.json 不能导入。第 1 行第 1 列：最外层必须是对象", { exact: false }).waitFor();
  await row(page, "金币: 17").waitFor();
  await give("mvu.json", '{"stat_data": {"金币": [5, "钱"], "$meta": {}}, "display_data": {}}');
  const strip = page.getByLabel("移除 MVU 元数据（只留下变量）");
  assert.ok(await strip.isChecked());
  await strip.uncheck();
  await page.getByText("stat_data", { exact: false }).first().waitFor();
  await strip.check();
  await button(page, "填入编辑器").click();
  await row(page, "金币: [ 2 ]").waitFor();
  const file = page.waitForEvent("download");
  await button(page, "导出").click();
  const download = await file;
  assert.equal(download.suggestedFilename(), "阿丽娅 template.json");
  assert.deepEqual(JSON.parse(await textOf(download)), { 金币: [5, "钱"] });
  await close(page);
});

test("versions: an old one comes back into the editor; a deleted template comes back by undo", async () => {
  const page = await screen({ 版本: 1 });
  await put({ 版本: 2 });
  await page.reload();
  await row(page, "版本: 2").waitFor();
  await button(page, "更多").click();
  await page.getByRole("menuitem", { name: "历史版本…" }).click();
  await page.getByRole("radio").nth(1).check();
  await page.getByText("1 处不同").waitFor();
  await button(page, "填入编辑器").click();
  await row(page, "版本: 1").waitFor();
  await button(page, "放弃").click();
  await button(page, "更多").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.getByText("还没有模板。").waitFor();
  assert.equal(await saved(), null);
  await page.locator(".sl-toast", { hasText: "模板已删除" }).getByRole("button", { name: "撤销" }).click();
  await row(page, "版本: 2").waitFor();
  assert.deepEqual(await saved(), { 版本: 2 });
  await close(page);
});

test("no template: three ways to start", async () => {
  await web.client("delete", "/api/v1/templates/{card}", { params: { path: { card: CARD } } });
  const page = await web.tab("template");
  await page.getByText("还没有模板。").waitFor();
  await picture(page, "web-template-empty-zh");
  await accessible(page, "without a template");
  await button(page, "从空对象开始").click();
  await button(page, "添加键").click();
  await page.keyboard.type("金币");
  await page.keyboard.press("Enter");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+s");
  await page.getByText("已保存。").waitFor();
  assert.deepEqual(await saved(), { 金币: 5 });
  await web.client("delete", "/api/v1/templates/{card}", { params: { path: { card: CARD } } });
  await page.reload();
  await button(page, "从第 0 层开始").click();
  await button(page, "填入编辑器").click();
  await row(page, "地点").waitFor();
  await close(page);
});

test("changed in another window: both stay, the difference is shown, mine or theirs is chosen", async () => {
  const page = await screen();
  const edit = async (value: string): Promise<void> => {
    await row(page, "金币").locator(".sl-value").click();
    await page.getByLabel("金币 的值").fill(value);
    await page.keyboard.press("Enter");
  };
  await edit("1");
  await put({ ...TEMPLATE, 角色: { 金币: 99 } });
  await page.keyboard.press("Control+s");
  await page.getByText("这个模板在另一个窗口被改过", { exact: false }).waitFor();
  await button(page, "看差异").click();
  const difference = page.getByRole("dialog").getByRole("listitem");
  assert.match(await difference.innerText(), /金币[\s\S]*99[\s\S]*1/);
  await picture(page, "web-template-conflict-zh");
  await page.keyboard.press("Escape");
  await button(page, "保留我的").click();
  await page.getByText("已保存。").waitFor();
  assert.deepEqual(await saved(), { ...TEMPLATE, 角色: { 金币: 1 } });
  await edit("2");
  await put({ ...TEMPLATE, 角色: { 金币: 98 } });
  await page.keyboard.press("Control+s");
  await button(page, "用对方的").click();
  await row(page, "金币: 98").waitFor();
  assert.equal(await footer(page).innerText(), "");
  await close(page);
});

test("the engine is killed: the text stays and is saved once when it is back", async () => {
  const page = await screen();
  await row(page, "金币").locator(".sl-value").click();
  await page.getByLabel("金币 的值").fill("3");
  await page.keyboard.press("Enter");
  await web.kill();
  await page.keyboard.press("Control+s");
  await page.getByText("引擎未连接，你的修改已保留。", { exact: false }).waitFor();
  await row(page, "金币: 3").waitFor();
  await web.start();
  const count = async (): Promise<number> => (await web.client("get", "/api/v1/templates/{card}/versions", { params: { path: { card: CARD } } })).versions.length;
  const before = await count();
  await until("it is saved", async () => assert.deepEqual(await saved(), { ...TEMPLATE, 角色: { 金币: 3 } }));
  await page.getByText("未保存", { exact: false }).waitFor({ state: "detached" });
  assert.ok((await count()) - before <= 1);
  await close(page);
});

test("hostile names and values are text", async () => {
  const page = await screen({ [EVIL]: EVIL, "javascript:alert(1)": { __proto: EVIL } });
  await row(page, EVIL).waitFor();
  await page.getByRole("tab", { name: "文本" }).click();
  await page.getByRole("textbox", { name: "模板" }).waitFor();
  assert.equal(await page.locator("img").count(), 0);
  await close(page);
});

test("after saving the story can be re-processed, with a preview first", async () => {
  const page = await screen();
  await row(page, "金币").locator(".sl-value").click();
  await page.getByLabel("金币 的值").fill("40");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+s");
  await button(page, "重新处理这个故事…").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/不会有任何变化|层/).first().waitFor();
  await picture(page, "web-template-reprocess-zh");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await close(page);
});

test("a large object is shown in pages", async () => {
  const page = await screen(Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`键${n}`, n])));
  await page.getByText("第 1–200 项，共 450 项").waitFor();
  await button(page, "后一段").click();
  await page.getByText("第 201–400 项，共 450 项").waitFor();
  await row(page, "键200: 200").waitFor();
  await page.getByRole("searchbox", { name: "查找键或值" }).fill("键449");
  await row(page, "键449: 449").waitFor();
  await close(page);
});

test("the story can do without variables, and that is undone", async () => {
  const page = await screen();
  const box = page.getByRole("checkbox", { name: "启用" });
  await box.uncheck();
  await page.getByText("这个故事不再使用变量").waitFor();
  await button(page, "撤销").click();
  await until("it is on again", async () => assert.ok(await box.isChecked()));
  await close(page);
});

for (const [name, look] of Object.entries({ "zh-dark-1280": WIDE, "en-light-390": PHONE, "zh-light-1280": { ...WIDE, tone: "light" }, "en-dark-390": { ...PHONE, tone: "dark" } } as Record<string, Look>)) {
  test(`looks right and is accessible: ${name}`, async () => {
    const page = await screen({ ...TEMPLATE, $meta: {}, 好感: [5, "信任"] }, look);
    await page.getByText(/SET 世界.地点|hints/).first().waitFor();
    await row(page, "金币").locator(".sl-value").click();
    await page.keyboard.type("30");
    await page.keyboard.press("Enter");
    await fits(page);
    await accessible(page, "tree");
    await picture(page, `web-template-${name}`);
    if (look.width < 720) {
      await page.getByRole("button", { name: "Checks: 3 hints" }).click();
      await page.getByText("Strip MVU metadata").waitFor();
      await accessible(page, "checks");
      await picture(page, `web-template-checks-${name}`);
      await page.getByRole("button", { name: "Checks: 3 hints" }).click();
    }
    await page.getByRole("tab", { name: /^(文本|Text)$/ }).click();
    await page.getByRole("textbox", { name: /^(模板|Template)$/ }).waitFor();
    await fits(page);
    await accessible(page, "text");
    await picture(page, `web-template-text-${name}`);
    await close(page);
  });
}
