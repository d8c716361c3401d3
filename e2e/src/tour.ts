// A walk through all four screens that opens every dialog and menu, in the drawer and in the page, wide and narrow, in
// both languages. At every stop `look` is called: it takes a picture, runs axe, or only counts.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import type { Branch, JsonObject } from "storeyline-client";
import type { Engine } from "./engine.ts";
import { until } from "./poll.ts";
import type { Surface } from "./surface.ts";
import { giveFile } from "./web.ts";

export interface Tour {
  on: Surface;
  engine: Engine;
  branch: Branch;
  /** A floor with a failed call, and a reply at the end. */
  failed: number;
  last: number;
  /** For files that are given to a dialog. */
  folder: string;
  look: (stop: string) => Promise<void>;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** A name in either language. */
const either = (zh: string, en: string): RegExp => new RegExp(`^(${escaped(zh)}|${escaped(en)})$`);

const MORE = either("更多", "More");
const SAVE = either("保存", "Save");
const FILL = either("填入编辑器", "Fill the editor");
const TEXT = either("文本", "Text");

export async function tour(tour: Tour): Promise<void> {
  await floors(tour);
  await template(tour);
  await snapshots(tour);
  await settings(tour);
  await tour.on.tab("floors");
}

/** Opens something, looks at it and closes it. */
async function stop({ on, look }: Tour, name: string, open: () => Promise<unknown>, shown: Locator = on.dialog): Promise<void> {
  try {
    await open();
    await shown.first().waitFor();
    await look(name);
    for (let tries = 0; tries < 3 && (await on.dialog.count()) > 0; tries++) await on.page.keyboard.press("Escape");
    await on.closed();
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const named = (on: Surface, name: RegExp, within: Locator = on.root): Locator => within.getByRole("button", { name }).filter({ visible: true }).first();

async function inMenu(on: Surface, menu: RegExp, item: RegExp): Promise<void> {
  await named(on, menu).click();
  await on.root.getByRole("menuitem", { name: item }).click();
}

async function isNarrow(on: Surface): Promise<boolean> {
  return (await on.root.boundingBox())!.width < 720;
}

async function part(on: Surface, segment: "changes" | "values" | "floors"): Promise<void> {
  if (await isNarrow(on)) await on.root.locator(`[data-segment="${segment}"]`).first().click();
}

async function goTo(on: Surface, floor: number): Promise<void> {
  await part(on, "floors");
  const field = on.root.getByRole("textbox", { name: either("跳到楼层 #", "Go to floor #") });
  await field.fill(String(floor));
  await field.press("Enter");
  await on.root.locator("h1", { hasText: new RegExp(`(第 ${floor} 层|Floor ${floor})$`) }).waitFor();
}

/** A leaf of the tree, with the keyboard on it. */
async function firstLeaf(on: Surface): Promise<void> {
  await part(on, "values");
  await on.root.getByRole("tree").focus();
  await on.page.keyboard.press("End");
}

async function floors(given: Tour): Promise<void> {
  const { on, look, engine, branch, failed, last, folder } = given;
  const narrow = await isNarrow(on);
  await on.tab("floors");
  await goTo(on, failed);
  for (const segment of narrow ? (["floors", "values", "changes"] as const) : (["changes"] as const)) {
    await part(on, segment);
    await look(narrow ? `floors ${segment}` : "floors");
  }
  await stop(given, "floors menu", () => named(on, MORE).click(), on.root.getByRole("menu"));
  await on.page.keyboard.press("Escape");
  await stop(given, "floors compare", async () => {
    if (narrow) await inMenu(on, MORE, either("比较…", "Compare…"));
    else await named(on, either("比较…", "Compare…")).click();
  }, on.dialog.locator(".sl-diff"));
  await stop(given, "floors set value", () => named(on, either("改数值…", "Set value…")).click());
  await stop(given, "floors text", () => named(on, either("改原文…", "Edit text…")).click());
  await stop(given, "floors keep", () => inMenu(on, MORE, either("存为全局快照…", "Save as global snapshot…")));
  await stop(given, "floors details", () => inMenu(on, MORE, either("详情", "Details")));
  const file = join(folder, "tour.json");
  writeFileSync(file, JSON.stringify({ stat_data: { hero: { gold: 1 }, $meta: {} }, display_data: {} }));
  await stop(given, "floors import", () => giveFile(on.page, file, () => inMenu(on, MORE, either("导入 JSON…", "Import JSON…"))), on.dialog.getByRole("checkbox"));
  await firstLeaf(on);
  await stop(given, "floors value", () => on.page.keyboard.press("b"));
  await firstLeaf(on);
  await stop(given, "floors history", async () => {
    await on.page.keyboard.press("b");
    await named(on, either("全部历史", "Full history"), on.dialog).click();
  }, on.dialog.locator(".sl-none"));
  await stop(given, "floors keys", async () => {
    await on.root.locator("h1").first().click();
    await on.page.keyboard.press("?");
  });
  await reprocess(given);
  await edit(given, last);
  const { page } = await engine.floor(branch, failed);
  await engine.api().change(branch, { kind: "set", page, path: ["tour"], value: 1 });
  await engine.api().undo(branch);
}

async function reprocess(given: Tour): Promise<void> {
  const { on, engine, branch } = given;
  const params = { path: { story: branch.story } };
  await engine.client()("post", "/api/v1/stories/{story}/rules", { params, body: { enabled: false } });
  await stop(given, "floors re-process", () => inMenu(on, either("重新处理", "Re-process"), either("整个故事", "whole story")), on.dialog.locator("li"));
  await engine.client()("post", "/api/v1/stories/{story}/rules", { params, body: { unset: ["enabled"] } });
}

/** The editor as tree and text, its preview, a conflict with another window, and the message after saving. */
async function edit(given: Tour, last: number): Promise<void> {
  const { on, look, engine, branch } = given;
  await goTo(on, 2);
  await named(on, either("编辑", "Edit")).click();
  await named(on, either("添加键", "Add key")).click();
  for (const text of ["tour", "1"]) {
    await on.page.keyboard.type(text);
    await on.page.keyboard.press("Enter");
  }
  await on.root.getByText(/层会变|later floors? change/).first().waitFor();
  await look("floors edit tree");
  await on.root.getByRole("tab", { name: TEXT }).click();
  await on.root.locator(".cm-content").waitFor();
  await look("floors edit text");
  await stop(given, "floors preview", () => named(on, either("预览", "Preview")).click());
  const { page } = await engine.floor(branch, 2);
  const hear = await on.deaf();
  await engine.api().change(branch, { kind: "set", page, path: ["theirs"], value: 2 });
  await named(on, SAVE).click();
  const difference = named(on, either("看差异", "Show difference"), on.dialog);
  await difference.waitFor();
  await look("floors conflict");
  await difference.click();
  await on.dialog.locator(".sl-diff").waitFor();
  await look("floors conflict sides");
  await hear();
  await named(on, either("保留我的", "Keep mine"), on.dialog).click();
  const toast = on.root.locator(".sl-toast").first();
  await toast.waitFor();
  await look("floors saved");
  await toast.getByRole("button", { name: /撤销|Undo/ }).click();
  await toast.waitFor({ state: "detached" });
  await engine.api().undo(branch);
  await goTo(on, last);
}

async function template(given: Tour): Promise<void> {
  const { on, look, folder } = given;
  const narrow = await isNarrow(on);
  await on.tab("template");
  await on.root.getByRole("tree").waitFor();
  await look("template");
  if (narrow) {
    const checks = named(on, /(检查|Checks)/);
    await checks.click();
    await look("template checks");
    await checks.click();
  }
  const act = async (name: RegExp): Promise<void> => (narrow ? inMenu(on, MORE, name) : named(on, name).click());
  await stop(given, "template from floor", () => act(either("来自楼层…", "From floor…")), on.dialog.locator(".sl-diff"));
  await stop(given, "template from snapshot", async () => {
    await act(either("来自快照…", "From snapshot…"));
    await on.dialog.getByRole("radio").first().check();
  }, on.dialog.locator(".sl-diff"));
  await stop(given, "template versions", async () => {
    await inMenu(on, MORE, either("历史版本…", "Versions…"));
    await on.dialog.getByRole("radio").last().check();
  }, on.dialog.locator(".sl-diff"));
  await stop(given, "template import", () => giveFile(on.page, join(folder, "tour.json"), () => act(either("导入…", "Import…"))), named(on, FILL, on.dialog));
  await on.root.getByRole("tab", { name: TEXT }).click();
  await on.root.locator(".cm-content").waitFor();
  await look("template text");
}

async function snapshots(given: Tour): Promise<void> {
  const { on, look } = given;
  const narrow = await isNarrow(on);
  await on.tab("snapshots");
  const rows = on.root.locator(".sl-rows .sl-row");
  await rows.first().waitFor();
  await rows.first().getByRole("checkbox").check();
  await look("snapshots");
  await stop(given, "snapshots tag", () => named(on, either("加分类…", "Tag…")).click());
  await rows.first().getByRole("checkbox").uncheck();
  await stop(given, "snapshots new", () => named(on, either("新建", "New")).click());
  await rows.first().locator(".sl-open").click();
  await on.root.getByRole("tree").waitFor();
  await look("snapshots preview");
  await stop(given, "snapshots template", () => named(on, either("用作模板…", "Use as template…")).click(), on.dialog.locator(".sl-diff"));
  await stop(given, "snapshots compare", () => named(on, /^(和 #\d+ 比较|Compare with #\d+)$/).click(), on.dialog.locator(".sl-diff"));
  await stop(given, "snapshots edit", () => named(on, either("编辑", "Edit")).click(), on.dialog.getByRole("tree"));
  if (narrow) await named(on, either("返回列表", "Back to the list")).click();
}

async function settings(given: Tour): Promise<void> {
  const { on, look } = given;
  await on.tab("settings");
  await on.root.getByText(/^(正常|OK)/).first().waitFor();
  const titles = await on.root.locator(".sl-settings h2").all();
  assert.ok(titles.length >= 5, `${titles.length} sections`);
  for (const [index, title] of titles.entries()) {
    await title.evaluate((element) => element.scrollIntoView({ block: "start" }));
    await look(`settings ${index + 1}`);
  }
  await titles[0]!.evaluate((element) => element.scrollIntoView({ block: "start" }));
  await stop(given, "settings schema", () => named(on, /^(从 #\d+ 推断…|Infer from #\d+…)$/).click(), on.dialog.getByRole("tree"));
  const search = on.root.getByRole("searchbox").first();
  await search.fill("zzz");
  await until("nothing is found", async () => assert.equal(await on.root.locator(".sl-setting:visible").count(), 0));
  await look("settings nothing found");
  await search.fill("");
}

/** What the stops need besides the story: a template, two snapshots. */
export async function furnish(engine: Engine, card: string, template: JsonObject, label = (name: string): string => name): Promise<void> {
  const client = engine.client();
  await client("put", "/api/v1/templates/{card}", { params: { path: { card } }, body: { template: { ...template, old: true } } });
  await client("put", "/api/v1/templates/{card}", { params: { path: { card } }, body: { template } });
  const body = (name: string, tags: string[], state: JsonObject) => ({ body: { name: label(name), description: label("description"), tags: tags.map(label), state } });
  await client("post", "/api/v1/snapshots", body("before the town", ["town"], { ...template, place: label("gate") }));
  await client("post", "/api/v1/snapshots", body("before the boss", ["town", "boss"], { [label("key")]: label("value") }));
}
