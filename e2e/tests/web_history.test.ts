// The History screen in a real browser: every operation of seed 003 §3.2 by mouse or keyboard, undone and redone; branches
// and tags, operations, trash, graph, search and compare; hostile names; axe.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { append, change, floorsOf, fork, forkedStory, type Forked, pageAt, refsOf, stateAt } from "../src/history_story.ts";
import { until } from "../src/poll.ts";
import { type Look, PHONE, WIDE, Web, accessible, fits, picture, textOf } from "../src/web.ts";

const EVIL = `<img src=x onerror=alert(1)>\u202e"'&`;

let web: Web;
before(async () => void (web = await Web.begin("web-history")));
after(async () => web?.close());

/** Like `assert.ok`, which would parse this whole file for its message, at every try. */
function yes(value: unknown, message = "so it is"): asserts value {
  assert.equal(Boolean(value), true, message);
}

/** A story of its own, on the screen. */
async function open(look: Look = WIDE, title = `雨夜酒馆 ${Math.random()}`): Promise<{ page: Page; at: Forked }> {
  const at = await forkedStory(web, title);
  const page = await web.tab("history", look);
  // The screen opens the story that was changed last.
  await page.waitForURL((url) => url.hash.includes(at.story));
  await card(page, 6).waitFor();
  return { page, at };
}

const close = async (page: Page): Promise<void> => page.context().close();
const card = (page: Page, floor: number): Locator => page.locator(`.sl-card[data-floor="${floor}"]`);
const segment = async (page: Page, name: string): Promise<void> => page.getByRole("tablist", { name: "历史的视图" }).getByRole("tab", { name }).click();
const toast = (page: Page, text: string | RegExp): Locator => page.locator(".sl-toast").filter({ hasText: text }).last();
const undo = async (page: Page, text: string | RegExp): Promise<void> => {
  const shown = toast(page, text);
  await shown.getByRole("button", { name: /撤销/ }).click();
  await shown.waitFor({ state: "detached" });
};
const act = async (page: Page, floor: number, item: string): Promise<void> => {
  await card(page, floor).getByRole("button", { name: `#${floor} 的操作` }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};
const branchMenu = async (page: Page, name: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: new RegExp(`^(分支|标签)“${name}”$`) }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};
const texts = async (at: Forked, ref = at.main): Promise<string[]> => (await floorsOf(web, at.story, ref)).map(({ preview }) => preview.replace(/@.*$/, ""));
const MAIN = ["雨夜，门被推开。", "来一碗汤。", "她收了三枚铜板。", "楼上有什么？", "重物倒地。", "谁在楼上？", "灯灭了。"];

test("floors are cards with their marks; another page comes back with everything that followed it", async () => {
  const { page, at } = await open();
  assert.match(await card(page, 2).innerText(), /第一章完/);
  assert.match(await card(page, 2).innerText(), /1 条分支从这里开始/);
  assert.match(await card(page, 6).innerText(), /⚠1/);
  // Below page 2 of #0 the story goes another way.
  await page.getByRole("button", { name: "最前" }).click();
  await card(page, 0).getByRole("button", { name: "下一页" }).click();
  await until("page 2 is read", async () => assert.equal((await texts(at))[0], "雪夜，门被推开。"));
  await change(web, at.story, at.main, { kind: "cut", floor: 1 });
  await append(web, at.story, at.main, "user", "雪里有人。");
  await until("what is left is told", async () => assert.match(await card(page, 0).innerText(), /第 1 页之后还有 6 层。/));
  await card(page, 0).getByRole("button", { name: "上一页" }).click();
  await until("page 1 is read with its six floors", async () => assert.deepEqual(await texts(at), MAIN));
  await until("and the other way is kept", async () => assert.match(await card(page, 0).innerText(), /第 2 页之后还有 1 层。/));
  await toast(page, "#0 现在读第 1 页，之后的 6 层已恢复").waitFor();
  await undo(page, "#0 现在读第 1 页，之后的 6 层已恢复");
  await until("undone", async () => assert.deepEqual(await texts(at), ["雪夜，门被推开。", "雪里有人。"]));
  await card(page, 0).getByRole("button", { name: /^页 1/ }).click();
  await until("by its first words too", async () => assert.deepEqual(await texts(at), MAIN));
  // The page that another branch reads is named with that branch.
  await change(web, at.story, at.main, { kind: "add_page", floor: 4, text: "第三种说法。" });
  const there = await pageAt(web, at.story, at.main, 4, 0);
  await change(web, at.story, at.main, { kind: "select", page: there });
  const branch = await fork(web, at.story, at.main, 4, "第三种");
  await change(web, at.story, branch, { kind: "select", page: await pageAt(web, at.story, at.main, 4, 1) });
  await append(web, at.story, branch, "user", "然后？");
  await until("named", async () => assert.match(await card(page, 4).innerText(), /第 2 页在“第三种”里还有 1 层。/));
  await close(page);
});

test("updateMessagePageContent: an edit tells what changes below, is saved in place or as a new page, and undone", async () => {
  const { page, at } = await open();
  const before = await stateAt(web, at.story, at.main);
  await card(page, 2).getByRole("button", { name: "编辑 #2" }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox");
  await until("the text is loaded", async () => assert.match(await field.inputValue(), /三枚铜板/));
  await field.fill('她收了十枚铜板。@.ADD("角色.金币", -10); @.SET("阿丽娅.信任", 30);');
  await dialog.getByText("之后 4 层里有 2 层的状态会变").waitFor();
  await dialog.getByRole("button", { name: "看是哪些" }).click();
  await page.getByRole("dialog").last().getByText("角色.金币").first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await dialog.waitFor({ state: "detached" });
  await until("saved", async () => assert.equal((await texts(at))[2], "她收了十枚铜板。"));
  await undo(page, "#2 的正文已改");
  await until("undone", async () => assert.deepEqual(await stateAt(web, at.story, at.main), before));
  await card(page, 2).getByRole("button", { name: "编辑 #2" }).click();
  await until("the text is loaded", async () => assert.match(await field.inputValue(), /三枚铜板/));
  await field.fill("她没有收钱。");
  await dialog.getByRole("button", { name: "存为新的一页" }).click();
  await until("a new page", async () => assert.equal((await floorsOf(web, at.story, at.main))[2]?.pages, 2));
  await close(page);
});

test("deleteTurn: a page, a floor, all after it; on this branch or on all that share it; each undone", async () => {
  const { page, at } = await open();
  const dialog = page.getByRole("dialog");
  const remove = async (): Promise<void> => dialog.getByRole("button", { name: "删除", exact: true }).click();
  await act(page, 3, "删除…");
  assert.equal(await dialog.getByText("只删第").count(), 0, "a floor with one page has no page to delete");
  await dialog.getByText("这一层及之后 3 层").waitFor();
  await dialog.getByText("之后没有楼层的状态会变").waitFor();
  await remove();
  await until("one floor less", async () => assert.deepEqual(await texts(at), MAIN.filter((_, floor) => floor !== 3)));
  await undo(page, "已删除 1 层");
  await until("it is back", async () => assert.deepEqual(await texts(at), MAIN));
  await act(page, 3, "删除…");
  await dialog.getByLabel("这一层及之后 3 层").check();
  await remove();
  await until("cut", async () => assert.deepEqual(await texts(at), MAIN.slice(0, 3)));
  await undo(page, "已删除 4 层");
  await until("all is back", async () => assert.deepEqual(await texts(at), MAIN));
  await act(page, 1, "删除…");
  await dialog.getByLabel("在共有它的 3 条分支上").check();
  await remove();
  await until("gone on all branches", async () => {
    for (const ref of [at.main, at.hidden, at.mountain]) yes(!(await texts(at, ref)).includes("来一碗汤。"));
  });
  await undo(page, "已删除 1 层（3 条分支）");
  await until("back on all branches", async () => {
    for (const ref of [at.main, at.hidden, at.mountain]) assert.equal((await texts(at, ref))[1], "来一碗汤。");
  });
  await page.getByRole("button", { name: "最前" }).click();
  await act(page, 0, "删除…");
  await dialog.getByLabel("只删第 1/2 页").check();
  await remove();
  await until("one page left", async () => assert.equal((await floorsOf(web, at.story, at.main))[0]?.pages, 1));
  await undo(page, "已删除 #0 的一页");
  await until("both pages", async () => assert.equal((await floorsOf(web, at.story, at.main))[0]?.pages, 2));
  await close(page);
});

test("addUserTurn, addAssistantMessagePage, setActivePage, hide, move, validity: by the menus, undone and redone in the log", async () => {
  const { page, at } = await open();
  const dialog = page.getByRole("dialog");
  const line = async (floor: number) => (await floorsOf(web, at.story, at.main))[floor];
  await page.getByRole("button", { name: "写一条…" }).click();
  await dialog.getByLabel("正文").fill("把门关上。");
  await dialog.getByRole("button", { name: "写入", exact: true }).click();
  await until("a user's turn", async () => assert.equal((await line(7))?.role, "user"));
  await page.getByRole("button", { name: "写一条…" }).click();
  assert.equal(await dialog.getByLabel("名字").inputValue(), "阿丽娅");
  await dialog.getByLabel("正文").fill('门关上了。@.SET("门", "关");');
  await dialog.getByRole("button", { name: "写入", exact: true }).click();
  await until("a reply", async () => assert.equal((await line(8))?.role, "assistant"));
  await page.getByRole("button", { name: "写一条…" }).click();
  await dialog.getByLabel("回复").check();
  await dialog.getByLabel("正文").fill("门又开了。");
  await dialog.getByRole("button", { name: "写入", exact: true }).click();
  await until("another page of the reply", async () => assert.deepEqual([(await line(8))?.pages, (await line(8))?.active], [2, 1]));

  await act(page, 8, "只留这一页");
  await until("one page", async () => assert.equal((await line(8))?.pages, 1));
  await act(page, 7, "对模型隐藏");
  await until("hidden", async () => assert.equal((await line(7))?.hidden, true));
  await until("its mark", async () => assert.match(await card(page, 7).innerText(), /已隐藏/));
  await act(page, 6, "标为无效");
  await until("not valid", async () => assert.equal((await line(6))?.valid, false));
  await until("its mark", async () => assert.match(await card(page, 6).innerText(), /无效/));
  await act(page, 6, "标为有效");
  await until("valid", async () => assert.equal((await line(6))?.valid, true));
  await act(page, 8, "移动…");
  await dialog.getByLabel("移到第几层").fill("99");
  await dialog.getByText("请填 0 到 8 之间的楼层。").waitFor();
  await dialog.getByLabel("移到第几层").fill("7");
  await page.keyboard.press("Enter");
  await until("moved", async () => assert.equal((await line(7))?.preview, "门又开了。"));
  await act(page, 5, "写另一页…");
  await dialog.getByLabel("正文").fill("楼上是谁？");
  await dialog.getByRole("button", { name: "写入", exact: true }).click();
  await until("another page", async () => assert.equal((await line(5))?.pages, 2));

  // Each of them is undone and redone by its row.
  await segment(page, "操作记录");
  const list = page.getByRole("list", { name: "操作记录" });
  const row = (text: string): Locator => list.getByRole("listitem").filter({ hasText: text }).first();
  await row("给 #5加了一页").getByRole("button", { name: /^撤销/ }).click();
  await until("undone", async () => assert.equal((await line(5))?.pages, 1));
  await row("给 #5加了一页").getByRole("button", { name: /^重做/ }).click();
  await until("redone", async () => assert.equal((await line(5))?.pages, 2));
  await row("移动了 #7").getByRole("button", { name: /^撤销/ }).click();
  await until("moved back", async () => assert.equal((await line(8))?.preview, "门又开了。"));
  await row("隐藏或重新显示了 #7").getByRole("button", { name: /^撤销/ }).click();
  await until("shown again", async () => yes((await floorsOf(web, at.story, at.main)).every(({ hidden }) => !hidden)));
  await row("隐藏或重新显示了 #7").getByRole("button", { name: /^重做/ }).click();
  await until("hidden again", async () => yes((await floorsOf(web, at.story, at.main)).some(({ hidden }) => hidden)));
  await close(page);
});

test("an undo that a later operation prevents names it", async () => {
  const { page, at } = await open();
  const id = await pageAt(web, at.story, at.main, 2, 0);
  await change(web, at.story, at.main, { kind: "edit", page: id, text: "第一次改。" });
  const { operation: later } = await change(web, at.story, at.main, { kind: "edit", page: id, text: "第二次改。" });
  await segment(page, "操作记录");
  const rows = page.getByRole("list", { name: "操作记录" }).getByRole("listitem").filter({ hasText: "改了 #2的正文" });
  await until("both edits", async () => assert.equal(await rows.count(), 2));
  await rows.nth(1).getByRole("button", { name: /^撤销/ }).click();
  await rows.nth(1).getByRole("alert").filter({ hasText: `操作 ${later}` }).waitFor();
  assert.equal((await texts(at))[2], "第二次改。");
  await rows.nth(0).getByRole("button", { name: /^撤销/ }).click();
  await until("the later one is undone", async () => assert.equal((await texts(at))[2], "第一次改。"));
  await close(page);
});

test("createBranch, switchBranch, renameBranch, deleteBranch and tags, with undo", async () => {
  const { page, at } = await open();
  const dialog = page.getByRole("dialog");
  await card(page, 4).getByRole("button", { name: "从这里开分支 #4" }).click();
  assert.equal(await dialog.getByLabel("名称").inputValue(), "main · 2");
  await page.keyboard.press("Enter");
  const own = await until("made", async () => {
    const found = (await refsOf(web, at.story)).find(({ name }) => name === "main · 2");
    yes(found?.current, "it is the current one");
    return found;
  });
  assert.equal(own.floors, 5);
  await page.waitForURL((url) => url.hash.includes(own.ref));
  await branchMenu(page, "main · 2", "改名、备注、颜色…");
  await dialog.getByLabel("名称").fill("留下");
  await dialog.getByLabel("备注").fill("如果留下来");
  await dialog.getByLabel("绿").check();
  await dialog.getByRole("button", { name: "保存", exact: true }).click();
  await until("renamed", async () => {
    const found = (await refsOf(web, at.story)).find(({ ref }) => ref === own.ref);
    assert.deepEqual([found?.name, found?.note, found?.colour], ["留下", "如果留下来", "2"]);
  });
  await page.getByText("如果留下来").waitFor();
  await undo(page, "“留下”已保存");
  await until("the old name", async () => yes((await refsOf(web, at.story)).some(({ name }) => name === "main · 2")));
  // Switching: a press on the row.
  await page.locator(".sl-panel .sl-open").filter({ hasText: "山路线" }).click();
  await page.waitForURL((url) => url.hash.includes(at.mountain));
  await until("current", async () => yes((await refsOf(web, at.story)).find(({ ref }) => ref === at.mountain)?.current));
  await toast(page, "现在是分支“山路线”").getByRole("button", { name: "回到 #4" }).click();
  await page.waitForURL((url) => url.hash.includes(own.ref));
  await branchMenu(page, "main · 2", "删除");
  await until("in the trash", async () => yes((await refsOf(web, at.story)).find(({ ref }) => ref === own.ref)?.trashed));
  await undo(page, "已删除分支“main · 2”");
  await until("back", async () => assert.equal((await refsOf(web, at.story)).find(({ ref }) => ref === own.ref)?.trashed ?? null, null));
  await page.getByRole("button", { name: "打标签 #3" }).click();
  assert.equal(await dialog.getByLabel("名称").inputValue(), "第 3 层");
  await dialog.getByLabel("名称").fill("上楼之前");
  await dialog.getByRole("button", { name: "创建" }).click();
  await until("tagged", async () => yes((await refsOf(web, at.story)).some(({ name, kind, floors }) => name === "上楼之前" && kind === "tag" && floors === 4)));
  await branchMenu(page, "上楼之前", "删除");
  await undo(page, "已删除标签“上楼之前”");
  await page.locator(".sl-panel").getByText("上楼之前").waitFor();
  const saved = page.waitForEvent("download");
  await branchMenu(page, "密室支线", "导出为酒馆聊天文件");
  assert.equal((await textOf(await saved)).trim().split("\n").length, 8);
  // getMessagesForPrompt
  await branchMenu(page, "密室支线", "复制发给模型的消息");
  await toast(page, "已复制").waitFor();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as { content: string }[];
  assert.equal(copied.length, 7);
  assert.match(copied[4]!.content, /那里没有人/);
  await close(page);
});

test("the trash has branches, floors and pages; emptying looks first and leaves what is in use", async () => {
  const { page, at } = await open();
  await branchMenu(page, "山路线", "删除");
  await act(page, 5, "删除…");
  await page.getByRole("dialog").getByRole("button", { name: "删除", exact: true }).click();
  await until("deleted", async () => assert.equal((await floorsOf(web, at.story, at.main)).length, 6));
  await segment(page, "回收站");
  const list = page.getByRole("list", { name: "回收站" });
  await list.getByRole("button", { name: "恢复: 山路线" }).click();
  await until("the branch is back", async () => assert.equal((await refsOf(web, at.story)).find(({ ref }) => ref === at.mountain)?.trashed ?? null, null));
  await list.getByRole("button", { name: /^恢复: 删除了 #5/ }).click();
  await until("the floor is back", async () => assert.deepEqual(await texts(at), MAIN));
  await page.getByText("回收站是空的。").waitFor();
  await branchMenu(page, "山路线", "删除");
  await page.getByRole("button", { name: "清空回收站…" }).click();
  const dialog = page.getByRole("dialog");
  yes(await dialog.getByRole("button", { name: "永久删除" }).isDisabled(), "nothing goes before it was looked at");
  await dialog.getByLabel("回收站里至少放了多少天").fill("0");
  await dialog.getByRole("button", { name: "先看看会删什么" }).click();
  await dialog.getByText(/会永久删除 1 条分支或标签/).waitFor();
  yes((await refsOf(web, at.story)).some(({ ref }) => ref === at.mountain), "a look deletes nothing");
  await dialog.getByRole("button", { name: "永久删除" }).click();
  await until("gone", async () => yes(!(await refsOf(web, at.story)).some(({ ref }) => ref === at.mountain)));
  assert.deepEqual(await texts(at), MAIN);
  await close(page);
});

test("the graph: selecting compares, going there and back, folding, pages, zoom, by mouse", async () => {
  const { page, at } = await open();
  await segment(page, "图谱");
  const item = (text: string): Locator => page.locator(".sl-item").filter({ hasText: text });
  await item("墙后是空的").click();
  const selection = page.getByRole("region", { name: "选中的楼层" });
  await selection.getByText("和你现在的位置（#6）相比").waitFor();
  await selection.getByText("阿丽娅.信任", { exact: true }).waitFor();
  assert.match(await selection.innerText(), /35\s*→\s*12/);
  await selection.getByText("共同部分到 #3；之后 3 层对 3 层").waitFor();
  yes((await refsOf(web, at.story)).find(({ ref }) => ref === at.main)?.current, "selecting moves nothing");
  await selection.getByRole("button", { name: "跳到这里" }).click();
  await page.waitForURL((url) => url.hash.includes(`${at.hidden}/floor/6`));
  await toast(page, "你在“密室支线”的 #6。").getByRole("button", { name: "回到 #6" }).click();
  await page.waitForURL((url) => url.hash.includes(at.main));
  // Now its own path is straight again: lane 0.
  await until("main is lane 0", async () => assert.match((await item("灯灭了").getAttribute("style")) ?? "", /translate\(22px/));
  await item("我们走山路").dblclick();
  await page.waitForURL((url) => url.hash.includes(`${at.mountain}/floor/3`));
  await until("the mountain path is lane 0", async () => assert.match((await item("再走一段").getAttribute("style")) ?? "", /translate\(22px/));
  await page.getByRole("button", { name: "显示各页" }).click();
  await page.locator(".sl-item").filter({ hasText: "页 2" }).first().waitFor();
  await page.getByRole("button", { name: "显示各页" }).click();
  // Meaning changes with the zoom: text, numbers, lines.
  assert.match(await item("#4").first().innerText(), /山路/);
  for (let step = 0; step < 3; step++) await page.getByRole("button", { name: "缩小" }).click();
  await until("only numbers", async () => assert.doesNotMatch(await item("#4").first().innerText(), /山路很冷/));
  for (let step = 0; step < 4; step++) await page.getByRole("button", { name: "缩小" }).click();
  await page.locator(".sl-canvas").waitFor();
  await page.getByRole("button", { name: "看全部" }).click();
  await item("#4").first().waitFor();
  await close(page);
});

test("the graph by keyboard: the list beside it is read and moves along lanes", async () => {
  const { page, at } = await open();
  await segment(page, "图谱");
  await page.locator(".sl-item").first().waitFor();
  const list = page.getByRole("listbox", { name: "分支图谱" });
  await list.focus();
  const active = async (): Promise<string> => list.evaluate((box) => document.getElementById(box.getAttribute("aria-activedescendant") ?? "")?.textContent ?? "");
  await until("it begins where the user is", async () => assert.match(await active(), /main · #6.*你在这里/));
  await page.keyboard.press("ArrowUp");
  await until("up", async () => assert.match(await active(), /#5/));
  await page.keyboard.press("ArrowRight");
  await until("the lane beside", async () => assert.match(await active(), /敲敲墙/));
  await page.keyboard.press("ArrowDown");
  await until("down", async () => assert.match(await active(), /密室支线 · #6/));
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "选中的楼层" }).getByText("墙后是空的").waitFor();
  await page.keyboard.press("Home");
  await until("home", async () => assert.match(await active(), /main · #6/));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+Enter");
  await page.waitForURL((url) => url.hash.includes(at.hidden));
  await close(page);
});

test("a long run folds and unfolds in place", async () => {
  const at = await forkedStory(web, `长 ${Math.random()}`);
  for (let floor = 0; floor < 30; floor++) await append(web, at.story, at.main, "user", `第 ${floor} 句`);
  const page = await web.tab("history");
  await segment(page, "图谱");
  await page.locator(".sl-fold").filter({ hasText: /\d+ 层/ }).click();
  await page.locator(".sl-item").filter({ hasText: "第 15 句" }).waitFor();
  assert.equal(await page.locator(".sl-fold").count(), 0);
  await page.getByRole("button", { name: "折叠直线" }).click();
  await page.getByRole("button", { name: "折叠直线" }).click();
  await page.locator(".sl-fold").waitFor();
  await close(page);
});

test("search over all branches: hits with branch, floor and page, steps, and the filters", async () => {
  const { page, at } = await open();
  const search = page.getByRole("searchbox", { name: "在所有分支里查找" });
  await page.keyboard.press("g");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "选中的楼层" }).getByText("三枚铜板").waitFor();
  await page.getByRole("tab", { name: "历史" }).focus();
  await page.keyboard.press("/");
  await page.keyboard.type("没有人");
  const hits = page.getByRole("listbox", { name: "找到的页" }).getByRole("option");
  await until("one hit", async () => assert.match(await hits.first().innerText(), /#4\s*密室支线\s*2\/2/));
  await page.keyboard.press("Enter");
  await page.getByText("1 / 1").waitFor();
  await page.getByRole("region", { name: "选中的楼层" }).getByText("那里没有人").waitFor();
  await search.fill("楼上");
  await until("two hits", async () => assert.equal(await hits.count(), 2));
  await segment(page, "图谱");
  await until("the rest is dimmed", async () => yes((await page.locator(".sl-item.sl-dimmed").count()) > 3));
  assert.equal(await page.locator(".sl-item.sl-hit").count(), 2);
  await search.focus();
  await page.keyboard.press("Enter");
  await page.getByText("1 / 2").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("2 / 2").waitFor();
  await page.keyboard.press("Shift+Enter");
  await page.getByText("1 / 2").waitFor();
  await page.keyboard.press("Escape");
  await until("nothing is dimmed", async () => assert.equal(await page.locator(".sl-item.sl-dimmed").count(), 0));
  await change(web, at.story, at.main, { kind: "set", page: await pageAt(web, at.story, at.main, 2, 0), path: "角色.金币", value: 5 });
  // A page is found by its id, on every branch that has it.
  await search.fill(await pageAt(web, at.story, at.main, 1, 0));
  await until("three branches", async () => assert.equal(await hits.count(), 4));
  assert.match(await hits.first().innerText(), /#1/);
  await search.fill("");
  const filter = page.getByLabel("筛选");
  await filter.selectOption("失败的调用");
  await until("failed", async () => assert.match(await hits.first().innerText(), /#6\s*main/));
  await filter.selectOption("手改");
  await until("by hand", async () => assert.match(await hits.first().innerText(), /#2\s*main/));
  await filter.selectOption("标签");
  await until("tags", async () => assert.match(await hits.first().innerText(), /第一章完/));
  await filter.selectOption("某个值在哪里变过");
  await page.getByRole("searchbox", { name: /值的路径/ }).fill("世界.地点");
  await until("where it changed", async () => yes((await hits.count()) >= 3));
  await close(page);
});

test("an event of 世界.事件列表 opens the page that its sourceMessageId names", async () => {
  const { page, at } = await open();
  const source = await pageAt(web, at.story, at.main, 2, 0);
  const last = await pageAt(web, at.story, at.main, 6, 0);
  await change(web, at.story, at.main, { kind: "set", page: last, path: "事件列表", value: [{ 名称: "付了汤钱", sourceMessageId: source }] });
  await page.getByRole("tab", { name: "楼层快照" }).click();
  const field = page.getByRole("searchbox").first();
  await field.fill("sourceMessageId");
  const row = page.getByRole("treeitem").filter({ hasText: "sourceMessageId" }).last();
  await row.click({ button: "right" });
  await page.getByRole("menuitem", { name: "打开来源的那一页" }).click();
  await page.waitForURL((url) => url.hash.includes(`${at.main}/floor/2`));
  await close(page);
});

test("compare of branches: variables, texts, a value and floors are taken over", async () => {
  const { page, at } = await open();
  await branchMenu(page, "密室支线", "与当前分支比较…");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("共同部分到 #3；之后 3 层对 3 层").waitFor();
  const row = dialog.locator(".sl-row, tr, li, .sl-diff-row").filter({ hasText: "信任" }).last();
  await row.getByRole("button").last().click();
  await until("taken over", async () => assert.equal(((await stateAt(web, at.story, at.main)) as { 阿丽娅: { 信任: number } }).阿丽娅.信任, 12));
  await dialog.getByRole("tab", { name: /正文/ }).click();
  await dialog.locator(".sl-pair").filter({ hasText: "敲敲墙" }).getByRole("button").click();
  await dialog.getByLabel("接几层").fill("2");
  await dialog.getByRole("button", { name: "写入" }).click();
  await until("grafted", async () => assert.deepEqual((await texts(at)).slice(-2), ["敲敲墙。", "墙后是空的。"]));
  await page.keyboard.press("Escape");
  await undo(page, "已接入 2 层");
  await until("undone", async () => assert.equal((await texts(at)).length, 7));
  await close(page);
});

test("hostile names are text, everywhere", async () => {
  const at = await forkedStory(web, EVIL);
  await web.client("post", "/api/v1/stories/{story}/refs/{ref}", { params: { path: { story: at.story, ref: at.hidden } }, body: { name: EVIL, note: EVIL } });
  await web.client("post", "/api/v1/stories/{story}/refs/{ref}", { params: { path: { story: at.story, ref: at.tag } }, body: { name: EVIL.repeat(20) } });
  await append(web, at.story, at.main, "user", EVIL.repeat(200));
  for (const look of [WIDE, PHONE]) {
    const page = await web.tab("history", look);
    page.on("dialog", () => assert.fail("a name was executed"));
    for (const one of ["messages", "graph", "operations", "trash"]) {
      await page.locator(`[data-segment="${one}"]`).click();
      await page.waitForTimeout(300);
      assert.equal(await page.locator("img").count(), 0);
      await fits(page);
    }
    await close(page);
  }
});

for (const [look, name] of [[WIDE, "dark zh 1280"], [{ ...WIDE, tone: "light" }, "light zh 1280"], [PHONE, "light en 390"], [{ ...PHONE, tone: "dark", language: "zh" }, "dark zh 390"]] as [Look, string][]) {
  test(`every segment is accessible: ${name}`, async () => {
    const at = await forkedStory(web, `可及 ${Math.random()}`);
    await change(web, at.story, at.main, { kind: "delete", floor: 5 });
    const page = await web.tab("history", look);
    for (const one of ["messages", "graph", "operations", "trash"]) {
      await page.locator(`[data-segment="${one}"]`).click();
      await page.waitForTimeout(400);
      await picture(page, `history-${one}-${name.replaceAll(" ", "-")}`);
      await accessible(page, one);
      await fits(page);
    }
    await page.locator('[data-segment="messages"]').click();
    await page.locator(".sl-card .sl-number").first().click();
    await page.waitForTimeout(300);
    await accessible(page, "selection");
    await close(page);
  });
}
