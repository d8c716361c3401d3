// The Snapshots screen in a real browser: every function by mouse and by keyboard, bad input included.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Json, Schemas } from "storeyline-client";
import { until } from "../src/poll.ts";
import { type Look, PHONE, WIDE, Web, accessible, fits, giveFile, picture, textOf } from "../src/web.ts";

const CARD = "阿丽娅.png";
const EVIL = "<img src=x onerror=alert(1)>";
const CITY = { name: "进城之前", description: "在城门外", tags: ["城镇"], state: { 世界: { 地点: "城门" }, 角色: { 金币: 17 } } };
const RICH = { name: "新游戏，富有", description: "", tags: ["开局"], state: { 角色: { 金币: 500 } } };
const BOSS = { name: "首领战前", description: "", tags: ["城镇", "首领"], state: { 角色: { 生命: 1 } } };

let web: Web;
let story: Schemas["BegunStory"];

before(async () => {
  web = await Web.begin("web-snapshots");
  story = await web.story("雨夜酒馆", CARD, { 世界: { 地点: "酒馆" }, 角色: { 金币: 17 } }, [{ reply: ["雨夜。"] }, { user: "你好" }, { reply: ['她点头。@.ADD("角色.金币", 5);'] }]);
});

after(async () => web?.close());

async function all(): Promise<Schemas["SnapshotLine"][]> {
  return (await web.client("get", "/api/v1/snapshots")).snapshots;
}

async function named(name: string): Promise<Schemas["Snapshot"]> {
  const line = (await all()).find((one) => one.name === name);
  assert.ok(line, `there is no ${name}`);
  return web.client("get", "/api/v1/snapshots/{snapshot}", { params: { path: { snapshot: line.snapshot } } });
}

async function template(): Promise<Json | null> {
  const { versions } = await web.client("get", "/api/v1/templates/{card}/versions", { params: { path: { card: CARD } } });
  return versions[0]?.value ?? null;
}

/** The screen with exactly these three snapshots, the newest first: BOSS, RICH, CITY. */
async function screen(look: Look = WIDE): Promise<Page> {
  for (const { snapshot } of await all()) await web.client("delete", "/api/v1/snapshots/{snapshot}", { params: { path: { snapshot } } });
  for (const body of [CITY, RICH, BOSS]) await web.client("post", "/api/v1/snapshots", { body });
  const page = await web.tab("snapshots", look);
  await row(page, CITY.name).waitFor();
  return page;
}

const row = (page: Page, name: string): Locator => page.locator(".sl-rows .sl-row").filter({ hasText: name });
const open = (page: Page, name: string): Locator => row(page, name).locator(".sl-open");
const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
const names = async (page: Page): Promise<string[]> => page.locator(".sl-rows .sl-name").allInnerTexts();
const menu = async (page: Page, item: string): Promise<void> => {
  await button(page, "更多").click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

async function close(page: Page): Promise<void> {
  await page.context().close();
}

test("the list has labels, tags, values, origin and time; search finds label, tag and content", async () => {
  await screen().then(close);
  await web.client("post", "/api/v1/snapshots/from-floor", { body: { ...story, floor: 2, name: "第二层", tags: [] } });
  const page = await web.tab("snapshots");
  const line = await row(page, "第二层").innerText();
  assert.match(line, /《雨夜酒馆》#2，分支/);
  assert.match(line, /今天 \d\d:\d\d/);
  assert.match(await row(page, CITY.name).innerText(), /城镇\s+2\s+手写/);
  const search = page.getByRole("searchbox", { name: "搜索标签、分类或内容" });
  await search.fill("首领");
  await until("found by tag", async () => assert.deepEqual(await names(page), [BOSS.name]));
  await search.fill("城门 进城");
  await until("found by content", async () => assert.deepEqual(await names(page), [CITY.name]));
  await search.fill("没有这个");
  await page.getByText("没有符合的快照。").waitFor();
  await button(page, "显示全部").click();
  await until("all are shown", async () => assert.equal((await names(page)).length, 4));
  await page.getByRole("group", { name: "分类" }).getByRole("button", { name: /^城镇/ }).click();
  await until("filtered by tag", async () => assert.deepEqual(await names(page), [BOSS.name, CITY.name]));
  await close(page);
});

test("a snapshot is previewed as tree and text, by mouse and by keyboard", async () => {
  const page = await screen();
  await open(page, BOSS.name).click();
  await page.getByRole("treeitem").filter({ hasText: "生命" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: CITY.name }).waitFor();
  await page.getByText("在城门外").waitFor();
  await page.getByRole("tab", { name: "文本" }).click();
  const text = page.getByRole("textbox", { name: "预览" });
  await text.click();
  await page.keyboard.type("x");
  assert.match(await text.innerText(), /"城门"/);
  assert.doesNotMatch(await text.innerText(), /x/, "a preview is not edited");
  await close(page);
});

test("a new one is written: without a label it is not saved; a draft survives closing and reloading", async () => {
  const page = await screen();
  await button(page, "新建").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "保存", exact: true }).click();
  await dialog.getByText("请先写标签。").waitFor();
  await dialog.getByLabel("分类，用逗号分开").fill("城镇，新的");
  await dialog.getByRole("button", { name: "添加键" }).click();
  await page.keyboard.type("金币");
  await page.keyboard.press("Enter");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.reload();
  await button(page, "新建").click();
  await dialog.getByText("上次没有保存的内容在这里。").waitFor();
  assert.equal(await dialog.getByLabel("分类，用逗号分开").inputValue(), "城镇，新的");
  await dialog.getByLabel("标签（必填）").fill("手写的");
  await page.keyboard.press("Control+s");
  await row(page, "手写的").waitFor();
  const { state, tags, from } = await named("手写的");
  assert.deepEqual({ state, tags, from: from ?? null }, { state: { 金币: 5 }, tags: ["城镇", "新的"], from: null });
  await button(page, "新建").click();
  assert.equal(await dialog.getByLabel("标签（必填）").inputValue(), "", "what was saved is no draft any more");
  await close(page);
});

test("text that is no JSON cannot be saved; it is told with its place", async () => {
  const page = await screen();
  await open(page, RICH.name).click();
  await button(page, "编辑").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "文本" }).click();
  await dialog.getByRole("textbox", { name: "状态" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("{\n  oops");
  await dialog.getByText("第 2 行第 3 列", { exact: false }).waitFor();
  assert.ok(await dialog.getByRole("button", { name: "保存", exact: true }).isDisabled());
  await page.keyboard.press("Escape");
  assert.deepEqual((await named(RICH.name)).state, RICH.state);
  await close(page);
});

test("labels, tags and state are edited; a change of another window is told and both stay", async () => {
  const page = await screen();
  const dialog = page.getByRole("dialog");
  await open(page, RICH.name).click();
  await button(page, "编辑").click();
  await dialog.getByLabel("标签（必填）").fill("新游戏，很富有");
  await dialog.getByRole("treeitem").filter({ hasText: "金币" }).locator(".sl-value").click();
  await page.keyboard.type("900");
  await page.keyboard.press("Enter");
  const { snapshot } = await named(RICH.name);
  await web.client("put", "/api/v1/snapshots/{snapshot}", { params: { path: { snapshot } }, body: { ...RICH, state: { 角色: { 金币: 1 } } } });
  await dialog.getByRole("button", { name: "保存", exact: true }).click();
  await dialog.getByText("这个快照在另一个窗口被改过", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "看差异" }).click();
  assert.match(await dialog.getByRole("listitem").innerText(), /金币[\s\S]*1[\s\S]*900/);
  await picture(page, "web-snapshots-conflict-zh");
  await dialog.getByRole("button", { name: "保留我的" }).click();
  await row(page, "新游戏，很富有").waitFor();
  assert.deepEqual((await named("新游戏，很富有")).state, { 角色: { 金币: 900 } });
  assert.equal((await named("新游戏，很富有")).snapshot, snapshot, "it is the same snapshot");
  await close(page);
});

test("the floor that is shown is saved with its origin", async () => {
  const page = await screen();
  await button(page, "保存第 2 层").click();
  await page.getByRole("dialog").getByLabel("标签（必填）").fill("此刻");
  await page.getByRole("dialog").getByLabel("标签（必填）").press("Control+s");
  await row(page, "此刻").waitFor();
  const { from, state } = await named("此刻");
  assert.equal(from?.floor, 2);
  assert.deepEqual(state, { 世界: { 地点: "酒馆" }, 角色: { 金币: 22 } });
  await close(page);
});

test("deleting is undone under the same id; several are one message", async () => {
  const page = await screen();
  const { snapshot } = await named(CITY.name);
  await open(page, CITY.name).click();
  await menu(page, "删除");
  await row(page, CITY.name).waitFor({ state: "detached" });
  await page.getByText("已删除“进城之前”").waitFor();
  await open(page, RICH.name).focus();
  await page.keyboard.press("Delete");
  await page.getByText("已删除 2 个快照").waitFor();
  assert.equal((await all()).length, 1);
  await button(page, "全部撤销").press("Enter");
  await row(page, CITY.name).waitFor();
  const back = await named(CITY.name);
  assert.deepEqual({ snapshot: back.snapshot, state: back.state, tags: back.tags, description: back.description }, { snapshot, state: CITY.state, tags: CITY.tags, description: CITY.description });
  await named(RICH.name);
  await close(page);
});

test("several are marked by mouse and keyboard: tag, export, delete, undo", async () => {
  const page = await screen();
  await row(page, CITY.name).getByRole("checkbox").check();
  await open(page, BOSS.name).focus();
  await page.keyboard.press("x");
  await page.getByText("已选 2 个").first().waitFor();
  await button(page, "加分类…").click();
  await page.getByLabel("分类的名字").fill("收藏");
  await page.keyboard.press("Enter");
  await page.getByText("已给 2 个快照加分类").waitFor();
  assert.deepEqual((await named(CITY.name)).tags, ["城镇", "收藏"]);
  await button(page, "撤销").click();
  await until("the tag is gone", async () => assert.deepEqual((await named(CITY.name)).tags, ["城镇"]));
  const file = page.waitForEvent("download");
  await page.getByRole("group", { name: "已选 2 个" }).getByRole("button", { name: "导出" }).click();
  const { snapshots } = JSON.parse(await textOf(await file)) as { snapshots: { name: string }[] };
  assert.deepEqual(snapshots.map(({ name }) => name).sort(), [CITY.name, BOSS.name].sort());
  await page.getByRole("group", { name: "已选 2 个" }).getByRole("button", { name: "删除" }).click();
  await page.getByText("已删除 2 个快照").waitFor();
  await button(page, "撤销").click();
  await until("they are back", async () => assert.equal((await all()).length, 3));
  await close(page);
});

test("import: our file, a bare state, a wrong file; export with and without labels", async () => {
  const page = await screen();
  const give = (name: string, text: string): Promise<void> => giveFile(page, web.file(name, text), () => button(page, "导入…").click());
  await give("bad.json", "[1]");
  await page.getByText("bad.json 不能导入。第 1 行第 1 列：最外层必须是对象", { exact: false }).waitFor();
  await give("two.json", JSON.stringify({ snapshots: [{ ...CITY, name: "甲" }, { ...RICH, name: "乙" }] }));
  await page.getByText("导入了 2 个快照").waitFor();
  assert.deepEqual((await named("甲")).tags, CITY.tags);
  await button(page, "撤销").click();
  await until("the import is taken back", async () => assert.equal((await all()).length, 3));
  await give("裸状态.json", '{"金币": 3, "$meta": {}}');
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByLabel("标签（必填）").inputValue(), "裸状态");
  await dialog.getByRole("button", { name: "移除 MVU 元数据" }).click();
  await dialog.getByRole("treeitem").filter({ hasText: "$meta" }).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "保存", exact: true }).click();
  await row(page, "裸状态").waitFor();
  assert.deepEqual((await named("裸状态")).state, { 金币: 3 });
  for (const [item, wanted] of [["导出", { snapshots: [{ name: "裸状态", description: "", tags: [], state: { 金币: 3 } }] }], ["只导出状态", { 金币: 3 }]] as const) {
    const file = page.waitForEvent("download");
    await menu(page, item);
    const download = await file;
    assert.equal(download.suggestedFilename(), "裸状态.json");
    assert.deepEqual(JSON.parse(await textOf(download)), wanted);
  }
  await close(page);
});

test("use as template shows what changes, and is undone", async () => {
  await web.client("put", "/api/v1/templates/{card}", { params: { path: { card: CARD } }, body: { template: { 旧: 1 } } });
  const page = await screen();
  await open(page, CITY.name).click();
  await button(page, "用作模板…").click();
  await page.getByText("3 处不同").waitFor();
  await picture(page, "web-snapshots-template-zh");
  await accessible(page, "the dialog for the template");
  await button(page, "用作模板").click();
  await page.getByText("阿丽娅 的模板已更换").waitFor();
  assert.deepEqual(await template(), CITY.state);
  await button(page, "撤销").click();
  await until("the old one is back", async () => assert.deepEqual(await template(), { 旧: 1 }));
  await close(page);
});

test("compare with the floor shown: filter, JSON Patch, same", async () => {
  const page = await screen();
  await open(page, CITY.name).click();
  await button(page, "和 #2 比较").press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 处不同").waitFor();
  assert.match(await dialog.getByRole("listitem").first().innerText(), /地点[\s\S]*酒馆[\s\S]*城门/);
  await dialog.getByRole("button", { name: "复制为 JSON Patch" }).click();
  await dialog.getByText("已复制").waitFor();
  const patch = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as Json;
  assert.deepEqual(patch, [
    { op: "replace", path: "/世界/地点", value: "城门" },
    { op: "replace", path: "/角色/金币", value: 17 },
  ]);
  await dialog.getByRole("searchbox").fill("金币");
  await until("filtered", async () => assert.equal(await dialog.getByRole("listitem").count(), 1));
  await picture(page, "web-snapshots-compare-zh");
  await accessible(page, "the comparison");
  // The browser's search field takes the first Escape for itself.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "和 #2 比较", "the focus is back");
  await close(page);
});

test("no snapshot: what one is, and the way to the floors", async () => {
  await screen().then(close);
  for (const { snapshot } of await all()) await web.client("delete", "/api/v1/snapshots/{snapshot}", { params: { path: { snapshot } } });
  const page = await web.tab("snapshots");
  await page.getByText("还没有快照。").waitFor();
  await picture(page, "web-snapshots-empty-zh");
  await accessible(page, "without snapshots");
  await button(page, "去楼层快照").click();
  await page.getByText("第 2 层").first().waitFor();
  await close(page);
});

test("the engine is away: it is told, what is typed stays, and is saved when it is back", async () => {
  const page = await screen();
  await button(page, "新建").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("标签（必填）").fill("断线");
  await web.kill();
  await dialog.getByRole("button", { name: "保存", exact: true }).click();
  await dialog.getByText("引擎未连接，你的修改已保留。", { exact: false }).waitFor();
  await web.start();
  await until("it is saved", async () => {
    await dialog.getByRole("button", { name: "保存", exact: true }).click({ timeout: 1000 });
    await dialog.waitFor({ state: "detached", timeout: 2000 });
  });
  assert.equal((await all()).filter(({ name }) => name === "断线").length, 1);
  await close(page);
});

test("hostile labels and values are text", async () => {
  await screen().then(close);
  await web.client("post", "/api/v1/snapshots", { body: { name: EVIL, description: EVIL, tags: [EVIL, "javascript:alert(1)"], state: { [EVIL]: EVIL } } });
  const page = await web.tab("snapshots");
  await page.locator(".sl-rows .sl-open").first().click();
  await page.getByRole("treeitem").filter({ hasText: EVIL }).first().waitFor();
  await button(page, "和 #2 比较").click();
  await page.getByRole("dialog").getByText(EVIL).first().waitFor();
  assert.equal(await page.locator("img").count(), 0);
  await close(page);
});

for (const [name, look] of Object.entries({ "zh-dark-1280": WIDE, "en-light-390": PHONE, "zh-light-1280": { ...WIDE, tone: "light" }, "en-dark-390": { ...PHONE, tone: "dark" } } as Record<string, Look>)) {
  test(`looks right and is accessible: ${name}`, async () => {
    const page = await screen(look);
    await row(page, BOSS.name).getByRole("checkbox").check();
    await fits(page);
    await accessible(page, "list");
    await picture(page, `web-snapshots-${name}`);
    await open(page, CITY.name).click();
    await page.getByRole("treeitem").filter({ hasText: "城门" }).waitFor();
    await fits(page);
    await accessible(page, "preview");
    await picture(page, `web-snapshots-preview-${name}`);
    await page.getByRole("button", { name: /^(编辑|Edit)$/ }).click();
    await page.getByRole("dialog").getByRole("tree").waitFor();
    await fits(page);
    await accessible(page, "edit");
    await picture(page, `web-snapshots-edit-${name}`);
    await page.keyboard.press("Escape");
    if (look.width < 720) {
      await page.getByRole("button", { name: "Back to the list" }).click();
      await row(page, CITY.name).waitFor();
    }
    await close(page);
  });
}
